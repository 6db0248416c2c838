"""A grid of cards to choose from, with the toggling and the preview that the game shows."""

from dataclasses import dataclass, field

from spire_mcp.practice.pieces import Card


@dataclass(slots=True, eq=False)
class CardGrid:
    """An open grid: what it is for, what is selected (which no state tells), and the screen below it.

    `final`: a choose-a-card overlay, where picking is immediate. `stuck`: the confirm button answers and does nothing.
    """

    purpose: str
    cards: list[Card]
    back: str
    selected: list[Card] = field(default_factory=list[Card])
    preview: bool = False
    price: int = 0
    count: int = 1
    enchantment: tuple[str, int] | None = None
    final: bool = False
    stuck: bool = False

    def toggle(self, index: int) -> None:
        """Select a card, or undo that; a full selection shows the preview."""
        card = self.cards[index]
        if card in self.selected:
            self.selected.remove(card)
        elif self.count == 1:
            self.selected = [card]
        elif len(self.selected) < self.count:
            self.selected.append(card)
        self.preview = len(self.selected) == self.count
