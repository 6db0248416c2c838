"""The type of an option: its ID, its label, its kind, and the requests that carry it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["combat", "mechanical", "decision", "restricted"]
"""combat: inside a fight; mechanical: nothing to decide; decision: the planner's; restricted: only with permission."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One action as the bridge takes it: its name and its top-level parameters."""

    action: str
    parameters: Mapping[str, int | str] = field(default_factory=dict[str, int | str])

    def body(self) -> dict[str, int | str]:
        """The JSON object to post."""
        return {"action": self.action, **self.parameters}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One legal action on a settled screen.

    `id` is made of identities (card, target, node) and is what callers name. The indices in `requests` were looked up
    in the very observation that the option was listed from and are worthless on any other. `trap` says why sending it
    would be a mistake that the bridge does not catch; such an option is listed and refused.
    """

    id: str
    label: str
    kind: Kind
    requests: tuple[Request, ...]
    trap: str | None = None
    detail: str = ""
    """what tells it from another option that would have the same ID and label, in full"""
    most_repeats: int = 1
    """how often the last request may be sent until the effect shows: more than once only where each sending is a step
    of its own that leaves no trace, as a line of dialogue does"""

    @property
    def action(self) -> str:
        """The bridge's name for what the option does (of its last request)."""
        return self.requests[-1].action

    def parameter(self, name: str) -> int | str | None:
        """A parameter of the last request."""
        return self.requests[-1].parameters.get(name)

    def to_dict(self) -> dict[str, object]:
        """The option as `state` prints it; one that would be refused says so, so that nobody has to try."""
        label = self.label if self.trap is None else f"{self.label} (refused: {self.trap})"
        return {"id": self.id, "label": label, "kind": self.kind}
