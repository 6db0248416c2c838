"""A recording: exchanges with a bridge, scrubbed and small, one a line; written as they come, and read strictly.

The first line says what it is. Each other line is one exchange: a reading (`get`) or an action (`post`), and what came
back: a `status` with a `body`, or `lost` where no answer came. A body that differs little from the last one of its path
is written as the `change` from it; a reading that showed nothing new is left out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TextIO, cast

from spire_mcp import __version__
from spire_mcp.bridge.changes import change_between, changed
from spire_mcp.bridge.parse import decode
from spire_mcp.bridge.scrub import scrubbed
from spire_mcp.errors import BridgeError, UsageError

Json = dict[str, object]
FORMAT: Final = 1
LARGEST: Final = 256 * 1024 * 1024
"""A whole run is some ten megabytes."""
_LONGEST_LINE: Final = 16 * 1024 * 1024
_KEYS: Final = frozenset({"at", "get", "post", "sent", "status", "body", "change", "lost"})
_FIX: Final = "Give a file that `spire-mcp record` wrote."


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and what became of it. `status` is None where no answer came; `body` None where it was not JSON."""

    path: str
    sent: Json | None
    status: int | None
    body: Json | None

    @property
    def is_action(self) -> bool:
        """Whether it was sent to change the game."""
        return self.sent is not None


@dataclass(slots=True)
class RecordingWriter:
    """Writes exchanges to a file, each on disk as soon as it is known."""

    file: TextIO
    greeting: str
    written: int = 0
    size: int = 0
    _last: dict[str, tuple[int | None, Json | None]] = field(
        default_factory=dict[str, tuple[int | None, "Json | None"]]
    )

    def begin(self) -> None:
        """The first line."""
        self._line({"recording": FORMAT, "made_by": f"spire-mcp {__version__}", "greeting": self.greeting})

    def add(self, raw: Mapping[str, object], at: float) -> bool:
        """Add an exchange as a client handed it over; False when it showed nothing new."""
        path, sent = str(raw.get("path", "")), raw.get("sent")
        status, body = raw.get("status"), scrubbed(raw.get("body"))
        status = status if isinstance(status, int) else None
        body = cast("Json | None", body if isinstance(body, dict) else None)
        action = isinstance(sent, dict)
        if not action and self._last.get(path) == (status, body):
            return False
        line: Json = {"at": round(at, 3), "post" if action else "get": path}
        if action:
            line["sent"] = scrubbed(cast("object", sent))
        if status is None:
            line["lost"] = True
        else:
            line["status"] = status
            line.update(self._body(path, body, compared=not action))
        if not action:
            self._last[path] = (status, body)
        self._line(line)
        self.written += 1
        return True

    def _body(self, path: str, body: Json | None, *, compared: bool) -> Json:
        whole: Json = {"body": body}
        before = self._last.get(path, (None, None))[1] if compared else None
        if before is None or body is None:
            return whole
        change: Json = {"change": change_between(before, body)}
        return change if len(json.dumps(change)) < len(json.dumps(whole)) else whole

    def _line(self, line: Json) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        self.file.write(text)
        self.file.flush()
        self.size += len(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recording in memory."""

    greeting: str
    exchanges: tuple[Exchange, ...]
    torn: bool = False
    """whether the last line was cut off, which is what a killed recorder leaves"""

    @classmethod
    def load(cls, path: Path) -> "Recording":
        """Read a file.

        Raises:
            UsageError: it is no recording; says which line.
        """
        return cls.read(_lines(path))

    @classmethod
    def read(cls, lines: Iterable[bytes]) -> "Recording":
        """Read lines, each with its end; one without is a torn last line.

        Raises:
            UsageError: this is no recording; says which line.
        """
        numbered = enumerate(lines, 1)
        first = next(numbered, None)
        if first is None:
            raise UsageError("the recording is empty", fix=_FIX)
        header = _object(*first)
        if header.get("recording") != FORMAT:
            raise UsageError(f"line 1 is no beginning of a recording of format {FORMAT}", fix=_FIX)
        found: list[Exchange] = []
        last: dict[str, Json | None] = {}
        torn = False
        for number, line in numbered:
            if not line.endswith(b"\n"):
                torn = True
                break
            found.append(_exchange(number, _object(number, line), last))
        return cls(greeting=str(header.get("greeting", ""))[:120], exchanges=tuple(found), torn=torn)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path.name[:80]!r} is no file", fix=_FIX)
        with path.open("rb") as file:
            size = 0
            while line := file.readline(_LONGEST_LINE + 1):
                size += len(line)
                if len(line) > _LONGEST_LINE or size > LARGEST:
                    raise UsageError(f"{path.name[:80]!r} is too large for a recording", fix=_FIX)
                yield line
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"the recording {path.name[:80]!r} cannot be read: {reason}", fix=_FIX) from None


def _object(number: int, line: bytes) -> Json:
    try:
        return decode(line)
    except BridgeError as error:
        raise UsageError(f"line {number} of the recording: {error.message}", fix=_FIX) from None


def _exchange(number: int, line: Json, last: dict[str, Json | None]) -> Exchange:
    """The exchange of a line; `last` has the newest body of each path read."""

    def wrong(what: str) -> UsageError:
        return UsageError(f"line {number} of the recording: {what}", fix=_FIX)

    unknown = sorted(set(line) - _KEYS)
    if unknown:
        raise wrong(f"an unknown key {unknown[0]!r:.60}")
    action = "post" in line
    path, sent = line.get("post" if action else "get"), line.get("sent")
    if not isinstance(path, str) or not path.startswith("/") or ("get" in line) is action:
        raise wrong("one of `get` and `post` must be a path")
    if action is not isinstance(sent, dict):
        raise wrong("`sent` must be an object where there is a `post`, and only there")
    status = line.get("status")
    if status is None and line.get("lost") is not True:
        raise wrong("neither a `status` nor `lost`")
    if status is not None and (type(status) is not int or not 100 <= status <= 599):
        raise wrong("`status` is no HTTP status")
    body = line.get("body")
    if "change" in line:
        try:
            body = changed(last.get(path), line["change"])
        except (ValueError, RecursionError) as error:
            raise wrong(f"`change` does not fit: {error}") from None
    if body is not None and not isinstance(body, dict):
        raise wrong("`body` is no object")
    exchange = Exchange(path=path, sent=cast("Json | None", sent), status=status, body=cast("Json | None", body))
    if not action:
        last[path] = exchange.body
    return exchange
