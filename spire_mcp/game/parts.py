"""The pieces that several screens share: cards, powers, relics, potions, the player, the run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


class Wire:
    """Base of everything that is read from the bridge.

    The setting below is read by the parser in `bridge/`: a number where text is expected becomes text, since some
    builds send costs as numbers.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[Mapping[str, object]] = {"coerce_numbers_to_str": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword(Wire):
    """A term that a card, relic or power explains; an enchantment appears here by its displayed name."""

    name: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Power(Wire):
    """A buff or debuff on a creature. `id` ends in `_POWER`; `amount` is its stacks."""

    id: str
    name: str | None = None
    amount: int = 0
    type: str = ""
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Wire):
    """A card wherever cards are listed; the last five fields are only there for cards in hand.

    `cost` is text: digits, or `X`. An unplayable card shows `0`, so a card is free only when `can_play` is true.
    `index` is its place in its list at this reading, never an identity.
    """

    id: str
    name: str | None = None
    type: str = ""
    cost: str | None = None
    star_cost: str | None = None
    description: str | None = None
    rarity: str | None = None
    is_upgraded: bool = False
    keywords: tuple[Keyword, ...] = ()
    index: int = 0
    target_type: str | None = None
    can_play: bool = False
    unplayable_reason: str | None = None
    is_selected: bool | None = None

    @property
    def title(self) -> str:
        """What to call the card: its displayed name, or its ID where the bridge gives no name."""
        return self.name or self.id

    @property
    def energy_cost(self) -> int | None:
        """Energy to pay now; None for X and for text that is not a number."""
        text = (self.cost or "").strip()
        return int(text) if text.isascii() and text.isdigit() else None

    @property
    def is_x_cost(self) -> bool:
        """Whether the card spends all energy."""
        return (self.cost or "").strip().upper() == "X"


@dataclass(frozen=True, slots=True, kw_only=True)
class PileCard(Wire):
    """A card in the draw, discard or exhaust pile: no ID, and no usable text (combat-rules.md, section 0)."""

    name: str | None = None
    cost: str | None = None
    star_cost: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCard(Wire):
    """A card of the permanent deck, which only some builds list."""

    id: str = ""
    name: str | None = None
    cost: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relic(Wire):
    """A relic that is owned or offered; `counter` and `rarity` are there where they apply."""

    id: str
    name: str | None = None
    description: str | None = None
    counter: int | None = None
    rarity: str | None = None
    index: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Potion(Wire):
    """A potion in the belt. `slot` is its real place: slots have gaps."""

    id: str
    slot: int
    name: str | None = None
    description: str | None = None
    can_use_in_combat: bool = False
    target_type: str | None = None

    @property
    def title(self) -> str:
        """What to call the potion."""
        return self.name or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Orb(Wire):
    """A channelled orb; both values contain Focus already."""

    id: str
    name: str | None = None
    passive_val: float | None = None
    evoke_val: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pet(Wire):
    """A companion with HP of its own (Osty)."""

    id: str
    name: str | None = None
    alive: bool = True
    hp: int = 0
    max_hp: int = 0
    block: int = 0
    status: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Player(Wire):
    """The player. Energy, hand and piles are there only while a fight runs."""

    hp: int
    max_hp: int
    character: str | None = None
    block: int = 0
    gold: int = 0
    status: tuple[Power, ...] = ()
    relics: tuple[Relic, ...] = ()
    potions: tuple[Potion, ...] = ()
    max_potion_slots: int | None = None
    energy: int | None = None
    max_energy: int | None = None
    stars: int | None = None
    hand: tuple[Card, ...] | None = None
    draw_pile_count: int | None = None
    discard_pile_count: int | None = None
    exhaust_pile_count: int | None = None
    draw_pile: tuple[PileCard, ...] = ()
    discard_pile: tuple[PileCard, ...] = ()
    exhaust_pile: tuple[PileCard, ...] = ()
    orbs: tuple[Orb, ...] = ()
    orb_slots: int | None = None
    deck: tuple[DeckCard, ...] | None = None
    pets: tuple[Pet, ...] = ()

    @property
    def belt_is_full(self) -> bool | None:
        """Whether a further potion would be dropped silently; None when the bridge does not say the belt's size."""
        return None if self.max_potion_slots is None else len(self.potions) >= self.max_potion_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Wire):
    """Where the run stands. The state carries no seed and no run identity."""

    act: int
    floor: int
    ascension: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent(Wire):
    """What an enemy is about to do. `label` of an attack is the displayed damage, such as `12` or `12x2`."""

    type: str
    label: str | None = None
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enemy(Wire):
    """An enemy. `combat_id` is stable through the fight; `entity_id` moves when a twin dies.

    `intents` is None when the bridge lists none at all, which is not the same as an empty list of intents.
    """

    entity_id: str
    combat_id: int | None = None
    name: str | None = None
    hp: int = 0
    max_hp: int = 0
    block: int = 0
    status: tuple[Power, ...] = ()
    intents: tuple[Intent, ...] | None = None
    is_alive: bool = True

    @property
    def title(self) -> str:
        """What to call the enemy."""
        return self.name or self.entity_id

    @property
    def monster_id(self) -> str:
        """The monster's model ID: the entity ID without its counter."""
        head, _, tail = self.entity_id.rpartition("_")
        return head if head and tail.isdigit() else self.entity_id

    @property
    def living(self) -> bool:
        """Whether the enemy still counts: some builds keep the dead in the list."""
        return self.is_alive and self.hp > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle(Wire):
    """A running fight. `error` stands alone when the game's combat object is missing."""

    round: int = 0
    turn: str = ""
    is_play_phase: bool = False
    enemies: tuple[Enemy, ...] = ()
    error: str | None = None
    player_actions_disabled: bool | None = None
    can_end_turn: bool | None = None

    @property
    def living_enemies(self) -> tuple[Enemy, ...]:
        """The enemies that still count, in the game's order."""
        return tuple(enemy for enemy in self.enemies if enemy.living)
