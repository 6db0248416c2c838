"""The commands that look: status, doctor, strategy, unmodelled, journal."""

import argparse
import contextlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from spire_mcp.commands.files import bytes_of
from spire_mcp.commands.output import answer
from spire_mcp.commands.wiring import app_of
from spire_mcp.errors import UsageError


def status(arguments: argparse.Namespace, human: bool) -> int:
    """Who holds the port and what is known of it."""
    return answer(app_of(arguments).status(), human=human)


def doctor(arguments: argparse.Namespace, human: bool) -> int:
    """What a new user gets wrong, each with the fix."""
    with contextlib.closing(app_of(arguments)) as app:
        return answer(app.doctor(ask_model=arguments.model), human=human)


def strategy(arguments: argparse.Namespace, human: bool) -> int:
    """Check, save, list or drop a packet."""
    what, argument = arguments.what, arguments.argument
    if (argument is None) is not (what == "list"):
        needs = {"check": "a packet", "save": "a packet", "drop": "an ID", "list": "nothing else"}[what]
        raise UsageError(f"strategy {what} takes {needs}", fix="Write: strategy check|save PACKET.json, list, drop ID")
    app = app_of(arguments)
    match what:
        case "check":
            result = app.strategy_check(bytes_of(Path(argument)))
        case "save":
            result = app.strategy_save(bytes_of(Path(argument)))
        case "drop":
            result = app.strategy_drop(argument)
        case _:
            result = app.strategy_list()
    return answer(result, human=human)


def unmodelled(arguments: argparse.Namespace, human: bool) -> int:
    """What the arithmetic does not model."""
    return answer(app_of(arguments).unmodelled(), human=human)


def journal(arguments: argparse.Namespace, human: bool) -> int:
    """Print records, one a line."""
    from spire_mcp import console

    if arguments.last < 0:
        raise UsageError("--last must not be negative", fix="Give the number of records to print.")
    kinds, outcomes = arguments.kind, arguments.outcome

    def wanted(record: Mapping[str, object]) -> bool:
        seq = record.get("seq")
        return (
            (not kinds or record.get("kind") in kinds)
            and (not outcomes or record.get("outcome") in outcomes)
            and (arguments.since_seq <= 0 or (isinstance(seq, int) and seq > arguments.since_seq))
        )

    with contextlib.suppress(KeyboardInterrupt):
        for record in app_of(arguments).journal(last=arguments.last, follow=arguments.follow, wanted=wanted):
            text = console.journal_line(record) if human else json.dumps(record, ensure_ascii=False)
            print(text, flush=True)
    return 0


def report(arguments: argparse.Namespace, human: bool) -> int:
    """The journal as one page."""
    return answer(app_of(arguments).report(arguments.out), human=human)


def history(arguments: argparse.Namespace, human: bool) -> int:
    """The game's own run files."""
    return answer(app_of(arguments).history(arguments.files, arguments.out), human=human)


def watch(arguments: argparse.Namespace, human: bool) -> int:
    """The live page, until it is interrupted."""
    with contextlib.closing(app_of(arguments)) as app:
        server = app.watch(arguments.port)
        answer({"ok": True, "outcome": "watching", "url": server.url}, human=human)
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0
