"""The model's answer, checked before it is believed: a client library passes on what it should doubt."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, Protocol, cast

from spire_mcp.game.text import clean_text
from spire_mcp.policy.questions import DANGER, DANGER_LEVELS, POTION, Asked

_MOST_TOKENS: Final = 1_000_000_000


class NotBelievedError(Exception):
    """There is no answer that can be followed; `why` and `fix` are our own words, never the service's."""

    def __init__(self, why: str, fix: str = "Call `battle` again, or play on with --policy solver.") -> None:
        super().__init__(why)
        self.why = why
        self.fix = fix
        self.transcript: str | None = None
        """where the exchange stands, once it is written down"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a service said, as plain data that nobody has checked."""

    model: object
    input_tokens: object
    answers: object


class DecisionModel(Protocol):
    """Something that answers questions: a service, or a script."""

    @property
    def asked_for(self) -> str:
        """The model's name as it is asked for."""
        ...

    def ask(self, state: Mapping[str, object], questions: Mapping[str, Mapping[str, object]]) -> Reply:
        """Send one request, once.

        Raises:
            NotBelievedError: no answer came.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A checked answer. `orders` holds the shares of the options, order by order."""

    model: str
    input_tokens: int
    orders: tuple[Mapping[str, float], ...]
    danger: float
    potion: float


def check(asked: Asked, reply: Reply) -> Answer:
    """The answer, if all of it holds.

    Raises:
        NotBelievedError: says which part does not.
    """
    answers = reply.answers
    if not isinstance(answers, dict):
        raise NotBelievedError("the model's answer holds no answers")
    given = cast("dict[object, object]", answers)
    if set(given) != set(asked.questions):
        raise NotBelievedError("the model did not answer exactly the questions that were asked")
    orders = tuple(_choice(name, given[name], asked.questions[name]) for name in asked.orders)
    return Answer(
        model=_name(reply.model),
        input_tokens=_tokens(reply.input_tokens, asked),
        orders=orders,
        danger=_danger(given[DANGER]),
        potion=_share(_typed(POTION, given[POTION], "noul").get("noul"), POTION),
    )


def _name(model: object) -> str:
    name = clean_text(model, 80) if isinstance(model, str) else ""
    if not name:
        raise NotBelievedError("the model's answer does not say which model gave it")
    return name


def _tokens(tokens: object, asked: Asked) -> int:
    """What the service counted; our estimate where it does not count, which some say with a 0."""
    if tokens is None or (tokens == 0 and isinstance(tokens, int) and not isinstance(tokens, bool)):
        return asked.estimate
    if not isinstance(tokens, int) or isinstance(tokens, bool) or not 0 <= tokens <= _MOST_TOKENS:
        raise NotBelievedError("the model's answer counts its tokens in a way that cannot be")
    return tokens


def _typed(question: str, answer: object, kind: str) -> dict[str, object]:
    if not isinstance(answer, dict) or cast("dict[str, object]", answer).get("type") != kind:
        raise NotBelievedError(f"the model's answer to {question} is not of the type that was asked for")
    return cast("dict[str, object]", answer)


def _choice(name: str, answer: object, question: Mapping[str, object]) -> Mapping[str, float]:
    fields = _typed(name, answer, "choice")
    offered = list(cast("Mapping[str, object]", question["criteria"]))
    shares = _shares(name, fields.get("probabilities"), offered)
    _share(fields.get("confidence"), name)
    chosen = fields.get("choice")
    if not isinstance(chosen, str) or chosen not in shares:
        raise NotBelievedError(f"the model's answer to {name} chose what was not offered")
    if shares[chosen] < max(shares.values()) - 0.015:  # shares are rounded to 0.01, so ties happen
        raise NotBelievedError(f"the model's answer to {name} chose what its own shares do not lead with")
    return shares


def _danger(answer: object) -> float:
    fields = _typed(DANGER, answer, "score")
    _shares(DANGER, fields.get("probabilities"), [str(level) for level in range(len(DANGER_LEVELS))])
    _share(fields.get("confidence"), DANGER)
    score = fields.get("score")
    most = len(DANGER_LEVELS) - 1
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score) or not 0 <= score <= most:
        raise NotBelievedError("the model's danger score is outside its levels")
    return float(score)


def _shares(name: str, given: object, keys: list[str]) -> Mapping[str, float]:
    if not isinstance(given, dict):
        raise NotBelievedError(f"the model's answer to {name} has no shares")
    shares = {str(key): value for key, value in cast("dict[object, object]", given).items()}
    if set(shares) != set(keys):
        raise NotBelievedError(f"the model's answer to {name} has shares for other options than were offered")
    checked = {key: _share(shares[key], name) for key in keys}
    # Each share is rounded to 0.01 and may be off by half of that.
    if abs(sum(checked.values()) - 1) > 0.005 * len(keys) + 0.005:
        raise NotBelievedError(f"the model's shares for {name} do not add up to one")
    return checked


def _share(value: object, name: str) -> float:
    right = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and 0 <= value <= 1
    if not right:
        raise NotBelievedError(f"the model's answer to {name} holds a share that is none")
    return float(cast("float", value))
