"""Decision models for tests: scripted ones in process, and the product at a table with one behind HTTP."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from spire_mcp.game.screens import Observation
from spire_mcp.policy.answers import Reply
from spire_mcp.policy.asking import ModelChooser
from spire_mcp.policy.candidates import Candidates, candidates
from spire_mcp.policy.consulting import Consultant
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.practice.model_server import ModelServer
from spire_mcp.practice.scripted_model import Script, answer
from tests.tables import InProcess

Json = dict[str, Any]
KEY = "sk-test-4f1c9d0a77"
NODES = 12_000


class Told:
    """Answers as its script says, after `change` has had a hand in it; keeps what it was asked."""

    def __init__(self, script: Script | None = None, change: Callable[[Json], Json] = lambda said: said) -> None:
        self.asked_for = "told"
        self.script = script or Script()
        self.change = change
        self.asked: list[Json] = []

    def ask(self, state: Mapping[str, object], questions: Mapping[str, Mapping[str, object]]) -> Reply:
        body: Json = json.loads(json.dumps({"state": state, "questions": questions}))
        self.asked.append(body)
        said = self.change(answer(body, self.script, len(self.asked)))
        return Reply(model=said["model"], input_tokens=said["usage"]["input_tokens"], answers=said["answers"])


def chooser(model: Told, *, strict: bool = False, notes: list[Json] | None = None, **limits: Any) -> ModelChooser:
    def note(kind: str, record: Mapping[str, object]) -> None:
        if notes is not None:
            notes.append({"kind": kind, **record})

    consultant = Consultant(model=model, limits=AskingLimits(**limits), seconds=lambda: 0.0)
    return ModelChooser(consultant=consultant, nodes=NODES, strict=strict, note=note)


def found_on(observation: Observation) -> Candidates:
    from spire_mcp.game.options import list_options

    return candidates(observation, list_options(observation), nodes=NODES)


def table_with(folder: Path, model: ModelServer, *, seed: str = "demo", **settings: Any) -> InProcess:
    """The product on a practice game, with a key for a model service on this machine."""
    more: Json = {"policy": "auto", "api_key": KEY, "model_url": model.url, **settings}
    return InProcess(folder, seed=seed, **more)
