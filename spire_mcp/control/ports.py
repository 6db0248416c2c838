"""What the controller needs from the layers around it, as narrow as it can be: reading can never act."""

from collections.abc import Callable
from typing import Protocol

from spire_mcp.bridge.delivery import Delivery
from spire_mcp.game.expected import Expected
from spire_mcp.game.options import Option, Request
from spire_mcp.game.screens import Observation


class Reader(Protocol):
    """Reads the game."""

    def read_state(self) -> Observation:
        """One observation. Raises BridgeError when there is none."""
        ...


class Sender(Protocol):
    """Sends one action, once."""

    def send(self, request: Request) -> Delivery:
        """What became of the request; never raises for what the bridge or the network does."""
        ...


Forecast = Callable[[Observation, Option], Expected | None]
"""The certain part of what an option will do, from combat arithmetic; None when nothing is certain."""

Permits = Callable[[Option], bool]
"""Whether the owner permits a restricted option."""
