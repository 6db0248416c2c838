"""The decision model's chair in a fight: asked once for a whole line, which is then followed as long as it comes true.

Survival and certainty stay with code: only surviving lines are offered, a certain win and a single line are not asked
about, and an answer acts only through the gate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final, Literal

from spire_mcp.combat import Threat
from spire_mcp.game.identity import digest
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.policy.answers import NotBelievedError
from spire_mcp.policy.candidates import Candidate, Candidates, candidates
from spire_mcp.policy.choosing import under
from spire_mcp.policy.consulting import Consultant
from spire_mcp.policy.following import Following, follow
from spire_mcp.policy.gate import judge, program_decides
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.policy.questions import PROMPT_VERSION, ask
from spire_mcp.policy.shortlist import shortlist
from spire_mcp.policy.solver import Decision, Handover, decide, still_wanted
from spire_mcp.policy.telling import Said, decision_record, distribution, unavailable_brief

_MOST_DIFFERENCES: Final = 12

_COSTS: Final = frozenset({"deadline", "battle_tokens", "price"})
"""limits that change what a decision may cost, and never the decision"""

Note = Callable[[str, Mapping[str, object]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The line being played, who chose it, and how many steps it has."""

    following: Following
    by: Literal["program", "model"]
    why: str
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """What the program found out about a turn before anyone is asked."""

    observation: Observation
    found: Candidates
    danger: Threat

    def handover(self, reason: str, why: str, more: Mapping[str, object]) -> Handover:
        return Handover(reason=reason, why=why, found=self.found, danger=self.danger, more=more)


def _no_note(_kind: str, _record: Mapping[str, object]) -> None:
    return None


