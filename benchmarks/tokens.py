"""What a whole practice act costs a planner to read and write: through the tools, against the same act on raw states.

Through the tools counts everything that passes before a model: instructions, the whole list of tools, every call and
every answer. Raw counts, for each request that those tools sent, the request, the bridge's answer and readings of the
state as the bridge writes it, and no instructions at all. The bridge's yes means queued, not done, so a board counts as
at rest when two readings agree: that is the comparison which the limit is for. Beside it stands the bare minimum, one
reading for each request, by somebody who never looks twice. A token is taken as four characters.
"""

import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, cast

import anyio
from mcp import Client

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.delivery import Delivery
from spire_mcp.game.options import Request
from spire_mcp.server import build_server
from tests.tables import InProcess, InProcessBridge

Json = dict[str, Any]

LIMIT = 0.1
"""of what raw states cost at rest"""
_CALLS = 500
"""Calls after which an act counts as endless; one takes about a hundred."""
_FIGHTS = ("monster", "elite", "boss")
_WANTED = (
    *("menu:embark", "menu:standard", "menu:singleplayer", "rest:HEAL", "claim:card", "take:", "claim:relic", "relic:"),
    *("bundle:", "cell:", "confirm", "select:", "pick:", "event:", "travel:", "buy:relic", "proceed", "cancel", "skip"),
)
"""What a planner without ideas takes: the first kind that is offered."""


def written(value: object) -> int:
    """Characters of a value as it is put before a model."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def sent_by_the_bridge(state: Json) -> int:
    """Characters of a state as the bridge sends it: indented."""
    return len(json.dumps(state, ensure_ascii=False, indent=2))


class RawReader(InProcessBridge):
    """Counts what somebody who sends the same requests by hand would read and write."""

    states = 0
    """characters of one reading for each request"""
    others = 0

    def send(self, request: Request) -> Delivery:
        """Pass the request on, and count the reading before it, itself and its answer."""
        self.states += sent_by_the_bridge(self.game.state())
        delivery = super().send(request)
        self.others += written(dict(request.body())) + written(
            {"status": "ok", "message": getattr(delivery, "message", "")}
        )
        return delivery


class Planner:
    """Plays an act through a real MCP client, reading nothing but the answers."""

    def __init__(self, client: Client, seed: str) -> None:
        self._client = client
        self._dice = Random(seed)
        self.characters = 0
        self.calls = 0

    async def call(self, tool: str, **arguments: Any) -> Json:
        """One call, counted; returns its result."""
        answer = await self._client.call_tool(tool, arguments)
        self.calls += 1
        self.characters += written({"name": tool, "arguments": arguments}) + len(cast("Any", answer.content[0]).text)
        assert answer.structured_content is not None
        return answer.structured_content

    async def play(self) -> None:
        """Play until the run has ended. Each answer holds the state after it, so the state is asked for once."""
        tools = (await self._client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
        self.characters += len(self._client.instructions or "") + written(tools["tools"])
        state = await self.call("spire_state")
        while state["screen"] != "game_over":
            assert self.calls < _CALLS, "the run never ended"
            brief: Json = {}
            if state["route"]["owner"] == "program":
                result = await self.call("spire_battle" if state["screen"] in _FIGHTS else "spire_advance")
                assert result["ok"], result["error"]
                state, brief = result["state"], result["brief"] or {}
                if result["reason"] == "low_hp" or result["outcome"] != "handover" or state["screen"] == "game_over":
                    continue
            state = await self._decide(state, brief)

    async def _decide(self, state: Json, brief: Json) -> Json:
        """The brief's best line where a turn was handed over, else the first wanted option that is permitted."""
        found = [line["first_option"] for line in brief.get("best_lines", [])[:1]]
        if not found:
            found = [self._one(prefix, state) for prefix in _WANTED]
        for option in filter(None, found):
            result = await self.call("spire_act", state_id=state["state_id"], option_id=option)
            if result["ok"]:
                return cast("Json", result["state"])
            assert result["error"]["code"] == "not_permitted", result["error"]
        raise AssertionError([option["id"] for option in state["options"]])

    def _one(self, prefix: str, state: Json) -> str | None:
        ids = [option["id"] for option in state["options"] if option["id"].startswith(prefix)]
        if prefix == "select:" and ids and " 2 " in str(state["view"].get("choose")):
            return f"select:{','.join((2 * [one.removeprefix('select:') for one in ids])[:2])}"
        return self._dice.choice(ids) if ids else None


async def act(folder: Path, seed: str, which: str) -> tuple[int, int, int]:
    """Characters of one act, from the menu to the end of the run: through the tools, raw at rest, raw at the least."""
    table = InProcess(folder, seed=seed, start="menu", act=which, permissions=frozenset({"menu"}))
    bridge = RawReader(table.game)
    table.app.client = cast("BridgeClient", bridge)
    async with Client(build_server(table.app)) as client:
        planner = Planner(client, seed)
        await planner.play()
    bridge.states += sent_by_the_bridge(table.game.state())
    rest, least = 2 * bridge.states + bridge.others, bridge.states + bridge.others
    print(f"{which}: {planner.calls} calls for {len(bridge.sent)} requests; {_shares(planner.characters, rest, least)}")
    return planner.characters, rest, least


def _shares(ours: int, rest: int, least: int) -> str:
    shown = f"{ours // 4} tokens through the tools, {rest // 4} raw at rest (ratio {ours / rest:.3f}, limit {LIMIT:g})"
    return f"{shown}, {least // 4} raw at the least (ratio {ours / least:.3f})"


def main(acts: int = 2) -> float:
    """The share of what raw states cost at rest, over all acts; prints a line for each."""
    totals: list[tuple[int, int, int]] = []
    for number in range(acts):
        with tempfile.TemporaryDirectory() as folder:
            totals.append(anyio.run(act, Path(folder), f"tokens-{number}", ("overgrowth", "underdocks")[number % 2]))
    ours, rest, least = (sum(column) for column in zip(*totals, strict=True))
    print(f"all: {_shares(ours, rest, least)}")
    return ours / rest


if __name__ == "__main__":
    raise SystemExit(0 if main() <= LIMIT else 1)
