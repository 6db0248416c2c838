"""What was asked and answered, word for word, in the private session folder; never a key."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, cast

from spire_mcp.control import journal
from spire_mcp.control.storage import StorageError, storage

FILE: Final = "requests.jsonl"
_MOST: Final = 200_000


class Transcript:
    """One process's requests. The folder is made with the first of them."""

    def __init__(self, state_dir: Path, began: str, hide: Callable[[str], str]) -> None:
        stamp = "".join(char for char in began if char.isdigit())[:14]
        self._sessions = state_dir / "sessions"
        self._folder = self._sessions / f"{stamp}-{os.getpid()}"
        self._hide = hide
        self._lines = 0

    def add(self, entry: Mapping[str, object]) -> str:
        """Write one exchange; returns where it stands, from the state directory.

        Raises:
            StorageError: it could not be written.
        """
        with storage("making the session folder"):
            for folder in (self._sessions, self._folder):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if folder.is_symlink():
                    raise StorageError("sessions in the state directory is a link, which is not followed")
        text = self._hide(json.dumps(entry, ensure_ascii=True, default=repr))
        if len(text) > _MOST:
            text = json.dumps({"when": entry.get("when"), "cut": "larger than a record may be"})
        journal.append(self._folder / FILE, cast("dict[str, object]", json.loads(text)))
        self._lines += 1
        return f"sessions/{self._folder.name}/{FILE}#{self._lines}"
