"""From an observation to the board that arithmetic works on, with everything that cannot be computed named."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Final

from spire_mcp.combat.board import (
    SHRINK,
    VULNERABLE,
    Board,
    Foe,
    Holding,
    Orb,
    Powers,
    Setting,
    amount,
    own_additive,
    own_block,
    own_factor,
    weak_factor,
)
from spire_mcp.combat.knowledge import AT_NEXT_START, Touch, card_rule, power_touch, relic_touch
from spire_mcp.combat.reading import ATTACKS, HARMLESS_NOW, Attack, read_label
from spire_mcp.combat.verification import Counts, enchantment, problem_with
from spire_mcp.game.parts import Card, Enemy, Player
from spire_mcp.game.parts import Orb as WireOrb
from spire_mcp.game.screens import Observation

LASTING_RELICS: Final = frozenset({"PAPER_PHROG", "PAPER_KRANE", "THE_BOOT", "TUNGSTEN_ROD"})
"""Relics that change every hit, and are therefore carried with the powers."""

_WRONG: Final = "in this fight it did not do what was computed"


def board(observation: Observation) -> tuple[Board, Setting]:
    """The position that a settled fight shows.

    Raises:
        ValueError: the observation shows no fight.
    """
    player, battle = observation.player, observation.battle
    if player is None or battle is None:
        raise ValueError("the observation shows no fight")
    powers = _own_powers(player)
    doubts = _doubts(player, battle.round, observation.doubted)
    foes = tuple(
        _mistrusted(_foe(enemy, position, powers), observation.doubted)
        for position, enemy in enumerate(battle.living_enemies)
    )
    kinds, counts, indices = _kinds(player, powers, observation.doubted)
    position = Board(
        hp=player.hp,
        block=player.block,
        energy=player.energy or 0,
        powers=powers,
        hand=counts,
        foes=foes,
        potions=tuple(potion.slot for potion in player.potions),
        stars=player.stars or 0,
        orbs=tuple(_orb(orb) for orb in player.orbs),
        pet_hp=sum(pet.hp for pet in player.pets if pet.alive),
        better=frozenset({"hp"} if any(pet.block or pet.status for pet in player.pets) else ()),
    )
    setting = Setting(
        kinds=kinds,
        indices=indices,
        round=battle.round,
        max_hp=player.max_hp,
        names={foe.id: enemy.title for foe, enemy in zip(foes, battle.living_enemies, strict=True)},
        touches=frozenset(doubts.touches),
        doubts=tuple(doubts.words),
        better={trigger: frozenset(numbers) for trigger, numbers in doubts.better.items()},
        limits_plays=doubts.limits_plays,
        orb_slots=player.orb_slots or 0,
        exhaust_pile=player.exhaust_pile_count or 0,
        relics=frozenset(relic.id for relic in player.relics),
        potions={potion.slot: potion.title for potion in player.potions},
        doubted=observation.doubted,
    )
    return position, setting


def _own_powers(player: Player) -> Powers:
    """The player's powers, and the relics that change every number as if they were some."""
    owned = {relic.id for relic in player.relics}
    return tuple(sorted([*_powers(player), *((f"{relic}_POWER", 1) for relic in LASTING_RELICS & owned)]))


def _orb(orb: WireOrb) -> Orb:
    passive, evoke = orb.passive_val, orb.evoke_val
    return Orb(orb.id, int(passive) if passive is not None else 0, int(evoke) if evoke is not None else None)


def _mistrusted(foe: Foe, doubted: frozenset[str]) -> Foe:
    """An enemy whose last turn did not come as computed: nothing about it is certain any more."""
    if foe.kind not in doubted:
        return foe
    return replace(foe, doubt=foe.doubt or _WRONG, danger=foe.danger or _WRONG)


def _powers(creature: Player | Enemy) -> Powers:
    return tuple(sorted((power.id, power.amount) for power in creature.status))


