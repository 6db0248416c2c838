"""How serving ends: a cancelled call, a client that leaves and a signal all stop between two actions, never in one."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from spire_mcp.errors import BusyError
from spire_mcp.shift import Shift
from tests.products import Table, seat
from tests.server.test_faces import ERAS, ROOT, serving

anyio_test = pytest.mark.anyio
SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def records(table: Table) -> list[dict[str, Any]]:
    return list(table.app.journal(last=100))


def assert_every_action_is_whole(table: Table) -> None:
    """Each request that reached the game has its verified record, and nothing is in flight or halted."""
    actions = [record for record in records(table) if record["kind"] == "action"]
    assert [record["outcome"] for record in actions] == ["verified"] * len(table.sent)
    assert (table.inflight, table.halted) == (False, False)


async def begin_battle_and_cancel(client: Any) -> None:
    """Call spire_battle and drop the call once its first step is reported."""
    begun = anyio.Event()

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        del progress, total, message
        begun.set()

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: client.call_tool("spire_battle", {"policy": "solver"}, progress_callback=progress))
        await begun.wait()
        group.cancel_scope.cancel()


# ---------------------------------------------------------------------- calls and clients


@anyio_test
@ERAS
async def test_twenty_calls_over_http_one_of_them_cancelled_leave_a_true_last_outcome(tmp_path: Path, era: str) -> None:
    with seat(tmp_path, delay=0.02) as table, serving(table) as (url, token, _):
        headers = {"Authorization": f"Bearer {token}"}
        with anyio.fail_after(50):
            async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http:
                wire = streamable_http_client(url, http_client=http)
                async with Client(wire) if era == "new" else Client(wire, mode="legacy") as client:

                    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                        answer = (await client.call_tool(tool, arguments)).structured_content
                        assert answer is not None
                        assert answer["ok"], answer
                        return answer

                    await begin_battle_and_cancel(client)
                    while (await call("spire_status"))["lock"]["held"]:
                        pass
                    for _ in range(6):
                        await call("spire_state")
                        await call("spire_last_outcome")
                        await call("spire_lookup", query="strike")
                    last = (await call("spire_last_outcome"))["last_outcome"]
        assert (last["outcome"], last["seq"]) == ("verified", len(table.sent))
        assert records(table)[-1].get("reason") == "cancelled"
        assert_every_action_is_whole(table)


_HOST = "import subprocess, sys; open(sys.argv[1], 'w').write(str(subprocess.call(sys.argv[2:])))"
"""Starts the server and notes how it ended: the client does not tell."""


@anyio_test
@ERAS
async def test_a_client_that_leaves_mid_battle_lets_the_process_end_by_itself_with_every_action_whole(
    tmp_path: Path, era: str
) -> None:
    ended = tmp_path / "ended"
    with seat(tmp_path, delay=0.02) as table:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-c", _HOST, str(ended), sys.executable, "-m", "spire_mcp", "serve"],
            env={"SPIRE_MCP_BRIDGE": table.server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path)},
            cwd=ROOT,
        )
        with anyio.fail_after(50):
            async with Client(parameters) if era == "new" else Client(parameters, mode="legacy") as client:
                await begin_battle_and_cancel(client)
        assert ended.read_text() == "0"
        assert records(table)[-1].get("reason") == "cancelled"
        assert_every_action_is_whole(table)


# ---------------------------------------------------------------------- signals


@posix
@SIGNALS
def test_a_signal_ends_a_server_on_stdio_after_the_action_that_it_is_at(tmp_path: Path, number: signal.Signals) -> None:
    with (
        seat(tmp_path, delay=0.3) as table,
        subprocess.Popen(
            [sys.executable, "-m", "spire_mcp", "serve"],
            env={"SPIRE_MCP_BRIDGE": table.server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None

        def say(method: str, params: dict[str, Any], **more: Any) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}) + "\n")
            process.stdin.flush()

        me = {"clientInfo": {"name": "test", "version": "1"}, "capabilities": {}, "protocolVersion": "2025-11-25"}
        say("initialize", me, id=1)
        process.stdout.readline()
        say("notifications/initialized", {})
        arguments = {"name": "spire_battle", "arguments": {"policy": "solver"}, "_meta": {"progressToken": 1}}
        say("tools/call", arguments, id=2)
        assert "progress" in process.stdout.readline()
        process.send_signal(number)
        # Its input stays open: it does not wait for it. One action takes a second at most here.
        assert process.wait(20) == 128 + number
        # What was played is far from the nine actions and more that this fight takes.
        assert 1 <= len(table.sent) <= 3
        assert_every_action_is_whole(table)


@posix
@anyio_test
@ERAS
@SIGNALS
async def test_a_signal_ends_a_server_on_http_after_the_action_that_it_is_at(
    tmp_path: Path, number: signal.Signals, era: str
) -> None:
    with seat(tmp_path, delay=0.3) as table, serving(table) as (url, token, process):
        headers = {"Authorization": f"Bearer {token}"}

        async def play() -> None:
            async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http:
                wire = streamable_http_client(url, http_client=http)
                async with Client(wire) if era == "new" else Client(wire, mode="legacy") as client:

                    async def progress(progress: float, total: float | None, message: str | None) -> None:
                        del progress, total, message
                        process.send_signal(number)

                    await client.call_tool("spire_battle", {"policy": "solver"}, progress_callback=progress)

        with anyio.fail_after(40):
            try:
                await play()
            except* Exception:  # noqa: BLE001 - the answer may come through, or the connection be gone before it
                assert process.wait(20) != 0
        await anyio.to_thread.run_sync(lambda: process.wait(20))
        assert 1 <= len(table.sent) <= 3
        assert records(table)[-1].get("reason") == "cancelled"
        assert_every_action_is_whole(table)


# ---------------------------------------------------------------------- the shift itself


def _in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_an_ended_shift_waits_for_what_runs_and_begins_nothing() -> None:
    shift, begun, let_go = Shift(), threading.Event(), threading.Event()

    def work() -> None:
        with shift.piece():
            begun.set()
            assert let_go.wait(10)

    worker = _in_thread(work)
    assert begun.wait(10)
    shift.end()
    assert shift.ending
    with pytest.raises(BusyError), shift.piece():
        pass
    waiting = _in_thread(shift.wait_until_idle)
    assert waiting.is_alive()
    let_go.set()
    waiting.join(10)
    worker.join(10)
    assert not waiting.is_alive()


def test_a_piece_that_fails_is_over_too() -> None:
    shift = Shift()
    with pytest.raises(ValueError, match="broken"), shift.piece():
        raise ValueError("broken")
    shift.wait_until_idle()
