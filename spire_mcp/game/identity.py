"""The state ID: a digest of everything in an observation that a decision could depend on."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

FORMAT: Final = "s1-"
"""Changes whenever the same board would get another ID than before."""

_LENGTH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """Something left out of the state ID, and why nobody could decide on it."""

    name: str
    reason: str
    apply: Callable[[dict[str, object]], None]


def _child(node: object, key: str) -> dict[str, object]:
    value = cast("dict[str, object]", node).get(key) if isinstance(node, dict) else None
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _items(node: dict[str, object], key: str) -> list[dict[str, object]]:
    value = node.get(key)
    if not isinstance(value, list):
        return []
    return [cast("dict[str, object]", item) for item in cast("list[object]", value) if isinstance(item, dict)]


PILES: Final = ("draw_pile", "discard_pile", "exhaust_pile")
LEAKS: Final = ("draw_pile_ordered", "hand_ordered", "discard_pile_ordered")


def _drop_pile_text(state: dict[str, object]) -> None:
    for pile in PILES:
        for card in _items(_child(state, "player"), pile):
            card.pop("description", None)
            card.pop("keywords", None)


def _sort_piles(state: dict[str, object]) -> None:
    player = _child(state, "player")
    for pile in PILES:
        cards = player.get(pile)
        if isinstance(cards, list):
            player[pile] = sorted(cast("list[object]", cards), key=_canonical)


def _drop_leaks(state: dict[str, object]) -> None:
    for key in LEAKS:
        state.pop(key, None)
        _child(state, "player").pop(key, None)
        _child(state, "battle").pop(key, None)


def _drop_messages(state: dict[str, object]) -> None:
    if state.get("state_type") != "menu":
        state.pop("message", None)
    for screen in ("overlay", "treasure", "game_over", "fake_merchant"):
        _child(state, screen).pop("message", None)


def _drop_transform_examples(state: dict[str, object]) -> None:
    select = _child(state, "card_select")
    if select.get("screen_type") == "transform":
        select.pop("preview_cards", None)


def _drop_hover(state: dict[str, object]) -> None:
    for cell in _items(_child(state, "crystal_sphere"), "cells"):
        cell.pop("is_hovered", None)


OMISSIONS: Final = (
    Omission(
        name="pile_text",
        reason="a card in a pile keeps whatever number it last showed on screen",
        apply=_drop_pile_text,
    ),
    Omission(
        name="pile_order",
        reason="the order of a pile decides nothing a player may know; a build may leak the true draw order in it",
        apply=_sort_piles,
    ),
    Omission(
        name="leaked_draw_order",
        reason="a player cannot see the order of the draw pile",
        apply=_drop_leaks,
    ),
    Omission(
        name="messages",
        reason="a message beside a screen describes an animation, not a choice",
        apply=_drop_messages,
    ),
    Omission(
        name="transform_examples",
        reason="the preview of a transform cycles through examples and decides nothing",
        apply=_drop_transform_examples,
    ),
    Omission(
        name="hover",
        reason="where the mouse points is not part of the game",
        apply=_drop_hover,
    ),
)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _copy(value: object) -> object:
    match value:
        case dict():
            return {key: _copy(item) for key, item in cast("dict[str, object]", value).items()}
        case list():
            return [_copy(item) for item in cast("list[object]", value)]
        case _:
            return value


def state_id(raw: dict[str, object]) -> str:
    """The state ID of a raw state answer: `s1-` and 16 characters.

    Equal boards give equal IDs whatever the order of keys; every difference outside `OMISSIONS` gives another one.
    """
    state = cast("dict[str, object]", _copy(raw))
    for omission in OMISSIONS:
        omission.apply(state)
    digest = hashlib.sha256(_canonical(state).encode("ascii")).digest()
    return FORMAT + base64.b32encode(digest).decode("ascii").lower()[:_LENGTH]


def digest(text: str, length: int = 6) -> str:
    """A short stable name for text that cannot stand in an ID itself."""
    raw = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(raw).decode("ascii").lower()[:length]
