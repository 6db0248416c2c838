"""How good a line is, in points that a player can read: HP now, and HP that the rest of the fight will cost.

The measure is one HP of ours. What a line does to the enemies is worth the HP that they will then not cost: an estimate
of the rest of the fight says how long each of them lives at the damage that the player deals in a turn, and what it
does in that time. Damage, kills, Vulnerable, Strength and enemies that grow are all weighed by that one estimate.
"""

from dataclasses import dataclass, replace
from typing import Final

from spire_mcp.combat.board import Board, Foe, Setting, amount
from spire_mcp.combat.lines import Line, Search

HP_POINT: Final = 10.0
WIN: Final = 10_000.0
DEATH: Final = -100_000.0
UNSURE_DEATH: Final = -2_000.0
TURN_DAMAGE: Final = 10.0
"""damage that a plain deck deals in a turn, over turns that attack and turns that block (tuned on practice fights)"""
ATTACKS_A_TURN: Final = 2.0
LEAK: Final = 0.55
"""the share of the enemies' attacks that later turns will not block"""
POTION: Final = -60.0
DRAW: Final = 9.0
LASTING: Final = 18.0
STATUS_CLEARED: Final = 2.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A line's points and the reasons that made them, most important first."""

    score: float
    reasons: tuple[str, ...]


Part = tuple[float, str]


def evaluate(line: Line, found: Search) -> Evaluation:
    """Rate a line of a search."""
    parts = [*_fate(line), *_health(line), *_rest_of_the_fight(line, found), *_leftovers(line, found.setting)]
    parts = [(points, why) for points, why in parts if points or why]
    ordered = sorted(parts, key=lambda part: abs(part[0]), reverse=True)
    return Evaluation(score=sum(points for points, _ in parts), reasons=tuple(why for _, why in ordered if why))


def _fate(line: Line) -> list[Part]:
    outcome = line.outcome
    if outcome.wins:
        return [(WIN, "wins the fight"), (-0.1 * len(line.plays), "")]
    if outcome.dies == "yes":
        return [(DEATH, "dies")]
    if outcome.dies == "unknown" and line.position.stopped is not None:
        return [(UNSURE_DEATH, "what it leads to is not known")]
    return []


def _health(line: Line) -> list[Part]:
    lost = line.outcome.hp_lost
    if lost == 0:
        covered = line.end.incoming and not line.outcome.wins
        return [(0.0, f"loses no HP to attacks of {line.end.incoming}")] if covered else []
    # The last points are worth more: a player at 12 HP cannot afford what one at 60 can.
    pressure = 1.0 + max(0.0, (25 - line.end.after.hp) / 25)
    verb = f"loses {lost} HP" if lost > 0 else f"gains {-lost} HP"
    return [(-HP_POINT * pressure * lost, verb)]


def _rest_of_the_fight(line: Line, found: Search) -> list[Part]:
    """What the line does to the enemies and for ourselves, by the HP that it will save."""
    if line.outcome.wins:
        return []
    before, after = found.start, line.end.after
    saved = expected_loss(before) - expected_loss(after)
    names = found.setting.names
    said = [f"kills {names[foe]}" for foe in line.outcome.kills]
    was = {foe.id: foe for foe in before.foes}
    for foe in after.foes:
        dealt = was[foe.id].hp - foe.hp
        if foe.hp and dealt > 0:
            said.append(f"{dealt} damage to {names[foe.id]}")
        for power in ("VULNERABLE", "WEAK", "POISON"):
            more = amount(foe.powers, power) - amount(was[foe.id].powers, power)
            if foe.hp and more > 0:
                said.append(f"{names[foe.id]} {power.title()} {more}")
    parts: list[Part] = [(HP_POINT * saved, ", ".join(said))]
    return [*parts, *_own_powers(line.position, before)]


