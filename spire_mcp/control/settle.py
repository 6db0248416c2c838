"""Reading until the game has come to rest: equal reads over a short while of a screen that can be acted on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from spire_mcp.control.clock import Clock
from spire_mcp.control.limits import ControlLimits
from spire_mcp.control.ports import Reader
from spire_mcp.errors import BridgeError, NotSettledError
from spire_mcp.game.readiness import readiness
from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One read. `settled`: it equals those before it for long enough, and the screen can be acted on."""

    observation: Observation
    settled: bool
    elapsed: float
    waiting_for: str


_SHORTEST_PAUSE: Final = 0.005
_TRIES: Final = 3
"""Reads of a state that the bridge could not build before a caller hears of it: it happens while screens change."""


class Settler:
    """Reads the game at intervals that start small and grow."""

    def __init__(self, reader: Reader, clock: Clock, limits: ControlLimits) -> None:
        self._reader = reader
        self._clock = clock
        self._limits = limits

    def readings(self, limit: float, *, patient: bool = False) -> Iterator[Reading]:
        """Reads until `limit` seconds have passed; at least two.

        A read that fails is tried again, since reading is always safe to repeat: a patient caller, who has sent
        something and must know, gets whatever can be read in the time; anyone else gets the error after a few tries of
        a state that the bridge could not build, and at once when there is no bridge to talk to.

        Raises:
            BridgeError: as above.
        """
        start = self._clock.monotonic()
        state_id: str | None = None
        since = 0.0
        pause = self._limits.poll_first
        count = failures = 0
        while True:
            try:
                observation = self._reader.read_state()
            except BridgeError as error:
                failures += 1
                elapsed = self._clock.monotonic() - start
                if not patient and (type(error) is not BridgeError or failures >= _TRIES or elapsed >= limit):
                    raise
                if elapsed >= limit:
                    return
                state_id = None
                self._clock.wait(self._limits.poll_longest)
                continue
            count += 1
            elapsed = self._clock.monotonic() - start
            if observation.state_id != state_id:
                state_id, since = observation.state_id, elapsed
            yield self._judged(observation, elapsed, elapsed - since, repeated=elapsed > since)
            if count >= 2 and elapsed >= limit:
                return
            missing = self._limits.steady - (elapsed - since)
            # Never a pause too short to move the clock: rounding could leave a sliver of a second for ever.
            self._clock.wait(max(_SHORTEST_PAUSE, min(pause, missing)) if missing > 0 else pause)
            pause = min(pause * 1.5, self._limits.poll_longest)

    def _judged(self, observation: Observation, elapsed: float, equal_for: float, *, repeated: bool) -> Reading:
        ready = readiness(observation)
        return Reading(
            observation=observation,
            settled=ready.ready and repeated and equal_for >= self._limits.steady,
            elapsed=elapsed,
            waiting_for=ready.waiting_for or "equal readings",
        )

    def look(self, limit: float | None = None) -> Reading:
        """The first settled reading, or the last one when time runs out."""
        reading: Reading | None = None
        for reading in self.readings(self._limits.settle if limit is None else limit):
            if reading.settled:
                break
        assert reading is not None
        return reading

    def settle(self, limit: float | None = None) -> Observation:
        """The game at rest.

        Raises:
            NotSettledError: it did not come to rest in time; the message says what was being waited for.
            BridgeError: a read failed.
        """
        reading = self.look(limit)
        if not reading.settled:
            seconds = self._limits.settle if limit is None else limit
            raise NotSettledError(f"the game did not come to rest in {seconds:g} s; waiting for {reading.waiting_for}")
        return reading.observation