@dataclass(slots=True)
class _Doubts:
    """What an unmodelled power or relic of the player can make wrong, gathered."""

    touches: set[str] = field(default_factory=set[str])
    words: list[str] = field(default_factory=list[str])
    better: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    limits_plays: bool = False

    def add(self, touch: Touch, what: str, fight_round: int) -> None:
        if touch.round is not None and touch.round != fight_round:
            return
        if touch.numbers:
            self.touches |= touch.numbers
            if touch.numbers - AT_NEXT_START:
                self.words.append(what)
        for trigger, numbers in touch.better.items():
            self.better.setdefault(trigger, set()).update(numbers)
        self.limits_plays = self.limits_plays or touch.limits_plays


def _doubts(player: Player, fight_round: int, doubted: frozenset[str]) -> _Doubts:
    found = _Doubts()
    for power in player.status:
        touch = power_touch(power.id, on_player=True)
        found.add(touch, f"the power {power.id} is not modelled", fight_round)
    for relic in player.relics:
        found.add(relic_touch(relic.id), f"the relic {relic.id} is not modelled", fight_round)
    if "end_turn" in doubted:
        found.add(Touch(frozenset({"turn_end"})), f"the end of the turn: {_WRONG}", fight_round)
    return found


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
    touches = [(power.id, power_touch(power.id).numbers) for power in enemy.status]
    unsure = [power for power, touch in touches if touch & {"damage", "hit", "hit_back", "death", "play"}]
    unsafe = [power for power, touch in touches if touch & {"hit", "play", "turn_end", "turn_start"}]
    later = any("next_enemies" in touch for _, touch in touches)
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
        next_doubt=later,
        label_factors=_label_factors(powers, own),
    )


def _label_factors(powers: Powers, own: Powers) -> Fraction:
    factors = Fraction(1)
    if amount(powers, "WEAK"):
        factors *= weak_factor(own)
    if amount(powers, "SHRINK"):
        factors *= SHRINK
    if amount(own, "VULNERABLE"):
        factors *= VULNERABLE
    return factors


def _kinds(
    player: Player, powers: Powers, doubted: frozenset[str]
) -> tuple[tuple[Holding, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The kinds of cards in hand, how many of each, and where they lie. Only what play depends on tells kinds apart."""
    places: dict[tuple[object, ...], list[int]] = {}
    holdings: dict[tuple[object, ...], Holding] = {}
    for position, card in enumerate(player.hand or ()):
        holding = _holding(card, player, powers, doubted)
        key = (card.id, card.is_upgraded, card.cost, card.can_play, holding.problem, holding.bonus, card.description)
        places.setdefault(key, []).append(position)
        holdings.setdefault(key, holding)
    keys = list(places)
    return (
        tuple(holdings[key] for key in keys),
        tuple(len(places[key]) for key in keys),
        tuple(tuple(places[key]) for key in keys),
    )


def _holding(card: Card, player: Player, powers: Powers, doubted: frozenset[str]) -> Holding:
    rule = card_rule(card.id)
    bonus = enchantment(card) + _bonus(card, {relic.id for relic in player.relics}, powers)
    problem = "the card is not in the tables" if rule is None else None
    if rule is not None:
        damage_factor = own_factor(powers)
        problem = problem_with(
            card,
            rule,
            bonus,
            lambda base: max(0, floor((base + own_additive(powers)) * damage_factor)),
            lambda base: own_block(base, powers),
            Counts(block=player.block, exhaust_pile=player.exhaust_pile_count or 0, hand=len(player.hand or ())),
        )
    if card.id in doubted:
        problem = problem or _WRONG
    stars = (card.star_cost or "").strip()
    return Holding(
        card=card,
        rule=rule,
        cost=None if card.is_x_cost else card.energy_cost,
        stars=int(stars) if stars.isascii() and stars.isdigit() else 0,
        problem=problem if not stars or stars.isdigit() else "it costs all stars",
        bonus=bonus,
    )


def _bonus(card: Card, relics: set[str], powers: Powers) -> int:
    """What relics and powers add to each hit of this very card (combat-rules.md, section 1, step 3)."""
    if card.type != "Attack":
        return 0
    added = 0
    if "STRIKE" in card.id:
        added += 3 * ("STRIKE_DUMMY" in relics) + ("FAKE_STRIKE_DUMMY" in relics)
    if card.is_upgraded:
        added += 3 * ("MINIATURE_CANNON" in relics)
    if card.id == "SHIV":
        added += amount(powers, "ACCURACY")
    return added
