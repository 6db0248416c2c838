"""Boards for tests: states as the bridge sends them, built in a line and read through the real parser."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from spire_mcp.bridge.parse import decode, parse_state
from spire_mcp.combat import forecast, preview
from spire_mcp.game.expected import Expected, ExpectedEnemy
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation

Raw = dict[str, Any]


def card(
    identity: str,
    text: str,
    *,
    cost: str = "1",
    kind: str = "Attack",
    target: str = "AnyEnemy",
    upgraded: bool = False,
    reason: str | None = None,
    keywords: Mapping[str, str] | None = None,
) -> Raw:
    """A card in hand; `reason` says why it cannot be played, None for one that can."""
    return {
        "id": identity,
        "name": identity.title(),
        "type": kind,
        "cost": cost,
        "star_cost": None,
        "description": text,
        "rarity": "Common",
        "is_upgraded": upgraded,
        "keywords": [{"name": name, "description": about} for name, about in (keywords or {}).items()],
        "target_type": target,
        "can_play": reason is None,
        "unplayable_reason": reason,
    }


def skill(identity: str, text: str, **more: Any) -> Raw:
    options: Raw = {"kind": "Skill", "target": "Self", **more}
    return card(identity, text, **options)


def strike(shown: int = 6, **more: Any) -> Raw:
    return card("STRIKE_IRONCLAD", f"Deal {shown} damage.", **more)


def bash(shown: int = 8, vulnerable: int = 2, **more: Any) -> Raw:
    options: Raw = {"cost": "2", **more}
    return card("BASH", f"Deal {shown} damage. Apply {vulnerable} Vulnerable.", **options)


def defend(shown: int = 5, **more: Any) -> Raw:
    return skill("DEFEND_IRONCLAD", f"Gain {shown} Block.", **more)


def twin_strike(shown: int = 5, **more: Any) -> Raw:
    return card("TWIN_STRIKE", f"Deal {shown} damage twice.", **more)


def whirlwind(shown: int = 5, **more: Any) -> Raw:
    return card("WHIRLWIND", f"Deal {shown} damage to ALL enemies X times.", cost="X", target="AllEnemies", **more)


def neutralize(shown: int = 3) -> Raw:
    return card("NEUTRALIZE", f"Deal {shown} damage. Apply 1 Weak.", cost="0")


def status(identity: str, text: str, kind: str = "Status") -> Raw:
    return card(identity, text, cost="0", kind=kind, target="None", reason="HasUnplayableKeyword")


BURN = status("BURN", "Unplayable. At the end of your turn, take 2 damage.")
INFECTION = status("INFECTION", "Unplayable. At the end of your turn, take 3 damage.")
BECKON = skill("BECKON", "At the end of your turn, lose 6 HP.", kind="Status", target="None")
BANE = status("ASCENDERS_BANE", "Unplayable. Ethereal. Eternal.", kind="Curse")
REGRET = status("REGRET", "Unplayable. At the end of your turn, lose 1 HP for each card in your Hand.", kind="Curse")


def powers(amounts: Mapping[str, int] | None) -> list[Raw]:
    """Powers named without their ending."""
    return [
        {"id": f"{name}_POWER", "name": name.title(), "amount": amount, "type": "Buff", "description": ""}
        for name, amount in (amounts or {}).items()
    ]


def attack(label: str) -> Raw:
    return {"type": "Attack", "label": label, "title": "Aggressive", "description": ""}


def intent(kind: str, label: str = "") -> Raw:
    return {"type": kind, "label": label, "title": kind, "description": ""}


def enemy(
    hp: int,
    *intents: str | Raw,
    block: int = 0,
    has: Mapping[str, int] | None = None,
    kind: str = "NIBBIT",
    no_intents: bool = False,
) -> Raw:
    """An enemy; an intent given as text is an attack with that label."""
    found: Raw = {
        "entity_id": kind,
        "name": kind.title(),
        "hp": hp,
        "max_hp": max(hp, 100),
        "block": block,
        "status": powers(has),
        "intents": [attack(each) if isinstance(each, str) else each for each in intents],
    }
    if no_intents:
        del found["intents"]
    return found


def potion(identity: str, target: str = "Self") -> Raw:
    return {"id": identity, "name": identity, "description": "", "can_use_in_combat": True, "target_type": target}


def fight(
    hand: Sequence[Raw],
    *enemies: Raw,
    hp: int = 80,
    block: int = 0,
    energy: int = 3,
    has: Mapping[str, int] | None = None,
    relics: Sequence[str] = (),
    potions: Sequence[Raw] = (),
    round_number: int = 2,
    more: Mapping[str, Any] | None = None,
) -> Observation:
    """The player's turn, parsed from bytes as the bridge's are. Enemies get the combat IDs 1, 2, 3 ..."""
    foes = [
        {**foe, "combat_id": number, "entity_id": f"{foe['entity_id']}_{number - 1}"}
        for number, foe in enumerate(enemies, start=1)
    ]
    state: Raw = {
        "state_type": "monster",
        "battle": {"round": round_number, "turn": "player", "is_play_phase": True, "enemies": foes},
        "run": {"act": 1, "floor": 3, "ascension": 0},
        "player": {
            "character": "The Ironclad",
            "hp": hp,
            "max_hp": 80,
            "block": block,
            "energy": energy,
            "max_energy": 3,
            "hand": [{**held, "index": index} for index, held in enumerate(hand)],
            "draw_pile_count": 10,
            "discard_pile_count": 5,
            "exhaust_pile_count": 0,
            "draw_pile": [],
            "discard_pile": [],
            "exhaust_pile": [],
            "gold": 99,
            "status": powers(has),
            "relics": [{"id": relic, "name": relic, "description": "", "counter": None} for relic in relics],
            "potions": [{**held, "slot": slot} for slot, held in enumerate(potions)],
            "max_potion_slots": 3,
            **(more or {}),
        },
    }
    return parse_state(decode(json.dumps(state).encode()))


def foresee(observation: Observation, option_id: str) -> Expected | None:
    """The forecast for one offered option."""
    return forecast(observation, next(option for option in list_options(observation) if option.id == option_id))


def certain(observation: Observation, option_id: str) -> Expected:
    """The same, where there has to be one."""
    expected = foresee(observation, option_id)
    assert expected is not None
    return expected


def foe(observation: Observation, option_id: str, combat_id: int = 1) -> ExpectedEnemy:
    """What is certain about an enemy after one option."""
    return certain(observation, option_id).enemies[combat_id]


def line(observation: Observation, *option_ids: str) -> dict[str, Any]:
    """What `preview` prints for a line."""
    return dict(preview(observation, option_ids))


def last(observation: Observation, *option_ids: str) -> dict[Any, Any]:
    """What is predicted after the last step of a line: the player's numbers, and the enemies' by combat ID."""
    predicted = line(observation, *option_ids)["steps"][-1]["predicted"]
    return {**predicted["player"], **{entry["combat_id"]: entry for entry in predicted["enemies"]}}


def ending(observation: Observation, *option_ids: str) -> dict[str, Any]:
    """What ending the turn after a line brings."""
    found: dict[str, Any] = line(observation, *option_ids)["end_of_turn"]
    return found
