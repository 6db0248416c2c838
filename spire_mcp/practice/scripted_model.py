"""A scripted decision model: answers without judgement of its own, and the faults that a real service could have.

`answer` is a plain function of a request, so that evaluations need no socket; the server puts it behind HTTP.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, cast

Json = dict[str, Any]

NAME: Final = "scripted"
BEHAVIOURS: Final = ("uniform", "random", "first", "ranking", "none")
MODEL_FAULTS: Final = frozenset(
    {
        "alien_choice",
        "five_hundred_percent",
        "no_answers",
        "nan",
        "wrong_type",
        "no_model",
        "status_500",
        "status_429",
        "status_401",
        "cut",
        "garbage",
        "drip",
        "silence",
    }
)
"""what the server can do instead of answering; silence and drip last until it is stopped"""
_LEAD: Final = 0.7
_LOSES: Final = re.compile(r"Own HP: (loses|gains) (\w+)")
_DAMAGE: Final = re.compile(r"(\d+) to ")
_GAINED: Final = re.compile(r"(Vulnerable|Weak|Strength) (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """How a scripted model answers.

    `ranking` prefers by what the descriptions say; with probability `noise` it prefers another line instead. `answers`
    are given one after the other, the last one for ever; each prefers a key, or is a whole response.
    """

    behaviour: str = "ranking"
    noise: float = 0.0
    seed: str = "scripted"
    answers: tuple[Json, ...] = ()

    def preference(self, body: Json, number: int) -> Callable[[Mapping[str, Any]], str | None]:
        """Which of some criteria is preferred on the n-th request; None for no preference."""
        dice = Random(f"{self.seed}/{number}/{json.dumps(body.get('state'), sort_keys=True)}")
        told = self.answers[min(number, len(self.answers)) - 1] if self.answers else {}
        if "prefer" in told:
            return lambda criteria: str(told["prefer"]) if told["prefer"] in criteria else None
        if self.behaviour == "uniform":
            return lambda _: None
        if self.behaviour == "none":
            return lambda _: "none"
        if self.behaviour == "first":
            return lambda criteria: next(iter(criteria))
        choices = [question for question in body["questions"].values() if question["type"] == "choice"]
        lines = _lines(choices[0]) if choices else {}
        ranked = sorted(lines, key=lambda key: rating(lines[key]), reverse=True)
        if ranked and (self.behaviour == "random" or dice.random() < self.noise):
            ranked = [dice.choice(sorted(ranked))]
        return lambda criteria: ranked[0] if ranked and ranked[0] in criteria else None


def parse_script(text: str, *, seed: str = "scripted") -> Script:
    """Read `uniform`, `random`, `first`, `ranking`, `none`, `noise:SHARE` or `file:PATH`.

    A file holds a JSON list; each entry is `{"prefer": KEY}`, `{"response": {…}}` or `{"fault": NAME}`.

    Raises:
        ValueError: names what cannot be read.
    """
    kind, _, value = text.partition(":")
    if kind == "noise":
        noise = float(value or "nan") if re.fullmatch(r"[01](\.\d+)?|\.\d+", value) else -1.0
        if not 0 <= noise <= 1:
            raise ValueError(f"{text[:40]!r}: write noise: and a share from 0 to 1")
        return Script(noise=noise, seed=seed)
    if kind == "file":
        try:
            listed: Any = json.loads(Path(value).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"the file of answers cannot be read: {type(error).__name__}") from None
        entries = cast("list[Json]", listed) if isinstance(listed, list) else []
        if not entries or not all(isinstance(entry, dict) for entry in cast("list[object]", entries)):
            raise ValueError("the file of answers is no JSON list of objects")
        return Script(behaviour="uniform", answers=tuple(entries), seed=seed)
    if text not in BEHAVIOURS:
        raise ValueError(f"unknown model {text[:40]!r}; known are: {', '.join(BEHAVIOURS)}, noise:SHARE, file:PATH")
    return Script(behaviour=text, seed=seed)


def rating(description: str) -> float:
    """How good a line sounds: HP counts most, then kills, damage and lasting effects."""
    fields = {part.partition(": ")[0]: part.partition(": ")[2] for part in re.split(r"\.(?: |$)", description)}
    lost = _LOSES.search(description)
    points = 0.0
    if lost is not None and lost.group(2).isdigit():
        points -= 10 * int(lost.group(2)) * (1 if lost.group(1) == "loses" else -1)
    kills = fields.get("Kills", "nobody")
    points += 0 if kills == "nobody" else 60 * len(kills.split(", "))
    points += sum(4 * int(number) for number in _DAMAGE.findall(fields.get("Damage to the living", "")))
    points += sum(8 * int(number) for _, number in _GAINED.findall(fields.get("Effects", "")))
    return points


def _lines(question: Mapping[str, Any]) -> dict[str, str]:
    return {key: text for key, text in question["criteria"].items() if key != "none"}


def answer(body: Json, script: Script, number: int = 1) -> Json:
    """The response to the n-th request."""
    told = script.answers[min(number, len(script.answers)) - 1] if script.answers else {}
    if "response" in told:
        response: Json = told["response"]
        return response
    prefers = script.preference(body, number)
    answers = {name: _answer(question, prefers) for name, question in body["questions"].items()}
    tokens = -(-len(json.dumps({"state": body["state"], "questions": body["questions"]})) // 4)
    usage = {"input_tokens": tokens, "output_tokens": 2 * len(answers)}
    return {"model": f"{NAME}-{script.behaviour}", "usage": usage, "answers": answers}


def _answer(question: Mapping[str, Any], prefers: Callable[[Mapping[str, Any]], str | None]) -> Json:
    match question["type"]:
        case "choice":
            keys = list(question["criteria"])
            shares = _shares(keys, prefers(question["criteria"]))
            top = max(shares.values())
            confidence = (len(keys) * top - 1) / (len(keys) - 1) if len(keys) > 1 else 1.0
            choice = max(shares, key=lambda key: shares[key])
            return {"type": "choice", "choice": choice, "confidence": round(confidence, 2), "probabilities": shares}
        case "score":
            levels = [str(level) for level in range(len(question["criteria"]))]
            legend = dict(zip(levels, question["criteria"], strict=True))
            shares = {level: float(level == "0") for level in levels}
            return {"type": "score", "score": 0.0, "confidence": 1.0, "legend": legend, "probabilities": shares}
        case _:
            return {"type": "noul", "noul": 0.5}


def _shares(keys: Sequence[str], preferred: str | None) -> dict[str, float]:
    if preferred is None or len(keys) == 1:
        return {key: 1 / len(keys) for key in keys}
    rest = (1 - _LEAD) / (len(keys) - 1)
    return {key: _LEAD if key == preferred else rest for key in keys}


def spoiled(response: Json, fault: str) -> Json:
    """A response with a fault that a client library passes on."""
    answers = {name: dict(given) for name, given in response["answers"].items()}
    first = next(iter(answers))
    match fault:
        case "alien_choice":
            answers[first]["choice"] = "play every card"
        case "five_hundred_percent":
            answers[first]["probabilities"] = dict.fromkeys(answers[first]["probabilities"], 5.0)
        case "nan":
            answers[first]["probabilities"] = dict.fromkeys(answers[first]["probabilities"], float("nan"))
        case "no_answers":
            answers = {}
        case "wrong_type":
            answers[first] = {"type": "noul", "noul": 0.9}
        case "no_model":
            return {**response, "model": ""}
        case _:
            raise ValueError(fault)
    return {**response, "answers": answers}
