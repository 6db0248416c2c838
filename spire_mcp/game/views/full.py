"""Everything that is known of a screen: the bridge's answer without what nobody can use."""

from typing import cast

from spire_mcp.game.identity import PILES
from spire_mcp.game.screens import Observation


def full(observation: Observation) -> dict[str, object]:
    """The whole state, without the stale texts of cards in piles."""
    view = dict(observation.raw)
    player = view.get("player")
    if isinstance(player, dict):
        shown = dict(cast("dict[str, object]", player))
        for pile in PILES:
            cards = shown.get(pile)
            if isinstance(cards, list):
                shown[pile] = [_without_text(card) for card in cast("list[object]", cards)]
        view["player"] = shown
    return view


def _without_text(card: object) -> object:
    if not isinstance(card, dict):
        return card
    return {key: value for key, value in cast("dict[str, object]", card).items() if key != "description"}
