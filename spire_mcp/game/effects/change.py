"""What differs between two readings, asked in the words that effects are written in."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from spire_mcp.game.expected import Expected
from spire_mcp.game.options.model import Option
from spire_mcp.game.parts import Card, Player, Potion
from spire_mcp.game.screens import (
    CardReward,
    CardSelect,
    Combat,
    GameOver,
    Menu,
    Observation,
    Overlay,
    RewardItem,
    Rewards,
    Unknown,
)

Check = Callable[["Change"], str | None]
"""Says in words what it saw when it holds, and None when it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An option, the observation it was sent on, and a later one. `expected` is what arithmetic is certain of."""

    before: Observation
    after: Observation
    option: Option
    expected: Expected | None = None

    def number(self, name: str) -> int | None:
        """A whole-number parameter of the request."""
        value = self.option.parameter(name)
        return value if isinstance(value, int) else None

    @property
    def card(self) -> Card | None:
        """The card that was to be played."""
        index = self.number("card_index")
        return next((card for card in self.before.hand if card.index == index), None)

    @property
    def potion(self) -> Potion | None:
        """The potion in the slot that was named."""
        slot = self.number("slot")
        potions = self.before.player.potions if self.before.player else ()
        return next((potion for potion in potions if potion.slot == slot), None)

    @property
    def reward(self) -> RewardItem | None:
        """The reward that was to be claimed."""
        index = self.number("index")
        items = self.before.screen.items if isinstance(self.before.screen, Rewards) else ()
        return next((item for item in items if item.index == index), None)

    @property
    def players(self) -> tuple[Player, Player] | None:
        """The player before and after, where both readings show one."""
        if self.before.player is None or self.after.player is None:
            return None
        return self.before.player, self.after.player

    @property
    def same_room(self) -> bool:
        """Whether both readings are on the same floor."""
        return self.before.run is not None and self.before.run == self.after.run

    @property
    def fight_is_over(self) -> bool:
        """Whether the later reading is a screen that only comes after the fight, not a pause inside it."""
        if isinstance(self.after.screen, GameOver):
            return True
        inside = Combat | Overlay | Unknown | Menu
        hidden = self.after.player is not None and self.after.player.hand is not None
        return self.same_room and not isinstance(self.after.screen, inside) and not hidden

    @property
    def selection_is_open(self) -> bool:
        """Whether the later reading asks for a choice of cards that the earlier one did not."""
        return _asks(self.after) and not _asks(self.before)


def _asks(observation: Observation) -> bool:
    screen = observation.screen
    if isinstance(screen, Combat):
        return screen.hand_select is not None
    return isinstance(screen, CardSelect | CardReward)


def same_cards(cards: tuple[Card, ...], card: Card) -> int:
    """How many cards of this ID and upgrade are in a list; whether they can be paid now does not matter."""
    return sum((other.id, other.is_upgraded) == (card.id, card.is_upgraded) for other in cards)


def names_in_piles(player: Player) -> Counter[str | None]:
    """How many cards of each displayed name lie in the discard and exhaust piles."""
    return Counter(card.name for card in (*player.discard_pile, *player.exhaust_pile))
