"""The controller of one port: who may act now, what stopped it, and how a stop is lifted."""

import contextlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass

from spire_mcp.control import journal
from spire_mcp.control.clock import Clock
from spire_mcp.control.executor import Executor, bounded
from spire_mcp.control.halt import halted_error, read_halt, set_halt
from spire_mcp.control.limits import ControlLimits
from spire_mcp.control.lock import lock_status, writer_lock
from spire_mcp.control.ports import Forecast, Permits, Reader, Sender
from spire_mcp.control.recovery import recover
from spire_mcp.control.settle import Reading, Settler
from spire_mcp.control.storage import PortFolder, read_record, remove_record
from spire_mcp.errors import BusyError, StaleStateError
from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """What `clear-halt` found: the settled state, and the marker it removed (None when nothing was stopped)."""

    observation: Observation
    marker: Mapping[str, object] | None


class Controller:
    """Everything that touches one port's files and game; wired by `app.py`."""

    def __init__(
        self,
        *,
        folder: PortFolder,
        clock: Clock,
        limits: ControlLimits,
        reader: Reader,
        sender: Sender,
        forecast: Forecast,
        permits: Permits,
    ) -> None:
        self.folder = folder
        self._clock = clock
        self._limits = limits
        self._reader = reader
        self._sender = sender
        self._forecast = forecast
        self._permits = permits
        self._settler = Settler(reader, clock, limits)

    def look(self) -> Reading:
        """Read until the game rests or time is out. Takes no lock and sends nothing.

        Raises:
            BridgeError: the game could not be read.
        """
        return self._settler.look()

    @contextlib.contextmanager
    def acting(self, purpose: str) -> Generator[Executor]:
        """The right to act, for as long as the block lasts.

        Raises:
            BusyError: another controller holds the port.
            HaltedError: the port is stopped, or is now because an earlier process died with an action in flight.
            StorageError: the state directory cannot be used.
        """
        with writer_lock(self.folder, self._clock, purpose=purpose, wait=self._limits.lock):
            marker = recover(self.folder, self._clock)
            if marker is not None:
                raise halted_error(marker)
            yield Executor(
                folder=self.folder,
                clock=self._clock,
                limits=self._limits,
                reader=self._reader,
                sender=self._sender,
                forecast=self._forecast,
                permits=self._permits,
            )

    @contextlib.contextmanager
    def writing(self, purpose: str) -> Generator[None]:
        """The right to change the port's files without acting on the game.

        Raises:
            BusyError: another controller holds the port.
            StorageError: the state directory cannot be used.
        """
        with writer_lock(self.folder, self._clock, purpose=purpose, wait=self._limits.lock):
            yield

    def stopped(self) -> dict[str, object] | None:
        """The stop marker, if the port is stopped. An in-flight record that nobody alive owns counts as a stop."""
        marker = read_halt(self.folder)
        if marker is not None or read_record(self.folder.inflight) is None:
            return marker
        try:
            with writer_lock(self.folder, self._clock, purpose="looking after a crash", wait=0):
                return recover(self.folder, self._clock)
        except BusyError:
            return None  # its owner is alive and at work

    def halt(self, reason: str) -> dict[str, object]:
        """Stop the port by hand; works while another process acts, which then stops before its next action."""
        marker = set_halt(self.folder, self._clock, reason=reason)
        with contextlib.suppress(BusyError), writer_lock(self.folder, self._clock, purpose="halt", wait=0):
            self.note("halt", {"reason": reason})
        return marker

    def clear_halt(self, state_id: str) -> Cleared:
        """Lift the stop when the settled game is in the named state: whoever names it has seen the game as it is.

        Raises:
            StaleStateError: the game is in another state; the stop stays.
            NotSettledError, BridgeError, BusyError, StorageError: the stop stays.
        """
        with writer_lock(self.folder, self._clock, purpose="clear-halt", wait=self._limits.lock):
            marker = recover(self.folder, self._clock)
            observation = self._settler.settle()
            if observation.state_id != state_id:
                raise StaleStateError(f"the game is in state {observation.state_id}, not {bounded(state_id)}")
            if marker is not None:
                # Recorded first: a crash after this line leaves the stop in place, which is the safe side.
                self.note("clear_halt", {"state_id": state_id, "was": dict(marker)})
                remove_record(self.folder.inflight)
                remove_record(self.folder.halted)
            return Cleared(observation=observation, marker=marker)

    def note(self, kind: str, record: Mapping[str, object]) -> int:
        """Journal something that is not an action; only while the lock is held. Returns its sequence number."""
        seq = journal.next_seq(self.folder.journal)
        journal.append(self.folder.journal, {"seq": seq, "when": self._clock.timestamp(), "kind": kind, **record})
        return seq

    def status(self) -> dict[str, object]:
        """The port's files in one object: lock, halted, inflight, last_outcome."""
        halted = self.stopped()
        actions = [record for record in journal.last(self.folder.journal, 20) if record.get("kind") == "action"]
        return {
            "lock": lock_status(self.folder),
            "halted": halted,
            "inflight": read_record(self.folder.inflight),
            "last_outcome": actions[-1] if actions else None,
        }
