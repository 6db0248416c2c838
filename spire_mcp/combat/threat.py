"""The danger of the coming enemy turn in numbers and words: certain, potential and unknown are three things."""

from dataclasses import dataclass
from typing import Final, Literal

from spire_mcp.combat.board import Board, Setting
from spire_mcp.combat.enemy_turn import Dies, end_turn
from spire_mcp.combat.lines import Search, search
from spire_mcp.combat.opening import board
from spire_mcp.game.screens import Observation

FACT_BOARDS: Final = 5_000
"""boards that the facts of a state may cost: under half a second on the fullest hand"""

Known = bool | Literal["unknown"]


@dataclass(frozen=True, slots=True)
class Threat:
    """What the enemies' turn would do if ours ended now.

    `incoming` counts displayed attacks before block. `hp_lost` also holds what status cards and powers add.
    `certain` and `uncertain` say the same in words; `uncertain_intents` are those of the latter that are intents.
    """

    incoming: int
    block: int
    hp: int
    hp_lost: int
    dies: Dies
    blockable: Known
    certain: tuple[str, ...]
    uncertain: tuple[str, ...]
    uncertain_intents: tuple[str, ...]


def threat(observation: Observation, found: Search | None = None) -> Threat:
    """Rate the danger; `found` saves a second search of the same turn."""
    position, setting = board(observation)
    end = end_turn(position, setting)
    intents = tuple(f"{setting.names[foe.id]}: {foe.intent_doubt}" for foe in position.alive if foe.intent_doubt)
    certain = [f"{setting.names[foe]} attacks for {damage}" for foe, damage in end.by_enemy.items() if damage]
    if end.hp_lost > 0:
        certain.append(f"ending the turn now costs {end.hp_lost} of {position.hp} HP")
    return Threat(
        incoming=end.incoming,
        block=position.block,
        hp=position.hp,
        hp_lost=end.hp_lost,
        dies=end.dies,
        blockable=_blockable(position, setting, observation, found, certain=not end.unknown),
        certain=tuple(certain),
        uncertain=end.unknown,
        uncertain_intents=intents,
    )


def _blockable(
    position: Board, setting: Setting, observation: Observation, found: Search | None, *, certain: bool
) -> Known:
    """Whether some line of this turn loses nothing to the enemies' turn."""
    if end_turn(position, setting).hp_lost <= 0:
        return True if certain else "unknown"
    found = found or search(observation)
    if any(line.end.hp_lost <= 0 and not line.position.lost for line in found.lines):
        return True if certain else "unknown"
    return False if found.complete else "unknown"


def facts(observation: Observation, *, boards: int = FACT_BOARDS) -> dict[str, object]:
    """The `facts` of a fight (interface, section 3); `boards` bounds the search behind them."""
    found = search(observation, node_limit=boards)
    danger = threat(observation, found)
    lethal_for_us: Known | Literal["potential"] = danger.dies == "yes"
    if danger.dies == "unknown":
        lethal_for_us = "potential" if danger.uncertain_intents or danger.hp_lost * 2 >= danger.hp else "unknown"
    lethal_for_them: Known = any(line.outcome.wins for line in found.lines)
    if not lethal_for_them and not found.complete:
        lethal_for_them = "unknown"
    return {
        "incoming": danger.incoming,
        "block": danger.block,
        "hp": danger.hp,
        "blockable": danger.blockable,
        "lethal_for_us": lethal_for_us,
        "lethal_for_them": lethal_for_them,
        "intents_signature": intents_signature(observation),
    }


def intents_signature(observation: Observation) -> str:
    """The enemies' intents in one short text that a planner can copy: combat ID, types and labels."""
    parts: list[str] = []
    for enemy in observation.enemies:
        shown = "+".join(f"{intent.type}{intent.label or ''}" for intent in enemy.intents or ()) or "none"
        parts.append(f"{enemy.combat_id if enemy.combat_id is not None else enemy.entity_id}={shown}")
    return ";".join(parts)
