"""The MCP face: tools over the same application object that the command line calls, and nothing decided here."""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from spire_mcp import __version__
from spire_mcp.app import App
from spire_mcp.errors import BusyError
from spire_mcp.server_guard import answer, checked_arguments, listed_briefly
from spire_mcp.server_resources import add_resources
from spire_mcp.shift import Shift
from spire_mcp.tool_shapes import (
    ActObject,
    ExpectedStateId,
    LookupObject,
    LoopObject,
    MaxSteps,
    OptionId,
    PreviewObject,
    ResultObject,
    StateId,
    StateObject,
    StatusObject,
    Steps,
    StrategyArgument,
    StrategyObject,
)
from spire_mcp.tool_texts import INSTRUCTIONS

Result = dict[str, object]

# Hints about destruction and repetition say nothing of a tool that only reads; not to be repeated is the default.
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
KEEPS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

_PATIENCE: Final = 1.0
"""seconds in which a report of progress has to be taken: a client that is there takes it in milliseconds"""


def _packet(strategy: dict[str, Any] | None, expected_state_id: str | None) -> dict[str, Any] | None:
    """The packet that the arguments make; what is missing in it is named when it is read."""
    given = {"strategy": strategy, "expected_state_id": expected_state_id}
    return {key: value for key, value in given.items() if value is not None} or None


def _strategy(
    app: App, action: str, strategy: dict[str, Any] | None, expected_state_id: str | None, strategy_id: str | None
) -> Result:
    match action:
        case "list":
            return app.strategy_list()
        case "drop":
            return app.strategy_drop(strategy_id or "")
        case "check":
            return app.strategy_check(_packet(strategy, expected_state_id) or {})
        case _:
            return app.strategy_save(_packet(strategy, expected_state_id) or {})


async def _in_thread(shift: Shift, work: Callable[[Callable[[], bool]], Result]) -> CallToolResult:
    """Run blocking work in a thread that a cancelled call cannot cut in half.

    The work is told of a cancellation and stops between two steps; the thread is waited for in any case. The answer to
    a cancelled call is lost, the records are not.
    """
    cancelled = threading.Event()

    async def watch() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        result = await anyio.to_thread.run_sync(lambda: _piece(shift, work, lambda: cancelled.is_set() or shift.ending))
        group.cancel_scope.cancel()
        return answer(result)
    raise AssertionError  # pragma: no cover - the group never swallows an exception


def _piece(shift: Shift, work: Callable[[Callable[[], bool]], Result], cancelled: Callable[[], bool]) -> Result:
    try:
        with shift.piece():
            return work(cancelled)
    except BusyError as error:
        return {"ok": False, "outcome": "error", "error": error.to_dict()}


def _reporter(ctx: Context[Any], total: int) -> Callable[[Result], None]:
    """Progress after each verified step, from the worker thread; losing it never disturbs the work.

    Over HTTP a report to a caller that is gone is never taken and would hold the thread, and with it the game's lock,
    for ever. So each is given up after a while, and after one that failed there are no more.
    """
    done = 0
    heard = True

    async def tell(label: str) -> bool:
        with anyio.move_on_after(_PATIENCE) as patience:
            await ctx.report_progress(done, total, label)
        return not patience.cancelled_caught

    def report(entry: Result) -> None:
        nonlocal done, heard
        done += 1
        try:
            heard = heard and anyio.from_thread.run(tell, str(entry["label"]))
        except (Exception, asyncio.CancelledError):  # noqa: BLE001 - the action happened; the loop ends by itself
            heard = False
        if not heard:
            logging.getLogger(__name__).debug("progress could not be reported")

    return report


