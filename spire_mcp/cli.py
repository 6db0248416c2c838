"""The command line: parses, calls, prints one result, and decides nothing."""

import argparse
import contextlib
import json
import signal
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from spire_mcp import __version__
from spire_mcp.errors import InternalError, SpireError, UsageError

if TYPE_CHECKING:
    from spire_mcp.app import App

Result = dict[str, object]

_EXAMPLES = """examples:
  spire-mcp demo                          watch a practice fight; needs neither game nor key
  spire-mcp state                         what the game shows, what can be done, who decides
  spire-mcp act s1-… play:STRIKE_IRONCLAD:e1
  spire-mcp battle 60 --policy solver     play the current fight until a decision is yours
  spire-mcp clear-halt s1-…               after a stop, once you have looked at the game
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is a result like any other."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, fix=f"Run `{self.prog} --help`.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="spire-mcp",
        description="The safe game controller between a language-model planner and Slay the Spire 2.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"spire-mcp {__version__}")
    _add_faces(parser, None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        child = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        _add_faces(child, argparse.SUPPRESS)
        return child

    state = command("state", "read the game: state ID, view, options, who decides; sends nothing")
    state.add_argument("--view", choices=("compact", "full", "raw"), default="compact")
    act = command("act", "perform one option of the named state and prove its effect")
    act.add_argument("state_id", metavar="STATE_ID")
    act.add_argument("option_id", metavar="OPTION_ID")
    battle = command("battle", "play the current fight until a handover, its end, or a stop")
    battle.add_argument("arguments", nargs="*", metavar="[MAX_STEPS] [PACKET.json]")
    battle.add_argument("--policy", choices=("auto", "jev", "solver"))
    battle.add_argument("--strict", action="store_true", help="hand over every model answer that fails the gate")
    advance = command("advance", "take mechanical steps and stop at the first decision")
    advance.add_argument("arguments", nargs="*", metavar="[MAX_STEPS]")
    for name, text in (
        ("preview", "compute what a line of options would do; sends nothing"),
        ("plan", "perform a line of options, each step verified; stops at the first deviation"),
    ):
        line = command(name, text)
        line.add_argument("state_id", metavar="STATE_ID")
        line.add_argument("line", nargs="+", metavar="STEP")
    clear = command("clear-halt", "lift HALTED when the settled game is in the named state; sends nothing")
    clear.add_argument("state_id", metavar="STATE_ID")
    halt = command("halt", "stop everything on this port: the emergency stop")
    halt.add_argument("--reason", default="stopped by hand", metavar="TEXT")
    command("status", "lock, HALTED, in-flight record, last outcome, bridge, policy")
    command("doctor", "check everything a new user gets wrong, each with the fix")
    journal = command("journal", "what was done, one record a line")
    journal.add_argument("--last", type=int, default=20, metavar="N")
    journal.add_argument("--follow", action="store_true", help="go on printing records as they are written")
    journal.add_argument("--kind", action="append", metavar="KIND", help="only these: action, handover, stop, …")
    journal.add_argument("--outcome", action="append", metavar="OUTCOME", help="only these: verified, unknown, …")
    journal.add_argument("--since-seq", type=int, default=0, metavar="SEQ", help="only records after this one")
    report = command("report", "the journal as one self-contained web page")
    report.add_argument("--out", type=Path, default=Path("spire-report.html"), metavar="FILE.html")
    history = command("history", "the game's own run files: wins, floors, killers")
    history.add_argument("files", nargs="*", type=Path, metavar="FILE.run", help="none looks in the game's folder")
    history.add_argument("--out", type=Path, metavar="FILE.html", help="write them as a web page too")
    watch = command("watch", "a live page on loopback: the board, the decisions, a stop button")
    watch.add_argument("--port", type=int, metavar="P", help="the page's port; left out, the last one or a free one")
    command("serve", "the MCP server on standard input and output")
    practice = command("practice", "run the practice game as a bridge")
    practice.add_argument("--seed", default="practice", metavar="S")
    practice.add_argument("--port", type=int, default=15526, metavar="P", help="0 takes a free one")
    practice.add_argument("--faults", default="", metavar="SPEC", help="such as hang@3; see docs/practice.md")
    practice.add_argument("--language", choices=("eng", "zhs"), default="eng")
    practice.add_argument("--start", choices=("fight", "map", "menu"), default="fight")
    practice.add_argument("--delay", type=float, default=0.15, metavar="SECONDS", help="from an action to its effect")
    demo = command("demo", "play a practice fight and its rewards, shown as it happens")
    demo.add_argument("--seed", default="demo", metavar="S")
    demo.add_argument("--language", choices=("eng", "zhs"), default="eng")
    evaluation = command("eval", "play seeded practice fights and compare the solver with simpler players")
    evaluation.add_argument("--fights", type=int, default=100, metavar="N", help="dealt out to the pools in turn")
    evaluation.add_argument("--policy", choices=("solver",), default="solver")
    evaluation.add_argument("--pool", choices=("weak", "normal", "elite", "boss", "all"), default="all")
    evaluation.add_argument("--out", type=Path, metavar="FILE.html", help="write the comparison as a web page too")
    evaluation.add_argument("--jobs", type=int, metavar="J", help="processes; the result does not depend on it")
    return parser


def _add_faces(parser: argparse.ArgumentParser, default: str | None) -> None:
    """The options that may stand before or after the command."""
    parser.add_argument("--bridge", metavar="URL", default=default, help="the bridge's loopback address")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--json", action="store_true", default=default, help="print one JSON object (default on a pipe)")
    face.add_argument("--human", action="store_true", default=default, help="print a readable view (default otherwise)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status of interface section 3."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    words = list(sys.argv[1:] if argv is None else argv)
    human = "--human" in words or ("--json" not in words and sys.stdout.isatty())
    try:
        arguments = _parser().parse_args(words)
        return _run(arguments, human=human)
    except SpireError as error:
        return _print({"ok": False, "outcome": "error", "error": error.to_dict()}, human=human)
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


def _app(arguments: argparse.Namespace) -> "App":
    from spire_mcp.app import App
    from spire_mcp.settings import load

    return App(settings=load(bridge=arguments.bridge))


def _state(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).state(view=arguments.view), human=human)


def _act(arguments: argparse.Namespace, human: bool) -> int:
    app = _app(arguments)
    with _interrupts():
        return _print(app.act(arguments.state_id, arguments.option_id), human=human)


def _battle(arguments: argparse.Namespace, human: bool) -> int:
    steps, packet = _battle_arguments(arguments.arguments)
    app = _app(arguments)
    with _interrupts() as cancelled:
        result = app.battle(
            max_steps=steps,
            packet=packet,
            policy=arguments.policy,
            strict=arguments.strict,
            progress=_progress,
            cancelled=cancelled,
        )
    return _print(result, human=human)


def _battle_arguments(words: Sequence[str]) -> tuple[int | None, Path | None]:
    steps: int | None = None
    packet: Path | None = None
    for position, word in enumerate(words):
        if word.lower().endswith(".json") and packet is None:
            packet = Path(word)
        elif position == 0:
            steps = _steps(word)
        else:
            raise UsageError(
                f"{word!r:.60} is neither MAX_STEPS nor a packet", fix="Write: battle [MAX_STEPS] [PACKET.json]"
            )
    return steps, packet


def _steps(word: str) -> int:
    if not (word.isascii() and word.isdigit()) or not 1 <= int(word[:6]) <= 100:
        raise UsageError(f"MAX_STEPS is {word!r:.60}", fix="Give a whole number from 1 to 100.")
    return int(word)


def _advance(arguments: argparse.Namespace, human: bool) -> int:
    if len(arguments.arguments) > 1:
        raise UsageError("advance takes one number", fix="Write: advance [MAX_STEPS]")
    steps = _steps(arguments.arguments[0]) if arguments.arguments else None
    app = _app(arguments)
    with _interrupts() as cancelled:
        return _print(app.advance(max_steps=steps, progress=_progress, cancelled=cancelled), human=human)


def _preview(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).preview(arguments.state_id, arguments.line), human=human)


def _plan(arguments: argparse.Namespace, human: bool) -> int:
    app = _app(arguments)
    with _interrupts() as cancelled:
        result = app.plan(arguments.state_id, arguments.line, progress=_progress, cancelled=cancelled)
    return _print(result, human=human)


def _clear_halt(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).clear_halt(arguments.state_id), human=human)


def _halt(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).halt(arguments.reason), human=human)


def _status(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).status(), human=human)


def _doctor(arguments: argparse.Namespace, human: bool) -> int:
    with contextlib.closing(_app(arguments)) as app:
        return _print(app.doctor(), human=human)


def _journal(arguments: argparse.Namespace, human: bool) -> int:
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
        for record in _app(arguments).journal(last=arguments.last, follow=arguments.follow, wanted=wanted):
            text = console.journal_line(record) if human else json.dumps(record, ensure_ascii=False)
            print(text, flush=True)
    return 0


def _serve(arguments: argparse.Namespace, human: bool) -> int:
    from spire_mcp.server import serve

    del human
    serve(_app(arguments))
    return 0


def _practice(arguments: argparse.Namespace, human: bool) -> int:
    from spire_mcp.practice.server import PracticeServer

    try:
        server = PracticeServer(
            seed=arguments.seed,
            port=arguments.port,
            faults=arguments.faults,
            language=arguments.language,
            delay=arguments.delay,
            start=arguments.start,
        )
        server.start()
    except OverflowError:
        raise UsageError(
            f"port {arguments.port} is no port", fix="Give one from 1 to 65535, or 0 for a free one."
        ) from None
    except ValueError as error:
        raise UsageError(str(error), fix="Correct --faults; docs/practice.md lists them.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"port {arguments.port} cannot be used: {reason}", fix="Give another --port.") from None
    with server:
        _print({"ok": True, "outcome": "serving", "url": server.url, "seed": arguments.seed}, human=human)
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def _demo(arguments: argparse.Namespace, human: bool) -> int:
    from spire_mcp.demo import run_demo

    out = sys.stdout if human else sys.stderr

    def show(line: str) -> None:
        print(line, file=out, flush=True)

    return _print(run_demo(seed=arguments.seed, language=arguments.language, show=show), human=human)


def _eval(arguments: argparse.Namespace, human: bool) -> int:
    from spire_mcp.review.evaluating import evaluate_policies

    def show(done: int, of: int) -> None:
        if done % 25 == 0 or done == of:
            print(f"  {done} of {of} fights", file=sys.stderr, flush=True)

    result = evaluate_policies(
        fights=arguments.fights, pool=arguments.pool, policy=arguments.policy, jobs=arguments.jobs, progress=show
    )
    if arguments.out is not None:
        from spire_mcp.review.compare import write_comparison

        write_comparison(result, arguments.out)
        result = {**result, "file": str(arguments.out)}
    return _print(result, human=human)


def _report(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).report(arguments.out), human=human)


def _history(arguments: argparse.Namespace, human: bool) -> int:
    return _print(_app(arguments).history(arguments.files, arguments.out), human=human)


def _watch(arguments: argparse.Namespace, human: bool) -> int:
    with contextlib.closing(_app(arguments)) as app:
        server = app.watch(arguments.port)
        _print({"ok": True, "outcome": "watching", "url": server.url}, human=human)
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


_COMMANDS: dict[str, Callable[[argparse.Namespace, bool], int]] = {
    "state": _state,
    "act": _act,
    "battle": _battle,
    "advance": _advance,
    "preview": _preview,
    "plan": _plan,
    "clear-halt": _clear_halt,
    "halt": _halt,
    "status": _status,
    "doctor": _doctor,
    "journal": _journal,
    "report": _report,
    "history": _history,
    "watch": _watch,
    "serve": _serve,
    "practice": _practice,
    "demo": _demo,
    "eval": _eval,
}


def _progress(entry: Result) -> None:
    print(f"  {entry['seq']}  {entry['label']}  ({entry['by']})", file=sys.stderr, flush=True)


@contextlib.contextmanager
def _interrupts() -> "Generator[Callable[[], bool]]":
    """Ctrl-C ends the command between two steps; a second one ends it at once, and recovery says what was in flight."""
    asked = threading.Event()

    def interrupted(_signal: int, _frame: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        sys.stderr.write("stopping after this step; press Ctrl-C again to leave at once\n")

    previous = signal.signal(signal.SIGINT, interrupted)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, previous)


def _print(result: Result, *, human: bool) -> int:
    if human:
        from spire_mcp import console

        print(console.render(result))
    else:
        print(json.dumps(result, ensure_ascii=False))
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
