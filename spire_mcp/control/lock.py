"""One writer per port: an operating-system lock that dies with its process."""

import contextlib
import os
from collections.abc import Generator

from filelock import FileLock, Timeout

from spire_mcp.control.clock import Clock
from spire_mcp.control.storage import PortFolder, read_record, remove_record, storage, write_record
from spire_mcp.errors import BusyError


def _file_lock(folder: PortFolder, wait: float) -> FileLock:
    # Not thread-local: within one process two callers must exclude each other as two processes do.
    # On a file system without locks the attempt fails: a weaker lock would not hold against every process.
    return FileLock(
        folder.lock,
        timeout=wait,
        mode=0o600,
        thread_local=False,
        fallback_to_soft=False,
        preserve_lock_file=True,
    )


@contextlib.contextmanager
def writer_lock(folder: PortFolder, clock: Clock, *, purpose: str, wait: float) -> Generator[None]:
    """Hold the port's writer lock.

    The lock file stays when the lock is given back, and is never unlinked: a waiter on an unlinked file would hold a
    lock that nobody else sees.

    Args:
        folder: the port's files; made when missing.
        clock: for the note of who holds the lock.
        purpose: the command, for people who ask who holds it.
        wait: seconds to wait for another holder.

    Raises:
        BusyError: another controller still held it after `wait` seconds.
        StorageError: the lock file cannot be used.
    """
    folder.create()
    lock = _file_lock(folder, wait)
    with storage("taking the writer lock"):
        try:
            lock.acquire()
        except Timeout:
            raise BusyError(_busy_message(folder)) from None
    try:
        # Written only while the lock is held, so that a loser cannot overwrite the holder's note.
        write_record(folder.holder, {"pid": os.getpid(), "since": clock.timestamp(), "purpose": purpose})
        yield
    finally:
        with contextlib.suppress(Exception):
            remove_record(folder.holder)
        lock.release()


def _busy_message(folder: PortFolder) -> str:
    note = read_record(folder.holder) or {}
    pid, purpose = note.get("pid"), note.get("purpose")
    who = f" (process {pid}, {purpose})" if isinstance(pid, int) and isinstance(purpose, str) else ""
    return f"another controller{who} is acting on port {folder.port}"


def lock_status(folder: PortFolder) -> dict[str, object]:
    """Who holds the port's lock now: `{held, pid, since, purpose}`; asks the operating system, not the note."""
    if not folder.lock.exists():
        return {"held": False, "pid": None, "since": None, "purpose": None}
    probe = _file_lock(folder, 0)
    with storage("looking at the writer lock"):
        try:
            probe.acquire()
        except Timeout:
            note = read_record(folder.holder) or {}
            return {"held": True, "pid": note.get("pid"), "since": note.get("since"), "purpose": note.get("purpose")}
        probe.release()
    return {"held": False, "pid": None, "since": None, "purpose": None}
