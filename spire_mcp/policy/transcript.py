"""What was asked and answered, word for word, in the private session folder; never a key."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from spire_mcp.control import journal
from spire_mcp.control.storage import StorageError, storage

FILE: Final = "requests.jsonl"
_MOST: Final = 200_000
_MOST_FOLDERS: Final = 1_000


class Transcript:
    """One process's requests. The folder is made with the first of them."""

    def __init__(self, state_dir: Path, began: str, hide: Callable[[str], str]) -> None:
        stamp = "".join(char for char in began if char.isdigit())[:14]
        self._sessions = state_dir / "sessions"
        self._name = f"{stamp}-{os.getpid()}"
        self._folder: Path | None = None
        self._hide = hide
        self._lines = 0

    def _made(self) -> Path:
        """A folder that nobody else writes to, so that the numbers of its lines are ours."""
        if self._folder is not None:
            return self._folder
        with storage("making the session folder"):
            self._sessions.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._sessions.is_symlink():
                raise StorageError("sessions in the state directory is a link, which is not followed")
            for number in range(1, _MOST_FOLDERS):
                folder = self._sessions / (self._name if number == 1 else f"{self._name}-{number}")
                with suppress(FileExistsError):
                    folder.mkdir(mode=0o700)
                    self._folder = folder
                    return folder
        raise StorageError("the session folder could not be made")

    def add(self, entry: Mapping[str, object]) -> str:
        """Write one exchange; returns where it stands, from the state directory.

        Raises:
            StorageError: it could not be written.
        """
        folder = self._made()
        record = cast("dict[str, object]", self._hidden(entry))
        if len(json.dumps(record, default=repr)) > _MOST:
            record = {"when": entry.get("when"), "cut": "larger than a record may be"}
        journal.append(folder / FILE, record)
        self._lines += 1
        return f"sessions/{folder.name}/{FILE}#{self._lines}"

    def _hidden(self, value: object) -> object:
        """Plain data with the key taken out of every text, should a service have put it there."""
        if isinstance(value, Mapping):
            table = cast("Mapping[object, object]", value)
            return {self._hide(str(key)): self._hidden(item) for key, item in table.items()}
        if isinstance(value, list | tuple):
            return [self._hidden(item) for item in cast("list[object]", value)]
        return value if isinstance(value, int | float | None) else self._hide(str(value))
