"""One hit after the other: damage to an enemy with everything that comes of it (combat-rules.md, section 1)."""

from fractions import Fraction
from math import floor
from typing import Final

from spire_mcp.combat.board import (
    VULNERABLE,
    Board,
    Foe,
    Setting,
    amount,
    changed,
    own_additive,
    own_factor,
    replace_foe,
    weak_factor,
    with_power,
    without,
)
from spire_mcp.combat.reading import Attack

_BOOT: Final = 5


def hit_damage(base: int, position: Board, foe: Foe) -> int:
    """Damage of one powered hit as it arrives, before block: own modifiers, the target's factors, one truncation."""
    value = (base + own_additive(position.powers)) * own_factor(position.powers)
    if amount(foe.powers, "VULNERABLE"):
        frog = Fraction(1, 4) if amount(position.powers, "PAPER_PHROG") else 0
        value *= VULNERABLE + frog + Fraction(amount(position.powers, "CRUELTY"), 100)
    if amount(foe.powers, "WEAK") and amount(position.powers, "TRACKING"):
        value *= 2
    return _capped(value, foe)


def gain_block(position: Board, setting: Setting, gained: int) -> Board:
    """Block gained from anything, and what fires on every gain."""
    position = changed(position, block=position.block + gained)
    juggernaut = amount(position.powers, "JUGGERNAUT")
    living = position.alive
    if not juggernaut or gained <= 0 or not living:
        return position
    foe, *others = living
    if others:
        return changed(position, stopped="Juggernaut strikes a random enemy")
    return wound(position, setting, foe, juggernaut)


def _capped(value: Fraction, foe: Foe) -> int:
    if amount(foe.powers, "INTANGIBLE"):
        value = min(value, Fraction(1))
    hard = amount(foe.powers, "HARD_TO_KILL")
    if hard:
        value = min(value, Fraction(hard))
    return max(0, floor(value))


def strike(position: Board, setting: Setting, foe_id: int, damage: int) -> Board:
    """One powered hit on an enemy, whose damage has been computed: Thorns, block, HP, and its death."""
    foe = next(foe for foe in position.foes if foe.id == foe_id)
    if foe.hp <= 0 or position.lost:
        return position
    thorns = amount(foe.powers, "THORNS")
    if thorns:
        position = lose_hp(position, blockable=thorns, own_turn=True)
        if position.lost:
            return position
    position = wound(position, setting, foe, damage, boot=amount(position.powers, "THE_BOOT") > 0)
    venom = amount(position.powers, "ENVENOM")
    struck = next((other for other in position.foes if other.id == foe_id), foe)
    if venom and 0 < struck.hp < foe.hp:
        position = apply_to_foe(position, struck, "POISON_POWER", venom)
    return position


def bleed(position: Board, setting: Setting, foe: Foe, lost: int) -> Board:
    """HP that an enemy loses past its block."""
    position = wound(replace_foe(position, changed(foe, block=0)), setting, changed(foe, block=0), lost)
    after = next(other for other in position.foes if other.id == foe.id)
    return replace_foe(position, changed(after, block=foe.block)) if after.hp else position


def wound(position: Board, setting: Setting, foe: Foe, damage: int, *, boot: bool = False) -> Board:
    """Blockable damage to an enemy that has been computed, and what follows from the HP lost.

    `boot`: whether The Boot makes 1 to 4 unblocked attack damage 5; it acts last (combat-rules.md, section 1, step 9).
    """
    damage = _capped(Fraction(damage), foe)
    blocked = min(foe.block, damage)
    lost = damage - blocked
    powers = foe.powers
    if boot and 0 < lost < _BOOT:
        if amount(powers, "SLIPPERY") or amount(powers, "INTANGIBLE"):
            foe = changed(foe, doubt=foe.doubt or "what The Boot makes of it is not known")
        else:
            lost = _BOOT
    if lost and amount(powers, "SLIPPERY"):
        lost = 1
        powers = with_power(powers, "SLIPPERY_POWER", -1)
    if lost and amount(powers, "INTANGIBLE"):
        lost = 1
    hp = max(0, foe.hp - lost)
    foe = changed(foe, block=foe.block - blocked, hp=hp, powers=powers)
    if hp and lost:
        foe = _reacted(foe)
    position = replace_foe(position, foe)
    return _death(position, setting, foe) if hp == 0 else position


def _reacted(foe: Foe) -> Foe:
    """Thresholds that change an enemy's next move: what it will do instead is not computed, only that it will."""
    for threshold in ("PLOW", "SHRIEK"):
        limit = amount(foe.powers, threshold)
        if limit and foe.hp <= limit:
            return changed(
                foe, attacks=(), intent_doubt=None, acts_otherwise=True, powers=without(foe.powers, threshold)
            )
    return foe


