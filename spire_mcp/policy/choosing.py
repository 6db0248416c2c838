"""What the fight loop asks for each step: a decision or a handover. Here the program itself answers."""

from dataclasses import dataclass
from typing import Protocol

from spire_mcp.game.screens import Observation
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.solver import Decision, Handover, decide


class Chooser(Protocol):
    """Chooses in one call of `battle`."""

    @property
    def identity(self) -> str:
        """The policy as far as it matters for whether a state was decided before."""
        ...

    def choose(self, observation: Observation) -> Decision | Handover:
        """The next step on a settled fight, or why it is the planner's."""
        ...

    def acted(self) -> None:
        """The last decision was performed and proved."""
        ...

    def usage(self) -> dict[str, object]:
        """The `model` object of the result."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverChooser:
    """The program's own evaluation."""

    nodes: int
    guide: Guide | None = None

    @property
    def identity(self) -> str:
        """The program, and the strategy that constrains it."""
        return under("solver", self.guide)

    def choose(self, observation: Observation) -> Decision | Handover:
        """The best line's first step."""
        return decide(observation, nodes=self.nodes, guide=self.guide)

    def acted(self) -> None:
        """Nothing is kept between steps."""

    def usage(self) -> dict[str, object]:
        """No model is asked."""
        return no_usage()


def under(policy: str, guide: Guide | None) -> str:
    """A policy's identity with that of the strategy it plays under."""
    return policy if guide is None else f"{policy} {guide.identity}"


def no_usage() -> dict[str, object]:
    """The `model` object where no model is asked."""
    return {"name": None, "requests": 0, "input_tokens": 0, "cost_usd": 0.0, "seconds": 0.0}
