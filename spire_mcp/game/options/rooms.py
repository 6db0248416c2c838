"""Options on the screens outside fights: rewards, choices of cards and relics, map, events, rest, shops, treasure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from spire_mcp.game.options.grids import grid_trap
from spire_mcp.game.options.model import Kind, Option, Request
from spire_mcp.game.options.tokens import ascii_id, card_token, slug
from spire_mcp.game.parts import Player
from spire_mcp.game.screens import (
    BundleSelect,
    CardReward,
    CardSelect,
    CrystalSphere,
    Event,
    MapScreen,
    RelicSelect,
    RestSite,
    RewardItem,
    Rewards,
    Shop,
    ShopItem,
    Treasure,
)
from spire_mcp.game.text import clean_text

_LONGEST_DIALOGUE: Final = 20


def _one(identity: str, label: str, kind: Kind, action: str, trap: str | None = None, **parameters: int) -> Option:
    return Option(
        id=identity,
        label=clean_text(label),
        kind=kind,
        requests=(Request(action=action, parameters=dict(parameters)),),
        trap=trap,
    )


def reward_options(rewards: Rewards, player: Player | None) -> Iterator[Option]:
    """Claims and the way out. A potion that does not fit is listed and refused: the bridge would drop it silently."""
    for item in rewards.items:
        yield _claim(item, player)
    if rewards.can_proceed:
        left = [_reward_name(item) for item in rewards.items]
        label = f"Proceed, leaving behind: {', '.join(left)}" if left else "Proceed"
        yield _one("proceed", label, "decision" if left else "mechanical", "proceed")


def _reward_name(item: RewardItem) -> str:
    if item.type == "gold" and item.gold_amount is not None:
        return f"{item.gold_amount} gold"
    if item.type == "potion":
        return clean_text(item.potion_name or item.potion_id or item.description or "a potion", 40)
    if item.type == "card":
        return "a card"
    return clean_text(item.description or item.type, 40)


def _claim(item: RewardItem, player: Player | None) -> Option:
    name = _reward_name(item)
    match item.type:
        case "gold":
            amount = item.gold_amount if item.gold_amount is not None else "some"
            return _one(f"claim:gold:{amount}", f"Take {name}", "mechanical", "claim_reward", index=item.index)
        case "potion":
            room = None if player is None else player.belt_is_full
            trap = None
            if room is not False:
                trap = "the potion belt is full: use or discard a potion first, or leave this one"
                if room is None:
                    trap = "the bridge does not say whether the belt has room, and drops a potion that has none"
            identity = f"claim:potion:{ascii_id(item.potion_id) if item.potion_id else slug(item.description)}"
            kind: Kind = "decision" if trap else "mechanical"
            return _one(identity, f"Take the potion {name}", kind, "claim_reward", trap=trap, index=item.index)
        case "card":
            return _one("claim:card", "Look at the card reward", "decision", "claim_reward", index=item.index)
        case _:
            identity = f"claim:{slug(item.type).lower()}:{slug(item.description)}"
            return _one(identity, f"Take {name}", "decision", "claim_reward", index=item.index)


def card_reward_options(reward: CardReward) -> Iterator[Option]:
    """Cards to take, and the first alternative button, which need not be a plain skip."""
    for card in reward.cards:
        identity = f"take:{card_token(card, reward.cards)}"
        yield _one(identity, f"Take {card.title}", "decision", "select_card_reward", card_index=card.index)
    if reward.can_skip:
        named = clean_text(reward.alternatives[0].label, 60) if reward.alternatives else "usually Skip"
        yield _one("skip", f"Press the first alternative ({named})", "decision", "skip_card_reward")
    for other in reward.alternatives[1:]:
        label = f"Press the alternative {clean_text(other.label, 60)}"
        yield _one(
            f"alternative:{slug(other.label)}", label, "decision", "select_reward_alternative", index=other.index
        )


def card_select_options(select: CardSelect) -> Iterator[Option]:
    """A grid, where choosing toggles, or a choose-a-card overlay, where it is final."""
    final = select.screen_type == "choose"
    if not select.preview_showing:
        for card in select.cards:
            identity = f"select:{card_token(card, select.cards)}"
            label = f"{'Choose' if final else 'Select'} {card.title}"
            trap = None if final else grid_trap(select, card)
            yield _one(identity, label, "decision", "select_card", trap=trap, index=card.index)
    if select.can_confirm:
        yield _one("confirm", "Confirm the selection", "decision", "confirm_selection")
    if select.can_cancel or select.can_skip:
        label = "Skip" if final else "Go back from the preview" if select.preview_showing else "Cancel the selection"
        yield _one("cancel", label, "decision", "cancel_selection")


def bundle_options(select: BundleSelect) -> Iterator[Option]:
    """Bundles to look at, and the confirmation of the one that is previewed."""
    if not select.preview_showing:
        for bundle in select.bundles:
            names = ", ".join(clean_text(card.title, 30) for card in bundle.cards)
            identity = slug(" ".join(f"{card.id}{'+' if card.is_upgraded else ''}" for card in bundle.cards))
            yield _one(
                f"bundle:{identity}", f"Look at the bundle: {names}", "decision", "select_bundle", index=bundle.index
            )
    if select.can_confirm:
        yield _one("confirm", "Take the bundle", "decision", "confirm_bundle_selection")
    if select.can_cancel:
        yield _one("cancel", "Go back to the bundles", "decision", "cancel_bundle_selection")


def relic_options(select: RelicSelect) -> Iterator[Option]:
    """Relics to pick; picking is final."""
    for relic in select.relics:
        yield _one(
            f"relic:{ascii_id(relic.id)}",
            f"Take {relic.name or relic.id}",
            "decision",
            "select_relic",
            index=relic.index,
        )
    if select.can_skip:
        yield _one("skip", "Skip the relic", "decision", "skip_relic_selection")


def map_options(screen: MapScreen) -> Iterator[Option]:
    """Nodes that can be travelled to now."""
    for node in screen.next_options:
        kind = slug(node.type).replace("UNNAMED", "Node") if node.type is None else ascii_id(node.type)
        label = f"Travel to {node.type or 'a node'} (column {node.col}, row {node.row})"
        yield _one(f"travel:{kind}:{node.col},{node.row}", label, "decision", "choose_map_node", index=node.index)


def event_options(event: Event) -> Iterator[Option]:
    """Choices of an event; an ancient's dialogue is advanced until there are some."""
    if event.in_dialogue:
        yield Option(
            id="dialogue",
            label="Go on with the dialogue to its end",
            kind="mechanical",
            requests=(Request(action="advance_dialogue"),),
            most_repeats=_LONGEST_DIALOGUE,
        )
        return
    for option in event.options:
        if option.is_locked:
            continue
        name = "PROCEED" if option.is_proceed else slug(option.title or option.description)
        detail = f": {option.description}" if option.description and not option.is_proceed else ""
        alone = option.is_proceed and sum(not other.is_locked for other in event.options) == 1
        kind: Kind = "mechanical" if alone else "decision"
        label = f"{option.title or 'Choose'}{detail}"
        chosen = _one(f"event:{name}", label, kind, "choose_event_option", index=option.index)
        yield replace(chosen, detail=f"{option.title} {option.description} {option.is_proceed}")


