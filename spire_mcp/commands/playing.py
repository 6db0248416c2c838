"""The commands that play: state, act, battle, advance, preview, plan, clear-halt, halt."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from spire_mcp.commands.files import bytes_of
from spire_mcp.commands.output import answer, interrupts, progress
from spire_mcp.commands.wiring import app_of
from spire_mcp.errors import UsageError


def state(arguments: argparse.Namespace, human: bool) -> int:
    """Read the game and print what it shows."""
    return answer(app_of(arguments).state(view=arguments.view), human=human)


def act(arguments: argparse.Namespace, human: bool) -> int:
    """One verified action."""
    app = app_of(arguments)
    with interrupts():
        return answer(app.act(arguments.state_id, arguments.option_id), human=human)


def battle(arguments: argparse.Namespace, human: bool) -> int:
    """Play the current fight."""
    steps, packet = _battle_arguments(arguments.arguments)
    app = app_of(arguments)
    with interrupts() as cancelled:
        result = app.battle(
            max_steps=steps,
            packet=bytes_of(packet) if packet is not None else None,
            policy=arguments.policy,
            strict=arguments.strict,
            progress=progress,
            cancelled=cancelled,
        )
    return answer(result, human=human)


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


def advance(arguments: argparse.Namespace, human: bool) -> int:
    """Take mechanical steps."""
    if len(arguments.arguments) > 1:
        raise UsageError("advance takes one number", fix="Write: advance [MAX_STEPS]")
    steps = _steps(arguments.arguments[0]) if arguments.arguments else None
    app = app_of(arguments)
    with interrupts() as cancelled:
        return answer(app.advance(max_steps=steps, progress=progress, cancelled=cancelled), human=human)


def preview(arguments: argparse.Namespace, human: bool) -> int:
    """Compute what a line would do."""
    return answer(app_of(arguments).preview(arguments.state_id, arguments.line), human=human)


def plan(arguments: argparse.Namespace, human: bool) -> int:
    """Perform a line, each step verified."""
    app = app_of(arguments)
    with interrupts() as cancelled:
        result = app.plan(arguments.state_id, arguments.line, progress=progress, cancelled=cancelled)
    return answer(result, human=human)


def clear_halt(arguments: argparse.Namespace, human: bool) -> int:
    """Lift HALTED on an exact readback."""
    return answer(app_of(arguments).clear_halt(arguments.state_id), human=human)


def halt(arguments: argparse.Namespace, human: bool) -> int:
    """The emergency stop."""
    return answer(app_of(arguments).halt(arguments.reason), human=human)
