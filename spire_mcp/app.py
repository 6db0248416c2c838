"""What a caller can ask for: each method is one command, and turns every error into a result object."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spire_mcp.errors import BridgeError, SpireError, StaleStateError, UsageError
from spire_mcp.game.screens import Observation
from spire_mcp.play.advance import advance
from spire_mcp.play.battle import Battle
from spire_mcp.play.guiding import choose_saved
from spire_mcp.play.loop import Loop, Progress, Stop, never, no_progress, run
from spire_mcp.play.plan import plan, preview
from spire_mcp.play.results import View, act_result, failure, refusal, state_result, unsettled
from spire_mcp.play.since import lost_sight, saw, since_last
from spire_mcp.policy.choosing import Chooser, no_usage
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.packet import Packet
from spire_mcp.reading_desk import ReadingDesk
from spire_mcp.settings import Policy
from spire_mcp.strategy_desk import StrategyDesk, packet_of

if TYPE_CHECKING:
    pass

MAX_STEPS: Final = 100
BATTLE_STEPS: Final = 60
ADVANCE_STEPS: Final = 20

Result = dict[str, object]
Cancelled = Callable[[], bool]


@dataclass(kw_only=True)
class App(StrategyDesk, ReadingDesk):
    """Everything that one process can do for one bridge.

    Each public method returns a result object of interface section 3; a SpireError becomes its `error`.
    """

    def state(self, *, view: View = "compact") -> Result:
        """Read the game and say what it shows; sends nothing and takes no lock."""
        try:
            reading = self.controller.look()
            result = self._state(reading.observation, view=view)
        except SpireError as error:
            return failure(error)
        if not reading.settled:
            return unsettled(result, reading.waiting_for, self.settings.limits.settle)
        return result

    def _state(self, observation: Observation, *, view: View = "compact") -> Result:
        run_id = self.run_id(observation)
        return state_result(
            observation,
            fight_owner=self.fight_owner,
            halted=self.controller.stopped(),
            run_id=run_id,
            view=view,
            deck=self.decks.view_of(observation, run_id),
        )

    def _state_or_nothing(self) -> Result | None:
        try:
            return self._state(self.controller.look().observation)
        except SpireError:
            return None

    def act(self, state_id: str, option_id: str) -> Result:
        """One verified action."""
        try:
            with self.controller.acting("act") as executor:
                act = executor.act(state_id, option_id, by="planner")
                self.decks.see(act.before, self.run_id(act.before))
                self.decks.acted(act.before, act.option)
                self.doubts.learn(act)
                if act.after is not None and act.settled and act.outcome != "unknown":
                    saw(self.folder, act.after, self.run_id(act.after))
                else:
                    lost_sight(self.folder)
        except SpireError as error:
            state = None if isinstance(error, BridgeError) else self._state_or_nothing()
            return refusal(error, state_id, option_id, state)
        state = self._state(act.after) if act.after is not None else None
        return act_result(act, state)

    def battle(
        self,
        *,
        max_steps: int | None = None,
        packet: bytes | object | None = None,
        policy: Policy | None = None,
        strict: bool = False,
        progress: Progress = no_progress,
        cancelled: Cancelled = never,
    ) -> Result:
        """Play the current fight until a handover, its end, or a stop.

        Args:
            max_steps: most actions; 60 if left out.
            packet: a strategy packet, as the bytes of a file or as decoded JSON. Without one, the strategies that were
                saved for this run are looked at.
            policy: who plays; the setting if left out.
            strict: hand over every model answer that fails the gate.
            progress: called after each verified action.
            cancelled: asked between actions.
        """
        chooser: Chooser | None = None
        try:
            steps = _checked_steps(max_steps, BATTLE_STEPS)
            policy = self.policy(policy)
            parsed = None if packet is None else packet_of(packet)
            with self._loop("battle", progress, cancelled) as loop:
                try:
                    noticed = self._noticed(loop)
                    guide, skipped = self._guide(loop, parsed)
                except Stop as stop:
                    return {**loop.finish(stop.ending, kind="battle"), "model": no_usage()}
                chooser = self.chooser(policy, strict=strict, guide=guide)
                loop.model_use = chooser.usage
                battle = Battle(
                    loop=loop,
                    settings=self.settings.battle,
                    chooser=chooser,
                    run_id=self.run_id,
                    max_steps=steps,
                    guide=guide,
                )
                result = run(loop, "battle", battle.play)
                strategy = {"strategy": guide.to_dict()} if guide is not None else {}
                passed_over = {"strategies_not_applied": skipped} if skipped else {}
                return {**result, **strategy, **passed_over, **noticed, "model": chooser.usage()}
        except SpireError as error:
            return {**self._loop_failure(error), "model": chooser.usage() if chooser is not None else no_usage()}
        finally:
            self.close_model()

    def _guide(self, loop: Loop, packet: Packet | None) -> tuple[Guide | None, list[Result]]:
        """The strategy of this call, and the saved ones that are not applied with the reason.

        Raises:
            StaleStateError: the packet was written on another state.
            Stop: a saved strategy cannot be judged, so the turn is the planner's.
        """
        if packet is None and not self.strategies.any():
            return None, []
        observation = loop.settle()
        loop.at_rest = True
        if packet is not None:
            if packet.expected_state_id != observation.state_id:
                raise StaleStateError(f"the packet is for {packet.expected_state_id}, the game is in another state")
            return Guide(strategy=packet.strategy, source="packet").started(observation), []
        return choose_saved(self.strategies, observation, self.run_id(observation))

    def _noticed(self, loop: Loop) -> Result:
        """What has happened to the game since the last call of ours, as far as the files tell."""
        observation = loop.settle()
        loop.at_rest = True
        found = since_last(self.folder, observation, self.run_id(observation))
        for kind, noticed in found.items():
            self.controller.note(kind, noticed)
        return dict(found)

    def advance(
        self, *, max_steps: int | None = None, progress: Progress = no_progress, cancelled: Cancelled = never
    ) -> Result:
        """Take mechanical steps and stop at the first decision."""
        try:
            steps = _checked_steps(max_steps, ADVANCE_STEPS)
            with self._loop("advance", progress, cancelled) as loop:
                return run(loop, "advance", lambda: advance(loop, steps))
        except SpireError as error:
            return self._loop_failure(error)

    def preview(self, state_id: str, steps: Sequence[str]) -> Result:
        """What a line of options would do; sends nothing."""
        try:
            reading = self.controller.look()
            return preview(reading, state_id, steps)
        except SpireError as error:
            return failure(error)

    def plan(
        self, state_id: str, steps: Sequence[str], *, progress: Progress = no_progress, cancelled: Cancelled = never
    ) -> Result:
        """Perform a line of options, each step verified."""
        try:
            with self._loop("plan", progress, cancelled) as loop:
                return run(loop, "plan", lambda: plan(loop, state_id, steps))
        except SpireError as error:
            return self._loop_failure(error)

    @contextmanager
    def _loop(self, purpose: str, progress: Progress, cancelled: Cancelled) -> Generator[Loop]:
        with self.controller.acting(purpose) as executor:
            loop = Loop(
                controller=self.controller,
                executor=executor,
                fight_owner=self.fight_owner,
                decks=self.decks,
                doubts=self.doubts,
                show=self._state,
                deck=lambda observation: self.decks.view_of(observation, self.run_id(observation)),
                run_id=self.run_id,
                progress=progress,
                cancelled=cancelled,
            )
            yield loop
            if loop.rested is not None:
                saw(self.folder, loop.rested, self.run_id(loop.rested))
            else:
                lost_sight(self.folder)

    def _loop_failure(self, error: SpireError) -> Result:
        """The result of a loop that could not begin."""
        outcome = "halted" if error.code == "halted" else "error"
        return {
            "ok": False,
            "outcome": outcome,
            "reason": None,
            "steps": 0,
            "actions": [],
            "brief": None,
            "state": None if isinstance(error, BridgeError) else self._state_or_nothing(),
            "error": error.to_dict(),
        }

    def clear_halt(self, state_id: str) -> Result:
        """Lift HALTED when the settled game is in the named state."""
        try:
            cleared = self.controller.clear_halt(state_id)
            return {
                "ok": True,
                "outcome": "cleared" if cleared.marker is not None else "not_halted",
                "was": dict(cleared.marker) if cleared.marker is not None else None,
                "state": self._state(cleared.observation),
            }
        except SpireError as error:
            return failure(error)

    def halt(self, reason: str) -> Result:
        """Stop the port by hand."""
        try:
            return {"ok": True, "outcome": "halted", "halted": self.controller.halt(reason[:500])}
        except SpireError as error:
            return failure(error)


def _checked_steps(steps: int | None, default: int) -> int:
    if steps is None:
        return default
    if not 1 <= steps <= MAX_STEPS:
        raise UsageError(f"MAX_STEPS is {steps}", fix=f"Give a whole number from 1 to {MAX_STEPS}.")
    return steps