def expected_loss(position: Board) -> float:
    """HP that the rest of the fight is likely to cost, from the next turn on. An estimate, and never more than that.

    Enemies are taken to be killed one after the other, those first that do the most for their HP.
    """
    strength = amount(position.powers, "STRENGTH")
    rate = max(5.0, TURN_DAMAGE + ATTACKS_A_TURN * strength)
    growth = amount(position.powers, "DEMON_FORM")
    loss = clock = 0.0
    for foe in sorted(position.alive, key=lambda foe: foe.hp / max(_harm(foe), 0.1)):
        clock += _turns(foe, rate)
        if growth:
            clock = max(0.2, clock - growth * ATTACKS_A_TURN * clock * clock / (2 * rate))
        turns = max(0.0, clock)
        loss += _harm(foe) * turns + _growth(foe) * turns * turns / 2
    shield = amount(position.powers, "PLATING") + 0.5 * amount(position.powers, "DEXTERITY") * ATTACKS_A_TURN
    return max(0.0, LEAK * loss - shield * min(clock, 6.0) * 0.6)


def _turns(foe: Foe, rate: float) -> float:
    """Turns that an enemy lives under full attack; Vulnerable turns count half again as much."""
    vulnerable = max(0, amount(foe.powers, "VULNERABLE"))
    left = foe.hp + amount(foe.powers, "SLIPPERY") * 4.0 - amount(foe.powers, "POISON") * 2.0
    quick = 1.5 * rate * vulnerable
    if left <= quick:
        return max(0.0, left) / (1.5 * rate)
    return vulnerable + (left - quick) / rate


def _harm(foe: Foe) -> float:
    """HP that an enemy's turn costs before block: what it shows now, and what one of its size usually does."""
    usual = min(18.0, 2.0 + foe.max_hp / 7) + 1.3 * max(0, amount(foe.powers, "STRENGTH"))
    shown = sum(attack.damage * attack.hits for attack in foe.attacks)
    weak = 0.75 if amount(foe.powers, "WEAK") > 1 else 1.0
    return weak * ((usual + shown) / 2 if shown else usual) * (0.6 if foe.minion else 1.0)


def _growth(foe: Foe) -> float:
    """How much more an enemy does each turn."""
    return 0.4 + sum(amount(foe.powers, name) for name in ("RITUAL", "TERRITORIAL"))


def _own_powers(position: Board, start: Board) -> list[Part]:
    """Powers that the estimate does not know, by how much of the fight is left."""
    known = {name for name, _ in start.powers}
    weighed = {"STRENGTH_POWER", "PLATING_POWER", "DEXTERITY_POWER", "DEMON_FORM_POWER"}
    passing = {"RAGE_POWER", "NO_DRAW_POWER", "SETUP_STRIKE_POWER", "FLEX_POTION_POWER", "FLAME_BARRIER_POWER"}
    turns = min(5.0, 1 + sum(foe.hp for foe in position.alive) / 18)
    parts: list[Part] = []
    for power, stacks in position.powers:
        if power in known or power in weighed or power in passing:
            continue
        parts.append((LASTING * turns / 3, f"{power.removesuffix('_POWER').replace('_', ' ').title()} {stacks}"))
    temporary = amount(position.powers, "SETUP_STRIKE") + amount(position.powers, "FLEX_POTION")
    if temporary:
        # Strength that goes at the end of the turn is no Strength for the rest of the fight.
        without = replace(position, powers=_less_strength(position, temporary))
        parts.append((-HP_POINT * max(0.0, expected_loss(without) - expected_loss(position)), ""))
    return parts


def _less_strength(position: Board, less: int) -> tuple[tuple[str, int], ...]:
    return tuple((name, stacks - less if name == "STRENGTH_POWER" else stacks) for name, stacks in position.powers)


def _leftovers(line: Line, setting: Setting) -> list[Part]:
    """Drawing before the turn is over is worth something; a potion is kept for real danger."""
    if line.outcome.wins:
        return []
    parts: list[Part] = []
    if line.outcome.draws:
        parts.append((DRAW * (1.0 + 0.5 * line.outcome.energy_left), "draws, and looks again"))
    used = sum(play.potion_slot is not None for play in line.plays)
    if used:
        parts.append((POTION * used, "uses up a potion"))
    statuses = sum(
        1 for play in line.plays if play.kind is not None and setting.kinds[play.kind].card.type in {"Status", "Curse"}
    )
    if statuses:
        parts.append((STATUS_CLEARED * statuses, "clears a status card"))
    return parts
