"""What actions outside fights must change."""

import re
from collections import Counter
from typing import Final

from spire_mcp.game.effects.change import Change, Check
from spire_mcp.game.screens import (
    BundleSelect,
    CardReward,
    CardSelect,
    Combat,
    CrystalSphere,
    Event,
    FakeMerchant,
    GameOver,
    MapScreen,
    Menu,
    NextNode,
    Observation,
    Overlay,
    RelicSelect,
    RestSite,
    RewardItem,
    Rewards,
    Shop,
    ShopItem,
    Treasure,
    Unknown,
)


def _passing(observation: Observation) -> bool:
    """A screen that is no answer: a transition, or something that covers everything."""
    return isinstance(observation.screen, Overlay | Unknown)


def screen_left(change: Change) -> str | None:
    """Another screen has taken the place of the one that was acted on."""
    before, after = change.before, change.after
    if _passing(after) or isinstance(after.screen, Menu) != isinstance(before.screen, Menu):
        return None
    if isinstance(after.screen, MapScreen) and not after.screen.next_options:
        return None  # somebody is looking at the map
    return f"{before.state_type} gave way to {after.state_type}" if before.state_type != after.state_type else None


def map_opened(change: Change) -> str | None:
    """The map is shown, which it was not before."""
    after = change.after.screen
    opened = (
        isinstance(after, MapScreen) and bool(after.next_options) and not isinstance(change.before.screen, MapScreen)
    )
    return f"{change.before.state_type} gave way to the map" if opened else None


def _same_reward(item: RewardItem) -> tuple[object, ...]:
    return (item.type, item.gold_amount, item.potion_id, item.description)


def reward_gone(change: Change) -> str | None:
    """The claimed reward is no longer listed, or the list has closed."""
    item = change.reward
    if item is None:
        return None
    if not isinstance(change.after.screen, Rewards):
        return None if _passing(change.after) else f"the rewards closed: {change.after.state_type}"
    before = change.before.screen.items if isinstance(change.before.screen, Rewards) else ()
    count = Counter(map(_same_reward, change.after.screen.items))[_same_reward(item)]
    return (
        f"the {item.type} is no longer listed"
        if count < Counter(map(_same_reward, before))[_same_reward(item)]
        else None
    )


def gold_rose(change: Change) -> str | None:
    """Gold rose by the amount of the reward (or, where the amount is not told, at all)."""
    item, players = change.reward, change.players
    if item is None or item.type != "gold" or players is None:
        return None
    rise = players[1].gold - players[0].gold
    right = rise > 0 if item.gold_amount is None else rise >= item.gold_amount
    return f"gold {players[0].gold} to {players[1].gold}" if right else None


def potion_gained(change: Change) -> str | None:
    """One more potion of the reward's kind is in the belt."""
    item, players = change.reward, change.players
    if item is None or item.type != "potion" or players is None:
        return None
    before, after = (Counter(potion.id for potion in player.potions) for player in players)
    gained = after[item.potion_id] > before[item.potion_id] if item.potion_id else after.total() > before.total()
    return f"{item.potion_id or 'a potion'} is in the belt" if gained else None


def relic_gained(change: Change) -> str | None:
    """One more relic is owned."""
    players = change.players
    if players is None:
        return None
    gained = Counter(relic.id for relic in players[1].relics) - Counter(relic.id for relic in players[0].relics)
    return f"{next(iter(gained))} is owned" if gained else None


def reward_is(kind: str) -> Check:
    """A check on the kind of reward, to tell the alternatives of `claim_reward` apart."""

    def check(change: Change) -> str | None:
        item = change.reward
        return f"a {item.type} reward" if item is not None and item.type == kind else None

    return check


def other_reward(change: Change) -> str | None:
    """A reward of a kind that has no rule of its own."""
    item = change.reward
    known = {"gold", "potion", "relic", "card"}
    return f"a {item.type} reward" if item is not None and item.type not in known else None


def floor_changed(change: Change) -> str | None:
    """Another floor: whatever happened there was not this action."""
    before, after = change.before.run, change.after.run
    if before is None or after is None or (before.act, before.floor) == (after.act, after.floor):
        return None
    return f"floor {before.floor} to {after.floor}"


def grid_opened(change: Change) -> str | None:
    """A grid of cards is shown, which a relic can bring and a card reward is not."""
    return card_choice_opened(change) if isinstance(change.after.screen, CardSelect) else None


def card_choice_opened(change: Change) -> str | None:
    """Cards to choose from are shown, which were not before."""
    after = change.after.screen
    opened = isinstance(after, CardReward | CardSelect) and change.after.state_type != change.before.state_type
    return f"a choice of cards opened: {change.after.state_type}" if opened else None


