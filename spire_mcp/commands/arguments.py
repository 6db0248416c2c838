"""The words of the command line: every command, its options, and a complaint that is a result like any other."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from spire_mcp import __version__
from spire_mcp.errors import UsageError

_EXAMPLES: Final = """examples:
  spire-mcp demo                          watch a practice fight; needs neither game nor key
  spire-mcp state                         what the game shows, what can be done, who decides
  spire-mcp act s1-… play:STRIKE_IRONCLAD:e1
  spire-mcp battle 60 --policy solver     play the current fight until a decision is yours
  spire-mcp clear-halt s1-…               after a stop, once you have looked at the game
"""
_STATE_ID: Final = "the state that you decided on, as `state` printed it"
_CHARACTERS: Final = ("IRONCLAD", "SILENT", "DEFECT", "REGENT", "NECROBINDER")
_LANGUAGES: Final = {"eng": "eng", "en": "eng", "zhs": "zhs", "zh": "zhs"}


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is a result like any other."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, fix=f"Run `{self.prog} --help`.")


Command = Callable[..., argparse.ArgumentParser]


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
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

    def command(name: str, text: str, *examples: str) -> argparse.ArgumentParser:
        shown = "\n".join(["examples:", *(f"  spire-mcp {example}" for example in examples)]) if examples else None
        child = commands.add_parser(
            name,
            help=text,
            description=text,
            epilog=shown,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        _add_faces(child, argparse.SUPPRESS)
        return child

    _add_playing(command)
    _add_looking(command)
    _add_connecting(command)
    _add_practising(command)
    return parser


def _add_playing(command: Command) -> None:
    """The commands that play."""
    state = command(
        "state",
        "read the game: state ID, view, options, who decides; sends nothing",
        "state",
        "state --view raw --json",
    )
    state.add_argument("--view", choices=("compact", "full", "raw"), default="compact")
    act = command(
        "act",
        "perform one option of the named state and prove its effect",
        "act s1-… play:BASH:e1",
        "act s1-… end_turn",
    )
    act.add_argument("state_id", metavar="STATE_ID", help=_STATE_ID)
    act.add_argument("option_id", metavar="OPTION_ID", help="one of that state's options")
    battle = command(
        "battle",
        "play the current fight until a handover, its end, or a stop",
        "battle",
        "battle 20 --policy solver",
        "battle 60 packet.json",
    )
    battle.add_argument(
        "arguments",
        nargs="*",
        metavar="[MAX_STEPS] [PACKET.json]",
        help="most actions, 1 to 100, 60 if left out; a strategy packet",
    )
    battle.add_argument("--policy", choices=("auto", "jev", "solver"), help="who chooses; the setting if left out")
    battle.add_argument("--strict", action="store_true", help="hand over every model answer that fails the gate")
    advance = command("advance", "take mechanical steps and stop at the first decision", "advance", "advance 5")
    advance.add_argument("arguments", nargs="*", metavar="[MAX_STEPS]", help="most actions, 1 to 100, 20 if left out")
    for name, text in (
        ("preview", "compute what a line of options would do; sends nothing"),
        ("plan", "perform a line of options, each step verified; stops at the first deviation"),
    ):
        line = command(name, text, f"{name} s1-… play:BASH:e1 play:STRIKE_IRONCLAD:e1 end_turn")
        line.add_argument("state_id", metavar="STATE_ID", help=_STATE_ID)
        line.add_argument("line", nargs="+", metavar="STEP", help="option IDs in their order; end_turn may be the last")
    clear = command("clear-halt", "lift HALTED when the settled game is in the named state; sends nothing")
    clear.add_argument("state_id", metavar="STATE_ID", help="the state that you have just read")
    halt = command("halt", "stop everything on this port: the emergency stop", 'halt --reason "I take over"')
    halt.add_argument("--reason", default="stopped by hand", metavar="TEXT", help="what others will read")


def _add_looking(command: Command) -> None:
    """The commands that look."""
    command("status", "lock, HALTED, in-flight record, last outcome, bridge, policy")
    doctor = command("doctor", "check everything a new user gets wrong, each with the fix", "doctor", "doctor --model")
    doctor.add_argument("--model", action="store_true", help="ask the decision model one small question too")
    strategy = command(
        "strategy",
        "check, save, list and drop strategy packets; sends nothing to the game",
        "strategy check packet.json",
        "strategy list",
        "strategy drop boss-opener-1",
    )
    strategy.add_argument("what", choices=("check", "save", "list", "drop"))
    strategy.add_argument("argument", nargs="?", metavar="PACKET.json|ID", help="for list: nothing")
    command("unmodelled", "list the cards, powers, relics and potions that the arithmetic does not model")
    journal = command(
        "journal", "what was done, one record a line", "journal --last 5", "journal --follow --kind handover"
    )
    journal.add_argument("--last", type=int, default=20, metavar="N", help="how many of the newest records")
    journal.add_argument("--follow", action="store_true", help="go on printing records as they are written")
    journal.add_argument("--kind", action="append", metavar="KIND", help="only these: action, handover, stop, …")
    journal.add_argument("--outcome", action="append", metavar="OUTCOME", help="only these: verified, unknown, …")
    journal.add_argument("--since-seq", type=int, default=0, metavar="SEQ", help="only records after this one")
    report = command("report", "the journal as one self-contained web page", "report --out run.html")
    report.add_argument("--out", type=Path, default=Path("spire-report.html"), metavar="FILE.html")
    history = command("history", "the game's own run files: wins, floors, killers", "history --out history.html")
    history.add_argument("files", nargs="*", type=Path, metavar="FILE.run", help="none looks in the game's folder")
    history.add_argument("--out", type=Path, metavar="FILE.html", help="write them as a web page too")
    watch = command("watch", "a live page on loopback: the board, the decisions, a stop button")
    watch.add_argument("--port", type=int, metavar="P", help="the page's port; left out, the last one or a free one")


def _add_connecting(command: Command) -> None:
    """The commands that connect a host or a recording."""
    serve = command("serve", "the MCP server on standard input and output, or on a loopback port", "serve --http 0")
    serve.add_argument(
        "--http", type=int, metavar="PORT", help="serve over HTTP on this loopback port; 0 takes a free one"
    )
    install = command(
        "install",
        "print the configuration for a planner's host; --write merges it",
        "install claude-desktop",
        "install codex --write",
        "install codex --undo",
    )
    install.add_argument("host", metavar="HOST", help="claude-code, claude-desktop, codex, cursor, dsh or generic")
    doing = install.add_mutually_exclusive_group()
    doing.add_argument("--write", action="store_true", help="merge it into the host's file, with a backup")
    doing.add_argument("--undo", action="store_true", help="take back what --write did")
    install.add_argument("--file", type=Path, metavar="FILE", help="the host's file, where it is another one")
    record = command(
        "record", "record what is exchanged with the bridge while you play in another terminal", "record run.jsonl"
    )
    record.add_argument("out", type=Path, metavar="OUT.jsonl", help="a new file")
    replay = command("replay", "serve a recording as a bridge", "replay run.jsonl --port 0")
    replay.add_argument("file", type=Path, metavar="FILE.jsonl", help="what `record` wrote")
    replay.add_argument("--port", type=int, default=15526, metavar="P", help="0 takes a free one")
    completion = command("completion", "print a completion script for your shell")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def _add_practising(command: Command) -> None:
    """The commands that need no game."""
    practice = command(
        "practice",
        "run the practice game as a bridge",
        "practice --seed monday --start map",
        "practice --port 0 --faults hang@3",
    )
    practice.add_argument("--seed", default="practice", metavar="S", help="same seed and actions, same game")
    practice.add_argument("--port", type=int, default=15526, metavar="P", help="0 takes a free one")
    practice.add_argument("--faults", default="", metavar="SPEC", help="such as hang@3; see docs/practice.md")
    _add_language(practice)
    practice.add_argument("--act", choices=("overgrowth", "underdocks", "any"), default="overgrowth")
    practice.add_argument("--character", choices=_CHARACTERS, default="IRONCLAD", type=str.upper)
    practice.add_argument("--model", metavar="HOW", help="serve a scripted decision model too, such as ranking")
    practice.add_argument("--model-port", type=int, default=0, metavar="P", help="0 takes a free one")
    practice.add_argument("--model-faults", default="", metavar="SPEC", help="such as silence@2; see docs/model.md")
    practice.add_argument("--start", choices=("fight", "map", "menu"), default="fight")
    practice.add_argument("--delay", type=float, default=0.15, metavar="SECONDS", help="from an action to its effect")
    demo = command("demo", "play a practice fight and its rewards, shown as it happens", "demo --lang zh")
    demo.add_argument("--seed", default="demo", metavar="S", help="another seed, another fight")
    _add_language(demo)
    evaluation = command(
        "eval",
        "play seeded practice fights and compare the solver with simpler players",
        "eval --fights 300 --out comparison.html",
        "eval --policy solver,scripted:noise:0.3 --pool boss",
    )
    evaluation.add_argument("--fights", type=int, default=100, metavar="N", help="dealt out to the pools in turn")
    evaluation.add_argument(
        "--policy", default="solver", metavar="P,P…", help="solver, scripted:ranking, scripted:noise:0.3, …"
    )
    evaluation.add_argument("--pool", choices=("weak", "normal", "elite", "boss", "all"), default="all")
    evaluation.add_argument("--out", type=Path, metavar="FILE.html", help="write the comparison as a web page too")
    evaluation.add_argument("--keep", type=Path, metavar="FILE", help="go on from this file of fights, and add to it")
    evaluation.add_argument("--scheduler", metavar="ADDRESS", help="fight on the workers of a Dask scheduler")
    evaluation.add_argument("--jobs", type=int, metavar="J", help="processes; the result does not depend on it")


def _language(word: str) -> str:
    return _LANGUAGES.get(word.lower(), word)


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language", "--lang", type=_language, choices=("eng", "zhs"), default="eng", help="en and zh will do too"
    )


def _add_faces(parser: argparse.ArgumentParser, default: str | None) -> None:
    """The options that may stand before or after the command."""
    parser.add_argument("--bridge", metavar="URL", default=default, help="the bridge's loopback address")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--json", action="store_true", default=default, help="print one JSON object (default on a pipe)")
    face.add_argument("--human", action="store_true", default=default, help="print a readable view (default otherwise)")