def rest_options(site: RestSite) -> Iterator[Option]:
    """What can be done at a rest site; leaving with something undone is a decision."""
    enabled = [option for option in site.options if option.is_enabled]
    for option in enabled:
        label = f"{option.name or option.id}: {option.description or ''}".rstrip(": ")
        yield _one(f"rest:{ascii_id(option.id)}", label, "decision", "choose_rest_option", index=option.index)
    if site.can_proceed:
        label = "Proceed without resting" if enabled else "Proceed"
        yield _one("proceed", label, "decision" if enabled else "mechanical", "proceed")


def shop_options(shop: Shop, player: Player | None) -> Iterator[Option]:
    """What can be bought, and the way out: `proceed` works while the inventory is open, whatever `can_proceed` says."""
    for item in shop.items:
        if item.is_stocked and item.can_afford:
            yield _buy(item, player)
    yield _one("proceed", "Leave the shop", "decision", "proceed")


def _buy(item: ShopItem, player: Player | None) -> Option:
    identity = "buy:card_removal" if item.category == "card_removal" else f"buy:{slug(item.category).lower()}:"
    if item.category != "card_removal":
        identity += ascii_id(item.item_id) if item.item_id else f"place_{item.index}"
    full = item.category == "potion" and (player is None or player.belt_is_full is not False)
    trap = "the potion belt is full, and the game would not say so" if full else None
    name = "a card removal" if item.category == "card_removal" else item.title
    return _one(identity, f"Buy {name} for {item.price} gold", "decision", "shop_purchase", trap=trap, index=item.index)


def treasure_options(treasure: Treasure) -> Iterator[Option]:
    """The relics of an open chest. Leaving while one lies there loses it."""
    relics = treasure.relics or ()
    for relic in relics:
        yield _one(
            f"relic:{ascii_id(relic.id)}",
            f"Take {relic.name or relic.id}",
            "decision",
            "claim_treasure_relic",
            index=relic.index,
        )
    if treasure.can_proceed:
        names = ", ".join(clean_text(relic.name or relic.id, 40) for relic in relics)
        label = f"Proceed, leaving behind: {names}" if relics else "Proceed"
        yield _one("proceed", label, "decision" if relics else "mechanical", "proceed")


def sphere_options(sphere: CrystalSphere) -> Iterator[Option]:
    """Tools and cells of the crystal sphere."""
    for tool, usable in (("big", sphere.can_use_big_tool), ("small", sphere.can_use_small_tool)):
        if usable:
            yield Option(
                id=f"tool:{tool}",
                label=f"Take the {tool} tool",
                kind="decision",
                requests=(Request(action="crystal_sphere_set_tool", parameters={"tool": tool}),),
            )
    for cell in sphere.clickable_cells:
        label = f"Uncover {cell.x}, {cell.y}"
        yield _one(f"cell:{cell.x},{cell.y}", label, "decision", "crystal_sphere_click_cell", x=cell.x, y=cell.y)
    if sphere.can_proceed:
        kind: Kind = "decision" if sphere.clickable_cells else "mechanical"
        yield _one("proceed", "Proceed", kind, "crystal_sphere_proceed")
