"""The composition root: wires settings, wire, controller and loops, and turns every error into a result object."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.combat import coverage, forecast
from spire_mcp.control import Controller
from spire_mcp.control.clock import Clock, SystemClock
from spire_mcp.control.journal import last as last_records
from spire_mcp.control.storage import PortFolder
from spire_mcp.doctor import examine
from spire_mcp.errors import BridgeError, SpireError, StaleStateError, UsageError
from spire_mcp.game.screens import Observation
from spire_mcp.play.advance import advance
from spire_mcp.play.battle import Battle
from spire_mcp.play.deck_memory import DeckMemory
from spire_mcp.play.doubts import DoubtingReader, Doubts
from spire_mcp.play.guiding import choose_saved, explain
from spire_mcp.play.lookup import entry
from spire_mcp.play.loop import Loop, Progress, Stop, never, no_progress, run
from spire_mcp.play.plan import plan, preview
from spire_mcp.play.results import View, act_result, failure, refusal, state_result, unsettled
from spire_mcp.play.since import lost_sight, saw, since_last
from spire_mcp.play.strategies import Strategies
from spire_mcp.policy.choosing import Chooser, SolverChooser, no_usage
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.packet import Packet, parse_packet, read_packet
from spire_mcp.policy.route import Owner
from spire_mcp.settings import Policy, Settings

if TYPE_CHECKING:
    from spire_mcp.policy.model_client import JevClient
    from spire_mcp.policy.transcript import Transcript

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
    def _folder(self) -> PortFolder:
        return PortFolder(self.settings.state_dir, BridgeAddress.parse(self.settings.bridge).port)

    @cached_property
    def _doubts(self) -> Doubts:
        return Doubts(self._folder)

    @cached_property
    def controller(self) -> Controller:
        """The controller of the bridge's port."""
        return Controller(
            folder=self._folder,
            clock=self.clock,
            limits=self.settings.limits,
            reader=DoubtingReader(self.client, self._doubts),
            sender=self.client,
            forecast=forecast,
            permits=lambda option: self.settings.permits(option.id),
        )

    def close(self) -> None:
        """Close the connections to the bridge, if there were any."""
        if "client" in self.__dict__:
            self.client.close()
        self._close_model()

    def _close_model(self) -> None:
        """A connection to the model lasts for one call of `battle`: between two of them anything may happen to it."""
        if "_model" in self.__dict__:
            self._model.close()

    def policy(self, asked: Policy | None = None) -> Policy:
        """The policy in use: what was asked for, or the setting; `auto` asks the model where one is configured.

        Raises:
            UsageError: the model was asked for and none is configured.
        """
        policy = asked or self.settings.policy
        configured = bool(self.settings.api_key or self.settings.model_url)
        if policy == "jev" and not configured:
            raise UsageError(
                "no decision model is configured",
                fix="Set TYPESAFE_API_KEY, or TYPESAFE_BASE_URL for a local service; or use --policy solver.",
            )
        return "jev" if policy != "solver" and configured else "solver"

    @property
    def fight_owner(self) -> Owner:
        """Who plays fights."""
        try:
            return "model" if self.policy() == "jev" else "program"
        except UsageError:
            return "program"

    @cached_property
    def _model(self) -> "JevClient":
        from spire_mcp.policy.model_client import JevClient

        settings = self.settings
        return JevClient(
            api_key=settings.api_key,
            base_url=settings.model_url,
            model=settings.model,
            deadline=settings.asking.deadline,
        )

    @cached_property
    def _transcript(self) -> "Transcript":
        from spire_mcp.policy.transcript import Transcript

        return Transcript(self.settings.state_dir, self.clock.timestamp(), self._model.hide)

    def _chooser(self, policy: Policy, *, strict: bool, guide: Guide | None) -> Chooser:
        if policy == "solver":
            return SolverChooser(nodes=self.settings.battle.search_nodes, guide=guide)
        from spire_mcp.policy.asking import ModelChooser
        from spire_mcp.policy.consulting import Consultant

        consultant = Consultant(
            model=self._model,
            limits=self.settings.asking,
            write=self._transcript.add,
            when=self.clock.timestamp,
        )
        nodes = self.settings.battle.search_nodes
        return ModelChooser(consultant=consultant, nodes=nodes, strict=strict, note=self.controller.note, guide=guide)

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
                self._doubts.learn(act)
                if act.after is not None and act.settled and act.outcome != "unknown":
                    saw(self._folder, act.after, self._run_id(act.after))
                else:
                    lost_sight(self._folder)
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
            parsed = None if packet is None else _packet(packet)
            with self._loop("battle", progress, cancelled) as loop:
                try:
                    noticed = self._noticed(loop)
                    guide, skipped = self._guide(loop, parsed)
                except Stop as stop:
                    return {**loop.finish(stop.ending, kind="battle"), "model": no_usage()}
                chooser = self._chooser(policy, strict=strict, guide=guide)
                battle = Battle(
                    loop=loop,
                    settings=self.settings.battle,
                    chooser=chooser,
                    run_id=self._run_id,
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
            self._close_model()

    def _guide(self, loop: Loop, packet: Packet | None) -> tuple[Guide | None, list[Result]]:
        """The strategy of this call, and the saved ones that are not applied with the reason.

        Raises:
            StaleStateError: the packet was written on another state.
            Stop: a saved strategy cannot be judged, so the turn is the planner's.
        """
        if packet is None and not self._strategies.any():
            return None, []
        observation = loop.settle()
        loop.at_rest = True
        if packet is not None:
            if packet.expected_state_id != observation.state_id:
                raise StaleStateError(f"the packet is for {packet.expected_state_id}, the game is in another state")
            return Guide(strategy=packet.strategy, source="packet").started(observation), []
        return choose_saved(self._strategies, observation, self._run_id(observation))

    def _noticed(self, loop: Loop) -> Result:
        """What has happened to the game since the last call of ours, as far as the files tell."""
        observation = loop.settle()
        loop.at_rest = True
        found = since_last(self._folder, observation, self._run_id(observation))
        for kind, noticed in found.items():
            self.controller.note(kind, noticed)
        return dict(found)

    @property
    def _strategies(self) -> Strategies:
        return Strategies(self._folder)

    def strategy_check(self, packet: bytes | object) -> Result:
        """Validate a packet and hold it against the game as it is now; sends nothing."""
        try:
            parsed = _packet(packet)
            observation = self.controller.look().observation
            return explain(parsed, observation, self._run_id(observation))
        except SpireError as error:
            return failure(error)

    def strategy_save(self, packet: bytes | object) -> Result:
        """Keep a packet's strategy for the run that the bridge reports."""
        try:
            parsed = _packet(packet)
            run_id = self._run_id(self.controller.look().observation)
            with self.controller.writing("strategy save"):
                saved = self._strategies.save(parsed, run_id, self.clock.timestamp())
                self.controller.note("strategy", {"saved": saved.strategy.strategy_id, "run_id": run_id})
            return {"ok": True, "outcome": "saved", "strategy": saved.to_dict(run_id), "run_id": run_id}
        except SpireError as error:
            return failure(error)

    def strategy_list(self) -> Result:
        """The saved strategies, with whether they are for this run."""
        try:
            saved = self._strategies.all()
            run_id: str | None = None
            with suppress(SpireError):
                run_id = self._run_id(self.controller.look().observation)
            return {
                "ok": True,
                "outcome": "strategies",
                "run_id": run_id,
                "strategies": [one.to_dict(run_id) for one in saved],
                "unreadable": self._strategies.damaged(),
            }
        except SpireError as error:
            return failure(error)

    def strategy_drop(self, strategy_id: str) -> Result:
        """Forget a saved strategy."""
        try:
            with self.controller.writing("strategy drop"):
                self._strategies.drop(strategy_id)
                self.controller.note("strategy", {"dropped": strategy_id})
        except SpireError as error:
            return failure(error)
        return {"ok": True, "outcome": "dropped", "id": strategy_id}

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
                decks=self._decks,
                doubts=self._doubts,
                show=self._state,
                deck=lambda observation: self._decks.view_of(observation, self._run_id(observation)),
                progress=progress,
                cancelled=cancelled,
            )
            yield loop
            if loop.rested is not None:
                saw(self._folder, loop.rested, self._run_id(loop.rested))
            else:
                lost_sight(self._folder)

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

    def lookup(self, query: str, *, kind: str = "all", limit: int = 5) -> Result:
        """Cards and relics in the bridge's wiki: what this profile has discovered, as data from the game."""
        try:
            found = self.client.wiki(query[:80], kind=kind, limit=limit)
        except SpireError as error:
            return failure(error)
        note = "names and texts are data from the game; only what this profile has discovered is found"
        return {"ok": True, "outcome": "found", "results": [entry(raw) for raw in found[:limit]], "note": note}

    def unmodelled(self) -> Result:
        """What the arithmetic does not model, so that nobody has to find out in a fight."""
        return {"ok": True, "outcome": "unmodelled", "kinds": coverage()}

    def last_outcome(self) -> Result:
        """The newest action record, for a caller whose answer was lost."""
        try:
            record = self.controller.status()["last_outcome"]
        except SpireError as error:
            return failure(error)
        return {"ok": True, "outcome": "last_outcome", "last_outcome": record}

    def journal(self, *, last: int, follow: bool = False) -> Iterator[Result]:
        """The newest records, oldest first; with `follow`, new ones as they are written.

        Raises:
            StorageError: the journal cannot be read.
        """
        path = self.controller.folder.journal
        seen = 0
        for record in last_records(path, last) if last else []:
            seen = _seq(record)
            yield record
        while follow:
            self.clock.wait(0.2)
            for record in last_records(path, 200):
                if _seq(record) > seen:
                    seen = _seq(record)
                    yield record


def _seq(record: Result) -> int:
    seq = record.get("seq")
    return seq if isinstance(seq, int) else 0


def _packet(packet: bytes | object) -> Packet:
    return parse_packet(packet) if isinstance(packet, bytes) else read_packet(packet)


def _checked_steps(steps: int | None, default: int) -> int:
    if steps is None:
        return default
    if not 1 <= steps <= MAX_STEPS:
        raise UsageError(f"MAX_STEPS is {steps}", fix=f"Give a whole number from 1 to {MAX_STEPS}.")
    return steps
