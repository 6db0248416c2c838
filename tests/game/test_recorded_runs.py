"""Options and effects held against what was done in real games, and what came of it."""

import pytest

from spire_mcp.game.effects import judge
from spire_mcp.game.options import Option, card_identity, list_options
from spire_mcp.game.screens import Observation
from tests.captures import Step, steps

STEPS = list(steps())


def option_of(step: Step) -> Option | None:
    """The offered option that is the recorded action: the same request, or one for a card that nothing tells apart."""
    wanted = dict(step.action)
    if "target" in wanted:
        enemy = next(enemy for enemy in step.before.enemies if enemy.entity_id == wanted["target"])
        wanted["target"] = str(enemy.combat_id)
    for option in list_options(step.before):
        body: dict[str, object] = dict(option.requests[-1].body())
        if _same(body, wanted, step.before):
            return option
    return None


def _same(offered: dict[str, object], wanted: dict[str, object], before: Observation) -> bool:
    if offered == wanted:
        return True
    if offered["action"] != wanted["action"] or offered.get("target") != wanted.get("target"):
        return False
    key = "card_index" if "card_index" in wanted else "index"
    mine, theirs = offered.get(key), wanted.get(key)
    if not isinstance(mine, int) or not isinstance(theirs, int):
        return False
    things: tuple[object, ...] = ()
    if wanted["action"] == "play_card":
        things = tuple(card_identity(card) for card in before.hand)
    elif wanted["action"] == "select_card":
        things = tuple(card_identity(card) for card in getattr(before.screen, "cards", ()))
    elif wanted["action"] == "claim_reward":
        things = tuple((item.type, item.description) for item in getattr(before.screen, "items", ()))
    return bool(things) and things[mine] == things[theirs]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_action_taken_in_a_real_run_was_offered_on_the_state_before_it(step: Step) -> None:
    if not step.accepted:
        pytest.skip("the game refused it: what the state showed was not ready yet")
    assert option_of(step) is not None, [option.id for option in list_options(step.before)]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_state_after_a_real_action_proves_it_and_the_state_before_does_not(step: Step) -> None:
    option = option_of(step)
    if option is None or not step.accepted:
        pytest.skip("not offered, or refused by the game")
    assert judge(step.before, step.after, option).proved
    assert not judge(step.before, step.before, option).proved


def test_the_recordings_hold_enough_actions_to_mean_something() -> None:
    # The excerpts in the repository are 60 steps of one run, the whole collection three runs.
    assert len(STEPS) >= 50
