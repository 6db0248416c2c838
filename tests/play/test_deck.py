"""What is known of the deck: read from a fight's piles, shown with its origin, and dropped when it can have changed."""

from pathlib import Path

import pytest

from tests.tables import InProcess, Json


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    table = InProcess(tmp_path, seed="demo")
    assert table.battle()["outcome"] == "combat_over"
    return table


def deck(state: Json) -> Json | None:
    shown: Json | None = state["view"].get("deck")
    return shown


def test_the_rewards_of_a_fight_show_the_deck_that_was_fought_with(table: InProcess) -> None:
    shown = deck(table.state())
    assert shown is not None
    assert shown["number"] == 10
    assert shown["by_cost"] == {"1": 9, "2": 1}
    assert "5× Strike [1]" in shown["cards"]
    assert "round 1" in shown["from"]


def test_gold_and_looking_at_the_cards_do_not_change_the_deck(table: InProcess) -> None:
    assert table.app.advance()["ok"]
    assert table.act("claim:card")["outcome"] == "verified"
    assert deck(table.state()) is not None


def test_taking_a_card_drops_the_evidence(table: InProcess) -> None:
    table.app.advance()
    table.act("claim:card")
    assert table.act("take:")["outcome"] == "verified"
    assert deck(table.state()) is None


def test_another_run_does_not_show_it(table: InProcess) -> None:
    table.game.run_id = "another run"
    assert deck(table.state()) is None


def test_a_run_without_an_identity_does_not_show_it(table: InProcess) -> None:
    table.game.run_id = None
    assert deck(table.state()) is None


def test_the_map_does_not_show_it(table: InProcess) -> None:
    table.app.advance()
    assert table.act("proceed")["outcome"] == "verified"
    assert deck(table.state()) is None


def test_damaged_evidence_is_no_evidence(table: InProcess) -> None:
    table.app.controller.folder.deck.write_text('{"cards": "many"}', encoding="utf-8")
    state = table.state()
    assert state["ok"]
    assert deck(state) is None
