"""The pieces of a fight: cards, monsters, orbs, and a choice of cards that it waits for."""

from dataclasses import dataclass, field
from typing import Any

from spire_mcp.practice.content import cards as card_table
from spire_mcp.practice.content import monsters as monster_table
from spire_mcp.practice.moves import Pattern
from spire_mcp.practice.rules import Creature


@dataclass(slots=True, eq=False)
class Card:
    """One card of the deck. `shown` is the text it last showed on screen, which piles keep."""

    id: str
    upgraded: bool = False
    shown: str | None = None
    enchantment: tuple[str, int] | None = None
    """its kind and amount, such as ("Sharp", 2)"""

    @property
    def data(self) -> dict[str, Any]:
        """Its table entry."""
        found: dict[str, Any] = card_table()[self.id]
        return found

    def number(self, pair: object) -> int:
        """A number of the table: alone, or base and upgraded."""
        value = pair[1 if self.upgraded else 0] if isinstance(pair, list) else pair  # pyright: ignore[reportUnknownVariableType]
        assert isinstance(value, int)
        return value

    @property
    def keywords(self) -> list[str]:
        """Its keywords; an upgrade may change them."""
        found: list[str] = self.data["keywords"]
        later: list[str] = self.data.get("upgraded_keywords", found)
        return later if self.upgraded else found

    def has(self, keyword: str) -> bool:
        """Whether it carries a keyword."""
        return keyword in self.keywords

    def bonus(self, kind: str) -> int:
        """What its enchantment adds; 0 for another kind or none."""
        return self.enchantment[1] if self.enchantment is not None and self.enchantment[0] == kind else 0

    def copy(self) -> "Card":
        """Another card of the same kind."""
        return Card(self.id, self.upgraded, enchantment=self.enchantment)


@dataclass(slots=True, eq=False)
class Monster(Creature):
    """A monster with its next move."""

    id: str = ""
    combat_id: int = 0
    pattern: Pattern | None = None
    shell_lost: int = 0
    attacked_this_turn: bool = False

    @property
    def data(self) -> dict[str, Any]:
        """Its table entry."""
        found: dict[str, Any] = monster_table()[self.id]
        return found

    @property
    def move(self) -> dict[str, Any]:
        """What it is about to do."""
        assert self.pattern is not None
        if self.pattern.stunned:
            return {"intents": [{"type": "Stun"}], "effects": []}
        found: dict[str, Any] = self.data["moves"][self.pattern.move]
        return found


@dataclass(slots=True, eq=False)
class Orb:
    """A channelled orb. Only the Dark's evoke value is its own; the others follow from Focus."""

    id: str
    stored: int = 0


@dataclass(slots=True)
class Choice:
    """A choice of cards that the fight waits for: `where` is hand, discard or offer, `then` what the card is for."""

    where: str
    then: str
    count: int = 1
    picked: list[Card] = field(default_factory=list[Card])
    offered: list[Card] = field(default_factory=list[Card])
    """the cards of an offer, which lie in no pile"""
