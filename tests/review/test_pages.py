"""The saved pages in a real browser: what they say, what they may do, and that game text stays text."""

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spire_mcp.errors import UsageError
from spire_mcp.review.compare import write_comparison
from spire_mcp.review.evaluating import evaluate_policies
from spire_mcp.review.history import default_folders, history, read_run
from spire_mcp.review.records import read_journal
from spire_mcp.review.reporting import report
from spire_mcp.review.statistics import share_interval
from spire_mcp.review.story import tell
from tests.play.test_acts import play
from tests.review.browser import opened, overflow
from tests.tables import InProcess

HOSTILE = "<img src=x onerror=alert(1)><script>document.title='owned'</script>"


def action(seq: int, **more: Any) -> dict[str, Any]:
    floor = 1 + seq // 100
    board = {"screen": "monster", "act": 1, "floor": floor, "hp": 80 - seq % 60, "max_hp": 80, "gold": seq, "round": 1}
    return {
        "seq": seq,
        "when": "2026-01-01T00:00:01+00:00",
        "ended": "2026-01-01T00:00:01.250000+00:00",
        "kind": "action",
        "by": "program",
        "label": "Strike",
        "outcome": "verified",
        "evidence": ["it left the hand"],
        "decision": {"why": "damage", "candidates": [{"plays": ["Strike"], "hp_lost": 3, "dies": "no"}]},
        "board": {**board, "deck": 10, "enemies": [{"id": 1, "name": "Slime", "hp": 9, "block": 0}]},
        **more,
    }


def written(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "journal.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_whole_act_becomes_a_page_that_agrees_with_its_journal_and_fits_a_phone(tmp_path: Path) -> None:
    table = InProcess(tmp_path / "state", seed="act-1", start="menu", permissions=frozenset({"menu"}))
    play(table, Random(1))
    journal, out = table.app.controller.folder.journal, tmp_path / "report.html"
    result = report(journal, out)
    records = read_journal(journal)
    assert result["actions"] == sum(record["kind"] == "action" for record in records)
    assert int(str(result["fights"])) >= 1
    for width in (390, 1000):
        with opened(out, width=width, dark=width == 390) as (page, complaints):
            assert overflow(page) == 0
            assert page.locator("[id^=r]").count() >= len(records)
            assert page.locator("figure svg").count() >= 5
            for figure in page.locator("figure").all():
                assert figure.locator("svg .title").count() >= 2, "each axis has its title"
            assert complaints == []


def test_a_point_of_a_chart_leads_to_its_records(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    report(written(tmp_path, [action(seq) for seq in range(1, 250)]), out)
    with opened(out) as (page, complaints):
        link = page.locator("figure svg a").nth(1)
        target = link.evaluate("a => a.href.baseVal")
        link.dispatch_event("click")
        assert page.evaluate("location.hash") == target
        assert page.locator(target).count() == 1
        assert complaints == []


def test_hostile_names_of_the_game_are_shown_as_text(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    wicked = action(1, label=HOSTILE, by=HOSTILE, evidence=[HOSTILE], mispredictions=[HOSTILE])
    wicked["decision"] = {"why": HOSTILE, "candidates": [{"plays": [HOSTILE], "damage": {HOSTILE: 1}}]}
    wicked["board"]["enemies"] = [{"name": HOSTILE, "hp": 1}]
    report(written(tmp_path, [wicked]), out)
    with opened(out) as (page, complaints):
        assert page.title() == "spire-mcp: report"
        assert page.locator("script").count() == 0
        assert page.locator("img").count() == 0
        assert HOSTILE in page.locator("#r1").inner_text()
        assert complaints == []


def test_five_thousand_records_load_within_a_second(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    report(written(tmp_path, [action(seq) for seq in range(1, 5001)]), out)
    with opened(out, width=390) as (page, complaints):
        begun = time.monotonic()
        page.reload(wait_until="load")
        taken = time.monotonic() - begun
        assert overflow(page) == 0
        assert complaints == []
    # One second is what the page promises; a busy machine gets three times that before the test calls it broken.
    assert taken < 3


def test_a_damaged_journal_is_told_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"seq":1,"board":{"hp":"many"},"decision":[]}\nhalf a li\n[1]\n{"kind":7}\n\xff\n')
    assert len(read_journal(path)) == 2
    assert report(path, tmp_path / "out.html")["records"] == 2
    assert report(tmp_path / "none.jsonl", tmp_path / "empty.html")["records"] == 0


def test_a_floor_below_the_last_one_begins_another_run() -> None:
    story = tell([action(250), action(10), action(20)])
    assert story.runs == 2
    assert [floor.run for floor in story.floors] == [1, 2]


def test_a_page_that_cannot_be_written_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        report(tmp_path / "none", tmp_path / "no folder" / "out.html")


def test_an_evaluation_becomes_a_comparison_with_intervals(tmp_path: Path) -> None:
    out = tmp_path / "eval.html"
    write_comparison(evaluate_policies(fights=4, pool="weak", jobs=1), out)
    with opened(out, width=390) as (page, complaints):
        assert overflow(page) == 0
        assert page.locator("figure").count() == 2
        assert "95 % interval" in page.locator("figure").first.inner_text()
        assert complaints == []


def test_the_interval_of_a_share_is_wilsons() -> None:
    # Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662.
    assert share_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=0.0006)  # given to three places
    assert share_interval(0, 20)[0] == 0


def run_file(folder: Path, name: str, content: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_run_files_of_any_version_are_summed_up_and_joined_only_by_their_whole_identity(tmp_path: Path) -> None:
    saves = tmp_path / "steam" / "1" / "modded" / "profile2" / "saves" / "history"
    won = run_file(
        saves,
        "1.run",
        {"win": True, "start_time": 77, "players": [{"character": "CHARACTER.IRONCLAD"}]},
    )
    lost = run_file(saves, "2.run", {"win": False, "killed_by_encounter": HOSTILE, "build_id": "v9"})
    bare = run_file(
        tmp_path / "elsewhere", "3.run", {"win": False, "start_time": 77, "map_point_history": [[1, 2], [3]]}
    )
    bad = run_file(saves, "4.run", [1])
    out = tmp_path / "history.html"
    result: Any = history([won, lost, bare, bad], known=["modded:profile2:77"], out=out)
    assert [run["ours"] for run in result["runs"]] == [True, False, False]
    assert result["unreadable"] == ["4.run"]
    assert result["summary"]["all"]["wins"] == 1
    assert result["summary"]["character"]["IRONCLAD"]["wins"] == 1
    assert result["runs"][2]["floors"] == 3
    assert read_run(bad) is None
    with opened(out, width=390) as (page, complaints):
        assert overflow(page) == 0
        assert HOSTILE in page.locator("#f2").inner_text()
        assert complaints == []


def test_each_system_has_its_folder(tmp_path: Path) -> None:
    assert default_folders({}, "darwin", tmp_path) == tmp_path / "Library" / "Application Support" / "SlayTheSpire2"
    assert default_folders({"APPDATA": "data"}, "win32", tmp_path) == Path("data") / "SlayTheSpire2"
    assert default_folders({}, "linux", tmp_path) == tmp_path / ".local" / "share" / "SlayTheSpire2"