@dataclass(slots=True, kw_only=True)
class ModelChooser:
    """Chooses with a decision model in one call of `battle`.

    Args:
        consultant: asks the model and keeps account.
        nodes: boards that a turn's search may visit.
        strict: whether every answer that fails the gate is handed over.
        note: journals something that is not an action.
        guide: the strategy that constrains the menu.
    """

    consultant: Consultant
    nodes: int
    strict: bool = False
    note: Note = _no_note
    guide: Guide | None = None
    _line: _Line | None = field(default=None, init=False)

    @property
    def identity(self) -> str:
        """Model, prompt and thresholds: with another of these, a state that was decided before is a new one."""
        deciding = sorted((name, value) for name, value in asdict(self._limits).items() if name not in _COSTS)
        settings = digest(repr((deciding, self.strict)), 8)
        return under(f"jev:{self.consultant.model.asked_for}:p{PROMPT_VERSION}:{settings}", self.guide)

    @property
    def _limits(self) -> AskingLimits:
        return self.consultant.limits

    def usage(self) -> dict[str, object]:
        """The `model` object of the result."""
        return self.consultant.usage()

    def acted(self) -> None:
        """The last step was performed and proved: the line goes on behind it."""
        if self._line is not None:
            following = self._line.following.stepped()
            self._line = None if following.over else replace(self._line, following=following)

    def choose(self, observation: Observation) -> Decision | Handover:
        """The line's next step while it comes true, or a new line."""
        if self._line is not None:
            going_on = self._go_on(self._line, observation)
            if going_on is not None:
                return going_on
        chosen = decide(observation, nodes=self.nodes, guide=self.guide)
        if isinstance(chosen, Handover) or chosen.found is None or chosen.danger is None:
            return chosen
        turn = _Turn(observation=observation, found=chosen.found, danger=chosen.danger)
        best = turn.found.survivors[0]
        menu = shortlist(turn.found, self._limits.options)
        if best.line.outcome.wins or len(menu) == 1:
            return self._begin(best, turn.found, chosen)
        return self._ask(turn, menu)

    def _go_on(self, line: _Line, observation: Observation) -> Decision | None:
        step = line.following.done + 1
        following = line.following.resumed(observation)
        differences = following if isinstance(following, tuple) else ("its next step cannot be taken",)
        option = None if isinstance(following, tuple) else following.option(observation)
        if option is not None and not still_wanted(option, observation, nodes=self.nodes, guide=self.guide):
            self._line = None  # the line was chosen for its first step; the strategy wants something else now
            return None
        if option is not None and not isinstance(following, tuple):
            self._line = replace(line, following=following)
            record: dict[str, object] = {"why": line.why, "line_step": step, "line_steps": line.of}
            return Decision(option=option, why=line.why, record=record, by=line.by)
        self._line = None
        # A line that said what it does not know has not been wrong about it.
        open_ends = line.following.predicted.unknown
        record = {
            "state_id": observation.state_id,
            "reason": "; ".join(differences[:2]),
            "line_step": step,
            "line_steps": line.of,
            "chosen_by": line.by,
            "differences": list(differences[:_MOST_DIFFERENCES]),
            "unknown": list(open_ends),
        }
        self.note("line_ended" if open_ends else "misprediction", record)
        return None

    def _begin(self, candidate: Candidate, found: Candidates, chosen: Decision) -> Decision:
        following = follow(candidate, found)
        if following is not None:
            steps = len(following.plays) + following.ends_turn
            self._line = _Line(following=following, by=chosen.by, why=chosen.why, of=steps)
        return chosen

    def _ask(self, turn: _Turn, menu: Sequence[Candidate]) -> Decision | Handover:
        asked = ask(turn.observation, turn.found, menu, most_tokens=self._limits.request_tokens)
        spent = self.consultant.over_budget(asked)
        if spent is not None:
            return turn.handover("token_budget", spent, {})
        try:
            answer, place = self.consultant.consult(turn.observation.state_id, asked)
        except NotBelievedError as error:
            return turn.handover("model_unavailable", error.why, unavailable_brief(error))
        said = Said(asked=asked, answer=answer, verdict=judge(answer.orders, self._limits), place=place)
        return self._potion_needed(turn, said) or self._decided(turn, said)

    def _decided(self, turn: _Turn, said: Said) -> Decision | Handover:
        """The one way from an answer to an action."""
        verdict = said.verdict
        if verdict.passed:
            candidate = said.asked.lines[verdict.leader]
            why = f"the model's choice, share {verdict.share:.2f}; {'; '.join(candidate.evaluation.reasons[:2])}"
            record = decision_record(said, turn.found, why)
            return self._begin(
                candidate, turn.found, Decision(option=candidate.option, why=why, record=record, by="model")
            )
        player = turn.observation.player
        offered = sorted(said.asked.lines.values(), key=lambda one: one.evaluation.score, reverse=True)
        max_hp = player.max_hp if player is not None else 0
        program = None if self.strict else program_decides(offered, max_hp, said.answer.danger, self._limits)
        if program is None:
            return turn.handover("low_confidence", verdict.why, distribution(said, turn.found))
        best = offered[0]
        why = f"{program}; {'; '.join(best.evaluation.reasons[:2])}"
        return self._begin(
            best, turn.found, Decision(option=best.option, why=why, record=decision_record(said, turn.found, why))
        )

    def _potion_needed(self, turn: _Turn, said: Said) -> Handover | None:
        """A potion that the model finds needed is the planner's to spend, if code sees that it saves something."""
        player, answer, limits = turn.observation.player, said.answer, self._limits
        lost = turn.found.survivors[0].line.outcome.hp_lost
        if player is None or answer.potion < limits.potion_need or answer.danger < limits.danger:
            return None
        if lost < limits.potion_loss * player.hp or not any(potion.can_use_in_combat for potion in player.potions):
            return None
        options = list_options(turn.observation)
        wider = candidates(turn.observation, options, nodes=self.nodes, use_potions=True)
        saving = tuple(
            one
            for one in wider.survivors
            if any(play.potion_slot is not None for play in one.line.plays) and one.line.outcome.hp_lost < lost
        )
        if not saving:
            return None
        why = f"the model finds a potion needed ({answer.potion:.2f}), and a line with one loses less HP"
        found = replace(wider, ranked=saving)
        return replace(turn, found=found).handover("potion_decision", why, distribution(said, turn.found))
