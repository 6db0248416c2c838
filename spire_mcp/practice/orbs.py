"""Orbs and the companion: what the Defect and the Necrobinder bring (combat-rules.md, section 5). All unpowered."""

from fractions import Fraction
from typing import TYPE_CHECKING

from spire_mcp.practice import rules
from spire_mcp.practice.pieces import Monster, Orb
from spire_mcp.practice.rules import Creature

if TYPE_CHECKING:
    from spire_mcp.practice.fight import Fight

_PASSIVE = {"LIGHTNING": 3, "FROST": 2, "DARK": 6, "GLASS": 4}
_EVOKE = {"LIGHTNING": 8, "FROST": 5}
_PLASMA = (1, 2)


def values(fight: "Fight", orb: Orb) -> tuple[int, int]:
    """The passive and the evoke value as they are shown, with Focus."""
    focus = fight.player.amount("FOCUS")
    if orb.id == "PLASMA":
        return _PLASMA
    if orb.id == "DARK":
        return max(0, _PASSIVE["DARK"] + focus), orb.stored
    passive = max(0, _PASSIVE[orb.id] - orb.stored + focus)
    if orb.id == "GLASS":
        return passive, 2 * passive
    return passive, max(0, _EVOKE[orb.id] + focus)


def channel(fight: "Fight", kind: str, count: int) -> None:
    """Channel orbs; when no slot is free, the first one is evoked."""
    for _ in range(count):
        if not fight.orb_slots or fight.over is not None:
            return
        if len(fight.orbs) == fight.orb_slots:
            evoke_first(fight, 1)
        fight.orbs.append(Orb(kind, _PASSIVE["DARK"] if kind == "DARK" else 0))


def evoke_first(fight: "Fight", times: int) -> None:
    """The first orb is evoked so many times and gone."""
    if not fight.orbs:
        return
    orb = fight.orbs.pop(0)
    for _ in range(times):
        _evoke(fight, orb)


def _evoke(fight: "Fight", orb: Orb) -> None:
    amount = values(fight, orb)[1]
    match orb.id:
        case "FROST":
            fight.player.block += amount
        case "PLASMA":
            fight.energy += amount
        case "LIGHTNING":
            _strike_random(fight, amount)
        case "GLASS":
            _strike_all(fight, amount)
        case _:
            if fight.enemies:
                fight.hurt_monster(min(fight.enemies, key=lambda monster: monster.hp), amount)


def end_of_turn(fight: "Fight") -> None:
    """The orbs act in order."""
    for orb in list(fight.orbs):
        if fight.over is not None:
            return
        amount = values(fight, orb)[0]
        match orb.id:
            case "FROST":
                fight.player.block += amount
            case "LIGHTNING":
                _strike_random(fight, amount)
            case "DARK":
                orb.stored += amount
            case "GLASS":
                _strike_all(fight, amount)
                orb.stored += 1
            case _:
                pass


def start_of_turn(fight: "Fight") -> None:
    """Plasma gives its energy."""
    fight.energy += sum(_PLASMA[0] for orb in fight.orbs if orb.id == "PLASMA")


def _strike_random(fight: "Fight", amount: int) -> None:
    if fight.enemies:
        fight.hurt_monster(fight.dice.choice(fight.enemies), amount)


def _strike_all(fight: "Fight", amount: int) -> None:
    for monster in fight.enemies:
        fight.hurt_monster(monster, amount)


def summon(fight: "Fight", amount: int) -> None:
    """The companion comes, or grows by as much."""
    if fight.pet is None or not fight.pet.alive:
        fight.pet = Creature(hp=amount, max_hp=amount)
        return
    fight.pet.max_hp += amount
    fight.pet.hp += amount


def stand_in(fight: "Fight", amount: int) -> int:
    """The companion takes what block has let through of an attack; returns what it could not take."""
    pet = fight.pet
    if pet is None or not pet.alive:
        return amount
    taken = min(pet.hp, amount)
    pet.hp -= taken
    return amount - taken


def osty_strikes(fight: "Fight", aimed: Monster | None, base: int) -> None:
    """An attack of the companion: its HP on top of the base, and none of the player's own modifiers."""
    if aimed is not None and fight.pet is not None and fight.pet.alive:
        fight.hurt_monster(aimed, rules.against(Fraction(base + fight.pet.hp), aimed, fight.cards_played, None))
