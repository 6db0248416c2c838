"""Grids of cards, where choosing toggles and most builds do not tell what is selected (bridge-contract.md, trap 5).

A grid that takes several cards looks the same after the first of them as before. So they are chosen together, as one
option that names them all: each is sent once, and the end of the choice proves the whole.
"""

import re
import unicodedata
from typing import Final

from spire_mcp.game.options.model import Option, Request
from spire_mcp.game.options.tokens import card_token
from spire_mcp.game.parts import Card
from spire_mcp.game.screens import CardSelect, Observation
from spire_mcp.game.text import clean_text

_WORDS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
_AT_MOST: Final = ("up to", "any number", "最多", "至多", "任意")
_COUNTED: Final = re.compile(rf"(\d{{1,2}}|{'|'.join(_WORDS)})\s*(?:cards?|张|枚|cartes?|karten?|cartas?|карт)")
_MOST: Final = 10


def wanted(select: CardSelect) -> int:
    """How many cards the grid has to be given, as far as its prompt tells: the number that counts cards in it, or one.

    Other numbers in a prompt (an enchantment's, a price) count nothing.
    """
    prompt = unicodedata.normalize("NFKC", select.prompt or "").lower()
    if any(word in prompt for word in _AT_MOST):
        return 1  # one is enough, and the confirm button shows that it was taken
    found = _COUNTED.search(prompt)
    if found is None:
        return 1
    count = found.group(1)
    return max(1, min(_MOST, int(count) if count.isdigit() else _WORDS[count]))


def shows_selection(select: CardSelect) -> bool:
    """Whether this build tells which cards are selected."""
    marked = any(card.is_selected is not None for card in select.cards)
    return marked or select.selected_count is not None or select.selected_indices is not None


def _selected(select: CardSelect, card: Card) -> bool:
    return bool(card.is_selected) or card.index in (select.selected_indices or ())


def grid_trap(select: CardSelect, card: Card) -> str | None:
    """Why selecting this one card would undo something or could never be seen to have happened."""
    if _selected(select, card):
        return "this card is selected already; selecting it again would undo that"
    if shows_selection(select):
        return None
    if select.can_confirm:
        return "something may be selected already, and the screen does not tell what: confirm, or cancel and start over"
    count = wanted(select)
    if count > 1:
        return f"this screen takes {count} cards and does not show the first: name them together, as select:ONE,OTHER"
    return None


def several(observation: Observation, option_id: str) -> Option | None:
    """The option that chooses several cards of a grid together; None when the ID names no such choice here."""
    select = observation.screen
    if not isinstance(select, CardSelect) or not option_id.startswith("select:") or "," not in option_id:
        return None
    if select.preview_showing or select.screen_type == "choose":
        return None
    left = list(select.cards)
    chosen: list[Card] = []
    for token in option_id.removeprefix("select:").split(","):
        card = next((card for card in left if card_token(card, select.cards) == token), None)
        if card is None:
            return None
        left.remove(card)
        chosen.append(card)
    return Option(
        id=option_id,
        label=clean_text(f"Select {', '.join(card.title for card in chosen)}"),
        kind="decision",
        requests=tuple(Request(action="select_card", parameters={"index": card.index}) for card in chosen),
        trap=_several_trap(select, chosen),
    )


def _several_trap(select: CardSelect, chosen: list[Card]) -> str | None:
    if len(chosen) > _MOST:
        return f"more than {_MOST} cards at once"
    if any(_selected(select, card) for card in chosen):
        return "one of these cards is selected already; selecting it again would undo that"
    if select.can_confirm and not shows_selection(select):
        return "something may be selected already, and the screen does not tell what: confirm, or cancel and start over"
    return None
