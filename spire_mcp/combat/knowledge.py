"""What the tables know of cards, powers and relics: small data, read once, with its game version."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from spire_mcp.combat.tables import table

EVERYTHING: Final = frozenset(
    {"damage", "hit", "death", "play", "energy", "draw", "block", "keeps_block", "turn_start", "turn_end"}
)
"""What a power or relic that the tables do not know is taken to touch."""


@dataclass(frozen=True, slots=True)
class CardRule:
    """What a card does, as effects in the order of its text, and what happens to it in hand and afterwards."""

    id: str
    type: str
    effects: tuple[Mapping[str, Any], ...]
    exhausts: tuple[bool, bool]
    ethereal: bool
    retains: bool
    end_of_turn: Mapping[str, Any]


@cache
def card_rule(card_id: str) -> CardRule | None:
    """The rule of a card, or None for one that the table does not know."""
    entry = table("cards").get(card_id)
    if entry is None:
        return None
    exhausts: list[bool] = entry.get("exhaust", [False, False])
    return CardRule(
        id=card_id,
        type=entry["type"],
        effects=tuple(entry["effects"]),
        exhausts=(exhausts[0], exhausts[1]),
        ethereal=bool(entry.get("ethereal")),
        retains=bool(entry.get("retain")),
        end_of_turn=entry.get("end_of_turn", {}),
    )


@cache
def unmodelled_touch(power_id: str) -> frozenset[str]:
    """Which numbers an unmodelled power can make wrong; nothing for one whose rule is written."""
    entry = table("powers").get(power_id)
    if entry is None:
        return EVERYTHING
    return frozenset() if entry.get("modelled") else frozenset(entry["touches"])


@cache
def relic_touch(relic_id: str) -> frozenset[str]:
    """Which numbers a relic can make wrong by acting in the middle of a turn."""
    touches = table("relics").get(relic_id)
    return EVERYTHING if touches is None else frozenset(touches)


@cache
def potion_rule(potion_id: str) -> Mapping[str, Any] | None:
    """What a potion does, or None for one that the table does not know."""
    return table("potions").get(potion_id)
