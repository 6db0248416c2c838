"""The composition root: wires settings, wire, controller and loops, and turns every error into a result object."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.combat import forecast
from spire_mcp.control import Controller
from spire_mcp.control.clock import Clock, SystemClock
from spire_mcp.control.journal import anything
from spire_mcp.control.journal import last as last_records
from spire_mcp.control.storage import PortFolder
from spire_mcp.doctor import examine
from spire_mcp.errors import BridgeError, SpireError, UsageError
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.play.advance import advance
from spire_mcp.play.battle import Battle
from spire_mcp.play.deck_memory import DeckMemory
from spire_mcp.play.loop import Loop, Progress, never, no_progress, run
from spire_mcp.play.plan import plan, preview
from spire_mcp.play.results import View, act_result, failure, refusal, state_result, unsettled
from spire_mcp.policy.route import Owner, route
from spire_mcp.settings import Policy, Settings

if TYPE_CHECKING:
    from spire_mcp.review.watching import WatchServer

MAX_STEPS: Final = 100
BATTLE_STEPS: Final = 60
ADVANCE_STEPS: Final = 20

Result = dict[str, object]
Cancelled = Callable[[], bool]


@dataclass(kw_only=True)
class App:
    """Everything one process needs to serve one bridge.

    Each public method returns a result object of interface section 3; a SpireError becomes its `error`.
    """

    settings: Settings
    clock: Clock = field(default_factory=SystemClock)

    @cached_property
    def client(self) -> BridgeClient:
        """The bridge's client; checks that the address is loopback."""
        return BridgeClient(BridgeAddress.parse(self.settings.bridge), self.settings.wire)

    @cached_property
    def controller(self) -> Controller:
        """The controller of the bridge's port."""
        return Controller(
            folder=PortFolder(self.settings.state_dir, BridgeAddress.parse(self.settings.bridge).port),
            clock=self.clock,
            limits=self.settings.limits,
            reader=self.client,
            sender=self.client,
            forecast=forecast,
            permits=lambda option: self.settings.permits(option.id),
        )

    def close(self) -> None:
        """Close the connections to the bridge, if there were any."""
        if "client" in self.__dict__:
            self.client.close()

    def policy(self, asked: Policy | None = None) -> Policy:
        """The policy in use: what was asked for, or the setting; `auto` is the solver while no model is wired."""
        policy = asked or self.settings.policy
        if policy == "jev":
            raise UsageError("this version has no decision model", fix="Use --policy solver, or auto.")
        return "solver"

    @property
    def fight_owner(self) -> Owner:
        """Who plays fights."""
        return "program"

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
        run_id = self._run_id(observation)
        return state_result(
            observation,
            fight_owner=self.fight_owner,
            halted=self.controller.stopped(),
            run_id=run_id,
            view=view,
            deck=self._decks.view_of(observation, run_id),
        )

    @property
    def _decks(self) -> DeckMemory:
        return DeckMemory(self.controller.folder)

    def _run_id(self, observation: Observation) -> str | None:
        """The run identity that the bridge reports; None when it cannot say, which is never an error here."""
        if observation.run is None:
            return None
        try:
            return self.client.run_identity()
        except BridgeError:
            return None

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
                self._decks.see(act.before, self._run_id(act.before))
                self._decks.acted(act.before, act.option)
        except SpireError as error:
            state = None if isinstance(error, BridgeError) else self._state_or_nothing()
            return refusal(error, state_id, option_id, state)
        state = self._state(act.after) if act.after is not None else None
        return act_result(act, state)

    def battle(
        self,
        *,
        max_steps: int | None = None,
        packet: Path | None = None,
        policy: Policy | None = None,
        strict: bool = False,
        progress: Progress = no_progress,
        cancelled: Cancelled = never,
    ) -> Result:
        """Play the current fight until a handover, its end, or a stop."""
        del strict
        model: Result = {"name": None, "requests": 0, "input_tokens": 0, "cost_usd": 0.0, "seconds": 0.0}
        try:
            steps = _checked_steps(max_steps, BATTLE_STEPS)
            self.policy(policy)
            if packet is not None:
                raise UsageError("this version takes no strategy packets", fix="Call `battle` without a packet.")
            with self._loop("battle", progress, cancelled) as loop:
                battle = Battle(loop=loop, settings=self.settings.battle, run_id=self._run_id, max_steps=steps)
                return {**run(loop, "battle", battle.play), "model": model}
        except SpireError as error:
            return {**self._loop_failure(error), "model": model}

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
            yield Loop(
                controller=self.controller,
                executor=executor,
                fight_owner=self.fight_owner,
                decks=self._decks,
                show=self._state,
                progress=progress,
                cancelled=cancelled,
            )

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

    def status(self) -> Result:
        """Lock, HALTED, in-flight record, last outcome, bridge and policy."""
        try:
            files = self.controller.status()
            bridge: Result = {"url": self.settings.bridge, "reachable": True, "version": None, "error": None}
            try:
                bridge["version"] = self.client.ping()
            except BridgeError as error:
                bridge.update(reachable=error.code != "bridge_unreachable", error=error.to_dict())
            return {"ok": True, "outcome": "status", **files, "bridge": bridge, "policy": self.policy()}
        except SpireError as error:
            return failure(error)

    def doctor(self) -> Result:
        """Everything a new user gets wrong, each with its fix; a finding is never an `error`."""
        return examine(self.settings, bridge=lambda: self.client, policy=self.policy, now=self.clock.timestamp())

    def last_outcome(self) -> Result:
        """The newest action record, for a caller whose answer was lost."""
        try:
            record = self.controller.status()["last_outcome"]
        except SpireError as error:
            return failure(error)
        return {"ok": True, "outcome": "last_outcome", "last_outcome": record}

    def report(self, out: Path) -> Result:
        """One page from this port's journal."""
        from spire_mcp.review.reporting import report

        try:
            return report(self.controller.folder.journal, out)
        except SpireError as error:
            return failure(error)

    def history(self, files: Sequence[Path], out: Path | None = None) -> Result:
        """The game's own run files, joined to the journals of every port where they name the same run."""
        from spire_mcp.review.history import history
        from spire_mcp.review.records import read_journal
        from spire_mcp.review.story import tell

        try:
            journals = sorted(self.settings.state_dir.glob("ports/*/journal.jsonl"))
            known = [run_id for path in journals for run_id in tell(read_journal(path)).run_ids]
            return history(files, known=known, out=out)
        except SpireError as error:
            return failure(error)

    def watch(self, port: int | None) -> "WatchServer":
        """The live page of this port, bound and not yet serving.

        Raises:
            SpireError: it cannot be served.
        """
        from spire_mcp.review.live import Window
        from spire_mcp.review.watching import WatchServer

        folder = self.controller.folder
        window = Window(
            folder=folder,
            read=lambda: self.client.read_state(),
            owner=lambda seen: route(seen, list_options(seen), self.fight_owner).to_dict(),
        )
        return WatchServer(folder=folder, window=window, halt=self.controller.halt, port=port)

    def journal(
        self, *, last: int, follow: bool = False, wanted: Callable[[Mapping[str, object]], bool] = anything
    ) -> Iterator[Result]:
        """The newest records that are wanted, oldest first; with `follow`, new ones as they are written.

        Raises:
            StorageError: the journal cannot be read.
        """
        path = self.controller.folder.journal
        seen = 0
        for record in last_records(path, last, wanted) if last else []:
            seen = _seq(record)
            yield record
        while follow:
            self.clock.wait(0.2)
            for record in last_records(path, 200):
                if _seq(record) > seen:
                    seen = _seq(record)
                    if wanted(record):
                        yield record


def _seq(record: Result) -> int:
    seq = record.get("seq")
    return seq if isinstance(seq, int) else 0


def _checked_steps(steps: int | None, default: int) -> int:
    if steps is None:
        return default
    if not 1 <= steps <= MAX_STEPS:
        raise UsageError(f"MAX_STEPS is {steps}", fix=f"Give a whole number from 1 to {MAX_STEPS}.")
    return steps
