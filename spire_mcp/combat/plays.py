"""Playing a card on a board: each effect in the order of the card's text, up to what cannot be known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spire_mcp.combat.board import Board, Foe, Holding, Setting, amount, changed, own_block, with_power, without
from spire_mcp.combat.hits import apply_to_foe, bleed, gain_block, hit_damage, lose_hp, strike
from spire_mcp.combat.knowledge import AT_NEXT_START, power_touch
from spire_mcp.combat.orbs import channel, refocused
from spire_mcp.combat.reading import shown_damage, text_numbers
from spire_mcp.combat.verification import base_number

_READ_AT_THE_START = frozenset({"ACCURACY_POWER"})
"""Powers that are part of a card's bonus when the position is read, and come too late for it within a line."""

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
    if holding.stars > position.stars:
        return False
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
    start = position
    position = changed(
        position,
        hand=hand,
        energy=position.energy - spent,
        stars=position.stars - holding.stars,
        cards_played=position.cards_played + 1,
    )
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
        position = _effect(start, position, setting, holding, effect, target, spent)
        if position.lost or position.stopped:
            return position
    position = _played(position, setting, holding, target, chooses=unsure is not None and not _only_draws(holding))
    if setting.better:
        position = _noticed(start, position, setting, holding, draws=unsure is not None)
    for foe in start.alive:
        strangled = amount(foe.powers, "STRANGLE")
        living = next((other for other in position.alive if other.id == foe.id), None)
        if strangled and living is not None:
            position = bleed(position, setting, living, strangled)
    if unsure is None or position.stopped:
        return position
    # Something unmodelled that looks at drawn cards can do anything; else only cards are unknown from here on.
    return changed(position, stopped=unsure, cards_only="draw" not in setting.touches)


def _draw(position: Board, holding: Holding, effect: Mapping[str, Any]) -> str | None:
    if amount(position.powers, "NO_DRAW"):
        return None
    return f"{holding.card.title} draws {base_number(effect['amount'], holding.card)}"


def _effect(
    start: Board,
    position: Board,
    setting: Setting,
    holding: Holding,
    effect: Mapping[str, Any],
    target: int | None,
    spent: int,
) -> Board:
    number = base_number(effect.get("amount"), holding.card)
    match effect["effect"]:
        case "damage":
            return _attack(position, setting, holding, effect, target, spent)
        case "block":
            return gain_block(position, setting, own_block(number + holding.bonus, position.powers))
        case "power":
            return apply_power(position, effect, number, target)
        case "double_power":
            foe = next((foe for foe in position.alive if foe.id == target), None)
            stacks = amount(foe.powers, effect["power"].removesuffix("_POWER")) if foe is not None else 0
            return position if foe is None or not stacks else apply_to_foe(position, foe, effect["power"], stacks)
        case "channel":
            return channel(position, setting, effect["orb"], number)
        case "note" if len(position.alive) < len(start.alive):
            return changed(position, better=position.better.union(effect.get("on_kill", ())))
        case "add_card" | "note":
            return position
        case "unknown":
            return changed(position, stopped=f"{holding.card.title}: {effect['what']}")
        case _:
            return _own_number(position, setting, effect["effect"], number)


def _own_number(position: Board, setting: Setting, effect: str, number: int) -> Board:
    """An effect on one number of the player's."""
    match effect:
        case "energy":
            return changed(position, energy=position.energy + number)
        case "stars":
            return changed(position, stars=position.stars + number)
        case "lose_hp":
            return lose_hp(position, direct=number, own_turn=True)
        case "heal":
            return changed(position, hp=min(setting.max_hp, position.hp + number))
        case "next_block":
            return changed(position, better=position.better | {"next_block"})
        case _:
            return changed(position, stopped=f"the effect {effect} is not modelled")


def _attack(
    position: Board, setting: Setting, holding: Holding, effect: Mapping[str, Any], target: int | None, spent: int
) -> Board:
    base = _attack_base(position, setting, holding, effect, target)
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


