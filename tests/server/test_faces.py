"""Resources, prompts and the look-up in both protocol eras; the HTTP face with its token; stdio for twenty calls."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent, TextResourceContents

from spire_mcp.policy.packet import packet_schema
from spire_mcp.server import build_server
from spire_mcp.tool_texts import contract
from tests.products import Table, seat

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parent.parent.parent
ERAS = pytest.mark.parametrize("era", ["new", "legacy"])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def client_of(table: Table, era: str) -> Any:
    server = build_server(table.app)
    return Client(server, raise_exceptions=True) if era == "new" else Client(server, mode="legacy")


async def resource(client: Any, uri: str) -> str:
    found = (await client.read_resource(uri)).contents[0]
    assert isinstance(found, TextResourceContents)
    return found.text


# ---------------------------------------------------------------------- resources, prompts, look-up


@ERAS
async def test_the_resources_are_the_state_the_contract_the_schema_and_the_journal(tmp_path: Path, era: str) -> None:
    with seat(tmp_path, delay=0.01) as table:
        async with client_of(table, era) as client:
            listed = {str(found.uri) for found in (await client.list_resources()).resources}
            assert listed == {"spire://state", "spire://contract", "spire://strategy-schema", "spire://journal"}
            state = json.loads(await resource(client, "spire://state"))
            assert state["state_id"] == table.state()["state_id"]
            assert await resource(client, "spire://contract") == (ROOT / "AGENTS.md").read_text(encoding="utf-8")
            assert json.loads(await resource(client, "spire://strategy-schema")) == packet_schema()
            assert await resource(client, "spire://journal") == ""
            table.act("play:")
            records = [json.loads(line) for line in (await resource(client, "spire://journal")).splitlines()]
            assert [record["outcome"] for record in records] == ["verified"]


def test_the_contract_is_part_of_the_package() -> None:
    assert "planner's contract" in contract()


@ERAS
@pytest.mark.parametrize("name", ["play_run", "play_combat"])
async def test_a_prompt_carries_the_persons_goal_and_names_the_tools(tmp_path: Path, era: str, name: str) -> None:
    with seat(tmp_path) as table:
        async with client_of(table, era) as client:
            plain = (await client.get_prompt(name, {})).messages[0].content
            given = (await client.get_prompt(name, {"goal": "win without potions"})).messages[0].content
    assert isinstance(plain, TextContent)
    assert isinstance(given, TextContent)
    assert "spire_battle" in plain.text
    assert "HALTED" in plain.text
    assert given.text.endswith("What I want: win without potions")


@ERAS
async def test_a_card_is_looked_up_with_its_upgrade(tmp_path: Path, era: str) -> None:
    with seat(tmp_path) as table:
        async with client_of(table, era) as client:
            found = (await client.call_tool("spire_lookup", {"query": "bash", "kind": "card"})).structured_content
            none = (await client.call_tool("spire_lookup", {"query": "no such thing"})).structured_content
    first = found["results"][0]
    assert (first["id"], first["cost"]) == ("BASH", "2")
    assert "8 damage" in first["text"]
    assert "10 damage" in first["upgraded"]["text"]
    assert none["results"] == []
    assert table.sent == []


@ERAS
@pytest.mark.parametrize("arguments", [{}, {"query": ""}, {"query": "x" * 81}, {"query": "a", "limit": 21}, {"q": "a"}])
async def test_a_look_up_that_asks_for_something_else_is_refused(
    tmp_path: Path, era: str, arguments: dict[str, Any]
) -> None:
    with seat(tmp_path) as table:
        async with client_of(table, era) as client:
            refused = await client.call_tool("spire_lookup", arguments)
    assert refused.is_error is True
    assert refused.structured_content["error"]["code"] == "usage"


@ERAS
async def test_a_strategy_is_checked_saved_applied_and_dropped_through_the_tools(tmp_path: Path, era: str) -> None:
    with seat(tmp_path, delay=0.01) as table:
        async with client_of(table, era) as client:

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                answer: dict[str, Any] = (await client.call_tool(tool, arguments)).structured_content
                return answer

            state_id = table.state()["state_id"]
            order = [{"match": "DEFEND_IRONCLAD", "why": "cover"}]
            strategy = {"strategy_id": "s", "reason": "r", "conditions": [], "expires_on": [], "order": order}
            given = {"strategy": strategy, "expected_state_id": state_id}
            assert (await call("spire_strategy", action="check", **given))["outcome"] == "holds"
            bare = await call("spire_strategy", action="check", strategy=strategy)
            assert bare["error"]["code"] == "invalid_packet"
            assert "expected_state_id" in bare["error"]["message"]
            played = await call("spire_battle", max_steps=1, policy="solver", **given)
            assert played["actions"][0]["option"].startswith("play:DEFEND_IRONCLAD")
            assert (await call("spire_strategy", action="save", **given))["outcome"] == "saved"
            assert [one["id"] for one in (await call("spire_strategy", action="list"))["strategies"]] == ["s"]
            assert (await call("spire_strategy", action="drop", strategy_id="s"))["outcome"] == "dropped"


@ERAS
async def test_the_whole_list_of_tools_stays_within_its_tokens(tmp_path: Path, era: str) -> None:
    with seat(tmp_path) as table:
        async with client_of(table, era) as client:
            listed = (await client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
    names = {tool["name"] for tool in listed["tools"]}
    wanted = "state act battle advance preview plan strategy clear_halt status last_outcome lookup"
    assert names == {f"spire_{name}" for name in wanted.split()}
    # Everything that a host may put before a model, output schemas too, at about four characters a token.
    assert len(json.dumps(listed)) / 4 < 2_500


# ---------------------------------------------------------------------- HTTP


@contextmanager
def serving(table: Table) -> Generator[tuple[str, str, subprocess.Popen[str]]]:
    """The HTTP face in a process of its own: its address, its token and the process."""
    env = {"SPIRE_MCP_BRIDGE": table.server.url, "SPIRE_MCP_STATE_DIR": str(table.state_dir)}
    with subprocess.Popen(
        [sys.executable, "-m", "spire_mcp", "serve", "--http", "0"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            token = json.loads((table.state_dir / "http-token.json").read_text(encoding="utf-8"))["token"]
            assert token not in json.dumps(said)
            yield said["url"], token, process
        finally:
            process.terminate()
            process.communicate(timeout=20)


async def test_the_real_client_plays_over_http_with_the_token(tmp_path: Path) -> None:
    with seat(tmp_path, delay=0.01) as table, serving(table) as (url, token, _):
        headers = {"Authorization": f"Bearer {token}"}
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                state = (await client.call_tool("spire_state", {})).structured_content
                assert state is not None
                assert state["screen"] == "monster"
                battle = (await client.call_tool("spire_battle", {"policy": "solver"})).structured_content
                assert battle is not None
                assert battle["outcome"] == "combat_over"


def test_over_http_a_wrong_token_host_origin_or_a_large_body_is_refused(tmp_path: Path) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    with seat(tmp_path) as table, serving(table) as (url, token, _):
        with httpx2.Client(trust_env=False, timeout=20, headers=accept) as http:
            right = {"Authorization": f"Bearer {token}"}
            assert http.post(url, json=body).status_code == 401
            assert http.post(url, json=body, headers={"Authorization": "Bearer wrong"}).status_code == 401
            assert http.get(url.replace("/mcp", "/")).status_code == 401
            # mcp-cookbook.md, 4.8: a foreign Host is misdirected, a foreign Origin forbidden, a large body too large.
            assert http.post(url, json=body, headers={**right, "Host": "evil.example"}).status_code == 421
            assert http.post(url, json=body, headers={**right, "Origin": "https://evil.example"}).status_code == 403
            large = {**body, "params": {"padding": "x" * (1024 * 1024 + 1)}}
            assert http.post(url, json=large, headers=right).status_code == 413
            parts = (
                b" " * 65_536 for _ in range(17)
            )  # no length is announced: only counting finds that it is too much
            assert http.post(url, content=parts, headers=right).status_code == 413
            # A socket that would stay open has no place here: it is an ordinary request, and wants the token.
            socket = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
            assert http.get(url, headers={**socket, "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}).status_code == 401
        mode = (table.state_dir / "http-token.json").stat().st_mode & 0o777
        assert sys.platform == "win32" or mode == 0o600
        assert table.sent == []


# ---------------------------------------------------------------------- stdio


@ERAS
async def test_twenty_calls_over_stdio_one_of_them_cancelled_end_cleanly_and_truly(tmp_path: Path, era: str) -> None:
    with seat(tmp_path, delay=0.02) as table:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "spire_mcp", "serve"],
            env={"SPIRE_MCP_BRIDGE": table.server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path)},
        )
        with anyio.fail_after(100):
            client = Client(parameters) if era == "new" else Client(parameters, mode="legacy")
            async with client:

                async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                    answer = (await client.call_tool(tool, arguments)).structured_content
                    assert answer is not None
                    return answer

                begun = anyio.Event()

                async def progress(progress: float, total: float | None, message: str | None) -> None:
                    del progress, total, message
                    begun.set()

                async with anyio.create_task_group() as group:

                    async def battle() -> None:
                        await client.call_tool("spire_battle", {"policy": "solver"}, progress_callback=progress)

                    group.start_soon(battle)
                    await begun.wait()
                    group.cancel_scope.cancel()
                held = True
                while held:
                    held = (await call("spire_status"))["lock"]["held"]
                for _ in range(6):
                    assert (await call("spire_state"))["ok"]
                    assert (await call("spire_last_outcome"))["ok"]
                    assert (await call("spire_lookup", query="strike"))["ok"]
                last = (await call("spire_last_outcome"))["last_outcome"]
        assert last["outcome"] == "verified"
        assert last["seq"] == len(table.sent)
        assert not table.files.joinpath("inflight.json").exists()
        assert not table.files.joinpath("HALTED").exists()
