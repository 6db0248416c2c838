"""Strategies as a caller meets them: check, save, list and drop, each answered with a result object."""

from contextlib import suppress
from typing import TYPE_CHECKING

from spire_mcp.errors import SpireError
from spire_mcp.play.guiding import explain
from spire_mcp.play.results import failure
from spire_mcp.policy.packet import Packet, parse_packet, read_packet
from spire_mcp.wiring import Wiring

if TYPE_CHECKING:
    pass


Result = dict[str, object]


class StrategyDesk(Wiring):
    """What can be done with strategies outside a fight; nothing here sends anything to the game."""

    def strategy_check(self, packet: bytes | object) -> Result:
        """Validate a packet and hold it against the game as it is now; sends nothing."""
        try:
            parsed = packet_of(packet)
            observation = self.controller.look().observation
            return explain(parsed, observation, self.run_id(observation))
        except SpireError as error:
            return failure(error)

    def strategy_save(self, packet: bytes | object) -> Result:
        """Keep a packet's strategy for the run that the bridge reports."""
        try:
            parsed = packet_of(packet)
            run_id = self.run_id(self.controller.look().observation)
            with self.controller.writing("strategy save"):
                saved = self.strategies.save(parsed, run_id, self.clock.timestamp())
                self.controller.note("strategy", {"saved": saved.strategy.strategy_id, "run_id": run_id})
            return {"ok": True, "outcome": "saved", "strategy": saved.to_dict(run_id), "run_id": run_id}
        except SpireError as error:
            return failure(error)

    def strategy_list(self) -> Result:
        """The saved strategies, with whether they are for this run."""
        try:
            saved = self.strategies.all()
            run_id: str | None = None
            with suppress(SpireError):
                run_id = self.run_id(self.controller.look().observation)
            return {
                "ok": True,
                "outcome": "strategies",
                "run_id": run_id,
                "strategies": [one.to_dict(run_id) for one in saved],
                "unreadable": self.strategies.damaged(),
            }
        except SpireError as error:
            return failure(error)

    def strategy_drop(self, strategy_id: str) -> Result:
        """Forget a saved strategy."""
        try:
            with self.controller.writing("strategy drop"):
                self.strategies.drop(strategy_id)
                self.controller.note("strategy", {"dropped": strategy_id})
        except SpireError as error:
            return failure(error)
        return {"ok": True, "outcome": "dropped", "id": strategy_id}


def packet_of(packet: bytes | object) -> Packet:
    """A packet from the bytes of a file or from decoded JSON.

    Raises:
        InvalidPacketError: what is wrong, and where.
    """
    return parse_packet(packet) if isinstance(packet, bytes) else read_packet(packet)
