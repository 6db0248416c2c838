"""Predictions held against real games: every card played and every turn ended in the recorded runs."""

from collections import Counter

import pytest

from spire_mcp.combat import forecast
from tests.captures import Step, steps
from tests.game.test_recorded_runs import option_of

PREDICTED = [step for step in steps() if step.accepted and step.action["action"] in {"play_card", "end_turn"}]


@pytest.mark.parametrize("step", PREDICTED, ids=lambda step: step.name)
def test_no_predicted_number_is_wrong(step: Step) -> None:
    option = option_of(step)
    assert option is not None
    expected = forecast(step.before, option)
    if expected is not None:
        assert expected.differences(step.after) == ()


def test_little_is_left_unpredicted() -> None:
    counts: Counter[str] = Counter()
    for step in PREDICTED:
        option = option_of(step)
        assert option is not None
        expected = forecast(step.before, option)
        whole = expected is not None and (expected.fight_over or (expected.hp is not None and bool(expected.enemies)))
        counts[f"{step.action['action']} {'whole' if whole else 'not'}"] += 1
    print(dict(counts))
    plays = counts["play_card whole"] + counts["play_card not"]
    turns = counts["end_turn whole"] + counts["end_turn not"]
    assert counts["play_card not"] <= 0.10 * plays
    assert counts["end_turn not"] <= 0.25 * turns
