"""Playing a card or a potion on a board: each effect in the order of the card's text, up to what cannot be known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spire_mcp.combat.board import Board, Foe, Holding, Setting, amount, changed, own_block, with_power, without
from spire_mcp.combat.hits import apply_to_foe, gain_block, hit_damage, lose_hp, strike, wound
from spire_mcp.combat.knowledge import potion_rule
from spire_mcp.combat.reading import shown_damage, text_numbers
from spire_mcp.combat.verification import base_number
from spire_mcp.game.parts import Potion

_PLAY_TOUCH = frozenset({"play"})


@dataclass(frozen=True, slots=True)
class Play:
    """One step of a line: a card, by its place in the hand the line began with, or a potion, by its slot."""

    hand_index: int | None = None
    potion_slot: int | None = None
    target: int | None = None
    kind: int | None = None
    """which kind of card of the setting it is"""


def targets_of(holding: Holding, position: Board) -> tuple[int | None, ...]:
    """The enemies that a card can be aimed at; a single None for a card that takes no target."""
    if holding.card.target_type == "AnyEnemy":
        return tuple(foe.id for foe in position.alive)
    return (None,)


def affordable(holding: Holding, position: Board) -> bool:
    """Whether the card can be played on this board, as far as energy decides it."""
    if holding.cost is None:
        return holding.card.is_x_cost
    return holding.cost <= position.energy


def play_card(position: Board, setting: Setting, kind: int, target: int | None) -> Board:
    """The board after a card of this kind has been played.

    A card that cannot be computed leaves a board that says so in `stopped`: what it does to anything is not known.
    """
    holding = setting.kinds[kind]
    hand = tuple(count - (place == kind) for place, count in enumerate(position.hand))
    spent = position.energy if holding.cost is None else holding.cost
    position = changed(position, hand=hand, energy=position.energy - spent, cards_played=position.cards_played + 1)
    if holding.rule is None or holding.problem is not None:
        return changed(position, stopped=f"{holding.card.title}: {holding.problem}")
    unsure: str | None = None
    for effect in holding.rule.effects:
        # Which cards move is not known; what the card does beside that is, and so is what watches it being played.
        if effect["effect"] == "draw":
            unsure = unsure or _draw(position, holding, effect)
            continue
        if effect.get("cards_only") and not amount(position.powers, "FEEL_NO_PAIN"):
            unsure = unsure or f"{holding.card.title}: {effect['what']}"
            continue
        position = _effect(position, setting, holding, effect, target, spent)
        if position.lost or position.stopped:
            return position
    position = _played(position, setting, holding, target)
    return position if unsure is None or position.stopped else changed(position, stopped=unsure, cards_only=True)


def _draw(position: Board, holding: Holding, effect: Mapping[str, Any]) -> str | None:
    if amount(position.powers, "NO_DRAW"):
        return None
    return f"{holding.card.title} draws {base_number(effect['amount'], holding.card)}"


def _effect(
    position: Board, setting: Setting, holding: Holding, effect: Mapping[str, Any], target: int | None, spent: int
) -> Board:
    number = base_number(effect.get("amount"), holding.card)
    match effect["effect"]:
        case "damage":
            return _attack(position, setting, holding, effect, target, spent)
        case "block":
            return gain_block(position, setting, own_block(number + holding.bonus, position.powers))
        case "power":
            return _power(position, effect, number, target)
        case "double_power":
            foe = next((foe for foe in position.alive if foe.id == target), None)
            stacks = amount(foe.powers, effect["power"].removesuffix("_POWER")) if foe is not None else 0
            return position if foe is None or not stacks else apply_to_foe(position, foe, effect["power"], stacks)
        case "energy":
            return changed(position, energy=position.energy + number)
        case "lose_hp":
            return lose_hp(position, direct=number)
        case "add_card":
            return position
        case "note":
            return position
        case _:
            return changed(position, stopped=f"{holding.card.title}: {effect['what']}")


def _attack(
    position: Board, setting: Setting, holding: Holding, effect: Mapping[str, Any], target: int | None, spent: int
) -> Board:
    base = _attack_base(position, holding, effect)
    if base is None:
        return changed(position, stopped=f"{holding.card.title}: its damage cannot be told from its text now")
    hits = spent if effect["hits"] == "X" else base_number(effect["hits"], holding.card)
    condition = effect.get("hits_if")
    aimed = next((foe for foe in position.foes if foe.id == target), None)
    if condition is not None and aimed is not None and amount(aimed.powers, condition["enemy_has"][:-6]):
        hits = int(condition["hits"])
    struck: set[int] = set()
    for _ in range(hits):
        if effect["to"] == "random" and len(position.alive) > 1:
            return changed(position, stopped=f"{holding.card.title} chooses its targets at random")
        # All targets of one hit are struck in one step: a death among them changes only what comes after it.
        targets = _struck_by(effect["to"], target, position)
        damage = {foe.id: hit_damage(base, position, foe) for foe in position.alive if foe.id in targets}
        for foe_id in damage:
            struck.add(foe_id)
            position = strike(position, setting, foe_id, damage[foe_id])
        if position.lost:
            return position
    position = changed(position, powers=without(position.powers, "VIGOR"))
    return _after_attack(position, struck)


def _struck_by(to: str, target: int | None, position: Board) -> list[int]:
    if to == "enemy":
        return [] if target is None else [target]
    return [foe.id for foe in position.alive]


def _attack_base(position: Board, holding: Holding, effect: Mapping[str, Any]) -> int | None:
    if effect.get("from") == "block":
        return position.block
    if effect.get("from") == "text":
        return _base_from_text(position, holding)
    return base_number(effect["amount"], holding.card) + holding.bonus


def _base_from_text(position: Board, holding: Holding) -> int | None:
    """The base of a card whose number only its text tells: exact while no own factor has truncated it."""
    if any(amount(position.powers, name) for name in ("WEAK", "SHRINK")) or position.cards_played > 1:
        return None
    text = holding.card.description or ""
    numbers = text_numbers(text)
    shown = shown_damage(text)
    shown = shown if shown is not None else numbers[0] if numbers else None
    return None if shown is None else shown - amount(position.powers, "STRENGTH") - amount(position.powers, "VIGOR")


def _after_attack(position: Board, struck: set[int]) -> Board:
    """What looks at the finished attack: Skittish gains block once, after all hits."""
    foes: list[Foe] = []
    for foe in position.foes:
        if foe.id in struck and foe.hp > 0:
            skittish = amount(foe.powers, "SKITTISH")
            if skittish and not foe.struck:
                # The block is added as the worse case for us: it may have been gained earlier in this turn.
                doubt = foe.doubt or "whether Skittish has acted this turn is not known"
                foe = changed(foe, block=foe.block + skittish, doubt=doubt)
            foe = changed(foe, struck=True)
        foes.append(foe)
    return changed(position, foes=tuple(foes))


def _power(position: Board, effect: Mapping[str, Any], number: int, target: int | None) -> Board:
    power = effect["power"]
    if effect["to"] == "self":
        return changed(position, powers=with_power(position.powers, power, number))
    ids = [target] if effect["to"] == "enemy" else [foe.id for foe in position.alive]
    for foe_id in ids:
        foe = next((foe for foe in position.foes if foe.id == foe_id), None)
        if foe is not None:
            position = apply_to_foe(position, foe, power, number)
    return position


def _played(position: Board, setting: Setting, holding: Holding, target: int | None) -> Board:
    """The card has done what its text says: what watches plays acts, and doubts that plays raise are noted."""
    rule = holding.rule
    assert rule is not None
    if rule.exhausts[int(holding.card.is_upgraded)]:
        position = changed(position, exhausted=position.exhausted + 1)
        pain = amount(position.powers, "FEEL_NO_PAIN")
        if pain:
            position = gain_block(position, setting, pain)
    if rule.type == "Attack":
        rage = amount(position.powers, "RAGE")
        position = changed(position, attacks_played=position.attacks_played + 1)
        if rage:
            position = gain_block(position, setting, rage)
    if setting.touches & _PLAY_TOUCH:
        return changed(position, stopped=f"after {holding.card.title}: {'; '.join(setting.doubts)}")
    foe = next((foe for foe in position.foes if foe.id == target), None)
    if foe is not None and foe.danger and foe.hp > 0:
        note = f"{setting.names[foe.id]}: {foe.danger}"
        if note not in position.unknown:
            position = changed(position, unknown=(*position.unknown, note))
    return position


def use_potion(position: Board, setting: Setting, potion: Potion, target: int | None) -> Board:
    """The board after a potion; its damage and block are unpowered (combat-rules.md, section 7)."""
    rule = potion_rule(potion.id)
    position = changed(position, potions=tuple(slot for slot in position.potions if slot != potion.slot))
    if rule is None:
        return changed(position, stopped=f"{potion.title}: the potion is not in the tables")
    if potion.id in setting.doubted:
        return changed(position, stopped=f"{potion.title}: in this fight it did not do what was computed")
    number = int(rule["amount"])
    match rule["effect"]:
        case "hurt":
            ids = [target] if rule["to"] == "enemy" else [foe.id for foe in position.alive]
            for foe_id in ids:
                foe = next((foe for foe in position.alive if foe.id == foe_id), None)
                if foe is not None:
                    position = wound(position, setting, foe, number)
            return position
        case "gain_block":
            return gain_block(position, setting, number)
        case "energy":
            return changed(position, energy=position.energy + number)
        case "power":
            position = _power(position, rule, number, target)
            if "this_turn" in rule:
                position = changed(position, powers=with_power(position.powers, rule["this_turn"], number))
            return position
        case _:
            if amount(position.powers, "NO_DRAW"):
                return position
            return changed(position, stopped=f"{potion.title} draws {number}", cards_only=True)