def cards_changed(change: Change) -> str | None:
    """The card reward is gone, or shows other cards: the next one has taken its place."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, CardReward) or _passing(change.after) or isinstance(after, Menu | GameOver | Combat):
        return None
    if not isinstance(after, CardReward):
        return f"the card reward closed: {change.after.state_type}"
    shown = [card.id for card in after.cards]
    return "another card reward is shown" if shown != [card.id for card in before.cards] else None


_ROOMS: Final = {"Elite": "elite", "Boss": "boss", "RestSite": "rest_site", "Treasure": "treasure"}
"""Node types whose room cannot be anything else (bridge-contract.md, section 2)."""


def _node(change: Change) -> NextNode | None:
    index = change.number("index")
    nodes = change.before.screen.next_options if isinstance(change.before.screen, MapScreen) else ()
    return next((node for node in nodes if node.index == index), None)


def stands_there(change: Change) -> str | None:
    """The map says that the node is the current position."""
    node, after = _node(change), change.after.screen
    here = after.current_position if isinstance(after, MapScreen) else None
    there = node is not None and here is not None and (here.col, here.row) == (node.col, node.row)
    return f"the map stands at {node.col},{node.row}" if there and node is not None else None


def travelled(change: Change) -> str | None:
    """The room of the next floor is there, and it is one that the node can hold."""
    node, before, after = _node(change), change.before.run, change.after.run
    if node is None or before is None or after is None or isinstance(change.after.screen, MapScreen | Menu):
        return None
    right = _ROOMS.get(node.type or "", change.after.state_type) == change.after.state_type
    risen = (after.act, after.floor) == (before.act, before.floor + 1)
    return f"floor {before.floor} to {after.floor}" if risen and right and not _passing(change.after) else None


def event_moved_on(change: Change) -> str | None:
    """The event shows another page, or another screen has opened."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, Event) or isinstance(after, Menu):
        return None
    if not isinstance(after, Event):
        return screen_left(change)
    moved = (after.event_id, after.options, after.in_dialogue, after.body) != (
        before.event_id,
        before.options,
        before.in_dialogue,
        before.body,
    )
    return "the event moved on" if moved else None


def event_paid(change: Change) -> str | None:
    """Gold, HP or maximum HP changed by a number that the chosen option's text names.

    An event whose page comes again may look the same afterwards; what it costs or gives is then all that can be seen.
    """
    before, after, players = change.before.screen, change.after.screen, change.players
    if not isinstance(before, Event) or not isinstance(after, Event) or players is None or not change.same_room:
        return None
    index = change.number("index")
    option = next((option for option in before.options if option.index == index), None)
    named = {int(number) for number in _NUMBER.findall((option.description if option else None) or "")}
    for name in ("gold", "max_hp", "hp"):
        was, now = getattr(players[0], name), getattr(players[1], name)
        if abs(now - was) in named - {0}:
            return f"{name} {was} to {now}, as the option says"
    return None


_NUMBER: Final = re.compile(r"\d{1,6}")


def rest_taken(change: Change) -> str | None:
    """The rest site no longer offers the option, or has opened the choice that belongs to it."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, RestSite):
        return None
    if not isinstance(after, RestSite):
        return screen_left(change) if isinstance(after, CardSelect | CardReward | Event | Combat) else None
    index = change.number("index")
    option = next((option for option in before.options if option.index == index), None)
    gone = option is not None and option.id not in {other.id for other in after.options if other.is_enabled}
    return f"{option.id} is no longer offered" if option is not None and gone else None


def _stock(observation: Observation) -> tuple[ShopItem, ...]:
    match observation.screen:
        case Shop(items=items) | FakeMerchant(shop=Shop(items=items)):
            return items
        case _:
            return ()


def bought(change: Change) -> str | None:
    """Gold fell by the price and the place is empty."""
    index, players = change.number("index"), change.players
    item = next((item for item in _stock(change.before) if item.index == index), None)
    if item is None or players is None:
        return None
    paid = players[0].gold - players[1].gold == item.price
    return f"gold {players[0].gold} to {players[1].gold}, {item.category} sold" if paid and sold(change) else None


def sold(change: Change) -> str | None:
    """The item's place in the shop is empty."""
    index = change.number("index")
    item = next((item for item in _stock(change.before) if item.index == index), None)
    if item is None or not _stock(change.after):
        return None
    later = next((other for other in _stock(change.after) if other.index == index), None)
    gone = later is None or not later.is_stocked or later.item_id != item.item_id
    return f"the {item.category} is sold" if gone else None


