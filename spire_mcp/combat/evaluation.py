"""How good a line is, in points that a player can read: HP, kills, damage where it matters, what lasts."""

from dataclasses import dataclass

from spire_mcp.combat.board import Board, Foe, Setting, amount
from spire_mcp.combat.lines import Line, Search

WIN = 10_000.0
DEATH = -100_000.0
UNSURE_DEATH = -2_000.0
HP_POINT = 10.0
"""one HP of ours; everything else is measured against it"""
DAMAGE_POINT = 3.0
"""one HP of an enemy: about three turns of it are worth one of ours"""
KILL_PER_DAMAGE = 9.0
"""for each point of damage that a dead enemy will not do again next turn"""
VULNERABLE_TURN = 9.0
WEAK_TURN = 8.0
STRENGTH = 22.0
PLATING = 14.0
LASTING = 18.0
DRAW = 9.0
ENERGY = 2.0
SCALING = 12.0
"""for damage to enemies that grow each turn"""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A line's points and the reasons that made them, most important first."""

    score: float
    reasons: tuple[str, ...]


def evaluate(line: Line, found: Search) -> Evaluation:
    """Rate a line of a search."""
    parts = [
        *_fate(line),
        *_health(line),
        *_enemies(line, found.start, found.setting),
        *_own_powers(line.position, found.start),
        *_leftovers(line, found.setting),
    ]
    parts = [(points, why) for points, why in parts if points]
    ordered = sorted(parts, key=lambda part: abs(part[0]), reverse=True)
    return Evaluation(score=sum(points for points, _ in parts), reasons=tuple(why for _, why in ordered if why))


Part = tuple[float, str]


def _fate(line: Line) -> list[Part]:
    outcome = line.outcome
    if outcome.wins:
        # A win costs the HP that it costs, and no more than that: the fewest plays are as good as any.
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
        return [(0.01, f"loses no HP to attacks of {line.end.incoming}")] if covered else []
    left = line.end.after.hp
    # The last points are worth more: a player at 12 HP cannot afford what one at 60 can.
    pressure = 1.0 + max(0.0, (25 - left) / 25)
    verb = f"loses {lost} HP" if lost > 0 else f"gains {-lost} HP"
    return [(-HP_POINT * pressure * lost, verb)]


def _enemies(line: Line, start: Board, setting: Setting) -> list[Part]:
    parts: list[Part] = []
    before = {foe.id: foe for foe in start.foes}
    for foe in line.end.after.foes if not line.outcome.wins else ():
        was = before[foe.id]
        name = setting.names[foe.id]
        if foe.hp == 0:
            harm = max(_harm(was), 5.0)
            parts.append((DAMAGE_POINT * was.hp + KILL_PER_DAMAGE * harm, f"kills {name}"))
            continue
        dealt = was.hp - foe.hp
        if dealt > 0:
            weight = _focus(was, start)
            parts.append((DAMAGE_POINT * dealt * weight, f"{dealt} damage to {name}"))
        parts += _debuffs(foe, was, name)
    return parts


def _harm(foe: Foe) -> float:
    """What an enemy does in a turn, as far as its intent shows; a turn without an attack is one of many."""
    shown = sum(attack.damage * attack.hits for attack in foe.attacks)
    return shown or 6.0 + amount(foe.powers, "STRENGTH")


def _focus(foe: Foe, start: Board) -> float:
    """Damage counts more on what is nearest to dying and grows fastest, so that it is not spread."""
    if foe.minion:
        return 0.5
    most = max(other.hp for other in start.foes)
    weight = 1.0 + 0.35 * (1 - foe.hp / most) if most else 1.0
    grows = any(amount(foe.powers, name) for name in ("RITUAL", "TERRITORIAL"))
    return weight + (0.25 if grows else 0.0)


def _debuffs(foe: Foe, was: Foe, name: str) -> list[Part]:
    parts: list[Part] = []
    vulnerable = amount(foe.powers, "VULNERABLE") - amount(was.powers, "VULNERABLE")
    if vulnerable > 0 and foe.hp > 12:
        lasting = min(vulnerable, 1 + foe.hp // 20)
        parts.append((VULNERABLE_TURN * lasting, f"{name} Vulnerable {vulnerable}"))
    weak = amount(foe.powers, "WEAK") - amount(was.powers, "WEAK")
    if weak > 0:
        parts.append((WEAK_TURN * min(weak, 2), f"{name} Weak {weak}"))
    poison = amount(foe.powers, "POISON") - amount(was.powers, "POISON")
    if poison > 0:
        parts.append((DAMAGE_POINT * poison * 2, f"{name} Poison {poison}"))
    return parts


def _own_powers(position: Board, start: Board) -> list[Part]:
    if position.won:
        return []
    enemies = sum(foe.hp for foe in position.alive)
    turns = min(5.0, 1 + enemies / 18)
    parts: list[Part] = []
    temporary = amount(position.powers, "SETUP_STRIKE") + amount(position.powers, "FLEX_POTION")
    strength = amount(position.powers, "STRENGTH") - amount(start.powers, "STRENGTH") - temporary
    if strength > 0:
        parts.append((STRENGTH * strength * turns / 3, f"Strength {strength}"))
    plating = amount(position.powers, "PLATING") - amount(start.powers, "PLATING")
    if plating > 0:
        parts.append((PLATING * plating * turns / 4, f"Plating {plating}"))
    known = {name for name, _ in start.powers}
    for power, stacks in position.powers:
        if power in known or power in {"STRENGTH_POWER", "PLATING_POWER", "RAGE_POWER", "NO_DRAW_POWER"}:
            continue
        if power not in {"SETUP_STRIKE_POWER", "FLEX_POTION_POWER", "FLAME_BARRIER_POWER"}:
            parts.append((LASTING * turns / 3, f"{power.removesuffix('_POWER').replace('_', ' ').title()} {stacks}"))
    return parts


def _leftovers(line: Line, setting: Setting) -> list[Part]:
    """Drawing before the turn is over is worth something; energy that nothing was bought with is not."""
    if line.outcome.wins:
        return []
    parts: list[Part] = []
    if line.outcome.draws:
        parts.append((DRAW * (1.0 + 0.5 * line.outcome.energy_left), "draws, and looks again"))
    used = [play for play in line.plays if play.potion_slot is not None]
    if used:
        parts.append((-60.0 * len(used), "uses up a potion"))
    statuses = sum(
        1 for play in line.plays if play.kind is not None and setting.kinds[play.kind].card.type in {"Status", "Curse"}
    )
    if statuses:
        parts.append((ENERGY * statuses, "clears a status card"))
    return parts
