"""What the executor promises beyond single requests: several in one action, moved boards, storage that fails."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.bridge.delivery import Accepted, Delivery, NotSent
from spire_mcp.bridge.parse import parse_state
from spire_mcp.control import Controller, ControlLimits, journal, storage
from spire_mcp.control.storage import PortFolder
from spire_mcp.errors import BridgeError, NotPermittedError
from spire_mcp.game.options import Request
from spire_mcp.game.screens import Observation
from tests.clock import TestClock
from tests.tables import InProcess, Json


class Script:
    """A bridge that shows one state after another: the next one comes when an action is sent."""

    def __init__(self, *states: Json) -> None:
        self.states = list(states)
        self.sent: list[Json] = []
        self.fails_after: int | None = None

    def read_state(self) -> Observation:
        if self.fails_after is not None and len(self.sent) >= self.fails_after:
            raise BridgeError("gone")
        return parse_state(self.states[min(len(self.sent), len(self.states) - 1)])

    def send(self, request: Request) -> Delivery:
        self.sent.append(dict(request.body()))
        return Accepted(message="ok")


def controller(folder: Path, bridge: Any, permits: bool = True) -> Controller:
    return Controller(
        folder=PortFolder(folder, 15526),
        clock=TestClock(),
        limits=ControlLimits(),
        reader=bridge,
        sender=bridge,
        forecast=lambda observation, option: None,
        permits=lambda option: permits,
    )


def event(**more: Any) -> Json:
    whole = {"event_id": "NEOW", "is_ancient": True, "in_dialogue": True, "body": None, "options": [], **more}
    player = {"hp": 80, "max_hp": 80}
    return {"state_type": "event", "event": whole, "run": {"act": 1, "floor": 1}, "player": player}


DONE = event(in_dialogue=False, options=[{"index": 0, "title": "Take it"}])


def test_a_dialogue_is_gone_through_to_its_end_in_one_action(tmp_path: Path) -> None:
    bridge = Script(event(), event(), event(), DONE)
    first = parse_state(event())
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "dialogue", by="program")
    assert act.outcome == "verified"
    assert bridge.sent == [{"action": "advance_dialogue"}] * 3


def test_a_dialogue_that_never_ends_stops_the_port_after_a_bounded_number_of_lines(tmp_path: Path) -> None:
    bridge = Script(event())
    first = parse_state(event())
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "dialogue", by="program")
    assert act.outcome == "unknown"
    assert len(bridge.sent) == 20
    assert PortFolder(tmp_path, 15526).halted.exists()


def test_a_bridge_that_is_lost_between_two_requests_of_one_action_stops_the_port(tmp_path: Path) -> None:
    bridge = Script(event(), event(), event(), DONE)
    bridge.fails_after = 1
    first = parse_state(event())
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "dialogue", by="program")
    assert act.outcome == "unknown"
    assert len(bridge.sent) == 1
    assert act.error is not None
    assert act.error.may_have_acted


def menu(screen: str, **more: Any) -> Json:
    return {"state_type": "menu", "menu_screen": screen, "message": "", **more}


SELECT = menu(
    "character_select",
    characters=[{"id": "IRONCLAD", "name": "铁甲战士"}, {"id": "SILENT", "name": "Silent", "locked": True}],
    options=[
        {"name": "IRONCLAD", "enabled": True},
        {"name": "SILENT", "enabled": False},
        {"name": "confirm", "enabled": True},
        {"name": "embark", "enabled": True},
        {"name": "back", "enabled": True},
    ],
)


def test_starting_a_run_chooses_the_character_and_embarks_as_one_action(tmp_path: Path) -> None:
    bridge = Script(SELECT, SELECT, DONE)
    first = parse_state(SELECT)
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "menu:embark:IRONCLAD", by="planner")
    assert act.outcome == "verified"
    assert [body["option"] for body in bridge.sent] == ["IRONCLAD", "embark"]


def grid(**more: Any) -> Json:
    cards = [{"id": name, "name": name, "type": "Attack", "cost": "1", "index": i} for i, name in enumerate("AB")]
    select = {"screen_type": "select", "prompt": "Choose 2 cards.", "cards": cards, "can_cancel": True, **more}
    run = {"act": 1, "floor": 3}
    return {"state_type": "card_select", "card_select": select, "run": run, "player": {"hp": 8, "max_hp": 9}}


def test_several_cards_are_each_sent_once_and_proved_by_the_end_of_the_choice(tmp_path: Path) -> None:
    bridge = Script(grid(), grid(), grid(preview_showing=True, can_confirm=True))
    first = parse_state(grid())
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "select:A,B", by="planner")
    assert act.outcome == "verified"
    assert [body["index"] for body in bridge.sent] == [0, 1]


def test_a_grid_that_is_content_with_fewer_cards_than_named_stops_the_port(tmp_path: Path) -> None:
    bridge = Script(grid(), grid(preview_showing=True, can_confirm=True))
    first = parse_state(grid())
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(first.state_id, "select:A,B", by="planner")
    assert act.outcome == "unknown"
    assert len(bridge.sent) == 1


def test_a_trap_of_the_bridge_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    bridge = Script(grid())
    with controller(tmp_path, bridge).acting("test") as executor, pytest.raises(NotPermittedError) as caught:
        executor.act(parse_state(grid()).state_id, "select:A", by="planner")
    assert "takes 2 cards" in caught.value.message
    assert bridge.sent == []


def test_a_game_that_does_not_rest_between_two_requests_of_one_action_stops_the_port(tmp_path: Path) -> None:
    class Restless(Script):
        def read_state(self) -> Observation:
            seen = super().read_state()
            if not self.sent:
                return seen
            state = grid()
            state["player"]["hp"] = int(clock.now * 1000) % 7 + 1
            return parse_state(state)

    clock = TestClock()
    bridge = Restless(grid())
    port = Controller(
        folder=PortFolder(tmp_path, 15526),
        clock=clock,
        limits=ControlLimits(settle=1, screen=1),
        reader=bridge,
        sender=bridge,
        forecast=lambda observation, option: None,
        permits=lambda option: True,
    )
    with port.acting("test") as executor:
        act = executor.act(parse_state(grid()).state_id, "select:A,B", by="planner")
    assert act.outcome == "unknown"
    assert len(bridge.sent) == 1


def test_a_predicted_number_that_never_comes_is_waited_for_and_then_told(tmp_path: Path) -> None:
    table = InProcess(tmp_path, seed="demo")
    hp = table.fight.enemies[0].hp

    def alter(state: Json) -> Json:
        for shown in state.get("battle", {}).get("enemies", []):
            shown["hp"] = hp
        return state

    table.bridge.alter = alter
    start = table.clock.now
    result = table.act("play:STRIKE")
    assert result["outcome"] == "verified"
    assert result["mispredictions"] == [f"enemy 1 hp {hp - 6} predicted, {hp} seen"]
    assert table.clock.now - start >= ControlLimits().effects


def test_a_living_owner_of_an_in_flight_record_is_left_alone(tmp_path: Path) -> None:
    bridge = Script(DONE)
    port = controller(tmp_path, bridge)
    with port.acting("test"):
        storage.write_record(port.folder.inflight, {"seq": 1, "option": "end_turn"})
        assert controller(tmp_path, bridge).stopped() is None
        assert not port.folder.halted.exists()
    assert controller(tmp_path, bridge).stopped() is not None


def test_a_lost_action_of_a_lost_process_is_not_sent_again_by_the_next(tmp_path: Path) -> None:
    class Dies(Script):
        def send(self, request: Request) -> Delivery:
            super().send(request)
            raise KeyboardInterrupt

    bridge = Dies(DONE)
    first = parse_state(DONE)
    with pytest.raises(KeyboardInterrupt), controller(tmp_path, bridge).acting("test") as executor:
        executor.act(first.state_id, "event:TAKE_IT", by="planner")
    assert PortFolder(tmp_path, 15526).inflight.exists()
    assert controller(tmp_path, bridge).stopped() is not None
    assert len(bridge.sent) == 1


def test_a_connection_that_was_never_made_leaves_no_record_in_flight(tmp_path: Path) -> None:
    class Refuses(Script):
        def send(self, request: Request) -> Delivery:
            return NotSent(reason="refused")

    bridge = Refuses(DONE)
    with controller(tmp_path, bridge).acting("test") as executor:
        act = executor.act(parse_state(DONE).state_id, "event:TAKE_IT", by="planner")
    assert (act.outcome, act.error.code if act.error else None) == ("not_sent", "bridge_unreachable")
    folder = PortFolder(tmp_path, 15526)
    assert not folder.inflight.exists()
    assert not folder.halted.exists()
    assert [record["outcome"] for record in journal.last(folder.journal, 5)] == ["not_sent"]


def test_a_full_disk_before_sending_is_one_clear_error_and_nothing_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = InProcess(tmp_path)
    state = table.state()

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(storage.os, "write", full)
    result: Json = table.app.act(state["state_id"], "end_turn")
    monkeypatch.undo()
    assert result["outcome"] == "refused"
    assert result["error"]["code"] == "internal"
    assert "No space left" in result["error"]["message"]
    assert result["error"]["may_have_acted"] is False
    assert str(tmp_path) not in str(result["error"])
    assert table.bridge.sent == []
    assert table.app.act(state["state_id"], "end_turn")["outcome"] == "verified"


def test_a_journal_that_cannot_be_written_after_the_action_is_never_called_a_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = InProcess(tmp_path)
    state = table.state()

    def full(path: Path, record: Any) -> None:
        raise storage.StorageError("appending failed: No space left on device")

    monkeypatch.setattr(journal, "append", full)
    result: Json = table.app.act(state["state_id"], "end_turn")
    monkeypatch.undo()
    assert result["ok"] is False
    assert result["error"]["may_have_acted"] is True
    assert len(table.bridge.sent) == 1
    again: Json = table.app.act(state["state_id"], "end_turn")
    assert again["error"]["code"] == "halted"
    assert len(table.bridge.sent) == 1
