"""`install`: the snippet for a host, its merge into the host's file with a backup, and the way back.

Ordering: the backup is on disk before the file is changed, the note of what was done before that as well, and the file
changes in one step. Whatever ends the process in between, the file is the old one or the new one, and `--undo` knows.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spire_mcp.control.storage import UnreadableRecord, read_record, remove_record, write_record
from spire_mcp.doctor import shown_path
from spire_mcp.errors import UsageError
from spire_mcp.install.files import Entry, ServerTable
from spire_mcp.install.hosts import SERVER, Host

Result = dict[str, object]
_LARGEST: Final = 8 * 1024 * 1024


def server_entry(host: Host, bridge: str | None) -> Entry:
    """How the host starts this server: by this very interpreter, so that no PATH has to be right."""
    words = ["-m", "spire_mcp", *(["--bridge", bridge] if bridge else []), "serve"]
    return {"command": sys.executable, "args": words, **(host.extra or {})}


def snippet(host: Host, entry: Entry) -> str:
    """The lines that a person would paste."""
    if host.format == "toml":
        return ServerTable(text="", format="toml", table=host.table).with_entry(SERVER, entry).strip()
    return json.dumps({host.table: {SERVER: entry}}, indent=2, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Installer:
    """One host's file, and the note about it in the state directory."""

    host: Host
    entry: Entry
    state_dir: Path

    def show(self) -> Result:
        """The snippet, and where it belongs; nothing is written."""
        return self._result("snippet", snippet=snippet(self.host, self.entry))

    def write(self) -> Result:
        """Merge the entry into the host's file.

        Raises:
            UsageError: the file cannot be read, is not valid, or cannot be written; nothing was changed.
        """
        path = self._path()
        with _files(path):
            before = _read(path)
        table = self._table(before or b"")
        if table.entry(SERVER) == self.entry:
            return self._result("unchanged")
        after = _encode(table.with_entry(SERVER, self.entry), before)
        with _files(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            backup = _back_up(path) if before is not None else None
            note: Result = {
                "backup": str(backup) if backup else None,
                "replaced": table.entry(SERVER),
                "written": self.entry,
                "digest": _digest(after),
            }
            self._note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_record(self._note, note)
            _replace(path, after)
        return self._result("written", backup=shown_path(backup) if backup else None)

    def undo(self) -> Result:
        """Take back what `write` did: the file as it was, or, where it has changed since, our entry alone.

        Raises:
            UsageError: the entry is not the one that was written; nothing was changed.
        """
        path = self._path()
        note = read_record(self._note) or {}
        if isinstance(note, UnreadableRecord):
            raise UsageError("the note of the installation cannot be read", fix="Take the entry out by hand.")
        with _files(path):
            now = _read(path)
        table = self._table(now or b"")
        entry = table.entry(SERVER)
        if now is None or entry is None:
            remove_record(self._note)
            return self._result("nothing_to_undo")
        if entry != note.get("written", self.entry):
            raise UsageError(
                f"{self.host.table}.{SERVER} is not the entry that was written", fix="Take it out by hand, if you want."
            )
        with _files(path):
            self._take_back(path, now, table, note)
        remove_record(self._note)
        return self._result("undone")

    def _take_back(self, path: Path, now: bytes, table: ServerTable, note: Mapping[str, Any]) -> None:
        backup = Path(note["backup"]) if note.get("backup") else None
        untouched = _digest(now) == note.get("digest")
        if untouched and backup is None:
            path.unlink()
        elif untouched and backup is not None and backup.is_file():
            _replace(path, backup.read_bytes())
            backup.unlink()
        else:
            _replace(path, _encode(table.with_entry(SERVER, note.get("replaced")), now))

    def _path(self) -> Path:
        if self.host.file is None:
            raise UsageError("a generic host has no known file", fix="Name it with --file, or paste the snippet.")
        # A link is followed, so that a file that is kept elsewhere stays one file.
        return self.host.file.resolve()

    @property
    def _note(self) -> Path:
        key = hashlib.sha256(str(self._path()).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self.state_dir / "install" / f"{self.host.name}-{key}.json"

    def _table(self, data: bytes) -> ServerTable:
        return ServerTable.read(data, format=self.host.format, table=self.host.table)

    def _result(self, outcome: str, **more: object) -> Result:
        found: Result = {
            "ok": True,
            "outcome": outcome,
            "host": self.host.title,
            "file": shown_path(self.host.file) if self.host.file else None,
            **more,
        }
        if outcome in {"snippet", "written"}:
            found["then"] = self.host.then
        if not self.host.verified:
            found["note"] = "The place of this host's file is not verified."
        return found


@contextlib.contextmanager
def _files(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            f"{path.name[:80]!r} cannot be used: {reason}", fix="Give another --file, or paste the snippet."
        ) from None


def _read(path: Path) -> bytes | None:
    if not path.exists():
        return None
    if not path.is_file():
        raise UsageError(f"{path.name[:80]!r} is no file", fix="Give the path of the host's file with --file.")
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise UsageError(f"{path.name[:80]!r} is too large for a list of servers", fix="Name the right --file.")
    return data


def _encode(text: str, before: bytes | None) -> bytes:
    """The new bytes, with the mark at the beginning that the old ones had."""
    mark = b"\xef\xbb\xbf" if before is not None and before.startswith(b"\xef\xbb\xbf") else b""
    return mark + text.encode("utf-8", "surrogatepass")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _back_up(path: Path) -> Path:
    """A copy beside the file, with its permissions; an older copy is never written over."""
    for number in range(1, 1000):
        backup = path.with_name(f"{path.name}.before-spire-mcp{'' if number == 1 else f'-{number}'}")
        if not backup.exists():
            shutil.copy2(path, backup)
            return backup
    raise UsageError("there are a thousand backups beside the host's file", fix="Remove those you do not need.")


def _replace(path: Path, data: bytes) -> None:
    """Change the file in one step, keeping its permissions."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