def _death(position: Board, setting: Setting, dead: Foe) -> Board:
    """What an enemy's death does to the others."""
    doubts: list[str] = []
    if amount(dead.powers, "INFESTED"):
        doubts.append(f"{setting.names[dead.id]} brings others when it dies")
    if amount(dead.powers, "ILLUSION"):
        doubts.append(f"{setting.names[dead.id]} comes back next turn")
    foes = tuple(_mourn(foe, dead) if foe.hp > 0 else foe for foe in position.foes)
    powers = position.powers
    if dead.kind == "SLITHERING_STRANGLER":
        powers = without(powers, "CONSTRICT")
    if dead.kind == "SHRINKER_BEETLE":
        powers = without(powers, "SHRINK")
    if dead.doubt:
        doubts.append(f"{setting.names[dead.id]}: {dead.doubt}")
    return changed(position, foes=foes, powers=powers, unknown=_more(position.unknown, doubts))


def _more(unknown: tuple[str, ...], doubts: list[str]) -> tuple[str, ...]:
    return (*unknown, *(doubt for doubt in doubts if doubt not in unknown))


def _mourn(foe: Foe, dead: Foe) -> Foe:
    """A Ravenous enemy eats the dead one: stunned, and stronger."""
    del dead
    hunger = amount(foe.powers, "RAVENOUS")
    if not hunger:
        return foe
    powers = with_power(foe.powers, "STRENGTH_POWER", hunger)
    return changed(foe, powers=powers, attacks=(), acts_otherwise=False, defends=False, intent_doubt=None)


def lose_hp(position: Board, *, blockable: int = 0, direct: int = 0, own_turn: bool = False) -> Board:
    """Damage to the player: `blockable` meets block first, `direct` does not. In the own turn Rupture looks at it."""
    if amount(position.powers, "INTANGIBLE"):
        blockable, direct = min(blockable, 1), min(direct, 1)
    passed = max(0, blockable - position.block) + direct
    block = max(0, position.block - blockable)
    powers = position.powers
    if passed and amount(powers, "TUNGSTEN_ROD"):
        passed -= 1
    if passed and amount(powers, "BUFFER"):
        passed = 0
        powers = with_power(powers, "BUFFER_POWER", -1)
    rupture = amount(powers, "RUPTURE")
    if passed and own_turn and rupture:
        powers = with_power(powers, "STRENGTH_POWER", rupture)
    hp = max(0, position.hp - passed)
    return changed(position, hp=hp, block=block, powers=powers, lost=position.lost or hp == 0)


def apply_to_foe(position: Board, foe: Foe, power: str, stacks: int) -> Board:
    """Apply a power to an enemy; Artifact eats a debuff, and the displayed attacks follow what changes them."""
    if foe.hp <= 0:
        return position
    debuff = stacks < 0 or power in {"VULNERABLE_POWER", "WEAK_POWER", "POISON_POWER"}
    if debuff and amount(foe.powers, "ARTIFACT"):
        return replace_foe(position, changed(foe, powers=with_power(foe.powers, "ARTIFACT_POWER", -1)))
    before = amount(foe.powers, "WEAK")
    marked = changed(foe, powers=with_power(foe.powers, power, stacks))
    relabels = power == "STRENGTH_POWER" or (power == "WEAK_POWER" and not before)
    if relabels and marked.attacks and amount(position.powers, "INTANGIBLE"):
        doubt = marked.intent_doubt or "its attack may have been capped when its label was read"
        marked = changed(marked, intent_doubt=doubt)
    elif power == "WEAK_POWER" and not before:
        marked = relabelled(marked, 0, weak_factor(position.powers))
    elif power == "STRENGTH_POWER":
        marked = relabelled(marked, stacks, Fraction(1))
    return replace_foe(position, marked)


def relabelled(foe: Foe, added: int, factor: Fraction) -> Foe:
    """An enemy whose displayed attacks have changed within the turn.

    A label was truncated once. Where it held a factor, the number before lies between the label and the next one; when
    both ends give the same result it is exact, otherwise the larger one is taken and the intent is no longer certain.
    """
    attacks: list[Attack] = []
    doubt = foe.intent_doubt
    for attack in foe.attacks:
        exact = foe.label_factors == 1
        low = Fraction(attack.damage)
        high = low if exact else low + Fraction(999, 1000)
        ends = {max(0, floor((end + added * foe.label_factors) * factor)) for end in (low, high)}
        if len(ends) > 1:
            doubt = doubt or "its weakened attack can be one point less"
        attacks.append(Attack(max(ends), attack.hits))
    return changed(foe, attacks=tuple(attacks), intent_doubt=doubt, label_factors=foe.label_factors * factor)
