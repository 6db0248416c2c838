"""The board that arithmetic works on: small immutable values made from an observation."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Final

from spire_mcp.combat.knowledge import CardRule, card_rule, relic_touch, unmodelled_touch
from spire_mcp.combat.reading import ATTACKS, HARMLESS_NOW, Attack, read_label
from spire_mcp.combat.verification import enchantment, problem_with
from spire_mcp.game.parts import Card, Enemy, Player
from spire_mcp.game.screens import Observation

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
    doubt: str | None = None
    """why damage to it, or its death, is not certain"""
    danger: str | None = None
    """why it could hurt in a way that is not modelled"""
    intent_doubt: str | None = None
    """why its intent is not certain"""
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
    problem: str | None
    bonus: int = 0
    """what an enchantment adds to its damage or block"""


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
    first_index: tuple[int, ...]
    """where the first copy of each kind lies in the hand"""
    indices: tuple[tuple[int, ...], ...]
    round: int
    max_hp: int
    names: Mapping[int, str]
    touches: frozenset[str]
    """numbers that an unmodelled power of the player or a relic can make wrong"""
    doubts: tuple[str, ...]
    """the unmodelled powers and relics, in words"""
    relics: frozenset[str] = field(default_factory=frozenset[str])
    potions: Mapping[int, str] = field(default_factory=dict[int, str])
    """names of the potions by slot"""


def board(observation: Observation) -> tuple[Board, Setting]:
    """The position that a settled fight shows.

    Raises:
        ValueError: the observation shows no fight.
    """
    player, battle = observation.player, observation.battle
    if player is None or battle is None:
        raise ValueError("the observation shows no fight")
    powers = _powers(player)
    touches, doubts = _doubts(player)
    foes = tuple(_foe(enemy, position, powers) for position, enemy in enumerate(battle.living_enemies))
    kinds, counts, indices = _kinds(player, powers)
    position = Board(
        hp=player.hp,
        block=player.block,
        energy=player.energy or 0,
        powers=powers,
        hand=counts,
        foes=foes,
        potions=tuple(potion.slot for potion in player.potions),
    )
    setting = Setting(
        kinds=kinds,
        first_index=tuple(places[0] for places in indices),
        indices=indices,
        round=battle.round,
        max_hp=player.max_hp,
        names={foe.id: enemy.title for foe, enemy in zip(foes, battle.living_enemies, strict=True)},
        touches=touches,
        doubts=doubts,
        relics=frozenset(relic.id for relic in player.relics),
        potions={potion.slot: potion.title for potion in player.potions},
    )
    return position, setting


def _powers(creature: Player | Enemy) -> Powers:
    return tuple(sorted((power.id, power.amount) for power in creature.status))


def _doubts(player: Player) -> tuple[frozenset[str], tuple[str, ...]]:
    touches: set[str] = set()
    doubts: list[str] = []
    for power in player.status:
        touched = unmodelled_touch(power.id)
        if touched:
            touches |= touched
            doubts.append(f"the power {power.id} is not modelled")
    for relic in player.relics:
        touched = relic_touch(relic.id)
        if touched:
            touches |= touched
            doubts.append(f"the relic {relic.id} is not modelled")
    return frozenset(touches), tuple(doubts)


def _foe(enemy: Enemy, position: int, own: Powers) -> Foe:
    powers = _powers(enemy)
    attacks: list[Attack] = []
    intent_doubt = "it shows no intent" if enemy.intents is None else None
    for intent in enemy.intents or ():
        if intent.type in ATTACKS:
            attack = read_label(intent.label)
            if attack is None:
                intent_doubt = "the label of its attack cannot be read"
            else:
                attacks.append(attack)
        elif intent.type not in HARMLESS_NOW:
            intent_doubt = f"its intent {intent.type[:30]!r} is unknown"
    touches = [(power.id, unmodelled_touch(power.id)) for power in enemy.status]
    unsure = [power for power, touch in touches if touch & {"damage", "hit", "hit_back", "death", "play"}]
    unsafe = [power for power, touch in touches if touch & {"hit", "play", "turn_end", "turn_start"}]
    return Foe(
        id=enemy.combat_id if enemy.combat_id is not None else -1 - position,
        kind=enemy.monster_id,
        hp=enemy.hp,
        max_hp=enemy.max_hp,
        block=enemy.block,
        powers=powers,
        attacks=tuple(attacks),
        acts_otherwise=any(intent.type not in ATTACKS for intent in enemy.intents or ()),
        defends=any(intent.type == "Defend" for intent in enemy.intents or ()),
        doubt=f"the power {unsure[0]} is not modelled" if unsure else None,
        danger=f"the power {unsafe[0]} is not modelled" if unsafe else None,
        intent_doubt=intent_doubt,
        label_factors=_label_factors(powers, own),
    )


def _label_factors(powers: Powers, own: Powers) -> Fraction:
    factors = Fraction(1)
    if amount(powers, "WEAK"):
        factors *= WEAK
    if amount(powers, "SHRINK"):
        factors *= SHRINK
    if amount(own, "VULNERABLE"):
        factors *= VULNERABLE
    return factors


def _kinds(player: Player, powers: Powers) -> tuple[tuple[Holding, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The kinds of cards in hand, how many of each, and where they lie. Only what play depends on tells kinds apart."""
    places: dict[tuple[object, ...], list[int]] = {}
    holdings: dict[tuple[object, ...], Holding] = {}
    for position, card in enumerate(player.hand or ()):
        holding = _holding(card, player, powers)
        key = (card.id, card.is_upgraded, card.cost, card.can_play, holding.problem, holding.bonus, card.description)
        places.setdefault(key, []).append(position)
        holdings.setdefault(key, holding)
    keys = list(places)
    return (
        tuple(holdings[key] for key in keys),
        tuple(len(places[key]) for key in keys),
        tuple(tuple(places[key]) for key in keys),
    )


def _holding(card: Card, player: Player, powers: Powers) -> Holding:
    rule = card_rule(card.id)
    bonus = enchantment(card)
    problem = "the card is not in the tables" if rule is None else None
    if rule is not None:
        damage_factor = own_factor(powers)
        problem = problem_with(
            card,
            rule,
            bonus,
            lambda base: max(0, floor((base + own_additive(powers)) * damage_factor)),
            lambda base: own_block(base, powers),
            player.block,
        )
    return Holding(
        card=card, rule=rule, cost=None if card.is_x_cost else card.energy_cost, problem=problem, bonus=bonus
    )


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


def own_block(base: int, powers: Powers) -> int:
    """Block from a card (combat-rules.md, section 2)."""
    value = Fraction(base + amount(powers, "DEXTERITY"))
    if amount(powers, "FRAIL"):
        value *= FRAIL
    return max(0, floor(value))


def replace_foe(position: Board, foe: Foe) -> Board:
    """The board with one enemy changed."""
    return replace(position, foes=tuple(foe if other.id == foe.id else other for other in position.foes))
