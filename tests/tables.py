"""A practice game driven in process, without sockets and without waiting, under the real controller."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from spire_mcp.app import App
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.delivery import Accepted, Delivery, Refused, Unknown
from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import Request
from spire_mcp.game.screens import Observation
from spire_mcp.practice.fight import Fight
from spire_mcp.practice.game import PracticeGame
from spire_mcp.settings import Settings
from tests.clock import TestClock

Json = dict[str, Any]


class InProcessBridge:
    """Speaks to a practice game directly. `alter` may change each state before it is read."""

    def __init__(self, game: PracticeGame) -> None:
        self.game = game
        self.sent: list[Json] = []
        self.sent_on: list[str] = []
        """the state ID that the game was in when each request arrived"""
        self.alter: Callable[[Json], Json] = lambda state: state
        self.on_send: Callable[[], None] = lambda: None

    def read_state(self) -> Observation:
        return parse_state(self.alter(self.game.state()))

    def send(self, request: Request) -> Delivery:
        self.sent.append(dict(request.body()))
        self.sent_on.append(self.read_state().state_id)
        status, answer = self.game.post(dict(request.body()))
        self.on_send()
        if status == 200 and answer["status"] == "ok":
            return Accepted(message=answer["message"])
        return Refused(message=answer["error"]) if status == 200 else Unknown(reason=str(answer))

    def run_identity(self) -> str | None:
        return self.game.run_id

    def ping(self) -> str:
        return "practice"

    def close(self) -> None:
        """Nothing is open."""


class InProcess:
    """The product on a practice game; time passes only when the controller waits."""

    def __init__(
        self,
        folder: Path,
        *,
        seed: str = "play",
        delay: float = 0.0,
        start: str = "fight",
        act: str = "overgrowth",
        language: str = "eng",
        **more: Any,
    ) -> None:
        settings: dict[str, Any] = {"policy": "solver", **more}
        self.clock = TestClock()
        self.game = PracticeGame(
            seed=seed,
            delay=delay,
            start=start,
            clock=self.clock.monotonic,
            run_id=f"run-{seed}",
            act=act,
            language=language,
        )
        self.bridge = InProcessBridge(self.game)
        self.app = App(
            settings=Settings(
                bridge="http://127.0.0.1:15526",
                state_dir=folder,
                config_file=folder / "none",
                **settings,
            ),
            clock=self.clock,
        )
        self.app.client = cast("BridgeClient", self.bridge)

    @property
    def fight(self) -> Fight:
        assert self.game.run.fight is not None
        return self.game.run.fight

    def refresh(self) -> None:
        """Show what a test has changed inside the game."""
        from spire_mcp.practice.render import render

        self.game._frames.clear()  # pyright: ignore[reportPrivateUsage]
        self.game._visible = render(self.game.run, self.game.language)  # pyright: ignore[reportPrivateUsage]

    def state(self) -> Json:
        return self.app.state()

    def battle(self, **options: Any) -> Json:
        return self.app.battle(**options)

    def act(self, prefix: str) -> Json:
        state = self.state()
        option = next(option["id"] for option in state["options"] if option["id"].startswith(prefix))
        return self.app.act(state["state_id"], option)

    def records(self) -> list[Json]:
        return list(self.app.journal(last=100))
