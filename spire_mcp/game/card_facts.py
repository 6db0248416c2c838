"""What is known of each card by its ID: names, type, price, and what an upgrade changes."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import UnionType
from typing import Final, cast

from spire_mcp.errors import InternalError
from spire_mcp.game.parts import Card

_NUMBER: Final = re.compile(r"\d+")


Change = tuple[str, int | str, int]
"""What changes, before and after; a cost may be `X` before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """One card: its English and Chinese names, and what an upgrade changes, in numbers and in words."""

    names: tuple[str | None, str | None]
    pool: str
    type: str
    rarity: str
    cost: int | str
    upgrade: tuple[Change, ...] = ()
    upgrade_notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """All known cards by ID, with where they come from."""

    source: str
    game_version: str
    cards: Mapping[str, CardFacts]


_FIELDS: Final[dict[str, Callable[[object], bool]]] = {
    "names": lambda value: _list_of(value, str | None, 2),
    "pool": lambda value: isinstance(value, str),
    "type": lambda value: isinstance(value, str),
    "rarity": lambda value: isinstance(value, str),
    "cost": lambda value: isinstance(value, int | str),
    "upgrade": lambda value: isinstance(value, list) and all(map(_is_change, cast("list[object]", value))),
    "upgrade_notes": lambda value: _list_of(value, str),
}
_OPTIONAL: Final = frozenset({"upgrade", "upgrade_notes"})


def _list_of(value: object, kind: type | UnionType, length: int | None = None) -> bool:
    if not isinstance(value, list):
        return False
    items = cast("list[object]", value)
    return all(isinstance(item, kind) for item in items) and length in {None, len(items)}


def _is_change(value: object) -> bool:
    if not isinstance(value, list) or len(cast("list[object]", value)) != 3:
        return False
    what, before, after = cast("list[object]", value)
    return isinstance(what, str) and isinstance(before, int | str) and isinstance(after, int)


def read_facts(text: str) -> CardTable:
    """The table from its JSON.

    Raises:
        InternalError: names the first place that is wrong; the file is part of the product.
    """
    try:
        whole = json.loads(text)
        source, version, cards = whole["source"], whole["game_version"], whole["cards"]
        return CardTable(
            source=str(source), game_version=str(version), cards={name: _card(name, cards[name]) for name in cards}
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InternalError(f"the card table is damaged: {type(error).__name__} {error}") from None


def _card(name: str, entry: dict[str, object]) -> CardFacts:
    for field in entry.keys() | _FIELDS.keys():
        place = f"cards.{name}.{field}"
        if field not in _FIELDS:
            raise InternalError(f"the card table is damaged at {place}: no such field")
        if field not in entry and field not in _OPTIONAL:
            raise InternalError(f"the card table is damaged at {place}: it is missing")
        if field in entry and not _FIELDS[field](entry[field]):
            raise InternalError(f"the card table is damaged at {place}: a value of the wrong shape")
    changes = cast("list[list[object]]", entry.get("upgrade", []))
    return CardFacts(
        names=cast("tuple[str | None, str | None]", tuple(cast("list[object]", entry["names"]))),
        pool=str(entry["pool"]),
        type=str(entry["type"]),
        rarity=str(entry["rarity"]),
        cost=cast("int | str", entry["cost"]),
        upgrade=cast("tuple[Change, ...]", tuple(tuple(change) for change in changes)),
        upgrade_notes=tuple(cast("list[str]", entry.get("upgrade_notes", []))),
    )


@cache
def card_table() -> CardTable:
    """The product's table, read once."""
    return read_facts(files("spire_mcp.game").joinpath("data", "cards.json").read_text(encoding="utf-8"))


@cache
def _types_by_name() -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for card in card_table().cards.values():
        for name in card.names:
            if name is not None:
                # Five cards are called Strike: their type is one. A name of two types tells nothing.
                found[name] = card.type if found.get(name, card.type) == card.type else None
    return found


def type_of(name: str) -> str | None:
    """The type of the card with this displayed name, upgraded or not; None for a name that the table does not hold."""
    return _types_by_name().get(name.rstrip("+").rstrip())


def upgrade_of(card: Card) -> str | None:
    """What an upgrade would change, as `damage 8→10, Vulnerable 2→3`; None where it is not known for this very card.

    The table's numbers before the upgrade have to be those that the card shows: another version of the game may have
    changed them, and then nothing is claimed.
    """
    facts = card_table().cards.get(card.id)
    if facts is None or card.is_upgraded or not (facts.upgrade or facts.upgrade_notes):
        return None
    shown = set(_NUMBER.findall(card.description or ""))
    changes: list[str] = []
    for what, before, after in facts.upgrade:
        if what == "cost":
            if card.cost != str(before):
                return None
        elif str(before) not in shown and not _is_unsaid(before):
            return None
        changes.append(f"{what} {before}→{after}")
    return ", ".join([*changes, *facts.upgrade_notes])


def _is_unsaid(number: int | str) -> bool:
    """Whether card text writes the number as a word (`a card`, `an enemy`), or not at all."""
    return number in {0, 1}


def names_of(card_id: str) -> tuple[str, ...]:
    """The names under which a card is shown, in the languages that the table has."""
    facts = card_table().cards.get(card_id)
    return tuple(name for name in facts.names if name) if facts is not None else ()
