"""Actions inside a fight: cards, potions, the end of the turn, and choices among cards."""

from typing import Any

from spire_mcp.practice import playing, rules
from spire_mcp.practice.checks import ActionCrashed, ActionRefused, place
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Fight, Monster
from spire_mcp.practice.run import PracticeRun

Json = dict[str, Any]


def _fight(run: PracticeRun) -> Fight:
    if run.fight is None or run.screen != "fight":
        raise ActionRefused("Not in combat")
    return run.fight


def _target(fight: Fight, body: Json, missing: str) -> Monster:
    target = body.get("target")
    if target is not None and not isinstance(target, str):
        raise ActionCrashed("The JSON value of 'target' could not be converted to text")
    if "target" not in body:
        raise ActionRefused(missing)
    found = resolve(fight, target or "")
    if found is None:
        raise ActionRefused(f"Target '{target}' not found")
    return found


def resolve(fight: Fight, target: str) -> Monster | None:
    """The monster that a target names: an entity ID counted among the living now, or a combat ID in digits."""
    if target.isascii() and target.isdigit():
        return next((monster for monster in fight.enemies if monster.combat_id == int(target)), None)
    counts: dict[str, int] = {}
    for monster in fight.enemies:
        number = counts.get(monster.id, 0)
        counts[monster.id] = number + 1
        if target == f"{monster.id}_{number}":
            return monster
    return None


def play_card(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    fight = _fight(run)
    if fight.choice is not None:
        raise ActionRefused("Player actions are currently disabled")
    index = place(body, "card_index", len(fight.hand), "card_index {n} out of range (hand has {m} cards)")
    card = fight.hand[index]
    reason = fight.why_not(card)
    if reason is not None:
        raise ActionRefused(f"Card '{card.id}' cannot be played: {reason}")
    if card.data["target"] == "AnyEnemy":
        monster = _target(fight, body, "Card requires a target")
        fight.play(index, monster.combat_id)
        return f"Playing '{card.id}' targeting {monster.id}"
    fight.play(index)
    return f"Playing '{card.id}'"


def end_turn(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    del body
    fight = _fight(run)
    if fight.choice is not None:
        raise ActionRefused("Cannot end turn while the hand is choosing")
    fight.end_turn()
    return "Ending turn"


def use_potion(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    slot = place(body, "slot", len(run.potions), "Potion slot {n} out of range")
    potion = run.potions[slot]
    if potion is None:
        raise ActionRefused(f"No potion in slot {slot}")
    entry = table("potions")[potion]
    if entry.get("automatic"):
        raise ActionRefused("This potion is used automatically")
    if run.fight is None and not entry.get("anytime"):
        raise ActionRefused("This potion can only be used in combat")
    if run.fight is not None and run.fight.choice is not None:
        raise ActionRefused("Player actions are currently disabled")
    aimed = None
    if entry["target"] == "AnyEnemy":
        aimed = _target(_fight(run), body, "Potion requires a target enemy")
    run.potions[slot] = None
    _potion_effect(run, entry["effect"], aimed)
    return f"Using potion '{potion}' from slot {slot}"


def _potion_effect(run: PracticeRun, effect: Json, aimed: Monster | None) -> None:
    fight = run.fight
    number: int = effect["n"]
    if effect["do"] in {"heal_percent", "max_hp"}:
        _lasting_effect(run, effect["do"], number)
        return
    assert fight is not None
    match effect["do"]:
        case "hurt":
            for monster in fight.enemies if effect["to"] == "all" else [aimed]:
                if monster is not None:
                    fight.hurt_monster(monster, 1 if monster.amount("INTANGIBLE") else number)
        case "bind":
            for monster in fight.enemies:
                monster.add("WEAK_POWER", number)
                monster.add("VULNERABLE_POWER", number)
        case "offer":
            playing.ask(fight, "offer", "take", run.card_choice(number, effect["type"]))
        case "apply" if effect["to"] == "target":
            assert aimed is not None
            aimed.add(effect["power"], number)
        case _:
            _own_effect(fight, effect, number)


def _own_effect(fight: Fight, effect: Json, number: int) -> None:
    player = fight.player
    match effect["do"]:
        case "gain_block":
            player.block += number
        case "block_twice":
            player.block += number
            player.add("BLOCK_NEXT_TURN_POWER", number)
        case "triple_block":
            player.block *= number
        case "energy":
            fight.energy += number
        case "energy_and_draw":
            fight.energy += 1
            fight.draw(number)
        case "draw":
            fight.draw(number)
        case "apply_both":
            player.add("STRENGTH_POWER", number)
            player.add("DEXTERITY_POWER", number)
        case "apply":
            given = _TEMPORARY.get(effect["power"])
            if given is not None:
                player.add(given, number)
            player.add(effect["power"], number, grace=effect["power"] in rules.TICKING)
        case other:
            raise AssertionError(other)


_TEMPORARY = {"FLEX_POTION_POWER": "STRENGTH_POWER", "SPEED_POTION_POWER": "DEXTERITY_POWER"}


def _lasting_effect(run: PracticeRun, what: str, number: int) -> None:
    """HP and maximum HP, in a fight and outside one."""
    holder = run.fight.player if run.fight is not None else run
    if what == "max_hp":
        holder.max_hp += number
        holder.hp += number
    else:
        holder.hp = min(holder.max_hp, holder.hp + holder.max_hp * number // 100)


def discard_potion(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    slot = place(body, "slot", len(run.potions), "Potion slot {n} out of range")
    if run.potions[slot] is None:
        raise ActionRefused(f"No potion in slot {slot}")
    run.potions[slot] = None
    return "Discarded potion"


def combat_select(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    fight = run.fight
    if fight is None or fight.choice is None or fight.choice.where != "hand":
        raise ActionRefused("No in-combat card selection is active")
    cards = fight.choosable()
    index = place(body, "card_index", len(cards), "Card index {n} out of range ({m} selectable cards)")
    if len(fight.choice.picked) >= fight.choice.count:
        fight.choice.picked.pop(0)
    fight.choice.picked.append(cards[index])
    return f"Selecting card from hand: {cards[index].id}"


def combat_confirm(run: PracticeRun, body: Json) -> str:
    """The action of this name."""
    del body
    fight = run.fight
    if fight is None or fight.choice is None or fight.choice.where != "hand":
        raise ActionRefused("No in-combat card selection is active")
    if len(fight.choice.picked) != fight.choice.count:
        raise ActionRefused("Confirm button is not enabled")
    fight.confirm_choice()
    return "Confirming combat card selection"


def pick_in_fight(run: PracticeRun, body: Json) -> str | None:
    """Picking a card in an overlay of the fight; None when the fight shows none."""
    fight = run.fight
    if fight is None or fight.choice is None or fight.choice.where == "hand":
        return None
    cards = fight.choosable()
    index = place(body, "index", len(cards), "Card index {n} out of range")
    fight.choice.picked.append(cards[index])
    fight.confirm_choice()
    return "Choosing card"
