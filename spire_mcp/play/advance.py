"""Mechanical steps: what leaves nothing to decide is done, and the first decision goes to the planner."""

from spire_mcp.game.options import Option, list_options
from spire_mcp.game.screens import Combat, Observation
from spire_mcp.play.brief import decision_brief
from spire_mcp.play.loop import Ending, Loop, hand_over


def advance(loop: Loop, max_steps: int) -> Ending:
    """Take mechanical steps until a decision is reached or `max_steps` are done."""
    while True:
        observation = loop.settle()
        if isinstance(observation.screen, Combat):
            raise hand_over("wrong_screen", decision_brief(observation, "a fight: call `battle`"))
        options = list_options(observation)
        option = next((option for option in options if option.kind == "mechanical" and option.trap is None), None)
        if option is None:
            brief = decision_brief(observation, _why(observation, options), loop.deck(observation))
            raise hand_over(_reason(observation, options), brief)
        if len(loop.actions) >= max_steps:
            return Ending(outcome="step_limit")
        loop.act(option.id, by="program", decision={"why": "mechanical"})


def _reason(observation: Observation, options: tuple[Option, ...]) -> str:
    if any(option.trap and option.action == "claim_reward" for option in options):
        return "potion_decision"
    card_screens = {"card_reward", "card_select", "bundle_select"}
    return "card_choice" if observation.state_type in card_screens else "wrong_screen"


def _why(observation: Observation, options: tuple[Option, ...]) -> str:
    trap = next((option.trap for option in options if option.trap), None)
    return trap or f"a decision on the screen {observation.state_type}, which is the planner's"
