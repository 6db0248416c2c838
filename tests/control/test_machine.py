"""The executor as a machine: any order of actions, lies, losses, other hands and crashes, and what must always hold."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from spire_mcp.bridge.delivery import Accepted, Delivery, NotSent, Refused, Unknown
from spire_mcp.bridge.parse import parse_state
from spire_mcp.control import Controller, ControlLimits
from spire_mcp.control.storage import PortFolder, read_record
from spire_mcp.errors import SpireError
from spire_mcp.game.options import Request
from spire_mcp.game.screens import Observation
from tests.boards import defend, enemy, fight, strike
from tests.clock import TestClock

Json = dict[str, Any]
LIMITS = ControlLimits(settle=2, play=2, end_turn=2, unchanged=1, refused=0.3, effects=0.3)
PROOF = int(os.environ.get("SPIRE_MCP_PROOF", "1"))

# What the bridge does with a request, and what it says about it.
EFFECTS = ["happens", "does not happen", "happens late"]
REPLIES: dict[str, Delivery] = {
    "ok": Accepted(message="ok"),
    "no": Refused(message="no"),
    "lost": Unknown(reason="lost"),
}


class Crash(BaseException):
    """The process dies: nothing after this line runs."""


class Game:
    """A fight of strikes and defends whose truth the machine knows."""

    def __init__(self, clock: TestClock) -> None:
        self.clock = clock
        self.round = 1
        self.strikes = 3
        self.defends = 2
        self.energy = 3
        self.hp = 60
        self.sent: list[Json] = []
        self.happened: list[Json] = []
        self.later: list[tuple[float, Json]] = []
        self.next_effect = "happens"
        self.next_reply = "ok"
        self.refuses_connection = False
        self.crash_after_send = False

    def read_state(self) -> Observation:
        due = [request for when, request in self.later if when <= self.clock.now]
        self.later = [entry for entry in self.later if entry[0] > self.clock.now]
        for request in due:
            self._happen(request)
        hand = [*(strike() for _ in range(self.strikes)), *(defend() for _ in range(self.defends))]
        state = fight(hand, [enemy(self.hp, "5")], energy=self.energy).raw
        state["battle"]["round"] = self.round  # type: ignore[index]
        return parse_state(state)

    def send(self, request: Request) -> Delivery:
        if self.refuses_connection:
            return NotSent(reason="refused")
        body = dict(request.body())
        self.sent.append(body)
        if self.next_effect == "happens":
            self._happen(body)
        elif self.next_effect == "happens late":
            self.later.append((self.clock.now + 30, body))
        if self.crash_after_send:
            raise Crash
        return REPLIES[self.next_reply]

    def _happen(self, body: Json) -> None:
        self.happened.append(body)
        if body["action"] == "end_turn":
            self.round += 1
            self.strikes, self.defends, self.energy = 3, 2, 3
        elif body["card_index"] < self.strikes and self.strikes:
            self.strikes -= 1
            self.energy -= 1
            self.hp = max(1, self.hp - 6)
        elif self.defends:
            self.defends -= 1
            self.energy -= 1


class ExecutorMachine(RuleBasedStateMachine):
    """Rules are what can happen; invariants are what must be true whatever did."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = TestClock()
        self.game = Game(self.clock)
        self.port = PortFolder(Path(self.folder.name), 15526)
        self.unknown_fate = False
        self.refused: SpireError | None = None

    def teardown(self) -> None:
        self.folder.cleanup()

    def controller(self) -> Controller:
        return Controller(
            folder=self.port,
            clock=self.clock,
            limits=LIMITS,
            reader=self.game,
            sender=self.game,
            forecast=lambda observation, option: None,
            permits=lambda option: True,
        )

    @rule(
        option=st.sampled_from(["end_turn", "play:STRIKE_IRONCLAD:e1", "play:DEFEND_IRONCLAD", "play:BASH:e1"]),
        effect=st.sampled_from(EFFECTS),
        reply=st.sampled_from(sorted(REPLIES)),
        stale=st.booleans(),
        gone=st.booleans(),
        crash=st.booleans(),
    )
    def act(self, option: str, effect: str, reply: str, stale: bool, gone: bool, crash: bool) -> None:
        game = self.game
        game.next_effect, game.next_reply = effect, reply
        game.refuses_connection, game.crash_after_send = gone and stale, crash and not stale
        state_id = "s1-somethingelse" if stale and not gone else game.read_state().state_id
        sent, happened = len(game.sent), len(game.happened)
        stopped = self.port.halted.exists() or self.port.inflight.exists()
        try:
            with self.controller().acting("machine") as executor:
                act = executor.act(state_id, option, by="planner")
        except Crash:
            self.unknown_fate = True
            return
        except SpireError as refusal:
            self.refused = refusal
            assert len(game.sent) == sent
            return
        finally:
            game.refuses_connection = game.crash_after_send = False
        assert not stopped, "an action was let through on a stopped port"
        assert len(game.sent) == sent + (act.outcome != "not_sent")
        took_place = len(game.happened) > happened
        match act.outcome:
            case "verified":
                assert took_place
            case "rejected" | "not_sent":
                assert not took_place or effect == "happens late"
            case "unknown":
                self.unknown_fate = True
                assert self.port.halted.exists()

    @rule()
    def somebody_plays_by_hand(self) -> None:
        if self.game.energy and self.game.strikes:
            self.game._happen({"action": "play_card", "card_index": 0})  # pyright: ignore[reportPrivateUsage]
            self.game.happened.pop()

    @rule()
    def time_passes(self) -> None:
        self.clock.now += 60
        self.game.read_state()

    @rule(right=st.booleans())
    def clear(self, right: bool) -> None:
        state_id = self.game.read_state().state_id if right else "s1-aaaaaaaaaaaaaaaa"
        sent = len(self.game.sent)
        try:
            self.controller().clear_halt(state_id)
        except SpireError:
            assert not right or self.game.later
        else:
            assert right
            self.unknown_fate = False
        assert len(self.game.sent) == sent

    @rule()
    def the_next_process_looks(self) -> None:
        self.controller().stopped()

    @invariant()
    def an_unknown_fate_stops_the_port(self) -> None:
        if self.unknown_fate:
            assert self.port.halted.exists() or self.port.inflight.exists()

    @invariant()
    def a_refusal_never_says_that_it_acted(self) -> None:
        assert self.refused is None or not self.refused.may_have_acted

    @invariant()
    def the_journal_tells_the_bridges_story(self) -> None:
        records = [json.loads(line) for line in self._lines()]
        actions = [record for record in records if record["kind"] == "action"]
        seqs = [record["seq"] for record in records]
        assert len(seqs) == len(set(seqs))
        told = [record["requests"][0] for record in actions if record["outcome"] != "not_sent"]
        inflight = read_record(self.port.inflight)
        pending = inflight is not None and inflight.get("seq") not in seqs
        assert told == self.game.sent[: len(told)]
        assert len(self.game.sent) - len(told) == (1 if pending else 0)

    def _lines(self) -> list[str]:
        return self.port.journal.read_text(encoding="utf-8").splitlines() if self.port.journal.exists() else []


ExecutorMachine.TestCase.settings = settings(
    max_examples=25 * PROOF,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
test_no_order_of_actions_faults_and_crashes_breaks_a_promise = ExecutorMachine.TestCase
