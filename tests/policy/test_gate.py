"""The gate: a leading share and a lead, over orders that agree; and who decides where that is missing."""

import pytest

from spire_mcp.errors import UsageError
from spire_mcp.policy.gate import judge, program_decides
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.policy.questions import NONE
from spire_mcp.policy.shortlist import shortlist
from tests.boards import bash, defend, enemy, fight, strike
from tests.models import found_on

LIMITS = AskingLimits()


def order(**shares: float) -> dict[str, float]:
    return shares


def same(**shares: float) -> list[dict[str, float]]:
    return [shares] * 4


def test_a_share_and_a_lead_pass() -> None:
    # With five options 0.46 against 0.20 is clear, though a confidence of (5 * 0.46 - 1) / 4 = 0.33 looks low.
    verdict = judge(same(A=0.46, B=0.20, C=0.14, D=0.10, none=0.10), LIMITS)
    assert (verdict.passed, verdict.leader) == (True, "A")


def test_the_thresholds_themselves_pass() -> None:
    assert judge(same(A=0.45, B=0.25, C=0.20, none=0.10), LIMITS).passed


@pytest.mark.parametrize(
    "orders",
    [
        pytest.param(same(A=0.44, B=0.20, C=0.20, none=0.16), id="too small a share"),
        pytest.param(same(A=0.50, B=0.31, C=0.09, none=0.10), id="too small a lead"),
        pytest.param(same(A=0.34, B=0.33, none=0.33), id="no preference"),
        pytest.param(same(A=0.10, B=0.20, none=0.70), id="none is acceptable"),
        # Whatever stands first is preferred: on average nothing is.
        pytest.param([order(A=0.9, B=0.05, none=0.05), order(B=0.9, A=0.05, none=0.05)], id="a liking for a place"),
        # 0.65 on average, and one order is sure of the opposite: 0.65 - 0.20 less a disagreement of 0.3.
        pytest.param(
            [*[order(A=0.85, B=0.05, none=0.10)] * 3, order(A=0.05, B=0.85, none=0.10)], id="an order disagrees"
        ),
    ],
)
def test_what_is_not_clear_does_not_pass(orders: list[dict[str, float]]) -> None:
    verdict = judge(orders, LIMITS)
    assert not verdict.passed
    assert verdict.why


def test_none_is_never_a_line_however_clear_it_is() -> None:
    verdict = judge(same(A=0.01, B=0.01, none=0.98), LIMITS)
    assert (verdict.passed, verdict.leader) == (False, NONE)


def test_a_line_that_loses_nothing_is_the_programs_after_a_toss_up() -> None:
    menu = shortlist(found_on(fight([strike(), bash(), defend(), defend()], [enemy(40, "5")])), 6)
    assert program_decides(menu, 80, 0.0, LIMITS)


def test_a_costly_turn_at_low_hp_is_not_decided_by_a_toss_up() -> None:
    # 14 come in at 21 HP; Block for 10 at most, so each line costs at least 4 and leaves less than 24 (30 % of 80).
    menu = shortlist(found_on(fight([strike(), strike(), bash(), defend(), defend()], [enemy(60, "14")], hp=21)), 6)
    assert program_decides(menu, 80, 0.0, AskingLimits(clear_lead=1000)) is None


def test_lines_that_differ_little_are_a_toss_up_only_while_the_danger_is_small() -> None:
    menu = shortlist(found_on(fight([strike(), strike(), bash(), defend()], [enemy(60, "14")])), 6)
    limits = AskingLimits(clear_lead=1000, small_loss=0)
    assert program_decides(menu, 80, 1.0, limits)
    assert program_decides(menu, 80, 2.0, limits) is None


@pytest.mark.parametrize("wrong", [{"share": 1.5}, {"margin": -0.1}, {"options": 2}, {"options": 13}, {"deadline": 0}])
def test_a_threshold_that_makes_no_sense_is_a_usage_error(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        AskingLimits(**wrong)  # type: ignore[arg-type]
