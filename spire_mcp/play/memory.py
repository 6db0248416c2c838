"""What earlier calls of `battle` did in this fight, so that going in circles is noticed across calls."""

from dataclasses import dataclass
from typing import cast

from spire_mcp.control.storage import PortFolder, read_record, write_record
from spire_mcp.game.screens import Observation

_LIMIT = 400


@dataclass(slots=True)
class Memory:
    """State IDs acted on, and reasons handed over, in the current fight of the current run."""

    folder: PortFolder
    fight: str
    acted: list[str]
    handed_over: list[str]

    @classmethod
    def load(cls, folder: PortFolder, observation: Observation, run_id: str | None) -> "Memory":
        """What is remembered of this fight; nothing when the last memory is of another one or cannot be read."""
        run = observation.run
        fight = f"{run_id or '-'}/{run.act if run else 0}/{run.floor if run else 0}"
        record = read_record(folder.memory) or {}
        if record.get("fight") != fight:
            return cls(folder=folder, fight=fight, acted=[], handed_over=[])
        return cls(folder=folder, fight=fight, acted=_texts(record, "acted"), handed_over=_texts(record, "handed_over"))

    def has_acted_on(self, state_id: str, strategy: str) -> bool:
        """Whether `battle` has acted on this very state before under the same strategy."""
        return f"{state_id} {strategy}" in self.acted

    def acting_on(self, state_id: str, strategy: str) -> None:
        """Remember that an action is about to be taken on this state."""
        self.acted.append(f"{state_id} {strategy}")
        self._save()

    def handed_over_before(self, state_id: str, reason: str) -> bool:
        """Whether this state was handed over for this reason, and the planner let `battle` go on."""
        return f"{state_id} {reason}" in self.handed_over

    def handing_over(self, state_id: str, reason: str) -> None:
        """Remember a handover."""
        self.handed_over.append(f"{state_id} {reason}")
        self._save()

    def _save(self) -> None:
        self.acted = self.acted[-_LIMIT:]
        self.handed_over = self.handed_over[-_LIMIT:]
        write_record(self.folder.memory, {"fight": self.fight, "acted": self.acted, "handed_over": self.handed_over})


def _texts(record: dict[str, object], key: str) -> list[str]:
    value = record.get(key)
    return [item for item in cast("list[object]", value) if isinstance(item, str)] if isinstance(value, list) else []
