"""A planner's own line: computed without sending, performed step by step, stopped at the first deviation."""

from pathlib import Path

import pytest

from spire_mcp.practice.fight import Card
from tests.tables import InProcess, Json


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    table = InProcess(tmp_path, seed="demo")
    table.fight.hand = [Card("STRIKE_IRONCLAD"), Card("STRIKE_IRONCLAD"), Card("DEFEND_IRONCLAD")]
    table.refresh()
    return table


LINE = ["play:STRIKE_IRONCLAD:e1", "play:DEFEND_IRONCLAD", "end_turn"]


def test_a_line_is_computed_and_then_happens_as_computed(table: InProcess) -> None:
    state = table.state()
    shown: Json = table.app.preview(state["state_id"], LINE)
    assert table.bridge.sent == []
    done: Json = table.app.plan(state["state_id"], LINE)
    assert (done["ok"], done["outcome"], done["steps"]) == (True, "done", 3)
    predicted = shown["steps"][-1]["predicted"]
    assert done["state"]["view"]["player"]["hp"] == predicted["player"]["hp"]
    assert f"{predicted['enemies'][0]['hp']}/" in done["state"]["view"]["enemies"][0]["hp"]


def test_a_line_stops_where_its_step_is_no_option_any_more(table: InProcess) -> None:
    state = table.state()
    done: Json = table.app.plan(state["state_id"], ["play:DEFEND_IRONCLAD", "play:DEFEND_IRONCLAD"])
    assert (done["ok"], done["outcome"], done["reason"], done["steps"]) == (True, "deviation", "option_gone", 1)
    assert "step 2" in done["brief"]["why"]


def test_a_line_whose_first_step_is_made_up_is_refused(table: InProcess) -> None:
    done: Json = table.app.plan(table.state()["state_id"], ["play:BLUDGEON:e1"])
    assert done["error"]["code"] == "unknown_option"
    assert table.bridge.sent == []


def test_a_line_for_another_state_is_refused(table: InProcess) -> None:
    done: Json = table.app.plan("s1-aaaaaaaaaaaaaaaa", LINE)
    assert done["error"]["code"] == "stale_state"
    assert table.bridge.sent == []


def test_a_line_stops_when_a_step_does_not_do_what_was_computed(table: InProcess) -> None:
    def stronger_than_computed() -> None:
        table.fight.enemies[0].hp -= 5
        table.refresh()

    table.bridge.on_send = stronger_than_computed
    done: Json = table.app.plan(table.state()["state_id"], LINE)
    assert (done["outcome"], done["reason"], done["steps"]) == ("deviation", "misprediction", 1)
    assert done["brief"]["differences"]


def test_a_board_that_somebody_moves_before_a_step_ends_the_line(table: InProcess) -> None:
    reads = 0

    def alter(state: Json) -> Json:
        nonlocal reads
        reads += 1
        if reads > 9:
            state["player"]["gold"] += 1
        return state

    state = table.state()
    table.bridge.alter = alter
    done: Json = table.app.plan(state["state_id"], ["play:DEFEND_IRONCLAD", "end_turn"])
    assert done["outcome"] in {"deviation", "done"}
    assert len(table.bridge.sent) == done["steps"]


@pytest.mark.parametrize(("start", "code"), [("map", "wrong_screen"), ("fight", "unknown_option")])
def test_what_cannot_be_computed_is_refused(tmp_path: Path, start: str, code: str) -> None:
    table = InProcess(tmp_path, seed="demo", start=start)
    shown: Json = table.app.preview(table.state()["state_id"], ["play:NOTHING"])
    assert shown["error"]["code"] == code


def test_a_preview_of_a_game_that_does_not_rest_is_refused(table: InProcess) -> None:
    counter = iter(range(10_000))

    def flicker(state: Json) -> Json:
        state["player"]["gold"] = next(counter)
        return state

    table.bridge.alter = flicker
    assert table.app.preview("s1-a", LINE)["error"]["code"] == "not_settled"  # type: ignore[index]
    state = table.state()
    assert (state["ok"], state["error"]["code"], state["outcome"]) == (False, "not_settled", "not_settled")
    assert state["state_id"]


def test_mechanical_steps_stop_at_their_limit_and_away_from_fights(table: InProcess) -> None:
    fighting: Json = table.app.advance()
    assert (fighting["outcome"], fighting["reason"]) == ("handover", "wrong_screen")
    table.fight.enemies[0].hp = 1
    table.refresh()
    assert table.act("play:STRIKE_IRONCLAD:e1")["outcome"] == "verified"
    limited: Json = table.app.advance(max_steps=1)
    assert (limited["outcome"], limited["steps"]) in {("step_limit", 1), ("handover", 1)}


def test_a_full_belt_hands_the_potion_over(table: InProcess) -> None:
    table.game.run.potions = ["FIRE_POTION"] * 3
    table.game.run.fight = None
    table.game.run.rewards = [{"type": "potion", "potion": "BLOCK_POTION"}]
    table.game.run.screen = "rewards"
    table.refresh()
    done: Json = table.app.advance()
    assert (done["outcome"], done["reason"]) == ("handover", "potion_decision")
    assert "belt" in done["brief"]["why"]
