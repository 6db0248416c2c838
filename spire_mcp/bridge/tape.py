"""What a client hands to a recorder: each exchange as one line, in the order in which they happened.

A recorder is another process. While it lives it keeps touching its marker; a client that finds the marker fresh appends
to the spool beside it. Nothing here may ever disturb playing: a line that cannot be written is not written.
"""

import contextlib
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

FRESH: Final = 10.0
"""Seconds after which a recorder that gives no sign is taken for gone."""
_APPEND: Final = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Tape:
    """The way to a recorder, if there is one at the moment of an exchange."""

    def __init__(self, marker: Path, spool: Path, now: Callable[[], float] = time.time) -> None:
        self._marker = marker
        self._spool = spool
        self._now = now

    def running(self) -> bool:
        """Whether somebody records."""
        try:
            return abs(self._now() - self._marker.stat().st_mtime) < FRESH
        except OSError:
            return False

    def add(self, exchange: Callable[[], Mapping[str, object]]) -> None:
        """Hand over one exchange; it is only made when somebody records."""
        if not self.running():
            return
        with contextlib.suppress(OSError, ValueError, RecursionError):
            line = json.dumps(exchange(), ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
            descriptor = os.open(self._spool, _APPEND)
            try:
                os.write(descriptor, line)
            finally:
                os.close(descriptor)
