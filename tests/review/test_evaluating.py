"""The evaluation: the same seeds for all, the same result every time, and a comparison that can be trusted."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.errors import UsageError
from spire_mcp.review import evaluating
from spire_mcp.review.evaluating import BASELINES, POOLS, SOLVER, evaluate_policies, fight_once

_CONTRACT = {"seed", "pool", "monsters", "policy", "won", "hp_lost", "turns"}


def evaluated(**options: Any) -> dict[str, Any]:
    result: dict[str, Any] = evaluate_policies(**options)
    return result


def command(*words: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "spire_mcp", "eval", *words],
        env=dict(os.environ),
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.stdout.count("\n") == 1
    return done.returncode, json.loads(done.stdout)


def test_the_result_has_the_shape_of_the_interface() -> None:
    result = evaluated(fights=4)  # one fight in each pool
    assert set(result) == {"ok", "outcome", "fights", "summary"}
    assert [fight["pool"] for fight in result["fights"]] == list(POOLS)
    for fight in result["fights"]:
        assert set(fight) == _CONTRACT
        assert fight["policy"] == SOLVER
        assert fight["monsters"]
        assert fight["turns"] >= 1
    assert list(result["summary"]["pools"]) == list(POOLS)
    for pool in result["summary"]["pools"].values():
        assert pool["fights"] == 1
        assert list(pool["policies"]) == [SOLVER, *BASELINES]
        assert all(set(row) == {"won", "hp_lost", "hp_lost_sd"} for row in pool["policies"].values())
        assert all(set(row) == {"less_hp_lost", "won_by_it_alone"} for row in pool["against"].values())


def test_the_same_call_gives_the_same_result_whatever_the_number_of_jobs() -> None:
    alone = evaluated(fights=8, jobs=1)
    assert evaluated(fights=8, jobs=1) == alone
    assert evaluated(fights=8, jobs=2) == alone


def test_a_pool_alone_fights_the_fights_that_it_has_among_all() -> None:
    among_all = [fight for fight in evaluated(fights=8)["fights"] if fight["pool"] == "elite"]
    assert evaluated(fights=2, pool="elite")["fights"] == among_all


def test_every_policy_meets_the_same_fight_on_a_seed() -> None:
    for pool in POOLS:
        begun = [_first_look(pool, f"{pool}-0") for _ in range(2)]
        assert begun[0] == begun[1]
        fought = [fight_once((pool, f"{pool}-0", name)) for name in (SOLVER, *BASELINES)]
        assert len({fight.monsters for fight in fought}) == 1
        assert {fight.seed for fight in fought} == {f"{pool}-0"}


def _first_look(pool: str, seed: str) -> tuple[list[str], list[tuple[str, bool]], list[int]]:
    _, fight, monsters = evaluating._begin(pool, seed)
    cards = [(card.id, card.upgraded) for card in (*fight.hand, *fight.draw_pile)]
    return monsters, cards, [monster.hp for monster in fight.monsters]


def test_weak_and_normal_fights_are_fought_with_the_starter_deck_and_later_ones_with_cards_found_on_the_way() -> None:
    sizes = {pool: len(_first_look(pool, "a")[1]) for pool in POOLS}
    assert sizes == {"weak": 10, "normal": 10, "elite": 15, "boss": 20}


def test_a_fight_that_is_not_won_costs_all_hp(monkeypatch: pytest.MonkeyPatch) -> None:
    policies = {**evaluating._POLICIES, "idle": lambda _seen, options: evaluating._end_turn(options)}
    monkeypatch.setattr(evaluating, "_POLICIES", policies)
    fought = fight_once(("boss", "boss-0", "idle"))
    assert (fought.won, fought.hp_lost) == (False, 80)  # the Ironclad's starting HP


def test_the_solver_loses_less_hp_than_highest_printed_damage_first_on_weak_fights() -> None:
    # 40 fights: each of the four encounters about ten times; the solver's lead is many times what luck makes of it.
    rows = evaluated(fights=40, pool="weak", jobs=1)["summary"]["pools"]["weak"]["policies"]
    assert rows[SOLVER]["hp_lost"] < rows["printed_damage"]["hp_lost"]
    assert rows[SOLVER]["won"] == 1


def test_fights_that_only_a_baseline_wins_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    policies = {**evaluating._POLICIES, SOLVER: lambda _seen, options: evaluating._end_turn(options)}
    monkeypatch.setattr(evaluating, "_POLICIES", policies)
    pool = evaluated(fights=2, pool="weak", jobs=1)["summary"]["pools"]["weak"]
    assert pool["policies"][SOLVER]["won"] == 0
    assert pool["against"]["single_card"]["won_by_it_alone"] == ["weak-0", "weak-1"]


@pytest.mark.parametrize("options", [{"fights": 0}, {"fights": 10_001}, {"jobs": 0}, {"jobs": 65}, {"pool": "easy"}])
def test_an_argument_out_of_range_is_a_usage_error(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        evaluated(**options)


@pytest.mark.parametrize(
    "words",
    [["--fights", "0"], ["--fights", "many"], ["--jobs", "-1"], ["--pool", "easy"], ["--policy", "jev"], ["extra"]],
    ids=" ".join,
)
def test_a_wrong_command_line_is_a_usage_error(words: list[str]) -> None:
    status, result = command(*words)
    assert (status, result["ok"], result["error"]["code"]) == (2, False, "usage")
    assert result["error"]["may_have_acted"] is False


def test_the_command_prints_one_object_and_reads_no_bridge() -> None:
    # Port 1 answers nobody: a command that looked for a bridge would fail there.
    status, result = command("--bridge", "http://127.0.0.1:1", "--fights", "2", "--pool", "weak", "--policy", "solver")
    assert (status, result["ok"], len(result["fights"])) == (0, True, 2)
