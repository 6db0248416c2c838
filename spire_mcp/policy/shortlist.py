"""The few lines worth asking about: all survive, identical ones are one, none is worse than another in every way."""

from typing import Final

from spire_mcp.combat.board import Board, Powers, amount
from spire_mcp.policy.candidates import Candidate, Candidates

_LOOKED_AT: Final = 600
"""lines that are compared: the ranking has put the rest far behind"""
_WANTED_ON_FOES: Final = ("VULNERABLE", "WEAK", "POISON")


def shortlist(found: Candidates, most: int) -> tuple[Candidate, ...]:
    """At most `most` surviving lines, best first; one at least, if any line survives."""
    kept: list[Candidate] = []
    for candidate in found.survivors[:_LOOKED_AT]:
        if len(kept) >= most:
            break
        if not any(_as_good(other, candidate) for other in kept):
            kept.append(candidate)
    return tuple(kept)


def _as_good(one: Candidate, other: Candidate) -> bool:
    """Whether nothing is to be preferred about the second; of two equal ones, one is enough."""
    mine, theirs = one.line, other.line
    a, b = mine.end.after, theirs.end.after
    return (
        mine.outcome.draws == theirs.outcome.draws
        and set(mine.outcome.unknown) <= set(theirs.outcome.unknown)
        and a.hp >= b.hp
        and a.block >= b.block
        and (a.powers, a.orbs, a.better) == (b.powers, b.orbs, b.better)
        and a.pet_hp >= b.pet_hp
        and a.stars >= b.stars
        and a.exhausted <= b.exhausted
        and set(a.potions) >= set(b.potions)
        and (not theirs.outcome.draws or mine.outcome.energy_left >= theirs.outcome.energy_left)
        and _foes_as_low(a, b)
    )


def _foes_as_low(a: Board, b: Board) -> bool:
    others = {foe.id: foe for foe in b.foes}
    if {foe.id for foe in a.foes} != set(others):
        return False
    for foe in a.foes:
        other = others[foe.id]
        if foe.hp == 0:
            continue
        if other.hp == 0 or foe.hp > other.hp or foe.block > other.block:
            return False
        if not _powers_as_low(foe.powers, other.powers):
            return False
    return True


def _powers_as_low(mine: Powers, theirs: Powers) -> bool:
    def rest(powers: Powers) -> Powers:
        return tuple(power for power in powers if power[0].removesuffix("_POWER") not in _WANTED_ON_FOES)

    wanted = all(amount(mine, name) >= amount(theirs, name) for name in _WANTED_ON_FOES)
    return wanted and rest(mine) == rest(theirs)
