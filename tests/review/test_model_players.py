"""What the decision model costs over many fights: about one request a turn, each of a bounded size."""

import os
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.errors import UsageError
from spire_mcp.policy.questions import PROMPT_VERSION
from spire_mcp.review.evaluating import evaluate_policies, fight_once
from spire_mcp.review.fights import Kept
from spire_mcp.review.statistics import interval, percentile, share_interval

PROOF = int(os.environ.get("SPIRE_MCP_PROOF", "1"))
FIGHTS = 20 * PROOF
RANKING = "scripted:ranking"


def fought(pools: tuple[str, ...], policy: str) -> tuple[float, list[int]]:
    """Requests a turn, and the sizes of all requests."""
    fights = [fight_once((pool, f"{pool}-{number}", policy)) for pool in pools for number in range(FIGHTS)]
    sizes = [size for one in fights for size in one.request_tokens]
    return len(sizes) / sum(one.turns for one in fights), sizes


@pytest.mark.long
@pytest.mark.parametrize("policy", [RANKING, "scripted:noise:0.5", "scripted:uniform"])
def test_about_one_request_a_turn_where_nothing_random_happens_inside_it(policy: str) -> None:
    # Weak and normal fights are fought with the starter deck, in which no card draws.
    requests, sizes = fought(("weak", "normal"), policy)
    assert requests <= 1.1
    assert percentile(sizes, 0.95) <= 2_500


@pytest.mark.long
def test_cards_that_draw_inside_a_turn_cost_few_more() -> None:
    requests, sizes = fought(("elite", "boss"), RANKING)
    assert requests <= 1.6
    assert percentile(sizes, 0.95) <= 2_500


def test_policies_stand_side_by_side_on_the_same_seeds() -> None:
    result: Any = evaluate_policies(fights=2, pool="weak", policy=RANKING, beside=["solver", "scripted:uniform"])
    pool = result["summary"]["pools"]["weak"]
    assert list(pool["policies"])[:3] == [RANKING, "solver", "scripted:uniform"]
    assert pool["policies"]["solver"]["requests_per_turn"] == 0
    assert pool["policies"][RANKING]["tokens_per_fight"] > 0
    assert result["summary"]["prompt"]


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "fights.jsonl"
    whole: Any = evaluate_policies(fights=3, pool="weak", policy=RANKING, keep=file)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:4]) + lines[4][:20], encoding="utf-8")
    resumed: Any = evaluate_policies(fights=3, pool="weak", policy=RANKING, keep=file)
    assert resumed == whole
    assert len(Kept.read(file, PROMPT_VERSION).fights) == len(lines)
    # With another wording only the fights without a model are still worth something: all but 3 of the judged policy.
    assert len(Kept.read(file, "another").fights) == len(lines) - 3


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk\nbread\n", encoding="utf-8")
    with pytest.raises(UsageError):
        evaluate_policies(fights=1, pool="weak", keep=file)


@pytest.mark.parametrize("policy", ["jev", "scripted:best", "scripted:", "random"])
def test_a_policy_that_cannot_be_judged_is_refused(policy: str) -> None:
    with pytest.raises(UsageError):
        evaluate_policies(fights=1, policy=policy)


def test_intervals_are_those_of_the_books() -> None:
    # 1 to 5: mean 3, standard deviation 1.58, so 3 ± 1.96 * 1.58 / sqrt(5).
    assert interval([1, 2, 3, 4, 5]) == [1.61, 4.39]
    # Wilson's interval for 8 of 10.
    assert share_interval(8, 10) == [0.49, 0.943]
    assert percentile(list(range(1, 101)), 0.95) == 95
    assert percentile([], 0.95) == 0


def test_without_dask_the_scheduler_option_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(UsageError) as refused:
        evaluate_policies(fights=1, pool="weak", scheduler="tcp://127.0.0.1:1")
    assert "cluster" in refused.value.fix


def test_a_dask_cluster_fights_the_same_fights() -> None:
    distributed = pytest.importorskip("distributed")
    alone = evaluate_policies(fights=2, pool="weak", policy=RANKING, jobs=1)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as cluster:
        assert evaluate_policies(fights=2, pool="weak", policy=RANKING, scheduler=cluster.scheduler_address) == alone


def test_a_scheduler_that_is_not_there_is_said() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no Dask scheduler"):
        evaluate_policies(fights=1, pool="weak", scheduler="tcp://127.0.0.1:1")
