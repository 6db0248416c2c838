"""Fights as evaluations keep them: what one came to, and a file of them from which an interrupted run goes on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from spire_mcp.errors import UsageError

Task = tuple[str, str, str]
"""pool, seed and policy: all that a fight depends on"""


@dataclass(frozen=True, slots=True)
class Fought:
    """One fight as one player fought it. A fight that is not won has cost all HP."""

    seed: str
    pool: str
    monsters: tuple[str, ...]
    policy: str
    won: bool
    hp_lost: int
    turns: int
    request_tokens: tuple[int, ...] = ()
    """what each request to the model held"""
    handovers: Mapping[str, int] = field(default_factory=dict[str, int])
    """where `battle` would have handed over, by reason"""
    prompt: str | None = None
    """the version of the wording that a model was asked with"""

    @property
    def task(self) -> Task:
        """What it was the fight of."""
        return self.pool, self.seed, self.policy


@dataclass(slots=True)
class Kept:
    """Fights that were fought, in memory and, if it is wanted, in a file."""

    path: Path | None
    fights: dict[Task, Fought]

    @classmethod
    def read(cls, path: Path | None, prompt: str) -> "Kept":
        """What a file holds; nothing when there is none yet. A last line that is not whole is fought again.

        Fights in which a model was asked with another wording than `prompt` stay in the file, and do not count.

        Raises:
            UsageError: the file is something else.
        """
        kept = cls(path, {})
        try:
            text = path.read_text(encoding="utf-8") if path is not None else ""
        except FileNotFoundError:
            return kept
        except (OSError, ValueError) as error:
            raise UsageError(f"the file of fights cannot be read: {type(error).__name__}", fix="Correct it.") from None
        lines = text.splitlines(keepends=True)
        if path is not None and lines and not lines[-1].endswith("\n"):
            # The run was cut off while it wrote: that fight is fought again.
            path.write_text("".join(lines[:-1]), encoding="utf-8")
            lines = lines[:-1]
        try:
            for line in lines:
                fought = _fought(json.loads(line))
                if fought.prompt in {None, prompt}:
                    kept.fights[fought.task] = fought
        except (ValueError, KeyError, TypeError):
            raise UsageError("the file of fights holds something else", fix="Give another --keep.") from None
        return kept

    def add(self, fought: Fought) -> None:
        """Remember a fight.

        Raises:
            UsageError: the file cannot be written.
        """
        self.fights[fought.task] = fought
        if self.path is None:
            return
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(fought)) + "\n")
        except OSError as error:
            raise UsageError(f"the file of fights cannot be written: {error.strerror}", fix="Correct it.") from None


def _fought(entry: dict[str, Any]) -> Fought:
    lists: dict[str, Any] = {"monsters": tuple(entry["monsters"]), "request_tokens": tuple(entry["request_tokens"])}
    return Fought(**{**entry, **lists})