def _attack_base(
    position: Board, setting: Setting, holding: Holding, effect: Mapping[str, Any], target: int | None
) -> int | None:
    if effect.get("from") == "block":
        # Whether Afterimage's block is there before the damage is dealt is not known.
        return None if amount(position.powers, "AFTERIMAGE") else position.block
    if effect.get("from") == "text":
        return _base_from_text(position, holding)
    base = base_number(effect["amount"], holding.card) + holding.bonus
    per: Mapping[str, Any] | None = effect.get("per")
    if per is None:
        return base
    each = base_number(per["each"], holding.card)
    match per["count"]:
        case "exhaust_pile":
            number = setting.exhaust_pile + position.exhausted
        case "other_hand":
            number = sum(position.hand)
        case _:
            foe = next((foe for foe in position.foes if foe.id == target), None)
            number = amount(foe.powers, per["power"].removesuffix("_POWER")) if foe is not None else 0
    return base + each * number


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


def apply_power(position: Board, effect: Mapping[str, Any], number: int, target: int | None) -> Board:
    """A power put on the player, on the target, or on all enemies."""
    power = effect["power"]
    if effect["to"] == "self":
        return own_power(position, power, number)
    ids = [target] if effect["to"] == "enemy" else [foe.id for foe in position.alive]
    for foe_id in ids:
        foe = next((foe for foe in position.foes if foe.id == foe_id), None)
        if foe is not None:
            position = apply_to_foe(position, foe, power, number)
    return position


def own_power(position: Board, power: str, number: int) -> Board:
    """A power of the player's own. One without a rule makes uncertain from now on whatever it touches."""
    touch = power_touch(power, on_player=True)
    danger = touch.numbers - AT_NEXT_START
    if danger:
        return changed(position, stopped=f"it brings {power}, which is not modelled")
    uncertain = touch.numbers.union(*touch.better.values())
    if uncertain:
        position = changed(position, better=position.better | uncertain)
    if power in _READ_AT_THE_START:
        position = changed(position, better=position.better | {"damage"})
    if power == "FOCUS_POWER":
        position = refocused(position, number)
    return changed(position, powers=with_power(position.powers, power, number))


def _noticed(start: Board, position: Board, setting: Setting, holding: Holding, *, draws: bool) -> Board:
    """Which numbers powers and relics may have made better by what this play set off."""
    rule = holding.rule
    assert rule is not None
    fired = {
        "card": True,
        rule.type.lower(): True,
        "exhaust": position.exhausted > start.exhausted,
        "kill": len(position.alive) < len(start.alive),
        "hp_loss": position.hp < start.hp,
        "strength": amount(position.powers, "STRENGTH") > amount(start.powers, "STRENGTH"),
        "draw": draws,
    }
    numbers = [numbers for trigger, numbers in setting.better.items() if fired.get(trigger)]
    return changed(position, better=position.better.union(*numbers)) if numbers else position


def _only_draws(holding: Holding) -> bool:
    assert holding.rule is not None
    return not any(effect.get("cards_only") for effect in holding.rule.effects)


def _played(position: Board, setting: Setting, holding: Holding, target: int | None, *, chooses: bool) -> Board:
    """The card has done what its text says: what watches plays acts, and doubts that plays raise are noted."""
    rule = holding.rule
    assert rule is not None
    if rule.exhausts[int(holding.card.is_upgraded)]:
        position = changed(position, exhausted=position.exhausted + 1)
        pain = amount(position.powers, "FEEL_NO_PAIN")
        if pain:
            position = gain_block(position, setting, pain)
    image = 0 if rule.id == "AFTERIMAGE" else amount(position.powers, "AFTERIMAGE")
    if image and chooses:
        # Whether its block is there while the choice is still open is not known.
        position = changed(position, better=position.better | {"block"})
    elif image:
        position = gain_block(position, setting, image)
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
