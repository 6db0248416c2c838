"""Practice games on a chosen screen, for the tests of this folder."""

from typing import Any

from spire_mcp.practice import rooms
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.game import PracticeGame
from spire_mcp.practice.render import render
from spire_mcp.practice.run import PracticeRun

Json = dict[str, Any]


def game(**options: Any) -> PracticeGame:
    """A game without delays, unless a test wants them."""
    defaults: Json = {"seed": "demo", "delay": 0, **options}
    return PracticeGame(**defaults)


def show(played: PracticeGame) -> Json:
    """Make a change inside the game visible."""
    state = render(played.run, played.language)
    played._visible = state
    return state


def post(played: PracticeGame, action: str, **parameters: Any) -> Json:
    """Act, and let what follows become visible."""
    status, answer = played.post({"action": action, **parameters})
    assert status == 200, answer
    played.state()
    return answer


def set_fight(played: PracticeGame, *hand: str, monsters: tuple[str, ...] = ("NIBBIT",)) -> Fight:
    """A fight with just this hand and an empty draw pile."""
    run = played.run
    run.fight = Fight(deck=[], monsters=monsters, hp=run.hp, max_hp=run.max_hp, seed="board", potions=run.potions)
    run.fight.hand = [Card(card) for card in hand]
    run.fight_kind, run.screen = "monster", "fight"
    show(played)
    return run.fight


def set_room(played: PracticeGame, screen: str) -> PracticeRun:
    """A room without a fight."""
    run = played.run
    run.fight, run.screen, run.rest_done, run.chest = None, screen, False, None
    if screen == "shop":
        rooms.stock_shop(run)
    if screen == "event":
        run.event = next(iter(table("events").values()))
    show(played)
    return run
