"""The append-only record of every action, handover and stop: one JSON object a line, on disk before it counts."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from spire_mcp.control.storage import StorageError, name_of, storage

_TAIL: Final = 256 * 1024
_BINARY: Final[int] = getattr(os, "O_BINARY", 0)
_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)


def append(path: Path, record: Mapping[str, object]) -> None:
    """Add one record and wait until it is on disk.

    A line that an earlier crash left half-written is closed with a line end and otherwise left as it is, so that the
    new record stands on a line of its own and nothing is lost. A record that does not fit on the disk is taken back, so
    that a full disk leaves no half line behind.

    Raises:
        StorageError: it could not be written.
    """
    line = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
    with storage(f"appending to {name_of(path)}"):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _NO_FOLLOW | _BINARY, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            data = line if _ends_with_newline(descriptor, size) else b"\n" + line
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)


def _ends_with_newline(descriptor: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def check_writable(path: Path) -> None:
    """Make sure that a record can be added, before an action is sent that will need one.

    Raises:
        StorageError: the journal cannot be opened for writing.
    """
    with storage(f"opening {name_of(path)}"):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_FOLLOW | _BINARY, 0o600))


def anything(_record: Mapping[str, object]) -> bool:
    """Every record."""
    return True


def last(path: Path, count: int, wanted: Callable[[Mapping[str, object]], bool] = anything) -> list[dict[str, object]]:
    """The newest `count` records that are wanted, oldest first; lines that are no records are passed over.

    Raises:
        StorageError: the journal exists and cannot be read.
    """
    found: list[dict[str, object]] = []
    for line in _lines_backwards(path):
        record = _record(line)
        if record is not None and wanted(record):
            found.append(record)
            if len(found) >= count:
                break
    return found[::-1]


def next_seq(path: Path) -> int:
    """The sequence number of the record that comes next; 1 for an empty journal.

    Raises:
        StorageError: the journal cannot be read, or holds text and not one record: it is somebody else's file.
    """
    seen_text = False
    for line in _lines_backwards(path):
        record = _record(line)
        seq = record.get("seq") if record else None
        if isinstance(seq, int):
            return seq + 1
        seen_text = seen_text or bool(line.strip())
    if seen_text and path.stat().st_size > _TAIL:
        raise StorageError(f"{name_of(path)} holds no record of ours")
    return 1


def find(path: Path, seq: int) -> dict[str, object] | None:
    """The record with this sequence number, if it is among the newest."""
    return next((record for record in last(path, 50) if record.get("seq") == seq), None)


def _record(line: bytes) -> dict[str, object] | None:
    try:
        record: object = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", record) if isinstance(record, dict) else None


def _lines_backwards(path: Path) -> Iterator[bytes]:
    """Lines from the newest to the oldest, in blocks from the end: a long journal costs no more than a short one."""
    with storage(f"reading {name_of(path)}"):
        try:
            file = path.open("rb")
        except (FileNotFoundError, NotADirectoryError):
            return
        with file:
            position = file.seek(0, os.SEEK_END)
            rest = b""
            while position > 0:
                step = min(_TAIL, position)
                position -= step
                file.seek(position)
                lines = (file.read(step) + rest).split(b"\n")
                rest = lines[0]
                for line in reversed(lines[1:]):
                    if line:
                        yield line
            if rest:
                yield rest
