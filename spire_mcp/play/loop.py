"""What the loops share: steps done, progress, cancellation, and how a loop ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from spire_mcp.control import Act, Controller, Executor
from spire_mcp.control.standing import standing
from spire_mcp.errors import BridgeError, HaltedError, NotSettledError, SpireError, StaleStateError
from spire_mcp.game.deck import DeckEvidence
from spire_mcp.game.screens import Observation
from spire_mcp.play.deck_memory import DeckMemory
from spire_mcp.play.doubts import Doubts
from spire_mcp.play.results import loop_result, step
from spire_mcp.policy.route import Owner

Progress = Callable[[dict[str, object]], None]
"""Called after each verified step with the step and the state it led to."""


def no_progress(_: dict[str, object]) -> None:
    """Progress that nobody watches."""


def no_model() -> Mapping[str, object] | None:
    """A loop that asks no model."""
    return None


_MOST_MOVES: Final = 5


def never() -> bool:
    """A loop that nobody cancels."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Why a loop stopped. `error` is None for handovers and other normal ends."""

    outcome: str
    reason: str | None = None
    brief: dict[str, object] | None = None
    error: SpireError | None = None


class Stop(Exception):  # noqa: N818 - it is no error; it carries the ending out of the step that found it
    """Leaves a loop with an ending."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.outcome)
        self.ending = ending


def hand_over(reason: str, brief: dict[str, object]) -> Stop:
    """Give the decision to the planner."""
    return Stop(Ending(outcome="handover", reason=reason, brief=brief))


@dataclass(slots=True, kw_only=True)
class Loop:
    """One running call of `battle`, `advance` or `plan`: acts, counts, and tells its story."""

    controller: Controller
    executor: Executor
    fight_owner: Owner
    decks: DeckMemory
    doubts: Doubts
    show: Callable[[Observation], dict[str, object]]
    """the state as `state` prints it"""
    deck: Callable[[Observation], DeckEvidence | None]
    """the deck, where it is known on that screen"""
    progress: Progress = no_progress
    cancelled: Callable[[], bool] = never
    actions: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    latest: Observation | None = None
    at_rest: bool = False
    """whether `latest` was at rest when the last action was proved on it"""
    rested: Observation | None = None
    """the newest state that was at rest when it was read"""
    moves: list[str] = field(default_factory=list[str])
    """each time that somebody else moved the board between a decision and its action, in words"""
    run_id: Callable[[Observation], str | None]
    """the run as the bridge names it, for the record of the end"""
    model_use: Callable[[], Mapping[str, object] | None] = no_model
    """what the decision model has cost so far, for the record of the end"""

    def settle(self) -> Observation:
        """The game at rest, or the end of the loop. Cancellation and HALTED are looked at here, between two steps."""
        self.check_cancelled()
        try:
            self.executor.check_not_halted()
            # What the last action was proved on was at rest; the executor settles once more before it sends.
            if not self.at_rest or self.latest is None:
                self.latest = self.rested = self.executor.settle()
            self.at_rest = False
        except NotSettledError as error:
            raise hand_over("not_settled", {"why": error.message, "what_now": error.fix}) from error
        return self.latest

    def check_cancelled(self) -> None:
        """End the loop when its caller has cancelled it; only between two steps."""
        if self.cancelled():
            raise hand_over("cancelled", {"why": "the call was cancelled between two steps; nothing is in flight"})

    def act(
        self, option_id: str, *, by: str, decision: Mapping[str, object] | None = None, why: str | None = None
    ) -> Act | None:
        """One verified action on the latest state; anything but verified ends the loop.

        None when somebody else moved the board after the decision: nothing was sent, and the caller looks again.
        """
        assert self.latest is not None
        try:
            act = self.executor.act(self.latest.state_id, option_id, by=by, decision=decision)
        except StaleStateError as error:
            self.moves.append(f"somebody else moved the board before {option_id} was sent: {error.message}")
            self.controller.note("moved_by_others", {"state_id": self.latest.state_id, "note": self.moves[-1]})
            if len(self.moves) > _MOST_MOVES:
                why = "something else keeps moving the board between looking and acting"
                raise hand_over("not_settled", {"why": why}) from error
            return None
        self.rested = act.after if act.settled and act.outcome != "unknown" else None
        if act.after is not None:
            self.latest = act.after
            self.at_rest = act.settled
        self.decks.acted(act.before, act.option)
        self.doubts.learn(act)
        if act.error is not None:
            raise Stop(_failed(act.error))
        entry = step(act, by)
        self.actions.append(entry)
        self.progress({**entry, "why": why})
        return act

    def finish(self, ending: Ending, *, kind: str) -> dict[str, object]:
        """Journal the end and build the result."""
        record: dict[str, object] = {
            "loop": kind,
            "outcome": ending.outcome,
            "reason": ending.reason,
            "steps": len(self.actions),
            "state_id": self.latest.state_id if self.latest else None,
            "brief": ending.brief,
            "error": ending.error.to_dict() if ending.error else None,
        }
        use = self.model_use()
        record["run_id"] = self.run_id(self.latest) if self.latest is not None else None
        record["board"] = standing(self.latest)
        record["model"] = dict(use) if use else None
        self.controller.note("handover" if ending.outcome == "handover" else "stop", record)
        state = self.show(self.latest) if self.latest is not None else None
        return loop_result(
            outcome=ending.outcome,
            reason=ending.reason,
            actions=self.actions,
            brief=ending.brief,
            state=state,
            error=ending.error,
        )


def _failed(error: SpireError) -> Ending:
    return Ending(outcome="halted" if isinstance(error, HaltedError) else "error", error=error)


def run(loop: Loop, kind: str, body: Callable[[], Ending]) -> dict[str, object]:
    """Run a loop's body to its ending, whatever ends it."""
    try:
        ending = body()
    except Stop as stop:
        ending = stop.ending
    except (HaltedError, BridgeError) as error:
        ending = _failed(error)
    except SpireError as error:
        ending = Ending(outcome="error", error=error)
    return loop.finish(ending, kind=kind)
