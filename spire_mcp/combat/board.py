"""The board that arithmetic works on: small immutable values, and what the player's own powers make of a number."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Final, TypeVar

from spire_mcp.combat.knowledge import CardRule
from spire_mcp.combat.reading import Attack
from spire_mcp.game.parts import Card

Powers = tuple[tuple[str, int], ...]

WEAK: Final = Fraction(3, 4)
VULNERABLE: Final = Fraction(3, 2)
SHRINK: Final = Fraction(7, 10)
FRAIL: Final = Fraction(3, 4)


def amount(powers: Powers, name: str) -> int:
    """Stacks of a power, named without its ending; 0 for none."""
    wanted = f"{name}_POWER"
    for power, stacks in powers:
        if power == wanted:
            return stacks
    return 0


def with_power(powers: Powers, power: str, change: int) -> Powers:
    """The powers with one of them changed; at 0 it is gone."""
    found = dict(powers)
    stacks = found.get(power, 0) + change
    if stacks:
        found[power] = stacks
    else:
        found.pop(power, None)
    return tuple(sorted(found.items()))


def without(powers: Powers, name: str) -> Powers:
    """The powers without one of them."""
    return tuple(entry for entry in powers if entry[0] != f"{name}_POWER")


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy. `attacks` are its displayed attacks; `doubt` says why numbers about it are not certain."""

    id: int
    kind: str
    hp: int
    max_hp: int
    block: int
    powers: Powers
    attacks: tuple[Attack, ...] = ()
    acts_otherwise: bool = False
    """whether it also does something that is no attack, such as gaining block"""
    defends: bool = False
    """whether it is about to gain block"""
    doubt: str | None = None
    """why damage to it, or its death, is not certain"""
    danger: str | None = None
    """why it could hurt in a way that is not modelled"""
    intent_doubt: str | None = None
    """why its intent is not certain"""
    next_doubt: bool = False
    """whether its HP and block as the next turn begins are not certain, which endangers nobody"""
    struck: bool = False
    """whether an attack has hit it in this line; what happened earlier in the turn no state tells"""
    label_factors: Fraction = Fraction(1)
    """the factors that its labels contained when they were read"""

    @property
    def minion(self) -> bool:
        """Whether its death is not needed for victory."""
        return amount(self.powers, "MINION") > 0


@dataclass(frozen=True, slots=True)
class Holding:
    """A kind of card in hand: what it does, what it costs, and why it may not be computed."""

    card: Card
    rule: CardRule | None
    cost: int | None
    """energy; None for X"""
    stars: int
    """stars that it costs"""
    problem: str | None
    bonus: int = 0
    """what an enchantment adds to its damage or block"""


@dataclass(frozen=True, slots=True)
class Orb:
    """A channelled orb. Both values contain Focus; an evoke value that nobody knows is None."""

    id: str
    passive: int
    evoke: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A position in the player's turn. `hand` counts the copies left of each kind in `kinds`.

    `unknown` names what is not known any more; a position with `stopped` cannot be computed further.
    """

    hp: int
    block: int
    energy: int
    powers: Powers
    hand: tuple[int, ...]
    foes: tuple[Foe, ...]
    potions: tuple[int, ...] = ()
    """slots that are still filled"""
    stars: int = 0
    orbs: tuple[Orb, ...] = ()
    """channelled orbs, the next one to be evoked first"""
    pet_hp: int = 0
    """HP of the companion that takes unblocked attack damage for the player"""
    better: frozenset[str] = frozenset()
    """numbers that may be better for us than computed: `hp`, `block`, `energy`, `damage`, and `next_block` and
    `next_enemies` for the start of the next turn; none of them endangers anyone"""
    attacks_played: int = 0
    cards_played: int = 0
    exhausted: int = 0
    unknown: tuple[str, ...] = ()
    stopped: str | None = None
    cards_only: bool = False
    """whether what stopped the line leaves only cards unknown, so that every number so far is certain"""
    lost: bool = False
    """whether the player has died in this line"""

    @property
    def alive(self) -> tuple[Foe, ...]:
        """The enemies that still live."""
        return tuple(foe for foe in self.foes if foe.hp > 0)

    @property
    def won(self) -> bool:
        """Whether every enemy that has to die has died."""
        return not self.lost and not any(not foe.minion for foe in self.foes if foe.hp > 0)


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same through a turn: the kinds of cards, the round, and what the program cannot compute."""

    kinds: tuple[Holding, ...]
    indices: tuple[tuple[int, ...], ...]
    """where the copies of each kind lie in the hand"""
    round: int
    max_hp: int
    names: Mapping[int, str]
    touches: frozenset[str]
    """numbers that an unmodelled power of the player or a relic can make wrong"""
    doubts: tuple[str, ...]
    """the unmodelled powers and relics, in words"""
    better: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """by what sets it off (see `combat/tables.py`), the numbers that powers and relics may make better"""
    limits_plays: bool = False
    """whether something bounds how many cards can be played in a turn"""
    orb_slots: int = 0
    exhaust_pile: int = 0
    """cards in the exhaust pile when the position was read"""
    relics: frozenset[str] = field(default_factory=frozenset[str])
    potions: Mapping[int, str] = field(default_factory=dict[int, str])
    """names of the potions by slot"""
    doubted: frozenset[str] = frozenset()
    """what arithmetic got wrong in this fight, by ID"""


def own_additive(powers: Powers) -> int:
    """What the dealer's powers add to each hit (combat-rules.md, section 1, step 3)."""
    return amount(powers, "STRENGTH") + amount(powers, "VIGOR")


def own_factor(powers: Powers) -> Fraction:
    """What the dealer's powers multiply each hit with (section 1, step 4)."""
    factor = Fraction(1)
    if amount(powers, "WEAK"):
        factor *= WEAK
    if amount(powers, "SHRINK"):
        factor *= SHRINK
    return factor


def weak_factor(powers: Powers) -> Fraction:
    """What a Weak enemy's attacks are multiplied with, which a relic of the player changes."""
    return Fraction(3, 5) if amount(powers, "PAPER_KRANE") else WEAK


def own_block(base: int, powers: Powers) -> int:
    """Block from a card (combat-rules.md, section 2)."""
    value = Fraction(base + amount(powers, "DEXTERITY"))
    if amount(powers, "FRAIL"):
        value *= FRAIL
    return max(0, floor(value))


_Value = TypeVar("_Value", Board, Foe)


def changed(value: _Value, **changes: object) -> _Value:
    """A copy with some fields changed: what `dataclasses.replace` does, in a third of its time.

    A search makes hundreds of thousands of these, and spends half of its time here.
    """
    kind = type(value)
    copy = object.__new__(kind)
    for name in kind.__slots__:
        object.__setattr__(copy, name, changes[name] if name in changes else getattr(value, name))
    return copy


def replace_foe(position: Board, foe: Foe) -> Board:
    """The board with one enemy changed."""
    return changed(position, foes=tuple(foe if other.id == foe.id else other for other in position.foes))
