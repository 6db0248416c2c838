"""One result object on standard output, and the exit status that belongs to it."""

import contextlib
import json
import signal
import sys
import threading
from collections.abc import Callable, Generator

from spire_mcp.errors import SpireError

Result = dict[str, object]


def answer(result: Result, *, human: bool) -> int:
    """Print the result for a person or a program; returns its exit status."""
    if human:
        from spire_mcp import console

        print(console.render(result))
    else:
        print(json.dumps(result, ensure_ascii=False, separators=(",", ":")))
    return exit_status(result)


def exit_status(result: Result) -> int:
    """The exit status that belongs to a result object."""
    error = result.get("error")
    if not isinstance(error, dict):
        return 0
    return _STATUS.get(str(error.get("code")), 1)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _statuses(base: type[SpireError]) -> dict[str, int]:
    found = {base.code: base.exit_status}
    for child in base.__subclasses__():
        found.update(_statuses(child))
    return found


_STATUS = _statuses(SpireError)


def progress(entry: Result) -> None:
    """One verified action on standard error, as it happens."""
    print(f"  {entry['seq']}  {entry['label']}  ({entry['by']})", file=sys.stderr, flush=True)


@contextlib.contextmanager
def interrupts(doing: str = "stopping after this step") -> "Generator[Callable[[], bool]]":
    """Ctrl-C ends the command between two steps, and so does being asked to terminate.

    A second time ends it at once, and recovery says what was in flight.
    """
    asked = threading.Event()

    def interrupted(_signal: int, _frame: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        sys.stderr.write(f"{doing}; press Ctrl-C again to leave at once\n")

    previous = {kind: signal.signal(kind, interrupted) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for kind, handler in previous.items():
            signal.signal(kind, handler)
