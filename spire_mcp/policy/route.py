"""Who has the next decision on a screen."""

from dataclasses import dataclass
from typing import Literal

from spire_mcp.game.options import Option
from spire_mcp.game.readiness import readiness
from spire_mcp.game.screens import Combat, Observation

Owner = Literal["program", "model", "planner", "wait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Who owns the next decision, and why."""

    owner: Owner
    reason: str

    def to_dict(self) -> dict[str, object]:
        """The route as `state` prints it."""
        return {"owner": self.owner, "reason": self.reason}


def route(observation: Observation, options: tuple[Option, ...], fight_owner: Owner) -> Route:
    """The owner of the next decision.

    Args:
        observation: the screen.
        options: what it offers.
        fight_owner: who plays fights under the policy in use, `program` or `model`.
    """
    ready = readiness(observation)
    if not ready.ready:
        return Route(owner="wait", reason=f"waiting for {ready.waiting_for}")
    if isinstance(observation.screen, Combat):
        if observation.screen.hand_select is not None:
            return Route(owner="planner", reason="a card choice inside the fight")
        return Route(owner=fight_owner, reason="a fight: call `battle`")
    if any(option.kind == "mechanical" for option in options):
        return Route(owner="program", reason="nothing to decide: call `advance`")
    return Route(owner="planner", reason="your decision: choose with `act`")
