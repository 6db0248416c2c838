"""What arithmetic got wrong is unmodelled for the rest of the fight, for every process, and no longer."""

from pathlib import Path

import pytest

from tests.tables import InProcess, Json


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    return InProcess(tmp_path, seed="demo")


def tougher(table: InProcess) -> None:
    """Make the game take one HP less from the enemy than the rules say, whatever is played."""
    started = table.fight.enemies[0].hp

    def alter(state: Json) -> Json:
        for enemy in state.get("battle", {}).get("enemies", []):
            if enemy["hp"] < started:
                enemy["hp"] += 1
        return state

    table.bridge.alter = alter


def strikes(table: InProcess) -> tuple[Json, list[Json]]:
    """The computed enemies and what is unknown, for a Strike in a preview."""
    state = table.state()
    play = next(option["id"] for option in state["options"] if option["id"].startswith("play:STRIKE"))
    step = table.app.preview(state["state_id"], [play])["steps"][0]  # type: ignore[index]  # pyright: ignore
    return step["predicted"], step["unknown"]


def test_a_card_that_did_something_else_is_unmodelled_from_then_on(table: InProcess) -> None:
    assert strikes(table)[1] == []
    tougher(table)
    assert table.act("play:STRIKE")["mispredictions"]
    predicted, unknown = strikes(table)
    assert predicted["enemies"] == []
    assert "did not do what was computed" in str(unknown)


def test_the_doubt_holds_for_another_process_and_ends_with_the_fight(table: InProcess, tmp_path: Path) -> None:
    tougher(table)
    assert table.act("play:STRIKE")["mispredictions"]
    other = InProcess(tmp_path, seed="demo")
    assert "did not do what was computed" in str(strikes(other)[1])
    other.bridge.alter = lambda state: {**state, "run": {**state["run"], "floor": 9}}
    assert strikes(other)[1] == []


def test_damaged_doubts_are_no_doubts(table: InProcess) -> None:
    folder = table.app.controller.folder
    tougher(table)
    table.act("play:STRIKE")
    for text in ("", "{", "[]", '{"doubted": 7, "act": 1, "floor": 2, "round": 1}'):
        folder.doubts.write_text(text, encoding="utf-8")
        assert strikes(table)[1] == []


def test_an_enemy_whose_turn_came_otherwise_is_not_certain_any_more(table: InProcess) -> None:
    tougher(table)
    # A first hit shifts the enemy's HP by one; the turn's end then shows what no rule says.
    table.act("play:STRIKE")
    folder = table.app.controller.folder
    kind = table.bridge.read_state().enemies[0].monster_id
    text = folder.doubts.read_text(encoding="utf-8").replace("STRIKE_IRONCLAD", kind)
    folder.doubts.write_text(text, encoding="utf-8")
    facts = table.state()["facts"]
    assert facts["lethal_for_us"] != "no"
