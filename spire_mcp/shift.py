"""A server's work: it ends between two actions when it is told to, and whoever waits learns when nothing runs."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

from spire_mcp.errors import BusyError


class Shift:
    """Counts the calls that are being worked on."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._ending = False

    @property
    def ending(self) -> bool:
        """Whether loops have to stop after the action that they are at."""
        return self._ending

    def end(self) -> None:
        """Let nothing new begin. Takes no lock, so a signal may call it at any moment."""
        self._ending = True

    @contextmanager
    def piece(self) -> Generator[None]:
        """One call's work.

        Raises:
            BusyError: the server is ending.
        """
        with self._changed:
            if self._ending:
                raise BusyError("this server is ending", fix="Start it again, then read the state.")
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def wait_until_idle(self) -> None:
        """Wait until nothing runs. Each action is bounded in time, and loops stop at the next one."""
        with self._changed:
            self._changed.wait_for(lambda: self._running == 0)
