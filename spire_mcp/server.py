"""The MCP face: tools over the same application object that the command line calls, and nothing decided here."""

import logging
import sys
import threading
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import anyio
import anyio.from_thread
import anyio.to_thread
from jsonschema import Draft202012Validator
from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from spire_mcp import __version__
from spire_mcp.app import App
from spire_mcp.errors import InternalError, UsageError
from spire_mcp.play.results import compact_json
from spire_mcp.policy.packet import packet_schema
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
from spire_mcp.tool_texts import INSTRUCTIONS, PLAY_COMBAT, PLAY_RUN, contract, prompt

Result = dict[str, object]

_JOURNAL: Final = 50
"""records that the journal resource shows"""

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
KEEPS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
CLEARS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def _answer(result: Result) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=compact_json(result))],
        structured_content=result,
        is_error=not result["ok"],
    )


def _usage(message: str, fix: str) -> CallToolResult:
    error = UsageError(message, fix=fix)
    return _answer({"ok": False, "outcome": "error", "error": error.to_dict()})


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


async def _in_thread(work: Callable[[Callable[[], bool]], Result]) -> CallToolResult:
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
        result = await anyio.to_thread.run_sync(lambda: work(cancelled.is_set))
        group.cancel_scope.cancel()
        return _answer(result)
    raise AssertionError  # pragma: no cover - the group never swallows an exception


def _reporter(ctx: Context[Any], total: int) -> Callable[[Result], None]:
    """Progress after each verified step, from the worker thread; losing it never disturbs the work."""
    done = 0

    def report(entry: Result) -> None:
        nonlocal done
        done += 1
        try:
            anyio.from_thread.run(ctx.report_progress, done, total, str(entry["label"]))
        except Exception:  # noqa: BLE001 - the caller may be gone; the action that is reported has happened
            logging.getLogger(__name__).debug("progress could not be reported")

    return report