def removal_opened(change: Change) -> str | None:
    """The choice of the card to remove has opened; gold is paid at its end."""
    index = change.number("index")
    item = next((item for item in _stock(change.before) if item.index == index), None)
    removal = item is not None and item.category == "card_removal"
    return card_choice_opened(change) if removal else None


def treasure_relic_taken(change: Change) -> str | None:
    """The relic is owned and no longer lies in the chest."""
    index = change.number("index")
    relics = change.before.screen.relics if isinstance(change.before.screen, Treasure) else None
    relic = next((relic for relic in relics or () if relic.index == index), None)
    return relic_gained(change) if relic is not None and _owned_more(change, relic.id) else None


def relic_picked(change: Change) -> str | None:
    """The choice of a relic has ended."""
    before = change.before.screen
    return screen_left(change) if isinstance(before, RelicSelect) else None


def _owned_more(change: Change, relic_id: str) -> bool:
    players = change.players
    if players is None:
        return False
    before, after = (Counter(relic.id for relic in player.relics) for player in players)
    return after[relic_id] > before[relic_id]


def grid_reacted(change: Change) -> str | None:
    """A grid shows that a card was toggled: a preview, the confirm button, a selection mark, or that it has closed."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, CardSelect):
        return None
    if not isinstance(after, CardSelect) or after.screen_type != before.screen_type:
        return (
            None
            if _passing(change.after) or isinstance(after, Menu)
            else f"the choice closed: {change.after.state_type}"
        )
    if after.preview_showing and not before.preview_showing:
        return "the preview is shown"
    if after.can_confirm != before.can_confirm:
        return f"the confirm button is {'enabled' if after.can_confirm else 'disabled'}"
    marks = [(card.id, card.is_selected) for card in after.cards] != [
        (card.id, card.is_selected) for card in before.cards
    ]
    counted = (after.selected_count, after.selected_indices) != (before.selected_count, before.selected_indices)
    return "the selection marks changed" if marks or counted else None


def selection_confirmed(change: Change) -> str | None:
    """The choice has closed, or has gone on to its preview."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, CardSelect) or isinstance(after, Menu) or _passing(change.after):
        return None
    if not isinstance(after, CardSelect) or (after.screen_type, after.prompt) != (before.screen_type, before.prompt):
        return f"the choice closed: {change.after.state_type}"
    return "the preview is shown" if after.preview_showing and not before.preview_showing else None


def selection_cancelled(change: Change) -> str | None:
    """The preview has closed, or the whole choice has."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, CardSelect) or isinstance(after, Menu) or _passing(change.after):
        return None
    if not isinstance(after, CardSelect):
        return f"the choice closed: {change.after.state_type}"
    return "the preview has closed" if before.preview_showing and not after.preview_showing else None


def bundle_reacted(change: Change) -> str | None:
    """The preview of a bundle opened or closed, or the choice has ended."""
    before, after = change.before.screen, change.after.screen
    if not isinstance(before, BundleSelect):
        return None
    if not isinstance(after, BundleSelect):
        return screen_left(change)
    shown = after.preview_showing
    return f"the preview is {'shown' if shown else 'closed'}" if shown != before.preview_showing else None


def bundle_taken(change: Change) -> str | None:
    """The choice of a bundle has ended."""
    return screen_left(change) if isinstance(change.before.screen, BundleSelect) else None


def tool_active(change: Change) -> str | None:
    """The named tool is the active one."""
    after = change.after.screen
    tool = change.option.parameter("tool")
    return f"the {tool} tool is active" if isinstance(after, CrystalSphere) and after.tool == tool else None


def cell_uncovered(change: Change) -> str | None:
    """The cell is no longer hidden, or the sphere has closed."""
    after = change.after.screen
    if not isinstance(after, CrystalSphere):
        return screen_left(change)
    place = (change.number("x"), change.number("y"))
    cell = next((cell for cell in after.cells if (cell.x, cell.y) == place), None)
    return f"the cell {place[0]},{place[1]} is uncovered" if cell is not None and not cell.is_hidden else None


def menu_moved(change: Change) -> str | None:
    """Another menu, or no menu any more."""
    before, after = change.before.screen, change.after.screen
    if _passing(change.after):
        return None
    if not isinstance(before, Menu) or not isinstance(after, Menu):
        moved = change.before.state_type != change.after.state_type
        return f"{change.before.state_type} gave way to {change.after.state_type}" if moved else None
    if (before.menu_screen, before.options, before.body) != (after.menu_screen, after.options, after.body):
        return f"the menu {before.menu_screen} gave way to {after.menu_screen}"
    return None
