"""Who fights in an evaluation: plain rules, the solver, and the decision model's chair with a script in it.

Nobody stands behind a player to take a handover. It is counted, and the best line that the program knows is played as
far as it comes true.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from spire_mcp.game.options import Option
from spire_mcp.game.screens import Observation
from spire_mcp.policy.answers import Reply
from spire_mcp.policy.asking import ModelChooser
from spire_mcp.policy.choosing import Chooser, SolverChooser
from spire_mcp.policy.consulting import Consultant
from spire_mcp.policy.following import Following, follow
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.policy.solver import Decision
from spire_mcp.practice.scripted_model import NAME, Script, answer


class Player(Protocol):
    """Plays one fight, and says what it took."""

    @property
    def request_tokens(self) -> list[int]:
        """The size of each request to a model."""
        ...

    @property
    def handovers(self) -> Counter[str]:
        """Handovers by reason."""
        ...

    def play(self, observation: Observation, options: tuple[Option, ...]) -> Option:
        """The next step; it is always performed."""
        ...


@dataclass(slots=True)
class FunctionPlayer:
    """A rule without memory."""

    rule: Callable[[Observation, tuple[Option, ...]], Option]
    request_tokens: list[int] = field(default_factory=list[int])
    handovers: Counter[str] = field(default_factory=Counter[str])

    def play(self, observation: Observation, options: tuple[Option, ...]) -> Option:
        """What the rule says."""
        return self.rule(observation, options)


class _ChooserPlayer:
    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self.request_tokens: list[int] = []
        self.handovers: Counter[str] = Counter()
        self._stand_in: Following | None = None

    def play(self, observation: Observation, options: tuple[Option, ...]) -> Option:
        """What the chooser decides, as `battle` would act on it."""
        if self._stand_in is not None:
            resumed = self._stand_in.resumed(observation)
            option = None if isinstance(resumed, tuple) else resumed.option(observation)
            if option is not None and not isinstance(resumed, tuple):
                self._follow(resumed)
                return option
            self._stand_in = None
        chosen = self._chooser.choose(observation)
        if isinstance(chosen, Decision):
            self._chooser.acted()
            return chosen.option
        self.handovers[chosen.reason] += 1
        ranked = chosen.found.survivors or chosen.found.ranked
        if not ranked:
            return next(option for option in options if option.action == "end_turn")
        self._follow(follow(ranked[0], chosen.found))
        return ranked[0].option

    def _follow(self, line: Following | None) -> None:
        going_on = line.stepped() if line is not None else None
        self._stand_in = None if going_on is None or going_on.over else going_on


class SolverPlayer(_ChooserPlayer):
    """The program's own choice."""

    def __init__(self, *, nodes: int) -> None:
        super().__init__(SolverChooser(nodes=nodes))


class ModelPlayer(_ChooserPlayer):
    """The decision model's chair with a scripted model; answers pass the same checks and the same gate."""

    def __init__(self, *, script: Script, nodes: int, limits: AskingLimits | None = None) -> None:
        consultant = Consultant(
            model=_Scripted(script), limits=limits or AskingLimits(), write=self._seen, seconds=lambda: 0.0
        )
        super().__init__(ModelChooser(consultant=consultant, nodes=nodes))

    def _seen(self, entry: Mapping[str, object]) -> None:
        estimate = entry["estimate"]
        assert isinstance(estimate, int)
        self.request_tokens.append(estimate)


@dataclass(slots=True)
class _Scripted:
    """A scripted model without a socket in between."""

    script: Script
    asked_for: str = NAME
    _asked: int = 0

    def ask(self, state: Mapping[str, object], questions: Mapping[str, Mapping[str, object]]) -> Reply:
        """Answer at once."""
        self._asked += 1
        body: dict[str, Any] = json.loads(json.dumps({"state": state, "questions": questions}))
        said = answer(body, self.script, self._asked)
        return Reply(model=said["model"], input_tokens=said["usage"]["input_tokens"], answers=said["answers"])
