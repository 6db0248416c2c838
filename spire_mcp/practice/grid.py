"""A grid of cards to choose from, with the toggling and the preview that the game shows."""

from dataclasses import dataclass, field

from spire_mcp.practice.fight import Card


@dataclass(slots=True, eq=False)
class CardGrid:
    """An open grid: what it is for, what is selected (which no state tells), and the screen below it."""

    purpose: str
    cards: list[Card]
    back: str
    selected: list[Card] = field(default_factory=list[Card])
    preview: bool = False
    price: int = 0

    def toggle(self, index: int) -> None:
        """Select a card, or undo that; a full selection shows the preview."""
        card = self.cards[index]
        if card in self.selected:
            self.selected.remove(card)
        else:
            self.selected = [card]
        self.preview = bool(self.selected)
