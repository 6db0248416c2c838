"""The compact view of every screen: what a decision needs, in few words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import assert_never

from spire_mcp.game.offers import upgrades
from spire_mcp.game.options.fight import enemy_label
from spire_mcp.game.parts import Battle, Card, Enemy, PileCard, Player, Power
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
    Observation,
    Overlay,
    RelicSelect,
    RestOption,
    RestSite,
    RewardItem,
    Rewards,
    Shop,
    Treasure,
    Unknown,
)
from spire_mcp.game.text import clean_text
from spire_mcp.game.views.paths import paths

View = dict[str, object]


def compact(observation: Observation, *, facts: Mapping[str, object] | None = None) -> View:
    """The view of a screen; `facts` are printed beside it and not repeated here."""
    del facts
    view = _screen(observation)
    if observation.player is not None:
        view["player"] = _player(observation.player, fighting=observation.player.hand is not None)
    return view


def _screen(observation: Observation) -> View:  # noqa: C901 - one line for each screen
    match observation.screen:
        case Combat() as screen:
            return _combat(screen, observation.player)
        case Rewards() as screen:
            return {"rewards": [_reward(item) for item in screen.items]}
        case CardReward() as screen:
            return {"cards": [_offer(card) for card in screen.cards]}
        case CardSelect() as screen:
            return _card_select(screen)
        case BundleSelect() as screen:
            return {"bundles": [[_offer(card) for card in bundle.cards] for bundle in screen.bundles]}
        case RelicSelect(relics=relics):
            return {"relics": [_named(relic.id, relic.name, relic.description) for relic in relics]}
        case MapScreen() as screen:
            return paths(screen)
        case Event() as screen:
            return {"event": _named(screen.event_id, screen.event_name, screen.body)}
        case RestSite() as screen:
            return {"rest": [_rest(option) for option in screen.options]}
        case Shop() as screen:
            return _shop(screen)
        case FakeMerchant() as screen:
            return {"event": screen.event_id, **_shop(screen.shop)}
        case Treasure() as screen:
            return {"relics": [_named(relic.id, relic.name, relic.description) for relic in screen.relics or ()]}
        case CrystalSphere() as screen:
            return _sphere(screen)
        case GameOver():
            return {"over": "the run has ended; the bridge does not say whether it was won"}
        case Overlay(screen_type=kind):
            return {"covered_by": clean_text(kind, 60)}
        case Menu() as screen:
            return {"menu": screen.menu_screen, "text": clean_text(screen.body or screen.message, 200)}
        case Unknown(room_type=room):
            return {"unknown_screen": clean_text(observation.state_type, 40), "room": clean_text(room, 40)}
        case _ as never:
            assert_never(never)


def _combat(screen: Combat, player: Player | None) -> View:
    view: View = {}
    battle = screen.battle
    if battle is not None:
        view |= {"round": battle.round, "enemies": _enemies(battle)}
        if battle.turn != "player":
            view["turn"] = battle.turn
    if screen.hand_select is not None:
        select = screen.hand_select
        view["choose"] = clean_text(select.prompt, 120)
        view["cards"] = _hand(select.cards)
        view["picked"] = [clean_text(card.name, 40) for card in select.selected_cards]
    elif player is not None and player.hand is not None:
        view["hand"] = _hand(player.hand)
    if player is not None and player.hand is not None:
        piles = {"draw": player.draw_pile, "discard": player.discard_pile, "exhaust": player.exhaust_pile}
        counts = {
            "draw": player.draw_pile_count,
            "discard": player.discard_pile_count,
            "exhaust": player.exhaust_pile_count,
        }
        view["piles"] = {name: _pile(cards) or counts[name] for name, cards in piles.items() if cards or counts[name]}
    return view


def _enemies(battle: Battle) -> list[View]:
    return [_enemy(enemy) for enemy in battle.living_enemies]


def _enemy(enemy: Enemy) -> View:
    view: View = {
        "enemy": enemy_label(enemy),
        "hp": f"{enemy.hp}/{enemy.max_hp}",
    }
    if enemy.block:
        view["block"] = enemy.block
    if enemy.status:
        view["powers"] = powers(enemy.status)
    intents = enemy.intents
    if intents is None:
        view["intent"] = "none shown"
    else:
        view["intent"] = ", ".join(clean_text(f"{i.type} {i.label or ''}", 30) for i in intents)
    return view


def powers(status: Iterable[Power]) -> str:
    """Powers as `Vulnerable 2, Strength 3`."""
    return ", ".join(f"{clean_text(power.name or power.id, 30)} {power.amount}" for power in status)


def _hand(cards: tuple[Card, ...]) -> list[str]:
    """Cards with their cost and text; equal ones once, with their number."""
    counts = Counter(_card_line(card) for card in cards)
    return [line if count == 1 else f"{count}× {line}" for line, count in counts.items()]


def _card_line(card: Card) -> str:
    playable = "" if card.can_play or card.target_type is None else f" ({_why_not(card)})"
    return f"{_name(card)} [{_cost(card)}]{playable}: {clean_text(card.description, 110)}"


def _why_not(card: Card) -> str:
    """Why a card cannot be played, shorter for the reason that its cost tells anyway."""
    reason = clean_text(card.unplayable_reason, 24)
    return {"EnergyCostTooHigh": "no energy", "HasUnplayableKeyword": "unplayable"}.get(reason, reason)


def _name(card: Card) -> str:
    return clean_text(card.title, 40)


def _cost(card: Card) -> str:
    if card.unplayable_reason == "HasUnplayableKeyword":
        return "-"  # the bridge says 0, which would read as free
    stars = f"+{clean_text(card.star_cost, 4)}★" if card.star_cost not in {None, "0"} else ""
    return f"{clean_text(card.cost, 4) or '-'}{stars}"


def _offer(card: Card) -> str:
    """A card that can be had: its ID is what the option is called by."""
    line = f"{_name(card)} [{_cost(card)}] {clean_text(card.type, 10)}, {clean_text(card.rarity, 10)}"
    return f"{line}: {clean_text(card.description, 140)}"


def _pile(cards: tuple[PileCard, ...]) -> str:
    """A pile by names and numbers. Its texts are stale and its order is nobody's to know."""
    counts = Counter(clean_text(card.name, 30) or "?" for card in cards)
    return ", ".join(f"{count}× {name}" if count > 1 else name for name, count in sorted(counts.items()))


