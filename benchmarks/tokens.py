"""What a planner reads in a whole practice act: through the tools, and as raw states.

Through the tools: the server's instructions, the contract, the tools' descriptions, and each call of a simple planner
with its result; it uses the state that came with the last answer. Raw: for each action that was sent in the same act,
the states before it as the bridge writes them, the request and the answer. One reading an action is the least that a
planner could do; two equal ones are what shows that a screen is at rest, which the tools promise. Four characters are a
token.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from spire_mcp.app import App
from spire_mcp.play.results import compact_json
from spire_mcp.server import build_server
from spire_mcp.tool_texts import INSTRUCTIONS, PLAY_RUN, contract
from tests.play.test_acts import play
from tests.tables import InProcess

LIMIT = 0.1
"""Of the tokens with two readings an action."""
ONE_READING = 0.16
"""Of the tokens with one."""
ACTS = 3
_CALLS = frozenset({"state", "act", "battle", "advance"})


class Reading:
    """The application as a planner meets it: every result is counted."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.characters = 0
        self.calls = 0
        self.newest: Any = None

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.app, name)
        if name not in _CALLS:
            return method

        def call(*words: Any, **options: Any) -> Any:
            if name == "state" and self.newest is not None:
                return self.newest
            result = method(*words, **options)
            self.calls += 1
            self.characters += len(compact_json(result))
            self.characters += len(name) + len(json.dumps([words, options]))
            self.newest = result if name == "state" else result.get("state")
            return result

        return call


def before_the_first_call(app: App) -> int:
    """The characters that a host shows the model before anything is played."""
    tools = asyncio.run(build_server(app).list_tools())
    shown = [json.dumps({"name": t.name, "description": t.description, "input": t.input_schema}) for t in tools]
    return len(INSTRUCTIONS) + len(PLAY_RUN) + len(contract()) + sum(map(len, shown))


def one_act(number: int, folder: Path) -> tuple[int, int, int, int, int]:
    """Characters through the tools, of the raw states and of what else is raw, calls of tools, and actions."""
    table = InProcess(folder, seed=f"tokens-{number}", start="menu", permissions=frozenset({"menu"}))
    raw = 0

    rest = 0
    send = table.bridge.send

    def counted(request: Any) -> Any:
        nonlocal raw, rest
        raw += len(json.dumps(table.game.state(), ensure_ascii=False, indent=2))
        answer = {"status": "ok", "message": "x" * 40}
        rest += len(json.dumps(request.body())) + len(json.dumps(answer))
        return send(request)

    table.bridge.send = counted  # type: ignore[method-assign]
    reading = Reading(table.app)
    table.app = reading  # type: ignore[assignment]
    table.state = reading.__getattr__("state")  # type: ignore[method-assign]
    play(table, Random(number))
    ours = reading.characters + before_the_first_call(reading.app)
    return ours, raw, rest, reading.calls, len(table.bridge.sent)


def main() -> int:
    """The ratios over some acts."""
    ours = states = rest = 0
    for number in range(ACTS):
        with tempfile.TemporaryDirectory() as folder:
            through, plain, more, calls, actions = one_act(number, Path(folder))
        print(
            f"act {number}: {calls} calls, {through // 4} tokens; raw: {actions} actions, {(plain + more) // 4} tokens"
        )
        ours, states, rest = ours + through, states + plain, rest + more
    once, twice = ours / (states + rest), ours / (2 * states + rest)
    print(f"of one raw reading an action: {once:.3f} (limit {ONE_READING:g})")
    print(f"of two, which show a screen at rest: {twice:.3f} (limit {LIMIT:g})")
    return 0 if once < ONE_READING and twice < LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
