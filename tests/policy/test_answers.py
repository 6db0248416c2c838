"""An answer is believed when all of it holds, and not otherwise."""

from typing import Any

import pytest

from spire_mcp.policy.answers import Answer, NotBelievedError, Reply, check
from spire_mcp.policy.questions import Asked, ask
from spire_mcp.policy.shortlist import shortlist
from spire_mcp.practice.scripted_model import MODEL_FAULTS, Script, answer, spoiled
from tests.boards import bash, defend, enemy, fight, strike
from tests.models import found_on

Json = dict[str, Any]


@pytest.fixture
def asked() -> Asked:
    observation = fight([strike(), bash(), defend(), defend()], [enemy(40, "11")])
    found = found_on(observation)
    return ask(observation, found, shortlist(found, 6), most_tokens=1_900)


def said(asked: Asked) -> Json:
    return answer({"state": dict(asked.state), "questions": {**asked.questions}}, Script(behaviour="first"))


def checked(asked: Asked, response: Json) -> Answer:
    return check(
        asked,
        Reply(model=response["model"], input_tokens=response["usage"]["input_tokens"], answers=response["answers"]),
    )


def test_a_sound_answer_is_believed_with_its_model_and_what_it_cost(asked: Asked) -> None:
    response = said(asked)
    found = checked(asked, response)
    assert (found.model, found.input_tokens) == ("scripted-first", response["usage"]["input_tokens"])
    assert len(found.orders) == len(asked.orders)
    assert (found.danger, found.potion) == (0.0, 0.5)


def test_shares_rounded_to_a_hundredth_are_believed(asked: Asked) -> None:
    response = said(asked)
    keys = list(response["answers"]["line1"]["probabilities"])
    # Four shares of a fourth less half a hundredth each: the sum is off by what rounding can do.
    response["answers"]["line1"] |= {"choice": keys[0], "probabilities": dict.fromkeys(keys, round(1 / len(keys), 2))}
    checked(asked, response)


@pytest.mark.parametrize("counted", [None, 0])
def test_a_service_that_does_not_count_tokens_is_charged_by_our_estimate(asked: Asked, counted: int | None) -> None:
    response = said(asked)
    response["usage"]["input_tokens"] = counted
    assert checked(asked, response).input_tokens == asked.estimate


def change(part: str, **fields: Any) -> Any:
    def changed(response: Json) -> None:
        response["answers"][part] |= fields

    return changed


def without(part: str) -> Any:
    def changed(response: Json) -> None:
        del response["answers"][part]

    return changed


def stranger(response: Json) -> None:
    response["answers"]["more"] = {"type": "noul", "noul": 0.5}


def foreign_share(response: Json) -> None:
    response["answers"]["line2"]["probabilities"]["Z"] = 0.0


def missing_share(response: Json) -> None:
    response["answers"]["line2"]["probabilities"].popitem()


def runner_up(response: Json) -> None:
    line = response["answers"]["line1"]
    line["choice"] = next(key for key in line["probabilities"] if key != line["choice"])


def too_little(response: Json) -> None:
    shares = response["answers"]["line1"]["probabilities"]
    response["answers"]["line1"]["probabilities"] = {key: share / 2 for key, share in shares.items()}


def tokens(value: object) -> Any:
    def changed(response: Json) -> None:
        response["usage"]["input_tokens"] = value

    return changed


@pytest.mark.parametrize(
    "spoil",
    [
        without("line1"),
        without("danger"),
        without("potion"),
        stranger,
        foreign_share,
        missing_share,
        runner_up,
        too_little,
        change("line1", choice="Z"),
        change("line1", choice=None),
        change("line1", confidence=2.0),
        change("line1", type="score"),
        change("line1", probabilities=None),
        change("danger", score=3.5),
        change("danger", score=float("nan")),
        change("danger", score=True),
        change("danger", probabilities={"0": 1.0}),
        change("potion", noul=1.7),
        change("potion", noul=float("inf")),
        change("potion", noul="0.5"),
        tokens(-1),
        tokens(True),
        tokens("many"),
        lambda response: response.update(model=None),
        lambda response: response.update(model=" \u202e"),
        lambda response: response.update(answers=None),
        lambda response: response.update(answers=[]),
    ],
)
def test_an_answer_with_anything_wrong_is_not_believed(asked: Asked, spoil: Any) -> None:
    response = said(asked)
    spoil(response)
    with pytest.raises(NotBelievedError):
        checked(asked, response)


PASSED_ON = sorted(
    fault
    for fault in MODEL_FAULTS
    if not fault.startswith("status") and fault not in {"cut", "garbage", "drip", "silence"}
)


@pytest.mark.parametrize("fault", PASSED_ON)
def test_what_a_client_library_passes_on_is_found(asked: Asked, fault: str) -> None:
    with pytest.raises(NotBelievedError):
        checked(asked, spoiled(said(asked), fault))
