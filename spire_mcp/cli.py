"""The command line: parses, calls, prints one result, and decides nothing."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence

from spire_mcp.commands import looking, playing, serving
from spire_mcp.commands.arguments import build_parser
from spire_mcp.commands.output import answer
from spire_mcp.errors import InternalError, SpireError, UsageError

_COMMANDS: dict[str, Callable[[argparse.Namespace, bool], int]] = {
    "state": playing.state,
    "act": playing.act,
    "battle": playing.battle,
    "advance": playing.advance,
    "preview": playing.preview,
    "plan": playing.plan,
    "clear-halt": playing.clear_halt,
    "halt": playing.halt,
    "status": looking.status,
    "doctor": looking.doctor,
    "unmodelled": looking.unmodelled,
    "strategy": looking.strategy,
    "journal": looking.journal,
    "report": looking.report,
    "history": looking.history,
    "watch": looking.watch,
    "record": serving.record,
    "replay": serving.replay,
    "install": serving.install,
    "completion": serving.completion,
    "serve": serving.serve,
    "practice": serving.practice,
    "demo": serving.demo,
    "eval": serving.evaluate,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status of interface section 3."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    words = list(sys.argv[1:] if argv is None else argv)
    human = "--human" in words or ("--json" not in words and sys.stdout.isatty())
    try:
        arguments = build_parser().parse_args(words)
        return _run(arguments, human=human)
    except SpireError as error:
        return _answer_error(error, human=human)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; `spire-mcp status` says whether an action is in flight\n")
        return 130


def _run(arguments: argparse.Namespace, *, human: bool) -> int:
    if arguments.command is None:
        raise UsageError("no command was given")
    handler = _COMMANDS[arguments.command]
    try:
        return handler(arguments, human)
    except (SpireError, KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        raise InternalError(f"a defect in spire-mcp: {type(error).__name__}", may_have_acted=True) from error


def _answer_error(error: SpireError, *, human: bool) -> int:
    """Print an error, and if the readable view is what is broken, print it as an object."""
    result: dict[str, object] = {"ok": False, "outcome": "error", "error": error.to_dict()}
    try:
        return answer(result, human=human)
    except Exception:  # noqa: BLE001 - no stack trace reaches a user
        return answer(result, human=False)
