"""From an observation to the board that arithmetic works on, with everything that cannot be computed named."""

from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Final

from spire_mcp.combat.board import (
    SHRINK,
    VULNERABLE,
    WEAK,
    Board,
    Foe,
    Holding,
    Powers,
    Setting,
    amount,
    own_additive,
    own_block,
    own_factor,
)
from spire_mcp.combat.knowledge import card_rule, relic_touch, unmodelled_touch
from spire_mcp.combat.reading import ATTACKS, HARMLESS_NOW, Attack, read_label
from spire_mcp.combat.verification import enchantment, problem_with
from spire_mcp.game.parts import Card, Enemy, Player
from spire_mcp.game.screens import Observation

_WRONG: Final = "in this fight it did not do what was computed"


def board(observation: Observation) -> tuple[Board, Setting]:
    """The position that a settled fight shows.

    Raises:
        ValueError: the observation shows no fight.
    """
    player, battle = observation.player, observation.battle
    if player is None or battle is None:
        raise ValueError("the observation shows no fight")
    powers = _powers(player)
    touches, doubts = _doubts(player, observation.doubted)
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
    )
    setting = Setting(
        kinds=kinds,
        indices=indices,
        round=battle.round,
        max_hp=player.max_hp,
        names={foe.id: enemy.title for foe, enemy in zip(foes, battle.living_enemies, strict=True)},
        touches=touches,
        doubts=doubts,
        relics=frozenset(relic.id for relic in player.relics),
        potions={potion.slot: potion.title for potion in player.potions},
        doubted=observation.doubted,
    )
    return position, setting


def _mistrusted(foe: Foe, doubted: frozenset[str]) -> Foe:
    """An enemy whose last turn did not come as computed: nothing about it is certain any more."""
    if foe.kind not in doubted:
        return foe
    return replace(foe, doubt=foe.doubt or _WRONG, danger=foe.danger or _WRONG)


def _powers(creature: Player | Enemy) -> Powers:
    return tuple(sorted((power.id, power.amount) for power in creature.status))


def _doubts(player: Player, doubted: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...]]:
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
    if "end_turn" in doubted:
        touches.add("turn_end")
        doubts.append(f"the end of the turn: {_WRONG}")
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
    if card.id in doubted:
        problem = problem or _WRONG
    return Holding(
        card=card, rule=rule, cost=None if card.is_x_cost else card.energy_cost, problem=problem, bonus=bonus
    )
