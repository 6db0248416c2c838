"""The MCP face: the real client, in process in both protocol eras, and once over real stdio."""

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from spire_mcp.server import INSTRUCTIONS, build_server
from tests.products import Table, seat

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _client(table: Table, era: str) -> Any:
    server = build_server(table.app)
    return Client(server, raise_exceptions=True) if era == "new" else Client(server, mode="legacy")


ERAS = pytest.mark.parametrize("era", ["new", "legacy"])


@ERAS
async def test_a_fight_is_played_through_the_tools(tmp_path: Path, era: str) -> None:
    reported: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        del total, message
        reported.append(done)

    with seat(tmp_path, delay=0.01) as table:
        async with _client(table, era) as client:
            state = (await client.call_tool("spire_state", {})).structured_content
            assert state["ok"] is True
            option = next(o["id"] for o in state["options"] if o["id"].startswith("play:"))
            act = await client.call_tool("spire_act", {"state_id": state["state_id"], "option_id": option})
            assert act.is_error is False
            assert act.structured_content["outcome"] == "verified"
            battle = await client.call_tool("spire_battle", {"policy": "solver"}, progress_callback=progress)
            assert battle.structured_content["outcome"] == "combat_over"
            assert len(reported) == battle.structured_content["steps"]
            last = (await client.call_tool("spire_last_outcome", {})).structured_content
            assert last["last_outcome"]["seq"] == battle.structured_content["actions"][-1]["seq"]
            status = (await client.call_tool("spire_status", {})).structured_content
            assert status["bridge"]["reachable"] is True


@ERAS
async def test_what_is_refused_comes_back_as_a_result_with_the_error_flag(tmp_path: Path, era: str) -> None:
    with seat(tmp_path) as table:
        async with _client(table, era) as client:
            stale = await client.call_tool("spire_act", {"state_id": "s1-old", "option_id": "end_turn"})
            assert stale.is_error is True
            assert stale.structured_content["error"]["code"] == "stale_state"
        assert table.sent == []


@ERAS
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("spire_act", {"state_id": "s1-a"}),
        ("spire_act", {"state_id": "s1-a", "option_id": "end_turn", "force": True}),
        ("spire_act", {"state_id": 5, "option_id": "end_turn"}),
        ("spire_battle", {"max_steps": "60"}),
        ("spire_battle", {"max_steps": 0}),
        ("spire_battle", {"max_steps": 101}),
        ("spire_battle", {"max_steps": True}),
        ("spire_battle", {"policy": "best"}),
        ("spire_state", {"view": "everything"}),
        ("spire_plan", {"state_id": "s1-a", "steps": "end_turn"}),
    ],
    ids=str,
)
async def test_wrong_arguments_are_refused_and_named(
    tmp_path: Path, era: str, tool: str, arguments: dict[str, Any]
) -> None:
    with seat(tmp_path) as table:
        async with _client(table, era) as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error is True
        assert result.structured_content["error"]["code"] == "usage"
        assert table.sent == []


async def test_a_halted_port_is_a_result_and_is_cleared_through_the_tool(tmp_path: Path) -> None:
    with seat(tmp_path, faults="ok_without_effect") as table:
        async with _client(table, "new") as client:
            state = (await client.call_tool("spire_state", {})).structured_content
            call = {"state_id": state["state_id"], "option_id": "end_turn"}
            lost = await client.call_tool("spire_act", call)
            assert (lost.is_error, lost.structured_content["outcome"]) == (True, "unknown")
            again = await client.call_tool("spire_act", call)
            assert again.structured_content["error"]["code"] == "halted"
            cleared = await client.call_tool("spire_clear_halt", {"state_id": state["state_id"]})
            assert cleared.structured_content["outcome"] == "cleared"
        assert len(table.sent) == 1


async def test_a_cancelled_battle_stops_between_two_actions_and_its_outcome_can_be_read(tmp_path: Path) -> None:
    with seat(tmp_path, delay=0.05) as table:
        async with _client(table, "new") as client:
            seen = anyio.Event()

            async def progress(done: float, total: float | None, message: str | None) -> None:
                del done, total, message
                seen.set()

            async with anyio.create_task_group() as group:
                group.start_soon(lambda: client.call_tool("spire_battle", {}, progress_callback=progress))
                with anyio.fail_after(10):
                    await seen.wait()
                group.cancel_scope.cancel()
            with anyio.fail_after(10):
                status: dict[str, Any] = {"lock": {"held": True}}
                while status["lock"]["held"]:
                    status = (await client.call_tool("spire_status", {})).structured_content
            assert (status["halted"], status["inflight"]) == (None, None)
            assert status["last_outcome"]["outcome"] == "verified"
            assert status["last_outcome"]["seq"] == len(table.sent)


async def test_every_tool_is_described_annotated_and_has_a_schema(tmp_path: Path) -> None:
    with seat(tmp_path) as table:
        async with _client(table, "new") as client:
            tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} >= {
        "spire_state",
        "spire_act",
        "spire_battle",
        "spire_clear_halt",
        "spire_status",
        "spire_last_outcome",
    }
    for tool in tools:
        assert tool.description
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is not None
    words = sum(len(tool.description or "") + len(str(tool.input_schema)) for tool in tools)
    assert words / 4 < 2500  # tokens, at about four characters each


def test_the_instructions_are_short_enough_to_be_read() -> None:
    assert len(INSTRUCTIONS.split()) < 250


async def test_the_server_works_over_real_stdio(tmp_path: Path) -> None:
    with seat(tmp_path, delay=0.01) as table:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "spire_mcp", "serve"],
            env={"SPIRE_MCP_BRIDGE": table.server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path)},
        )
        with anyio.fail_after(40):
            async with Client(parameters) as client:
                state = (await client.call_tool("spire_state", {})).structured_content
                assert state["screen"] == "monster"
                battle = (await client.call_tool("spire_battle", {})).structured_content
                assert battle["outcome"] == "combat_over"
