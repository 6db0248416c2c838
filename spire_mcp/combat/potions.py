"""Using a potion on a board; its damage and block are unpowered (combat-rules.md, section 7)."""

from spire_mcp.combat.board import Board, Setting, amount, changed, with_power
from spire_mcp.combat.hits import gain_block, wound
from spire_mcp.combat.knowledge import potion_rule
from spire_mcp.combat.plays import apply_power
from spire_mcp.game.parts import Potion


def use_potion(position: Board, setting: Setting, potion: Potion, target: int | None) -> Board:
    """The board after a potion; one without a rule leaves a board that says so in `stopped`."""
    rule = potion_rule(potion.id)
    position = changed(position, potions=tuple(slot for slot in position.potions if slot != potion.slot))
    if rule is None:
        return changed(position, stopped=f"{potion.title}: the potion is not in the tables")
    if potion.id in setting.doubted:
        return changed(position, stopped=f"{potion.title}: in this fight it did not do what was computed")
    number = int(rule["amount"])
    if "potion" in setting.better:
        position = changed(position, better=position.better | setting.better["potion"])
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
            position = apply_power(position, rule, number, target)
            if "this_turn" in rule:
                position = changed(position, powers=with_power(position.powers, rule["this_turn"], number))
            return position
        case _:
            if amount(position.powers, "NO_DRAW"):
                return position
            return changed(position, stopped=f"{potion.title} draws {number}", cards_only=True)
