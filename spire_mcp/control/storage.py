"""The state directory of one port: private folders, whole-file writes that are on disk before they count."""

import contextlib
import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final, cast

from spire_mcp.errors import InternalError

_MAX_RECORD: Final = 4 * 1024 * 1024
_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_BINARY: Final[int] = getattr(os, "O_BINARY", 0)

_STORAGE_FIX: Final = (
    "Check that the state directory (SPIRE_MCP_STATE_DIR) is a writable folder of yours with free space; "
    "`spire-mcp doctor` names it."
)


class StorageError(InternalError):
    """The state directory could not be read or written; nothing is repaired behind the user's back."""

    default_fix = _STORAGE_FIX


@contextlib.contextmanager
def storage(doing: str) -> Generator[None]:
    """Turn an operating-system error into one that says what was being done, without a path in it.

    Raises:
        StorageError: the operation failed.
    """
    try:
        yield
    except NotImplementedError as error:
        # What the lock library says of a file system without locks. A weaker lock would be none.
        raise StorageError(f"{doing} failed: the file system of the state directory has no locks") from error
    except OSError as error:
        raise StorageError(f"{doing} failed: {error.strerror or type(error).__name__}") from error


class PortFolder:
    """The files of one bridge port (interface, section 5)."""

    def __init__(self, state_dir: Path, port: int) -> None:
        self.root = state_dir
        self.path = state_dir / "ports" / str(port)
        self.port = port

    @property
    def lock(self) -> Path:
        """The writer lock; never unlinked."""
        return self.path / "lock"

    @property
    def holder(self) -> Path:
        """Who holds the lock, for people to read."""
        return self.path / "holder.json"

    @property
    def inflight(self) -> Path:
        """Exists exactly while an action's outcome is not known."""
        return self.path / "inflight.json"

    @property
    def halted(self) -> Path:
        """The persistent stop marker."""
        return self.path / "HALTED"

    @property
    def journal(self) -> Path:
        """The append-only record."""
        return self.path / "journal.jsonl"

    @property
    def memory(self) -> Path:
        """What earlier calls of `battle` saw in the current fight."""
        return self.path / "memory.json"

    @property
    def doubts(self) -> Path:
        """What arithmetic got wrong in the current fight."""
        return self.path / "doubts.json"

    @property
    def strategies(self) -> Path:
        """The folder of saved strategies."""
        return self.path / "strategies"

    @property
    def seen(self) -> Path:
        """The state in which the last call left the game."""
        return self.path / "seen.json"

    @property
    def recording(self) -> Path:
        """Who records the traffic of this port; touched while it does."""
        return self.path / "recording.json"

    @property
    def spool(self) -> Path:
        """What clients hand to the recorder."""
        return self.path / "recording.spool"

    @property
    def deck(self) -> Path:
        """What the last fight showed of the deck."""
        return self.path / "deck.json"

    def create(self) -> None:
        """Make the folders, readable by their owner alone.

        Raises:
            StorageError: they cannot be made, or something else is in the way.
        """
        with storage("making the state directory"):
            for folder in (self.root, self.root / "ports", self.path):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if folder != self.root and folder.is_symlink():
                    raise StorageError(f"ports/{self.port} in the state directory is a link, which is not followed")


def name_of(path: Path) -> str:
    """A file's name as errors may show it: below the state directory, without the way there."""
    return f"ports/{path.parent.name}/{path.name}"


def write_record(path: Path, record: dict[str, object]) -> None:
    """Write a whole JSON file so that after a crash it is there entirely or not at all.

    The temporary file is on disk before it takes the name, and the folder is on disk before this returns: only then may
    a caller do what the record announces.

    Raises:
        StorageError: it could not be written; the file is as it was before.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    data = json.dumps(record, ensure_ascii=True, indent=1).encode("ascii") + b"\n"
    with storage(f"writing {name_of(path)}"):
        try:
            _write_new(temporary, data)
            os.replace(temporary, path)  # noqa: PTH105 - the atomic step, spelled as what it is
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        sync_folder(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(path: Path) -> None:
    """Put a folder's entries on disk. Windows has no such call; there the rename itself is journaled."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_record(path: Path) -> None:
    """Remove a record and put its absence on disk; a record that is not there is fine.

    Raises:
        StorageError: it could not be removed.
    """
    with storage(f"removing {name_of(path)}"):
        try:
            path.unlink()
        except FileNotFoundError:
            return
        sync_folder(path.parent)


class UnreadableRecord(dict[str, object]):
    """Stands for a record that exists and cannot be read; it has one key, `unreadable`, with the reason."""


def read_record(path: Path) -> dict[str, object] | None:
    """Read a JSON record; None when there is none.

    A file that exists and is no JSON object is returned as an `UnreadableRecord`: for a stop marker or an in-flight
    record its existence is what counts, so damage must never make it look absent.

    Raises:
        StorageError: the file may exist and could not be looked at.
    """
    with storage(f"reading {name_of(path)}"):
        try:
            descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY)
        except (FileNotFoundError, NotADirectoryError):
            return None
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_MAX_RECORD + 1)
    if len(data) > _MAX_RECORD:
        return UnreadableRecord(unreadable="larger than a record can be")
    try:
        record: object = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return UnreadableRecord(unreadable="not JSON")
    if not isinstance(record, dict):
        return UnreadableRecord(unreadable="not a JSON object")
    return cast("dict[str, object]", record)
