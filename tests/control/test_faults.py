"""Every way a request can go wrong on the real HTTP path: one request, a true outcome, HALTED when in doubt."""

from pathlib import Path

import pytest

from tests.products import seat

# fault, outcome, error code, whether the port is stopped afterwards
FAULTS = [
    ("", "verified", None, False),
    ("reply_lost_after_effect", "verified", None, False),
    ("reply_lost_before_effect", "unknown", "halted", True),
    ("error_500_after_effect", "verified", None, False),
    ("error_500_before_effect", "unknown", "halted", True),
    ("ok_without_effect", "unknown", "halted", True),
    ("error_with_effect", "unknown", "halted", True),
    ("error_without_effect", "rejected", "rejected", False),
    ("half_reply", "verified", None, False),
    ("hang", "unknown", "halted", True),
    ("hang_with_effect", "verified", None, False),
]
PLAYS = ["play:STRIKE", "play:DEFEND", "end_turn"]


@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.parametrize(("fault", "outcome", "code", "stopped"), FAULTS, ids=[row[0] or "none" for row in FAULTS])
def test_one_request_a_true_outcome_and_a_stop_exactly_when_the_fate_is_unknown(
    tmp_path: Path, fault: str, outcome: str, code: str | None, stopped: bool, play: str
) -> None:
    with seat(tmp_path, faults=fault) as table:
        before = table.state()
        result = table.act(play)
        assert len(table.sent) == 1
        assert result["outcome"] == outcome
        assert result.get("error", {}).get("code") == code
        assert table.halted is stopped
        assert table.inflight is stopped
        after = table.server.game.state()
        happened = after != table_state(before, table)
        if outcome == "verified":
            assert happened
        if outcome == "rejected":
            assert not happened


def table_state(before: dict[str, object], table: object) -> object:
    """The raw state that was shown before, by its ID: equal IDs are equal boards."""
    from spire_mcp.game.identity import state_id

    now = table.server.game.state()  # type: ignore[attr-defined]
    return now if state_id(now) == before["state_id"] else None


@pytest.mark.parametrize("fault", ["hang", "ok_without_effect", "error_with_effect", "error_500_before_effect"])
def test_nothing_acts_on_a_stopped_port_until_it_is_cleared_with_the_right_state(tmp_path: Path, fault: str) -> None:
    with seat(tmp_path, faults=fault) as table:
        table.act("play:STRIKE")
        state = table.state()
        assert state["halted"]["seq"] == 1
        for attempt in map(
            table.do,
            (
                table.app.act(state["state_id"], "end_turn"),
                table.app.battle(),
                table.app.advance(),
                table.app.plan(state["state_id"], ["end_turn"]),
            ),
        ):
            assert attempt["ok"] is False
            assert attempt["error"]["code"] == "halted"
        wrong = table.do(table.app.clear_halt("s1-aaaaaaaaaaaaaaaa"))
        assert wrong["error"]["code"] == "stale_state"
        assert table.halted
        assert len(table.sent) == 1
        cleared = table.app.clear_halt(state["state_id"])
        assert cleared["outcome"] == "cleared"
        assert not table.halted
        assert not table.inflight
        assert len(table.sent) == 1
        assert table.act("end_turn")["outcome"] == "verified"


def test_a_late_effect_is_waited_for_and_the_outcome_is_true(tmp_path: Path) -> None:
    # The practice game shows a late effect after 3 s; a limit of half a second is over long before.
    with seat(tmp_path, faults="late_effect") as table:
        result = table.act("play:STRIKE")
        assert result["outcome"] == "unknown"
        assert table.halted


def test_a_bridge_that_is_gone_before_the_request_leaves_nothing_behind(tmp_path: Path) -> None:
    with seat(tmp_path) as table:
        state = table.state()
        table.server.stop()
        result = table.do(table.app.act(state["state_id"], "end_turn"))
    assert result["error"]["code"] == "bridge_unreachable"
    assert result["error"]["may_have_acted"] is False
    assert not table.halted
    assert not table.inflight


def test_a_stale_state_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    with seat(tmp_path) as table:
        state = table.state()
        assert table.app.act(state["state_id"], "end_turn")["outcome"] == "verified"
        result = table.do(table.app.act(state["state_id"], "end_turn"))
        assert result["error"]["code"] == "stale_state"
        assert result["state"]["state_id"] != state["state_id"]
        assert len(table.sent) == 1


def test_a_made_up_option_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    with seat(tmp_path) as table:
        result = table.do(table.app.act(table.state()["state_id"], "play:BLUDGEON:e1"))
        assert result["error"]["code"] == "unknown_option"
        assert table.sent == []


def test_a_restricted_option_is_refused_unless_the_owner_permits_it(tmp_path: Path) -> None:
    with seat(tmp_path, start="menu") as table:
        state = table.state()
        option = table.option("menu:singleplayer", state)
        assert table.do(table.app.act(state["state_id"], option))["error"]["code"] == "not_permitted"
        assert table.sent == []
    with seat(tmp_path, start="menu", settings={"permissions": frozenset({"menu"})}) as table:
        assert table.act("menu:singleplayer")["outcome"] == "verified"


def test_the_journal_tells_each_action_with_its_evidence(tmp_path: Path) -> None:
    with seat(tmp_path) as table:
        table.act("play:STRIKE")
        table.act("end_turn")
        records = list(table.app.journal(last=10))
    assert [record["seq"] for record in records] == [1, 2]
    assert [record["outcome"] for record in records] == ["verified", "verified"]
    assert records[1]["evidence"] == ["round 1 to 2"]
    assert [record["by"] for record in records] == ["planner", "planner"]
