"""A brief within its size: what matters least is shortened first, and the reason never goes."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Final, cast

from spire_mcp.game.text import clean_text

Json = dict[str, object]

MOST_CHARACTERS: Final = 2_800
"""about 700 tokens at four characters each, as JSON that escapes what is not ASCII"""
_WHOLE: Final = "for_a_strategy"
"""never shortened inside: half a signature would be a wrong one"""
_GOES: Final = ("counted", "transcript", "done", "conditions", "distribution", "best_lines", "choices", _WHOLE)
_STAYS: Final = ("why", "lethal", "steps_done", "run_boundary", "moved_meanwhile", "note")


def fitted(brief: Json) -> Json:
    """The brief, cut as far as it has to be."""
    if _size(brief) <= MOST_CHARACTERS:
        return brief
    cut = deepcopy(brief)
    for shorten in _STEPS:
        shorten(cut)
        if _size(cut) <= MOST_CHARACTERS:
            return cut
    for key in _GOES:
        cut.pop(key, None)
        if _size(cut) <= MOST_CHARACTERS:
            return cut
    return {key: cut[key] for key in _STAYS if key in cut}


def _size(brief: Json) -> int:
    return len(json.dumps(brief))


def _lines(brief: Json) -> list[Json]:
    lines = brief.get("best_lines")
    return cast("list[Json]", lines) if isinstance(lines, list) else []


def _fewer_reasons(brief: Json) -> None:
    for line in _lines(brief):
        for key in ("because", "unknown"):
            if isinstance(line.get(key), list):
                line[key] = cast("list[object]", line[key])[:1]


def _fewer_steps(brief: Json) -> None:
    steps = brief.get("done")
    if isinstance(steps, list):
        brief["done"] = cast("list[object]", steps)[-3:]


def _fewer_lines(brief: Json) -> None:
    for key in ("best_lines", "distribution"):
        lines = brief.get(key)
        if isinstance(lines, list):
            brief[key] = cast("list[object]", lines)[:2]


def _shorter_texts(brief: Json) -> None:
    for key, value in brief.items():
        if key == _WHOLE:
            continue
        if isinstance(value, str):
            brief[key] = clean_text(value, 160)
        elif isinstance(value, list):
            items = cast("list[object]", value)[:4]
            brief[key] = [clean_text(item, 90) if isinstance(item, str) else item for item in items]


def _barer_lines(brief: Json) -> None:
    for line in _lines(brief):
        for key in ("because", "unknown", "energy_left", "damage"):
            line.pop(key, None)


_STEPS: Final[tuple[Callable[[Json], None], ...]] = (
    _fewer_reasons,
    _fewer_steps,
    _fewer_lines,
    _shorter_texts,
    _barer_lines,
)