def build_server(app: App) -> MCPServer[Any]:
    """The MCP server for one bridge."""
    mcp = MCPServer[Any]("spire-mcp", title="Slay the Spire 2", version=__version__, instructions=INSTRUCTIONS)

    @mcp.tool(title="Read the game", annotations=READS)
    async def spire_state(
        view: Literal["compact", "full", "raw"] = "compact",
    ) -> Annotated[CallToolResult, StateObject]:
        """Read the settled game: state_id, view, options, route (who decides next), facts in a fight. Sends nothing."""
        return await _in_thread(lambda _: app.state(view=view))

    @mcp.tool(title="Act once", annotations=ACTS)
    async def spire_act(state_id: StateId, option_id: OptionId) -> Annotated[CallToolResult, ActObject]:
        """Perform one option of the state you name and prove its effect. The answer holds the state afterwards."""
        return await _in_thread(lambda _: app.act(state_id, option_id))

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
        return await _in_thread(
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
        return await _in_thread(lambda _: _strategy(app, action, strategy, expected_state_id, strategy_id))

    @mcp.tool(title="Take mechanical steps", annotations=ACTS)
    async def spire_advance(ctx: Context[Any], max_steps: MaxSteps = 20) -> Annotated[CallToolResult, LoopObject]:
        """Take steps that leave nothing to decide (gold, a potion with room, an empty exit); stops at a decision."""
        report = _reporter(ctx, max_steps)
        return await _in_thread(
            lambda cancelled: app.advance(max_steps=max_steps, progress=report, cancelled=cancelled)
        )

    @mcp.tool(title="Compute a line", annotations=READS)
    async def spire_preview(state_id: StateId, steps: Steps) -> Annotated[CallToolResult, PreviewObject]:
        """Compute what a line of option ids would do in this fight, without sending anything."""
        return await _in_thread(lambda _: app.preview(state_id, steps))

    @mcp.tool(title="Perform a line", annotations=ACTS)
    async def spire_plan(ctx: Context[Any], state_id: StateId, steps: Steps) -> Annotated[CallToolResult, LoopObject]:
        """Perform a line of option ids, each step verified; stops at the first deviation."""
        report = _reporter(ctx, len(steps))
        return await _in_thread(lambda cancelled: app.plan(state_id, steps, progress=report, cancelled=cancelled))

    @mcp.tool(title="Look something up", annotations=READS)
    async def spire_lookup(
        query: Annotated[
            str, Field(description="A card's or relic's name, or a part of it.", min_length=1, max_length=80)
        ],
        kind: Literal["all", "card", "relic"] = "all",
        limit: Annotated[int, Field(strict=True, ge=1, le=20)] = 5,
    ) -> Annotated[CallToolResult, LookupObject]:
        """Look up cards and relics that this profile has discovered: text, cost, and the upgraded card."""
        return await _in_thread(lambda _: app.lookup(query, kind=kind, limit=limit))

    @mcp.tool(title="Lift a stop", annotations=CLEARS)
    async def spire_clear_halt(state_id: StateId) -> Annotated[CallToolResult, ResultObject]:
        """Lift HALTED after you have read the game: state_id must be the state it is in now. Sends nothing."""
        return await _in_thread(lambda _: app.clear_halt(state_id))

    @mcp.tool(title="Status", annotations=READS)
    async def spire_status() -> Annotated[CallToolResult, StatusObject]:
        """Who holds the port, HALTED, the in-flight record, the last outcome, the bridge and the policy."""
        return await _in_thread(lambda _: app.status())

    @mcp.tool(title="Last outcome", annotations=READS)
    async def spire_last_outcome() -> Annotated[CallToolResult, ResultObject]:
        """The newest action and how it ended; ask when an answer was lost."""
        return await _in_thread(lambda _: app.last_outcome())

    _add_resources(mcp, app)
    mcp.middleware.append(_checked_arguments(mcp))
    return mcp


def _add_resources(mcp: MCPServer[Any], app: App) -> None:
    """What can be read without a tool, and the prompts that begin a session."""

    def text(value: object) -> str:
        return compact_json(value)

    @mcp.resource("spire://state", title="The game now", mime_type="application/json")
    async def state() -> str:
        """What spire_state answers."""
        return text(await anyio.to_thread.run_sync(app.state))

    @mcp.resource("spire://contract", title="The planner's contract", mime_type="text/markdown")
    async def planners_contract() -> str:
        """How to play through this server: the loop, reasons for a handover, errors, limits."""
        return contract()

    @mcp.resource("spire://strategy-schema", title="Schema of a strategy packet", mime_type="application/schema+json")
    async def strategy_schema() -> str:
        """The JSON Schema that strategies are checked against."""
        return text(packet_schema())

    @mcp.resource("spire://journal", title="What was done", mime_type="application/x-ndjson")
    async def journal() -> str:
        """The newest records of this port, one a line."""
        records = await anyio.to_thread.run_sync(lambda: list(app.journal(last=_JOURNAL)))
        return "\n".join(map(text, records))

    @mcp.prompt(title="Play the run")
    async def play_run(goal: str | None = None) -> str:
        """Play the current run through the tools."""
        return prompt(PLAY_RUN, goal)

    @mcp.prompt(title="Play the fight")
    async def play_combat(goal: str | None = None) -> str:
        """Play the current fight to its end."""
        return prompt(PLAY_COMBAT, goal)


def _checked_arguments(mcp: MCPServer[Any]) -> Any:
    """Refuse unknown, missing and mistyped arguments with a result object; the SDK drops unknown ones silently."""

    async def check(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/call" or ctx.params is None:
            return await call_next(ctx)
        name = ctx.params.get("name")
        arguments: dict[str, Any] = ctx.params.get("arguments") or {}
        tool = next((tool for tool in await mcp.list_tools() if tool.name == name), None)
        if tool is None:
            return await call_next(ctx)
        schema = {**tool.input_schema, "additionalProperties": False}
        validator: Any = Draft202012Validator(schema)
        problem = next(iter(validator.iter_errors(arguments)), None)
        if problem is not None:
            where = "/".join(str(part) for part in problem.absolute_path) or "arguments"
            return _usage(f"{where}: {problem.message[:160]}", f"See the input schema of {tool.name}.")
        result = await call_next(ctx)
        if isinstance(result, CallToolResult) and result.is_error and result.structured_content is None:
            error = InternalError(f"{tool.name} failed", may_have_acted=True)
            return _answer({"ok": False, "outcome": "error", "error": error.to_dict()})
        return result

    return check


def configure_logging() -> None:
    """Log to standard error: standard output is the wire, and the SDK would configure logging itself."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


def serve(app: App) -> None:
    """Serve on standard input and output until the client goes away."""
    configure_logging()
    build_server(app).run("stdio")