def build_server(app: App, shift: Shift | None = None) -> MCPServer[Any]:
    """The MCP server for one bridge. Its work stops between two actions when the shift ends."""
    work = partial(_in_thread, shift or Shift())
    mcp = MCPServer[Any]("spire-mcp", title="Slay the Spire 2", version=__version__, instructions=INSTRUCTIONS)

    @mcp.tool(title="Read the game", annotations=READS)
    async def spire_state(
        view: Literal["compact", "full", "raw"] = "compact",
    ) -> Annotated[CallToolResult, StateObject]:
        """Read the settled game: state_id, view, options, route (who decides next), facts in a fight. Sends nothing."""
        return await work(lambda _: app.state(view=view))

    @mcp.tool(title="Act once", annotations=ACTS)
    async def spire_act(state_id: StateId, option_id: OptionId) -> Annotated[CallToolResult, ActObject]:
        """Perform one option of the state you name and prove its effect. The answer holds the state afterwards."""
        return await work(lambda _: app.act(state_id, option_id))

    @mcp.tool(title="Play the fight", annotations=ACTS)
    async def spire_battle(
        ctx: Context[Any],
        max_steps: MaxSteps = 60,
        policy: Literal["auto", "jev", "solver"] | None = None,
        strict: Annotated[bool, Field(description="Hand over every model answer that fails the gate.")] = False,
        strategy: StrategyArgument = None,
        expected_state_id: ExpectedStateId = None,
    ) -> Annotated[CallToolResult, LoopObject]:
        """Play the current fight until it is over or a decision is yours (outcome `handover`, reason and brief).

        A strategy constrains it for this call; its conditions are checked before every step.
        """
        report = _reporter(ctx, max_steps)
        packet = _packet(strategy, expected_state_id)
        return await work(
            lambda cancelled: app.battle(
                max_steps=max_steps,
                policy=policy,
                strict=strict,
                packet=packet,
                progress=report,
                cancelled=cancelled,
            )
        )

    @mcp.tool(title="Strategies", annotations=KEEPS)
    async def spire_strategy(
        action: Literal["check", "save", "list", "drop"],
        strategy: StrategyArgument = None,
        expected_state_id: ExpectedStateId = None,
        strategy_id: Annotated[str | None, Field(description="For drop.", max_length=64)] = None,
    ) -> Annotated[CallToolResult, StrategyObject]:
        """Check a strategy on the game as it is, or save, list, drop those of this run. Sends nothing to the game."""
        return await work(lambda _: _strategy(app, action, strategy, expected_state_id, strategy_id))

    @mcp.tool(title="Take mechanical steps", annotations=ACTS)
    async def spire_advance(ctx: Context[Any], max_steps: MaxSteps = 20) -> Annotated[CallToolResult, LoopObject]:
        """Take steps that leave nothing to decide (gold, a potion with room, an empty exit); stops at a decision."""
        report = _reporter(ctx, max_steps)
        return await work(lambda cancelled: app.advance(max_steps=max_steps, progress=report, cancelled=cancelled))

    @mcp.tool(title="Compute a line", annotations=READS)
    async def spire_preview(state_id: StateId, steps: Steps) -> Annotated[CallToolResult, PreviewObject]:
        """Compute what a line of option ids would do in this fight, without sending anything."""
        return await work(lambda _: app.preview(state_id, steps))

    @mcp.tool(title="Perform a line", annotations=ACTS)
    async def spire_plan(ctx: Context[Any], state_id: StateId, steps: Steps) -> Annotated[CallToolResult, LoopObject]:
        """Perform a line of option ids, each step verified; stops at the first deviation."""
        report = _reporter(ctx, len(steps))
        return await work(lambda cancelled: app.plan(state_id, steps, progress=report, cancelled=cancelled))

    @mcp.tool(title="Look something up", annotations=READS)
    async def spire_lookup(
        query: Annotated[
            str, Field(description="A card's or relic's name, or a part of it.", min_length=1, max_length=80)
        ],
        kind: Literal["all", "card", "relic"] = "all",
        limit: Annotated[int, Field(strict=True, ge=1, le=20)] = 5,
    ) -> Annotated[CallToolResult, LookupObject]:
        """Look up cards and relics that this profile has discovered: text, cost, and the upgraded card."""
        return await work(lambda _: app.lookup(query, kind=kind, limit=limit))

    @mcp.tool(title="Lift a stop", annotations=KEEPS)
    async def spire_clear_halt(state_id: StateId) -> Annotated[CallToolResult, ResultObject]:
        """Lift HALTED after you have read the game: state_id must be the state it is in now. Sends nothing."""
        return await work(lambda _: app.clear_halt(state_id))

    @mcp.tool(title="Status", annotations=READS)
    async def spire_status() -> Annotated[CallToolResult, StatusObject]:
        """Who holds the port, HALTED, the in-flight record, the last outcome, the bridge and the policy."""
        return await work(lambda _: app.status())

    @mcp.tool(title="Last outcome", annotations=READS)
    async def spire_last_outcome() -> Annotated[CallToolResult, ResultObject]:
        """The newest action and how it ended; ask when an answer was lost."""
        return await work(lambda _: app.last_outcome())

    add_resources(mcp, app)
    mcp.middleware.extend([checked_arguments(mcp), listed_briefly])
    return mcp


def configure_logging() -> None:
    """Log to standard error: standard output is the wire, and the SDK would configure logging itself."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


def serve(app: App) -> None:
    """Serve on standard input and output until the client goes away or a signal ends it between two actions."""
    configure_logging()
    shift = Shift()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(_leave, shift))
    build_server(app, shift).run("stdio")


def _leave(shift: Shift, number: int, _frame: object) -> None:
    """End the process when nothing runs, and at once when asked again; what was in flight is on disk in any case.

    A host sends SIGTERM soon after it has closed our input: dying in the middle of an action would leave its port
    halted. The thread that reads our input cannot be woken, so nothing short of leaving ends the process.
    """
    if shift.ending:
        os._exit(128 + number)
    shift.end()

    def leave() -> None:
        shift.wait_until_idle()
        os._exit(128 + number)

    threading.Thread(target=leave, name="leaving", daemon=True).start()
