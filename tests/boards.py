"""Small fights written down as the bridge would send them, for hand-worked cases."""

from typing import Any

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.screens import Observation

Json = dict[str, Any]

# name, cost, type, target, text with the base numbers of the table
_CARDS: dict[str, tuple[str, str, str, str]] = {
    "STRIKE_IRONCLAD": ("1", "Attack", "AnyEnemy", "Deal {damage} damage."),
    "DEFEND_IRONCLAD": ("1", "Skill", "Self", "Gain {block} Block."),
    "BASH": ("2", "Attack", "AnyEnemy", "Deal {damage} damage. Apply 2 Vulnerable."),
    "IRON_WAVE": ("1", "Attack", "AnyEnemy", "Gain {block} Block. Deal {damage} damage."),
    "TWIN_STRIKE": ("1", "Attack", "AnyEnemy", "Deal {damage} damage twice."),
    "THUNDERCLAP": ("1", "Attack", "AllEnemies", "Deal {damage} damage to ALL enemies. Apply 1 Vulnerable."),
    "UPPERCUT": ("2", "Attack", "AnyEnemy", "Deal {damage} damage. Apply 1 Weak. Apply 1 Vulnerable."),
    "HEMOKINESIS": ("1", "Attack", "AnyEnemy", "Lose 2 HP. Deal {damage} damage."),
    "WHIRLWIND": ("X", "Attack", "AllEnemies", "Deal {damage} damage to ALL enemies X times."),
    "BODY_SLAM": ("1", "Attack", "AnyEnemy", "Deal {damage} damage."),
    "DISMANTLE": ("1", "Attack", "AnyEnemy", "Deal {damage} damage. Hits twice if Vulnerable."),
    "POMMEL_STRIKE": ("1", "Attack", "AnyEnemy", "Deal {damage} damage. Draw 1 card."),
    "SWORD_BOOMERANG": ("1", "Attack", "RandomEnemy", "Deal {damage} damage to a random enemy 3 times."),
    "BLOODLETTING": ("0", "Skill", "Self", "Lose 3 HP. Gain 2 energy."),
    "INFLAME": ("1", "Power", "Self", "Gain 2 Strength."),
    "RAGE": ("0", "Skill", "Self", "Gain 3 Block whenever you play an Attack."),
    "FLAME_BARRIER": ("2", "Skill", "Self", "Gain {block} Block. Deal 4 damage back."),
    "MOLTEN_FIST": ("1", "Attack", "AnyEnemy", "Deal {damage} damage. Double Vulnerable. Exhaust."),
    "TREMBLE": ("1", "Skill", "AnyEnemy", "Apply 3 Vulnerable. Exhaust."),
    "DEADLY_POISON": ("1", "Skill", "AnyEnemy", "Apply 5 Poison."),
    "BURN": ("0", "Status", "None", "Unplayable."),
    "BECKON": ("1", "Status", "None", "At the end of your turn, lose 6 HP."),
    "DAZED": ("0", "Status", "None", "Unplayable. Ethereal."),
}


def card(name: str, *, damage: int | None = None, block: int | None = None, **more: Any) -> Json:
    """A card in hand whose text shows these numbers."""
    upgraded = name.endswith("+")
    identity = name.rstrip("+")
    cost, kind, target, text = _CARDS[identity]
    playable = identity not in {"BURN", "DAZED"}
    return {
        "id": identity,
        "name": name,
        "type": kind,
        "cost": cost,
        "star_cost": None,
        "description": text.format(damage=damage, block=block),
        "rarity": "Common",
        "is_upgraded": upgraded,
        "keywords": [],
        "target_type": target,
        "can_play": playable,
        "unplayable_reason": None if playable else "HasUnplayableKeyword",
        **more,
    }


def strike(damage: int = 6) -> Json:
    return card("STRIKE_IRONCLAD", damage=damage)


def defend(block: int = 5) -> Json:
    return card("DEFEND_IRONCLAD", block=block)


def bash(damage: int = 8) -> Json:
    return card("BASH", damage=damage)


def powers(**amounts: int) -> list[Json]:
    return [
        {"id": f"{name}_POWER", "name": name.title(), "amount": amount, "type": "Buff"}
        for name, amount in amounts.items()
    ]


def enemy(hp: int, *intents: str | Json, block: int = 0, kind: str = "NIBBIT", number: int = 1, **amounts: int) -> Json:
    """An enemy; an intent given as text is an attack with that label."""
    return {
        "entity_id": f"{kind}_0",
        "combat_id": number,
        "name": kind.title(),
        "hp": hp,
        "max_hp": max(hp, 40),
        "block": block,
        "status": powers(**amounts),
        "intents": [i if isinstance(i, dict) else {"type": "Attack", "label": i} for i in intents],
    }


def fight(
    hand: list[Json],
    enemies: list[Json],
    *,
    hp: int = 80,
    block: int = 0,
    energy: int = 3,
    potions: tuple[str, ...] = (),
    relics: tuple[str, ...] = ("BURNING_BLOOD",),
    **amounts: int,
) -> Observation:
    """A fight in the play phase; keyword numbers are the player's own powers."""
    for index, held in enumerate(hand):
        held["index"] = index
        cost = held["cost"]
        if cost.isdigit() and int(cost) > energy and held["can_play"]:
            held |= {"can_play": False, "unplayable_reason": "EnergyCostTooHigh"}
    player: Json = {
        "character": "The Ironclad",
        "hp": hp,
        "max_hp": 80,
        "block": block,
        "gold": 0,
        "energy": energy,
        "max_energy": 3,
        "hand": hand,
        "status": powers(**amounts),
        "relics": [{"id": relic, "name": relic} for relic in relics],
        "potions": [
            {
                "id": potion,
                "name": potion.title(),
                "slot": slot,
                "can_use_in_combat": True,
                "target_type": "AnyEnemy" if potion == "FIRE_POTION" else "Self",
            }
            for slot, potion in enumerate(potions)
        ],
        "max_potion_slots": 3,
        "draw_pile_count": 5,
        "discard_pile_count": 0,
        "exhaust_pile_count": 0,
    }
    battle: Json = {"round": 1, "turn": "player", "is_play_phase": True, "enemies": enemies}
    run = {"act": 1, "floor": 2, "ascension": 0}
    return parse_state({"state_type": "monster", "battle": battle, "run": run, "player": player})
