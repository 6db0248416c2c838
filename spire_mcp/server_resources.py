"""What a planner can read from the MCP server without a tool, and the prompts that begin a session."""

import json
from typing import Any, Final

import anyio.to_thread
from mcp.server import MCPServer

from spire_mcp.app import App
from spire_mcp.policy.packet import packet_schema
from spire_mcp.tool_texts import PLAY_COMBAT, PLAY_RUN, contract, prompt

_JOURNAL: Final = 50
"""records that the journal resource shows"""


def add_resources(mcp: MCPServer[Any], app: App) -> None:
    """Add resources and prompts to a server."""

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

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
