"""The first minute: a practice fight and its rewards, played through the real HTTP path and told as it happens."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

from spire_mcp.app import App
from spire_mcp.practice.server import PracticeServer
from spire_mcp.settings import Settings

Result = dict[str, object]
Show = Callable[[str], None]

_MOST_STEPS = 12


def run_demo(*, seed: str = "demo", language: str = "eng", show: Show, delay: float = 0.1) -> Result:
    """Play one practice fight, take its rewards, and say what was decided and why.

    The demo keeps its records in a folder of its own that is gone afterwards, so it never meets a real run's files.
    """
    with (
        tempfile.TemporaryDirectory(prefix="spire-mcp-demo-") as folder,
        PracticeServer(seed=seed, language=language, delay=delay, start="fight") as server,
    ):
        settings = Settings(
            bridge=server.url, state_dir=Path(folder), config_file=Path(folder) / "config.toml", policy="solver"
        )
        app = App(settings=settings)
        try:
            return _Demo(app, show).run()
        finally:
            app.close()


class _Demo:
    def __init__(self, app: App, show: Show) -> None:
        self._app = app
        self._show = show
        self._decisions = 0

    def run(self) -> Result:
        before = self._app.state()
        if not before["ok"]:
            return before
        self._show("A practice game is running on this machine. This is the fight it starts with:")
        self._board(before)
        fight = self._app.battle(progress=self._step)
        self._show(f"The fight ended: {fight['outcome']}" + (f" ({fight['reason']})" if fight["reason"] else "") + ".")
        if not fight["ok"]:
            return fight
        actions = len(cast("list[object]", fight["actions"]))
        rewards = self._rewards() if fight["outcome"] == "combat_over" else 0
        after = self._app.state()
        summary: Result = {
            "fight": fight["outcome"],
            "verified_actions": actions + rewards,
            "decisions_shown": self._decisions,
            "hp_before": _hp(before),
            "hp_after": _hp(after),
            "screen": after.get("screen"),
        }
        self._show(
            f"{actions + rewards} actions, each proved by reading the game back; "
            f"HP {summary['hp_before']} to {summary['hp_after']}."
        )
        self._show("Next: `spire-mcp practice` in one terminal, `spire-mcp state` in another.")
        return {"ok": True, "outcome": "demo", "fights": [_fight(fight)], "summary": summary}

    def _rewards(self) -> int:
        """Take what needs no decision; at each decision stand in for the planner, and say so."""
        done = 0
        for _ in range(_MOST_STEPS):
            step = self._app.advance(progress=self._step)
            done += len(cast("list[object]", step["actions"]))
            state = cast("Result", step["state"])
            if not step["ok"] or state["screen"] == "map":
                break
            choice = _stand_in(state)
            if choice is None:
                break
            self._decisions += 1
            self._show(f"  A decision for the planner on {state['screen']}; the demo takes: {choice['label']}")
            act = self._app.act(cast("str", state["state_id"]), cast("str", choice["id"]))
            if not act["ok"]:
                break
            done += 1
        return done

    def _step(self, entry: Result) -> None:
        self._decisions += 1
        self._show(f"  {entry['label']}" + (f"   because {entry['why']}" if entry.get("why") else ""))

    def _board(self, state: Result) -> None:
        from spire_mcp.console import render

        self._show(render({key: value for key, value in state.items() if key not in {"ok", "options"}}))


def _stand_in(state: Result) -> Result | None:
    """The option a hurried player would take: the first one offered, and going on when nothing else is left."""
    options = cast("list[Result]", state["options"])
    wanted = ("claim:card", "take:", "proceed", "skip")
    for prefix in wanted:
        found = next((option for option in options if cast("str", option["id"]).startswith(prefix)), None)
        if found is not None:
            return found
    return None


def _hp(state: Result) -> object:
    view = cast("Result", state.get("view") or {})
    player = view.get("player")
    return cast("Result", player).get("hp") if isinstance(player, dict) else None


def _fight(fight: Result) -> Result:
    return {key: fight[key] for key in ("outcome", "reason", "steps", "actions")}
