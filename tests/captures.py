"""Answers recorded from real games: the folder beside the repository where present, excerpts in it otherwise."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spire_mcp.bridge.parse import decode, parse_state
from spire_mcp.game.screens import Observation

_HERE = Path(__file__).resolve().parent
OUTSIDE = _HERE.parent.parent / "shared" / "captures"
INSIDE = _HERE / "data" / "captures"


def folder() -> Path:
    """All recordings, or the excerpts that every clone has."""
    return OUTSIDE if OUTSIDE.is_dir() else INSIDE


def single_states() -> list[Path]:
    return sorted((folder() / "states").glob("*.json"))


def runs() -> list[Path]:
    return sorted((folder() / "runs").glob("*.jsonl"))


def observation(name: str) -> Observation:
    """A single screen, by its file's name without the ending."""
    return read(folder() / "states" / f"{name}.json")


def raw(name: str) -> dict[str, Any]:
    return json.loads((folder() / "states" / f"{name}.json").read_text(encoding="utf-8"))


def read(path: Path) -> Observation:
    return parse_state(decode(path.read_bytes()))


@dataclass(frozen=True)
class Step:
    """One recorded action between two settled states."""

    run: str
    number: int
    before: Observation
    action: dict[str, Any]
    accepted: bool
    after: Observation

    @property
    def name(self) -> str:
        return f"{self.run} step {self.number}: {self.action}"


def steps() -> Iterator[Step]:
    """Every recorded action with the state it was chosen on and the state it led to."""
    for path in runs():
        before: Observation | None = None
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            after = parse_state(decode(json.dumps(record["state"]).encode()))
            if record["action"] is not None and before is not None:
                accepted = record["post_result"]["status"] == "ok"
                yield Step(path.stem, record["step"], before, record["action"], accepted, after)
            before = after
