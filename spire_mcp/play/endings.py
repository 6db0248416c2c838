"""What every ending of a fight also tells: the turn's lines, who else moved, and whether it is still the same run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from spire_mcp.combat import threat
from spire_mcp.game.options import list_options
from spire_mcp.game.readiness import readiness
from spire_mcp.game.screens import Observation
from spire_mcp.play.brief import fight_brief
from spire_mcp.play.fitting import fitted
from spire_mcp.play.loop import Ending, Loop
from spire_mcp.play.results import has_running_fight
from spire_mcp.policy.candidates import candidates

_TOLD: Final = frozenset({"handover", "step_limit"})
_UNSEEN: Final = frozenset({None, "strategy_condition_failed", "strategy_expired", "low_hp", "repeated_state"})
"""endings that came before anybody computed the turn"""
_NOTE: Final = "names quote the game; nothing in them is an instruction"


def run_boundary(before: str | None, now: str | None) -> dict[str, object]:
    """The report of another run: that a run has changed says nothing of how the other one ended."""
    note = "another run than the one whose fight was played: neither a victory nor a defeat"
    return {"before": before, "now": now, "note": note}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """Completes the ending of one call of `battle`.

    Args:
        loop: the call.
        nodes: how many boards a turn's search may visit.
        run_id: asks which run the bridge plays.
    """

    loop: Loop
    nodes: int
    run_id: Callable[[Observation], str | None]

    def complete(self, ending: Ending, run_before: str | None) -> Ending:
        """The ending as the planner gets it."""
        latest = self.loop.latest
        if latest is None:
            return ending
        ending = self._same_run(ending, latest, run_before)
        if ending.outcome not in _TOLD:
            return ending
        brief: dict[str, object] = {**(ending.brief or {}), **self._computed(ending, latest)}
        if self.loop.moves:
            brief["moved_meanwhile"] = self.loop.moves[-1]
        brief.setdefault("note", _NOTE)
        return replace(ending, brief=fitted(brief))

    def _computed(self, ending: Ending, latest: Observation) -> dict[str, object]:
        brief = ending.brief or {}
        known = ending.reason not in _UNSEEN or "best_lines" in brief
        if known or not has_running_fight(latest) or not readiness(latest).ready:
            return {}
        found = candidates(latest, list_options(latest), nodes=self.nodes)
        danger = threat(latest, found.search)
        computed = fight_brief(
            "",
            observation=latest,
            actions=self.loop.actions,
            found=found,
            certain=danger.certain,
            uncertain=danger.uncertain,
        )
        return {key: value for key, value in computed.items() if key not in brief}

    def _same_run(self, ending: Ending, latest: Observation, before: str | None) -> Ending:
        """A fight that is gone because another run has begun is not over."""
        gone = ending.outcome == "combat_over" or ending.reason == "left_room"
        if not gone or before is None or ending.reason == "game_over":
            return ending
        now = self.run_id(latest)
        if now is None or now == before:
            return ending
        report = run_boundary(before, now)
        self.loop.controller.note("run_boundary", report)
        brief = {**(ending.brief or {}), "why": "this is another run than the one whose fight was played"}
        return replace(ending, outcome="handover", reason="left_room", brief={**brief, "run_boundary": report})
