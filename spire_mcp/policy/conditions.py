"""Whether a condition holds now, in a value and in words; what cannot be known does not hold."""

from dataclasses import dataclass

from spire_mcp.combat import intents_signature
from spire_mcp.game.screens import Observation
from spire_mcp.policy.packet import (
    EnemyCountAtMost,
    HpAtLeast,
    HpAtMost,
    IntentsUnchanged,
    SameEnemies,
    SameFloor,
    SameRun,
)

Kind = HpAtLeast | HpAtMost | SameFloor | SameRun | EnemyCountAtMost | SameEnemies | IntentsUnchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What conditions are held against: a reading, the run that the bridge reports, and the intents at the start."""

    observation: Observation
    run_id: str | None
    first_intents: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One condition against one situation. `holds` is None where the situation does not tell."""

    kind: str
    holds: bool | None
    why: str

    def to_dict(self) -> dict[str, object]:
        """For a result object."""
        return {"kind": self.kind, "holds": self.holds, "why": self.why}


def check(condition: Kind, now: Situation) -> Checked:
    """Hold a condition against the situation."""
    holds, why = _check(condition, now)
    return Checked(kind=condition.kind, holds=holds, why=why)


def _check(condition: Kind, now: Situation) -> tuple[bool | None, str]:
    player, run = now.observation.player, now.observation.run
    match condition:
        case HpAtLeast(value=value):
            return _compare(player.hp if player else None, value, at_least=True, what="HP")
        case HpAtMost(value=value):
            return _compare(player.hp if player else None, value, at_least=False, what="HP")
        case SameFloor(act=act, floor=floor):
            if run is None:
                return None, "the screen shows no run"
            here = f"act {run.act}, floor {run.floor}"
            return (run.act, run.floor) == (act, floor), f"it is {here}; act {act}, floor {floor} was named"
        case SameRun(run_id=run_id):
            if now.run_id is None:
                return None, "the bridge does not say which run this is"
            return now.run_id == run_id, "it is that run" if now.run_id == run_id else "it is another run"
        case EnemyCountAtMost(value=value):
            number = len(now.observation.enemies) if now.observation.battle is not None else None
            return _compare(number, value, at_least=False, what="living enemies")
        case SameEnemies(entity_ids=wanted):
            if now.observation.battle is None:
                return None, "no fight is shown"
            living = sorted(enemy.entity_id for enemy in now.observation.enemies)
            return living == sorted(wanted), f"there are {', '.join(living) or 'none'}"
        case IntentsUnchanged(signature=signature):
            return _intents(signature, now)


def _intents(signature: str | None, now: Situation) -> tuple[bool | None, str]:
    if now.observation.battle is None:
        return None, "no fight is shown"
    wanted = signature if signature is not None else now.first_intents
    if wanted is None:
        return None, "there is no signature to compare with"
    seen = intents_signature(now.observation)
    return seen == wanted, f"the intents are {seen}"


def _compare(number: int | None, value: int, *, at_least: bool, what: str) -> tuple[bool | None, str]:
    if number is None:
        return None, f"the screen does not tell the {what}"
    holds = number >= value if at_least else number <= value
    return holds, f"{number} {what}, {'at least' if at_least else 'at most'} {value} wanted"


def fires(condition: Kind, now: Situation) -> Checked:
    """Whether an expiry has come. Those that name what should stay the same fire when it no longer is.

    What cannot be known counts as having come: a strategy is never carried on over something unseen.
    """
    checked = check(condition, now)
    staying = isinstance(condition, SameFloor | SameRun | SameEnemies | IntentsUnchanged)
    if checked.holds is None:
        return Checked(kind=checked.kind, holds=True, why=f"{checked.why}, so it counts as expired")
    return Checked(kind=checked.kind, holds=checked.holds is not staying, why=checked.why)
