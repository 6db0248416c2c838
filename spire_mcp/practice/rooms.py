"""Rooms without fights: rest site, chest, shop, and the grids of cards that they open."""

from typing import TYPE_CHECKING

from spire_mcp.practice.content import table
from spire_mcp.practice.grid import CardGrid
from spire_mcp.practice.pieces import Card

if TYPE_CHECKING:
    from spire_mcp.practice.run import PracticeRun

_PRICES = {"Common": 50, "Uncommon": 75, "Rare": 150}


def rest(run: "PracticeRun", what: str) -> None:
    """Heal three tenths of the maximum, or open the choice of a card to upgrade."""
    if what == "HEAL":
        run.hp = min(run.max_hp, run.hp + run.max_hp * 3 // 10)
        run.rest_done = True
        return
    open_grid(run, "upgrade")


def can_upgrade(card: Card) -> bool:
    """Whether a card of the deck can still be upgraded."""
    return not card.upgraded and card.data["type"] not in {"Status", "Curse"}


def grid_cards(run: "PracticeRun", purpose: str, kind: str | None = None) -> list[Card]:
    """The cards of the deck that a grid of this purpose shows."""
    match purpose:
        case "upgrade":
            return [card for card in run.deck if can_upgrade(card)]
        case "enchant":
            return [card for card in run.deck if card.data["type"] == kind and card.enchantment is None]
        case _:
            return [card for card in run.deck if not card.has("Eternal")]


def open_grid(
    run: "PracticeRun",
    purpose: str,
    *,
    count: int = 1,
    enchantment: tuple[str, int] | None = None,
    kind: str | None = None,
) -> bool:
    """Show a grid of cards over the screen that asked for it; False when there is nothing to choose from."""
    cards = grid_cards(run, purpose, kind)
    if not cards:
        return False
    run.grid = CardGrid(
        purpose=purpose, cards=cards, back=run.screen, count=min(count, len(cards)), enchantment=enchantment
    )
    run.screen = "card_select"
    return True


def offer_cards(run: "PracticeRun", cards: list[Card]) -> None:
    """Show cards of which one may be taken at once."""
    run.grid = CardGrid(purpose="take", cards=cards, back=run.screen, final=True)
    run.screen = "card_select"


def confirm_grid(run: "PracticeRun") -> None:
    """Carry out what the grid was opened for."""
    grid = run.grid
    assert grid is not None
    for card in grid.selected:
        match grid.purpose:
            case "upgrade":
                card.upgraded = True
            case "enchant":
                card.enchantment = grid.enchantment
            case "take":
                run.deck.append(card.copy())
            case "transform":
                run.deck.remove(card)
                run.deck.append(run.card_choice(1)[0])
            case _:
                run.deck.remove(card)
                run.gold -= grid.price
                run.removals += grid.price > 0
    paid = grid.price > 0
    close_grid(run)
    run.rest_done = True
    if run.event is not None and not run.event.get("again"):
        run.event = {**run.event, "done": True}
    for item in run.shop if paid else ():
        if item["category"] == "card_removal":
            item["sold"] = True


def close_grid(run: "PracticeRun") -> None:
    """Go back to the screen below the grid."""
    assert run.grid is not None
    run.screen, run.grid = run.grid.back, None


def open_chest(run: "PracticeRun") -> None:
    """The chest opens when it is looked at, and pays its gold at once."""
    if run.chest is None:
        run.gold += run.dice.randint(42, 52)
        relic = run.new_relic()
        run.chest = [relic] if relic is not None else []


def take_treasure(run: "PracticeRun", index: int) -> None:
    """Take a relic from the chest."""
    assert run.chest is not None
    run.gain_relic(run.chest.pop(index))


def stock_shop(run: "PracticeRun") -> None:
    """Fill the merchant's shelves: five cards of the class, relics, potions and a removal (act1.md, section 10)."""
    run.shop = []
    for position, card in enumerate(run.card_choice(5)):
        price = _around(run, _PRICES[card.data["rarity"]], 5)
        sale = position == 1
        run.shop.append({"category": "card", "card": card, "price": price // 2 if sale else price, "on_sale": sale})
    left = run.relics_left()
    for relic in run.dice.sample(left, min(3, len(left))):
        run.shop.append({"category": "relic", "relic": relic, "price": _around(run, 175, 15)})
    for potion in run.dice.sample(sorted(table("potions")), 3):
        run.shop.append({"category": "potion", "potion": potion, "price": _around(run, 50, 5)})
    run.shop.append({"category": "card_removal", "price": 75 + 25 * run.removals})


def stock_fakes(run: "PracticeRun") -> None:
    """Fill the shelves of the merchant who is none."""
    fakes = sorted(relic for relic, entry in table("relics").items() if entry.get("fake") and relic not in run.relics)
    run.shop = [{"category": "relic", "relic": relic, "price": 50} for relic in fakes]


def _around(run: "PracticeRun", price: int, percent: int) -> int:
    """A price within some per cent of the usual one."""
    return price + price * run.dice.randint(-percent, percent) // 100


def buy(run: "PracticeRun", index: int) -> None:
    """Buy an item; a potion that does not fit stays on the shelf, and nothing is said."""
    item = run.shop[index]
    match item["category"]:
        case "card_removal":
            if open_grid(run, "remove"):
                assert run.grid is not None
                run.grid.price = item["price"]
            return
        case "card":
            run.deck.append(item["card"].copy())
        case "relic":
            run.gain_relic(item["relic"])
        case _:
            if not run.gain_potion(item["potion"]):
                return
    run.gold -= item["price"]
    item["sold"] = True
