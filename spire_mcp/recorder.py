"""`record`: collects what every client of a port exchanges with the bridge, and writes it scrubbed.

The clients append to a spool; this process alone writes the recording. A game that nobody reads is read here now and
then, so that what a person does by hand is in the recording too; while a controller acts nothing is added, since the
bridge can lose one of several requests.
"""

import contextlib
import json
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.recording import LARGEST, RecordingWriter
from spire_mcp.control.clock import Clock
from spire_mcp.control.lock import lock_status
from spire_mcp.control.storage import PortFolder, storage, write_record
from spire_mcp.errors import BridgeError, UsageError

_QUIET: Final = 1.0
"""Seconds without traffic after which the game is read here."""
_TURN: Final = 0.2


@dataclass(slots=True, kw_only=True)
class Recorder:
    """One recording of one port."""

    folder: PortFolder
    client: BridgeClient
    clock: Clock
    out: Path
    _read_to: int = 0
    _rest: bytes = b""
    _quiet_since: float = field(default=0.0)

    def run(self, stopped: Callable[[], bool], ready: Callable[[], None]) -> dict[str, object]:
        """Record until it is stopped.

        Raises:
            UsageError: the file exists or cannot be written.
            BridgeError: nothing answers.
            StorageError: the state directory cannot be written.
        """
        greeting = self.client.ping()
        try:
            file = self.out.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            raise UsageError(f"{self.out.name[:80]!r} exists", fix="Give the name of a new file.") from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"{self.out.name[:80]!r} cannot be written: {reason}", fix="Give another file.") from None
        with file, self._announced():
            writer = RecordingWriter(file, greeting)
            writer.begin()
            started = self._quiet_since = self.clock.monotonic()
            ready()
            while not stopped() and writer.size < LARGEST:
                self._drain(writer, started)
                self._read_when_quiet()
                os.utime(self.folder.recording)
                self.clock.wait(_TURN)
            self._drain(writer, started)
            return {"ok": True, "outcome": "recorded", "exchanges": writer.written, "bytes": writer.size}

    @contextlib.contextmanager
    def _announced(self) -> Generator[None]:
        """Clients find the marker and the spool while this holds."""
        self.folder.create()
        with storage("preparing the recording"):
            self.folder.spool.unlink(missing_ok=True)
            os.close(os.open(self.folder.spool, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        write_record(self.folder.recording, {"pid": os.getpid(), "since": self.clock.timestamp()})
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                self.folder.recording.unlink(missing_ok=True)
                self.folder.spool.unlink(missing_ok=True)

    def _drain(self, writer: RecordingWriter, started: float) -> None:
        with contextlib.suppress(OSError), self.folder.spool.open("rb") as spool:
            spool.seek(self._read_to)
            data = spool.read()
            self._read_to += len(data)
            *lines, self._rest = (self._rest + data).split(b"\n")
            if lines:
                self._quiet_since = self.clock.monotonic()
            for line in lines:
                with contextlib.suppress(ValueError):
                    raw: object = json.loads(line)
                    if isinstance(raw, dict):
                        writer.add(cast("dict[str, object]", raw), self.clock.monotonic() - started)

    def _read_when_quiet(self) -> None:
        if self.clock.monotonic() - self._quiet_since < _QUIET or lock_status(self.folder)["held"]:
            return
        with contextlib.suppress(BridgeError):
            self.client.read_state()
        self._quiet_since = self.clock.monotonic()
