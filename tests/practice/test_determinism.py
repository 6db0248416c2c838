"""The same seed and the same actions are the same game, whatever the language; another seed is another game."""

from random import Random
from typing import Any

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import list_options
from spire_mcp.practice.game import PracticeGame

Json = dict[str, Any]
SEEDS = ("one", "two", "three", "four", "five")


def play(seed: str, language: str = "eng") -> tuple[list[Json], list[Json]]:
    """A hundred actions of the same dice; the states and the requests."""
    played, dice = PracticeGame(seed=seed, delay=0, language=language), Random(7)
    states: list[Json] = []
    bodies: list[Json] = []
    for _ in range(100):
        state = played.state()
        states.append(state)
        options = [o for o in list_options(parse_state(state)) if o.kind != "restricted" and not o.trap]
        if not options:
            break
        bodies.append(dict(dice.choice(options).requests[0].body()))
        played.post(bodies[-1])
    return states, bodies


def test_the_same_seed_and_actions_are_the_same_states() -> None:
    for seed in SEEDS:
        assert play(seed) == play(seed)


def test_different_seeds_are_different_games() -> None:
    # Two seeds can share their first fight, never their first hundred states.
    assert len({repr(play(seed)[0]) for seed in SEEDS}) == len(SEEDS)


def test_the_language_changes_words_and_no_numbers() -> None:
    for seed in SEEDS[:2]:
        played = [PracticeGame(seed=seed, delay=0, language=language) for language in ("eng", "zhs")]
        for body in play(seed)[1]:
            assert len({str(game.post(dict(body))[0]) for game in played}) == 1
            english, chinese = (game.state() for game in played)
            assert english["state_type"] == chinese["state_type"]
            assert english.get("player", {}).get("hp") == chinese.get("player", {}).get("hp")
            ids = [[card["id"] for card in s.get("player", {}).get("hand", [])] for s in (english, chinese)]
            assert ids[0] == ids[1]


def test_looking_does_not_change_the_dice() -> None:
    looked, unlooked = (PracticeGame(seed="look", delay=0) for _ in range(2))
    for _ in range(3):
        for _ in range(5):
            looked.state()
        looked.post({"action": "end_turn"})
        unlooked.post({"action": "end_turn"})
        unlooked.state()
    assert looked.state() == unlooked.state()