def _named(identity: str, name: str | None, text: str | None) -> str:
    shown = clean_text(name, 40) or clean_text(identity, 40)
    said = clean_text(text, 140)
    return f"{shown}: {said}" if said else shown


def _card_select(screen: CardSelect) -> View:
    view: View = {"choose": clean_text(screen.prompt, 120), "screen": clean_text(screen.screen_type, 40)}
    if screen.preview_showing:
        view["preview"] = True
        shown = [_offer(card) for card in screen.preview_cards] if screen.screen_type != "transform" else []
        if shown:
            view["preview_cards"] = shown
    else:
        upgrading = "upgrade" in screen.screen_type.lower()
        better = upgrades(screen.cards if upgrading else ())
        # What is offered is chosen by what it does; a grid of the deck names cards that the planner has met.
        offered = screen.screen_type == "choose"
        counts = Counter(_offer(card) if offered else f"{_name(card)} [{_cost(card)}]" for card in screen.cards)
        view["cards"] = [
            (f"{count}× {name}" if count > 1 else name) + (f": {better[name]}" if name in better else "")
            for name, count in counts.items()
        ]
    return view


def _reward(item: RewardItem) -> str:
    shown = clean_text(item.description or item.type, 60)
    text = clean_text(item.potion_description, 110)
    return f"{item.type} {shown}: {text}" if text else shown


def _rest(option: RestOption) -> str:
    shown = _named(option.id, option.id, option.description)
    return shown if option.is_enabled else f"{shown} (not possible)"


def _shop(shop: Shop) -> View:
    items: list[str] = []
    for item in shop.items:
        if not item.is_stocked:
            continue
        text = item.card_description or item.relic_description or item.potion_description
        sale = ", on sale" if item.on_sale else ""
        afford = "" if item.can_afford else ", too dear"
        name = clean_text(item.title, 40)
        shown = f": {clean_text(text, 110)}" if text and item.can_afford else ""
        items.append(f"{name} {item.price}g{sale}{afford}{shown}")
    return {"for_sale": items}


def _sphere(screen: CrystalSphere) -> View:
    found = [f"{c.item_type} at {c.x},{c.y}" for c in screen.cells if c.item_type]
    return {
        "grid": f"{screen.grid_width}×{screen.grid_height}",
        "tool": screen.tool,
        "left": clean_text(screen.divinations_left_text, 60),
        "found": [clean_text(item, 40) for item in found],
    }


def _player(player: Player, *, fighting: bool) -> View:
    view: View = {"hp": player.hp, "max_hp": player.max_hp, "gold": player.gold}
    if fighting:
        view |= {"block": player.block, "energy": player.energy}
        del view["gold"]
    if player.stars:
        view["stars"] = player.stars
    if player.status:
        view["powers"] = powers(player.status)
    if player.orbs:
        view["orbs"] = [
            f"{clean_text(o.name or o.id, 20)} {o.passive_val:g}/{o.evoke_val:g}"
            for o in player.orbs
            if o.passive_val is not None and o.evoke_val is not None
        ]
    if player.pets:
        view["pets"] = [f"{clean_text(p.name or p.id, 20)} {p.hp}/{p.max_hp}, block {p.block}" for p in player.pets]
    view["relics"] = ", ".join(
        clean_text(r.name or r.id, 30) + (f" ({r.counter})" if r.counter is not None else "") for r in player.relics
    )
    slots = f"{len(player.potions)}/{player.max_potion_slots}" if player.max_potion_slots is not None else "?"
    names = ", ".join(clean_text(potion.title, 30) for potion in player.potions)
    view["potions"] = f"{slots}: {names}" if names else slots
    return view
