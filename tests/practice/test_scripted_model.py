"""The scripted model: the answers it was told to give, and the same ones every time."""

import json
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.practice.model_server import ModelServer
from spire_mcp.practice.scripted_model import Script, answer, parse_script, rating

GOOD = "Play: Defend. Kills: nobody. Damage to the living: none. Own HP: loses none, 80 left. Block: x. Effects: none."
BAD = "Play: Strike. Kills: nobody. Damage to the living: 6 to Nibbit e1 (9 HP left). Own HP: loses 12, 68 left."
BODY: dict[str, Any] = {
    "state": {},
    "questions": {
        "line1": {"type": "choice", "criteria": {"A": BAD, "B": GOOD, "none": "none of these"}},
        "line2": {"type": "choice", "criteria": {"B": GOOD, "A": BAD, "none": "none of these"}},
        "danger": {"type": "score", "criteria": ["low", "high"]},
        "potion": {"type": "noul"},
    },
}


def choices(script: Script, number: int = 1) -> list[str]:
    answers = answer(BODY, script, number)["answers"]
    return [answers["line1"]["choice"], answers["line2"]["choice"]]


def test_it_ranks_lines_by_what_their_descriptions_say() -> None:
    assert rating(GOOD) > rating(BAD)
    assert choices(parse_script("ranking")) == ["B", "B"]


def test_a_liking_for_the_first_place_and_for_nothing() -> None:
    assert choices(parse_script("first")) == ["A", "B"]
    assert choices(parse_script("none")) == ["none", "none"]
    shares = answer(BODY, parse_script("uniform"))["answers"]["line1"]["probabilities"]
    assert len(set(shares.values())) == 1


def test_noise_is_seeded_and_of_the_size_that_was_asked_for() -> None:
    script = parse_script("noise:0.5", seed="s")
    given = [choices(script, number)[0] for number in range(1, 401)]
    assert given == [choices(script, number)[0] for number in range(1, 401)]
    # Half of the answers are dice over two lines: a quarter of all, give or take four standard errors (2.2 % each).
    assert 0.16 < given.count("A") / 400 < 0.34


def test_answers_from_a_file_are_given_one_after_the_other(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    whole = {"model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}, "answers": {}}
    file.write_text(json.dumps([{"prefer": "A"}, {"response": whole}, {"fault": "garbage"}]), encoding="utf-8")
    script = parse_script(f"file:{file}")
    assert choices(script, 1) == ["A", "A"]
    assert answer(BODY, script, 2) == whole
    with ModelServer(script) as server:
        assert server.script.answers[2] == {"fault": "garbage"}


@pytest.mark.parametrize("text", ["best", "noise:2", "noise:", "noise:nan", "file:/nowhere/at/all", ""])
def test_what_is_no_script_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_script(text)


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="silence"):
        ModelServer(faults="sulking@1")
