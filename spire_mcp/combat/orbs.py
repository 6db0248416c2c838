"""Orbs: channelling, evoking and what they do at the end of the turn (combat-rules.md, section 5). All unpowered."""

from spire_mcp.combat.board import Board, Orb, Setting, amount, changed
from spire_mcp.combat.hits import gain_block, wound

_NEW = {"LIGHTNING": (3, 8), "FROST": (2, 5), "DARK": (6, 6), "GLASS": (4, 8), "PLASMA": (1, 2)}
"""passive and evoke of a fresh orb without Focus"""
_ANYTHING = frozenset({"hp", "block", "damage", "energy"})


def plain(orb: Orb) -> str:
    """An orb's kind, whether or not the bridge ends its ID in `_ORB`."""
    return orb.id.removesuffix("_ORB")


def channel(position: Board, setting: Setting, kind: str, count: int) -> Board:
    """Channel orbs; with full slots the first one is evoked and makes room."""
    for _ in range(count):
        if setting.orb_slots == 0:
            return position
        if len(position.orbs) >= setting.orb_slots:
            position = evoke(position, setting)
            position = changed(position, orbs=position.orbs[1:])
        passive, evoked = _NEW[kind]
        focus = 0 if kind == "PLASMA" else amount(position.powers, "FOCUS")
        fresh = Orb(kind, max(0, passive + focus), max(0, evoked + (2 if kind == "GLASS" else 1) * focus))
        if kind == "DARK":
            fresh = Orb(kind, max(0, passive + focus), evoked)
        position = changed(position, orbs=(*position.orbs, fresh))
    return position


def evoke(position: Board, setting: Setting) -> Board:
    """What the first orb does when it is evoked; it is not taken away here."""
    orb = position.orbs[0]
    if orb.evoke is None:
        return _better(position, _ANYTHING)
    match plain(orb):
        case "FROST":
            return gain_block(position, setting, orb.evoke)
        case "LIGHTNING":
            return _random(position, setting, orb.evoke)
        case "PLASMA":
            return changed(position, energy=position.energy + orb.evoke)
        case "GLASS":
            return _all(position, setting, orb.evoke)
        case "DARK":
            least = sorted(position.alive, key=lambda foe: foe.hp)
            if len(least) > 1 and least[0].hp == least[1].hp:
                return _better(position, frozenset({"damage"}))
            return wound(position, setting, least[0], orb.evoke) if least else position
        case _:
            return _better(position, _ANYTHING)


def passives(position: Board, setting: Setting) -> Board:
    """What all orbs do at the end of the player's turn, in order."""
    for orb in position.orbs:
        match plain(orb):
            case "FROST":
                position = gain_block(position, setting, orb.passive)
            case "LIGHTNING":
                position = _random(position, setting, orb.passive)
            case "GLASS":
                position = _all(position, setting, orb.passive)
            case "DARK" | "PLASMA":
                pass
            case _:
                position = _better(position, _ANYTHING)
    return position


def refocused(position: Board, change: int) -> Board:
    """The orbs after Focus has changed."""

    def tuned(orb: Orb) -> Orb:
        if plain(orb) == "PLASMA":
            return orb
        evoked = orb.evoke
        if evoked is not None and plain(orb) != "DARK":
            evoked = max(0, evoked + (2 if plain(orb) == "GLASS" else 1) * change)
        return Orb(orb.id, max(0, orb.passive + change), evoked)

    return changed(position, orbs=tuple(tuned(orb) for orb in position.orbs))


def _random(position: Board, setting: Setting, damage: int) -> Board:
    """Damage to a random enemy: certain only where there is one."""
    living = position.alive
    if len(living) == 1:
        return wound(position, setting, living[0], damage)
    return _better(position, frozenset({"damage"})) if living else position


def _all(position: Board, setting: Setting, damage: int) -> Board:
    for foe_id in [foe.id for foe in position.alive]:
        foe = next((foe for foe in position.alive if foe.id == foe_id), None)
        if foe is not None:
            position = wound(position, setting, foe, damage)
    return position


def _better(position: Board, numbers: frozenset[str]) -> Board:
    return changed(position, better=position.better | numbers)
