"""What the tables know of cards, powers and relics: small data, read once, with its game version."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from spire_mcp.combat.tables import table

Numbers = frozenset[str]


@dataclass(frozen=True, slots=True)
class Touch:
    """Which numbers a power or relic without a rule in code can make wrong.

    `better` has, by what sets it off, the numbers that can only come out better for us than computed.
    """

    numbers: Numbers = frozenset()
    better: Mapping[str, Numbers] = field(default_factory=dict[str, Numbers])
    round: int | None = None
    limits_plays: bool = False


AT_NEXT_START: Final = frozenset({"next_block", "next_enemies"})
"""Numbers as the next turn begins, which decide nothing in this one."""

EVERYTHING: Final = Touch(
    frozenset({"damage", "hit", "death", "play", "energy", "draw", "block", "turn_start", "turn_end", "next_block"})
)
"""What a power or relic that the tables do not know is taken to touch."""

_NOTHING: Final = Touch()


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
def power_touch(power_id: str, *, on_player: bool = False) -> Touch:
    """What a power can make wrong; nothing for one whose rule is written."""
    return _touch(table("powers").get(power_id), on_player=on_player)


@cache
def relic_touch(relic_id: str) -> Touch:
    """What a relic can make wrong by acting in a fight; nothing for one whose rule is written."""
    return _touch(table("relics").get(relic_id), on_player=True)


def _touch(entry: Mapping[str, Any] | None, *, on_player: bool) -> Touch:
    if entry is None:
        return EVERYTHING
    if entry.get("modelled"):
        return _NOTHING
    numbers = entry["on_player"] if on_player and entry.get("on_player") is not None else entry["touches"]
    better: Mapping[str, Any] = entry.get("better", {})
    return Touch(
        numbers=frozenset(numbers),
        better={trigger: frozenset(numbers) for trigger, numbers in better.items()},
        round=entry.get("round"),
        limits_plays=bool(entry.get("limits_plays")),
    )


@cache
def potion_rule(potion_id: str) -> Mapping[str, Any] | None:
    """What a potion does, or None for one that the table does not know."""
    return table("potions").get(potion_id)
