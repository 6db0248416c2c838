"""The game in plain English by its IDs, whatever language it shows: what a decision model is told.

Displayed names and texts never pass through here. They may be in any language, and a mod may write anything into them.
"""

from typing import Final

from spire_mcp.combat.board import Board, Foe
from spire_mcp.combat.reading import ATTACKS, read_label
from spire_mcp.game.card_facts import card_table
from spire_mcp.game.parts import Card, Enemy, Intent
from spire_mcp.game.screens import Observation

_LONGEST: Final = 40


def words(identity: str) -> str:
    """An ID as words: `FUZZY_WURM_CRAWLER` is Fuzzy Wurm Crawler."""
    plain = "".join(char if char.isascii() and char.isalnum() else " " for char in identity[:_LONGEST])
    return " ".join(part.capitalize() for part in plain.split()) or "Unnamed"


def card_name(card: Card) -> str:
    """A card's English name; `+` when upgraded."""
    facts = card_table().cards.get(card.id)
    name = facts.names[0] if facts is not None else None
    return (name or words(card.id)) + ("+" if card.is_upgraded else "")


def foe_name(foe: Foe) -> str:
    """An enemy with the ID that stays its own through the fight."""
    return f"{words(foe.kind)} {f'e{foe.id}' if foe.id >= 0 else f'#{-foe.id}'}"


def power_name(power: str, stacks: int) -> str:
    """A power with its stacks."""
    return f"{words(power.removesuffix('_POWER'))} {stacks}"


def powers(listed: tuple[tuple[str, int], ...]) -> str:
    """Powers in one line; `none` for none."""
    return ", ".join(power_name(power, stacks) for power, stacks in listed) or "none"


def intent(shown: Intent) -> str:
    """An enemy's intent, with the total first: `3x7 (21)` has been read as 7."""
    if shown.type not in ATTACKS:
        return words(shown.type).lower()
    attack = read_label(shown.label)
    if attack is None:
        return "an attack of unknown size"
    total = attack.damage * attack.hits
    return f"attack for {total}" + (f" in {attack.hits} hits" if attack.hits > 1 else "")


def project(observation: Observation, position: Board) -> dict[str, object]:
    """What of the state a choice among computed lines needs: nothing else, in the same words every time."""
    player, battle = observation.player, observation.battle
    assert player is not None
    assert battle is not None
    by_foe = {foe.id: foe for foe in position.foes}
    enemies = [
        _enemy(enemy, by_foe[enemy.combat_id if enemy.combat_id is not None else -1 - place])
        for place, enemy in enumerate(battle.living_enemies)
    ]
    hand = [card_name(card) for card in observation.hand]
    state: dict[str, object] = {
        "turn": battle.round,
        "room": words(observation.state_type).lower(),
        "player": {
            "hp": f"{position.hp} of {player.max_hp}",
            "block": position.block,
            "energy": position.energy,
            "powers": powers(position.powers),
        },
        "enemies": enemies,
        "hand": ", ".join(hand) or "empty",
        "cards to draw": player.draw_pile_count or 0,
        "potions": ", ".join(words(potion.id) for potion in player.potions) or "none",
    }
    return state


def _enemy(enemy: Enemy, foe: Foe) -> dict[str, object]:
    shown = " and ".join(intent(one) for one in enemy.intents or ()) or "none shown"
    return {
        "id": foe_name(foe),
        "hp": f"{foe.hp} of {foe.max_hp}",
        "block": foe.block,
        "powers": powers(foe.powers),
        "intent": shown,
    }
