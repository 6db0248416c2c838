"""A fight with a decision model behind HTTP: what it may do, what it costs, and what a bad service can never do."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.policy.limits import AskingLimits
from spire_mcp.practice.fight import Card
from spire_mcp.practice.model_server import ModelServer
from spire_mcp.practice.scripted_model import MODEL_FAULTS, Script
from tests.models import KEY, table_with
from tests.tables import InProcess, Json


def handed_over(result: Json, reason: str) -> Json:
    assert (result["ok"], result["outcome"], result["reason"]) == (True, "handover", reason)
    brief: Json = result["brief"]
    assert len(json.dumps(brief)) <= 4 * 700  # about 700 tokens
    return brief


def transcript(folder: Path) -> list[Json]:
    (file,) = folder.glob("sessions/*/requests.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def without_key(folder: Path, result: Json) -> None:
    assert KEY not in json.dumps(result)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path.name


def test_a_fight_is_played_with_about_one_request_a_turn_and_says_what_it_cost(tmp_path: Path) -> None:
    with ModelServer() as model:
        table = table_with(tmp_path, model)
        result = table.battle()
        assert (result["outcome"], result["reason"]) == ("combat_over", "rewards")
        turns = 1 + sum(action["option"] == "end_turn" for action in result["actions"])
        assert 1 <= len(model.requests) <= turns
        used = result["model"]
        assert (used["name"], used["requests"]) == ("scripted-ranking", len(model.requests))
        tokens = sum(len(json.dumps({"state": r["state"], "questions": r["questions"]})) for r in model.requests) / 4
        assert used["input_tokens"] == pytest.approx(tokens, abs=len(model.requests))
        assert used["cost_usd"] == pytest.approx(used["input_tokens"] * 0.042 / 1e6, abs=1e-8)
        assert {action["by"] for action in result["actions"]} == {"model", "program"}
        without_key(tmp_path, result)


def test_each_exchange_is_written_down_privately_and_the_journal_refers_to_it(tmp_path: Path) -> None:
    with ModelServer() as model:
        table = table_with(tmp_path, model)
        table.battle()
        exchanges = transcript(tmp_path)
        assert [entry["request"]["questions"] for entry in exchanges] == [sent["questions"] for sent in model.requests]
        assert all(entry["answer"]["answers"] and entry["not_believed"] is None for entry in exchanges)
        asked = [r["decision"] for r in table.records() if r["kind"] == "action" and "transcript" in r["decision"]]
        (file,) = tmp_path.glob("sessions/*/requests.jsonl")
        place = file.relative_to(tmp_path).as_posix()
        assert [d["transcript"] for d in asked] == [f"{place}#{n}" for n in range(1, len(exchanges) + 1)]
        if os.name != "nt":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == stat.S_IMODE(file.parent.parent.stat().st_mode) == 0o700


def test_two_sessions_of_the_same_second_do_not_share_a_transcript(tmp_path: Path) -> None:
    with ModelServer(faults="status_500@*") as model:
        places = [table_with(tmp_path, model).battle()["brief"]["transcript"] for _ in range(2)]
        assert places[0] != places[1]
        assert all((tmp_path / place.partition("#")[0]).is_file() for place in places)


@pytest.mark.parametrize("fault", sorted(MODEL_FAULTS))
def test_a_bad_service_gets_one_request_and_the_game_none(tmp_path: Path, fault: str) -> None:
    with ModelServer(faults=f"{fault}@*") as model:
        table = table_with(tmp_path, model, asking=AskingLimits(deadline=0.4))
        result = table.battle()
        brief = handed_over(result, "model_unavailable")
        assert brief["best_lines"]
        assert brief["what_now"]
        assert (len(model.requests), table.bridge.sent, result["model"]["requests"]) == (1, [], 1)
        assert not table.app.controller.folder.halted.exists()
        assert not table.app.controller.folder.inflight.exists()
        assert transcript(tmp_path)[0]["not_believed"]
        without_key(tmp_path, result)


def test_a_service_that_is_back_is_asked_again_when_the_planner_goes_on(tmp_path: Path) -> None:
    with ModelServer(faults="status_500@1") as model:
        table = table_with(tmp_path, model)
        handed_over(table.battle(), "model_unavailable")
        assert table.battle()["outcome"] == "combat_over"


def test_a_state_that_was_handed_over_is_not_sampled_again_by_another_process(tmp_path: Path) -> None:
    with ModelServer(Script(behaviour="uniform")) as model:
        handed_over(table_with(tmp_path, model).battle(strict=True), "low_confidence")
        again = table_with(tmp_path, model)
        handed_over(again.battle(strict=True), "repeated_state")
        assert (len(model.requests), again.bridge.sent) == (1, [])
        # Another policy is another decision.
        assert again.battle(policy="solver", max_steps=1)["outcome"] == "step_limit"


def test_the_budget_of_a_call_is_kept_and_said(tmp_path: Path) -> None:
    with ModelServer() as model:
        table = table_with(tmp_path, model, asking=AskingLimits(battle_tokens=2_500))
        result = table.battle()
        assert handed_over(result, "token_budget")["best_lines"]
        assert result["model"]["requests"] == len(model.requests) >= 1
        assert result["model"]["input_tokens"] <= 2_500
        # The next call has a budget of its own.
        assert table.battle()["model"]["requests"] >= 1


def test_a_cancellation_that_comes_while_the_model_thinks_keeps_its_answer_from_the_game(tmp_path: Path) -> None:
    with ModelServer() as model:
        table = table_with(tmp_path, model)
        handed_over(table.battle(cancelled=lambda: len(model.requests) > 0), "cancelled")
        assert (len(model.requests), table.bridge.sent) == (1, [])


def test_a_world_that_is_not_as_predicted_gets_a_new_choice_and_a_record_with_both_sides(tmp_path: Path) -> None:
    with ModelServer() as model:
        table = table_with(tmp_path, model)
        cards = ("DEFEND_IRONCLAD", "DEFEND_IRONCLAD", "STRIKE_IRONCLAD", "STRIKE_IRONCLAD", "STRIKE_IRONCLAD")
        table.fight.hand = [Card(name) for name in cards]
        table.fight.enemies[0].powers["STRENGTH_POWER"] = 6  # 4 + 6 = 10 come in: both Defends, or damage
        table.refresh()

        def stronger(entry: Json) -> None:
            if entry["seq"] == 1:
                table.fight.enemies[0].powers["PLATING_POWER"] = 4
                table.refresh()

        table.battle(max_steps=2, progress=stronger)
        notes = [record for record in table.records() if record["kind"] == "misprediction"]
        assert len(model.requests) == 2
        assert "PLATING_POWER" in json.dumps(notes[0]["differences"])


def test_a_dying_line_is_never_played_whatever_the_model_prefers(tmp_path: Path) -> None:
    with ModelServer(Script(behaviour="random", seed="reckless")) as model:
        table = table_with(tmp_path, model)
        table.fight.player.hp = 7
        table.fight.hand = [Card(name) for name in ("BASH", "DEFEND_IRONCLAD", "DEFEND_IRONCLAD", "STRIKE_IRONCLAD")]
        table.fight.enemies[0].powers["STRENGTH_POWER"] = 8  # 4 + 8 = 12 come in; one Defend leaves exactly nothing
        table.refresh()
        result = table.battle(max_steps=4)
        assert [a["option"] for a in result["actions"]].count("play:DEFEND_IRONCLAD") == 2
        assert table.game.run.fight is not None


def test_auto_asks_a_configured_model_and_the_solver_otherwise(tmp_path: Path) -> None:
    with ModelServer() as model:
        assert table_with(tmp_path, model).app.policy() == "jev"
        assert table_with(tmp_path, model, api_key=None).app.policy() == "jev"
        assert table_with(tmp_path, model, policy="solver").app.policy() == "solver"
        table = table_with(tmp_path, model)
        assert table.state()["route"]["owner"] == "model"
    alone = InProcess(tmp_path, policy="auto")
    assert alone.app.policy() == "solver"
    refused: Any = alone.battle(policy="jev")
    assert (refused["error"]["code"], refused["model"]["requests"]) == ("usage", 0)
