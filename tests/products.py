"""The product as tests drive it: in process, on a practice server, with limits that keep waiting short."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spire_mcp.app import App
from spire_mcp.bridge.limits import WireLimits
from spire_mcp.control.limits import ControlLimits
from spire_mcp.practice.server import PracticeServer
from spire_mcp.settings import Settings

SHORT = ControlLimits(
    settle=3.0,
    steady=0.02,
    play=0.5,
    end_turn=1.0,
    travel=1.0,
    screen=0.5,
    unchanged=0.5,
    effects=0.2,
    refused=0.2,
    lock=0.3,
    poll_first=0.01,
    poll_longest=0.03,
)
SHORT_WIRE = WireLimits(connect=0.5, read=0.5, send=0.3, whole=1.0)


@dataclass
class Table:
    """A practice game and the product that plays it."""

    server: PracticeServer
    app: App
    state_dir: Path

    def state(self) -> dict[str, Any]:
        result: dict[str, Any] = self.app.state()
        return result

    def option(self, prefix: str, state: dict[str, Any] | None = None) -> str:
        """The first option whose ID begins so."""
        options = (state or self.state())["options"]
        return next(option["id"] for option in options if option["id"].startswith(prefix))

    def act(self, prefix: str) -> dict[str, Any]:
        state = self.state()
        result: dict[str, Any] = self.app.act(state["state_id"], self.option(prefix, state))
        return result

    def do(self, result: dict[str, object]) -> dict[str, Any]:
        """A result of the product, as a test looks into it."""
        return result

    @property
    def files(self) -> Path:
        return self.state_dir / "ports" / str(self.server.port)

    @property
    def halted(self) -> bool:
        return (self.files / "HALTED").exists()

    @property
    def inflight(self) -> bool:
        return (self.files / "inflight.json").exists()

    @property
    def sent(self) -> list[dict[str, Any]]:
        return [request["body"] for request in self.server.requests]


def make_settings(server: PracticeServer, state_dir: Path, **more: Any) -> Settings:
    defaults: dict[str, Any] = {"limits": SHORT, "wire": SHORT_WIRE, "policy": "solver"}
    return Settings(
        bridge=server.url, state_dir=state_dir, config_file=state_dir / "config.toml", **{**defaults, **more}
    )


Seat = Callable[..., Table]


@contextmanager
def seat(state_dir: Path, *, settings: dict[str, Any] | None = None, **server: Any) -> Generator[Table]:
    """Sit down at a practice game with the given server options."""
    options: dict[str, Any] = {"delay": 0.05, "seed": "test", **server}
    with PracticeServer(**options) as practice:
        app = App(settings=make_settings(practice, state_dir, **(settings or {})))
        try:
            yield Table(practice, app, state_dir)
        finally:
            app.close()
