"""Journal records as the review reads them: every field may be missing or of another type."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, cast

from spire_mcp.control.storage import name_of, storage
from spire_mcp.game.text import clean_text

Record = Mapping[str, object]
NOTHING: Final[Record] = {}
_LONGEST: Final = 4 * 1024 * 1024
"""Characters of one line; no record of ours is near it."""


def table(value: object) -> Record:
    """A JSON object, or an empty one."""
    return cast("Record", value) if isinstance(value, dict) else NOTHING


def rows(value: object) -> list[Record]:
    """The objects of a JSON list."""
    return [cast("Record", item) for item in items(value) if isinstance(item, dict)]


def items(value: object) -> list[object]:
    """A JSON list, or an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object, limit: int = 200) -> str:
    """A value as one line of bounded text without control characters; empty for nothing."""
    if value is None or isinstance(value, dict | list):
        return ""
    return clean_text(str(value), limit)


def texts(value: object, limit: int = 200) -> list[str]:
    """A list of values as lines."""
    return [text(item, limit) for item in items(value)]


def whole(value: object) -> int | None:
    """A whole number, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number(value: object) -> float | None:
    """A number that can be drawn, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 else None


def seconds(record: Record) -> float | None:
    """How long an action took from its record to its proof."""
    try:
        begun = datetime.fromisoformat(str(record.get("when")))
        return max(0.0, (datetime.fromisoformat(str(record.get("ended"))) - begun).total_seconds())
    except (ValueError, TypeError):
        return None


def read_journal(path: Path) -> list[Record]:
    """Every record of a journal, oldest first; lines that are none are passed over, and no file is no records.

    Raises:
        StorageError: the file exists and cannot be read.
    """
    with storage(f"reading {name_of(path)}"):
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return []
    return list(parse_lines(data))


def parse_lines(data: bytes) -> Iterator[Record]:
    """The records among complete lines."""
    for line in data.split(b"\n"):
        if not line.strip() or len(line) > _LONGEST:
            continue
        try:
            found: object = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield cast("Record", found)
