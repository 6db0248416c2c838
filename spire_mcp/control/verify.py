"""Reading the game back after an action until its required effect is proved, or time is out.

The order matters. An effect counts only on a settled screen, since cards leave the hand before their damage happens
and an end of turn passes through screens that look finished. Predicted numbers are waited for a little longer; when
they do not come, the action is still proved (the card left, its cost is paid) and the difference is reported as a
misprediction. A reading that fails is no evidence of anything: it is tried again until the time is out.
"""

from dataclasses import dataclass

from spire_mcp.control.clock import Clock
from spire_mcp.control.limits import ControlLimits
from spire_mcp.control.ports import Reader
from spire_mcp.control.settle import Reading, Settler
from spire_mcp.game.effects import Verdict, judge, limit_class
from spire_mcp.game.expected import Expected
from spire_mcp.game.options import Option
from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """What reading back has shown; `after` is None when no reading succeeded."""

    after: Observation | None = None
    settled: bool = False
    verdict: Verdict | None = None
    unchanged: bool = False
    mispredictions: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether the required effect was seen."""
        return self.verdict is not None and self.verdict.proved


class Verifier:
    """Reads back after one action."""

    def __init__(self, reader: Reader, clock: Clock, limits: ControlLimits) -> None:
        self._settler = Settler(reader, clock, limits)
        self._limits = limits

    def wait_for_effect(self, before: Observation, option: Option, expected: Expected | None) -> ReadBack:
        """Read until the effect is proved on a settled screen and the predicted numbers are there, or time is out."""
        proved_at: float | None = None
        latest = ReadBack()
        for reading in self._settler.readings(self._limits.for_action(limit_class(option)), patient=True):
            latest = _judged(before, reading, option, expected)
            if reading.settled and latest.unchanged and reading.elapsed >= self._limits.unchanged:
                return latest
            if not (reading.settled and latest.proved):
                continue
            if not latest.mispredictions:
                return latest
            proved_at = reading.elapsed if proved_at is None else proved_at
            if reading.elapsed - proved_at >= self._limits.effects:
                return latest
        return latest

    def watch_refusal(self, before: Observation) -> ReadBack:
        """Read for a while after a refusal, which is believed only when the game stays as it was."""
        latest = ReadBack()
        for reading in self._settler.readings(self._limits.settle, patient=True):
            same = reading.observation.state_id == before.state_id
            latest = ReadBack(after=reading.observation, unchanged=same and reading.settled)
            if reading.settled and (not same or reading.elapsed >= self._limits.refused):
                return latest
        return latest


def _judged(before: Observation, reading: Reading, option: Option, expected: Expected | None) -> ReadBack:
    after = reading.observation
    verdict = judge(before, after, option, expected)
    return ReadBack(
        after=after,
        settled=reading.settled,
        verdict=verdict,
        unchanged=after.state_id == before.state_id,
        mispredictions=expected.differences(after) if expected is not None and verdict.proved else (),
    )
