"""A player without ideas: whatever the product offers, the practice game takes, and nothing breaks."""

import copy
import os
from random import Random
from typing import Any

import pytest

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import Option, card_token, find_option, list_options
from spire_mcp.game.options.grids import wanted
from spire_mcp.game.screens import CardSelect
from spire_mcp.practice.game import PracticeGame

Json = dict[str, Any]

SEEDS = 60 * int(os.environ.get("SPIRE_MCP_PROOF", "1"))
STEPS = 400
"""an act of a random player ends long before: it dies, or wins a few fights of about 30 actions"""


# A hundred seeds take a few seconds; a long proof gets its time in proportion.
@pytest.mark.timeout(60 + SEEDS)
@pytest.mark.long
def test_every_offered_option_is_accepted_by_the_game() -> None:
    screens = set[str]()
    for number in range(SEEDS):
        dice = Random(number)
        played = PracticeGame(
            seed=f"random{number}",
            delay=0,
            language=dice.choice(["eng", "zhs"]),
            act="any",
            character=dice.choice(["IRONCLAD", "SILENT", "DEFECT", "REGENT", "NECROBINDER"]),
            start=dice.choice(["fight", "menu"]),
        )
        if played.run.screen == "main_menu":
            played.run.embark(played.run.character)
            played.post({"action": "advance_dialogue"})
        # Half of the games cannot lose soon, so that the rooms behind the fights are met too.
        strong = number % 2 == 0
        for _ in range(STEPS):
            if strong and played.run.fight is not None:
                played.run.fight.player.hp = played.run.fight.player.max_hp
                played.run.fight.energy += 2
            # The first look at a chest opens it, and the second shows what was in it.
            played.state()
            state = played.state()
            screens.add(state["state_type"])
            if state["state_type"] == "game_over":
                break
            options = [o for o in list_options(parse_state(state)) if o.kind != "restricted" and not o.trap]
            options = options or [several_cards(state)]
            option = dice.choice(options)
            for request in option.requests:
                status, answer = played.post(dict(request.body()))
                played.state()
                assert (status, answer["status"]) == (200, "ok"), (number, option, answer, state)
    assert screens >= {"monster", "rewards", "card_reward", "map", "rest_site", "treasure", "event", "card_select"}
    assert screens >= {"elite", "hand_select", "shop", "bundle_select", "relic_select", "crystal_sphere"}


def several_cards(state: Json) -> Option:
    """The first cards of a grid that takes several, chosen together."""
    observation = parse_state(copy.deepcopy(state))
    screen = observation.screen
    assert isinstance(screen, CardSelect), state
    tokens = [card_token(card, screen.cards) for card in screen.cards[: wanted(screen)]]
    option = find_option(observation, f"select:{','.join(tokens)}")
    assert option is not None, state
    return option
