"""What a choice outside a fight comes to, counted and never judged."""

from collections.abc import Mapping
from typing import Final

from spire_mcp.game.card_facts import upgrade_of
from spire_mcp.game.deck import Composition, DeckEvidence, composition, deck_view
from spire_mcp.game.parts import Card, Player
from spire_mcp.game.screens import CardReward, FakeMerchant, Observation, RestSite, Shop
from spire_mcp.game.text import clean_text

Facts = dict[str, object]

_REST_SHARE: Final = 30
"""Percent of max HP, truncated (act1.md, section 10)."""


def offer_facts(observation: Observation, deck: DeckEvidence | None) -> Facts:
    """The counted facts of a choice on this screen; empty where there is nothing to count."""
    match observation.screen:
        case CardReward(cards=cards):
            return _card_facts(cards, deck)
        case RestSite(options=options) if any(option.id == "HEAL" and option.is_enabled for option in options):
            return _rest_facts(observation.player)
        case Shop() as shop:
            return _shop_facts(shop, observation.player)
        case FakeMerchant(shop=shop):
            return _shop_facts(shop, observation.player)
        case _:
            return {}


def _card_facts(cards: tuple[Card, ...], deck: DeckEvidence | None) -> Facts:
    if deck is None:
        return {"deck": "unknown: this bridge does not list it, and no fight of this floor shows it"}
    counted = composition(deck)
    return {"deck": deck_view(deck), "would_add": [_adds(card, counted) for card in cards]}


def _adds(card: Card, counted: Composition) -> str:
    """One offered card against the deck: copies, share of its type, and the mean cost before and after."""
    name = clean_text(card.title, 40)
    own = sum(count for other, count in counted.by_name.items() if other.rstrip("+") == name.rstrip("+"))
    kind = clean_text(card.type, 12)
    alike = counted.by_type.get(card.type, 0)
    unknown = f", {counted.by_type['unknown']} of unknown type" if counted.by_type.get("unknown") else ""
    return (
        f"{name}: {own} in the deck already; {kind} {alike}→{alike + 1} of {counted.number + 1}{unknown}"
        f"{_mean_cost(card, counted)}"
    )


def _mean_cost(card: Card, counted: Composition) -> str:
    before, cost = counted.average_cost, card.energy_cost
    if before is None or cost is None:
        return ""
    priced = sum(count for price, count in counted.by_cost.items() if price.isdigit())
    after = (before * priced + cost) / (priced + 1)
    return f"; mean cost {before:.2f}→{after:.2f}"


def _rest_facts(player: Player | None) -> Facts:
    if player is None:
        return {}
    heal = player.max_hp * _REST_SHARE // 100
    missing = player.max_hp - player.hp
    return {"heal": f"{_REST_SHARE} % of max HP is {heal}; {missing} HP are missing; a relic may change that"}


def _shop_facts(shop: Shop, player: Player | None) -> Facts:
    stocked = [item for item in shop.items if item.is_stocked]
    if player is None or not stocked:
        return {}
    in_reach = sum(item.can_afford for item in stocked)
    return {"purse": f"{player.gold} gold: {in_reach} of {len(stocked)} in reach, each alone"}


def upgrades(cards: tuple[Card, ...]) -> Mapping[str, str]:
    """What an upgrade would change, by `name [cost]`, for the cards of which it is known."""
    found: dict[str, str] = {}
    for card in cards:
        change = upgrade_of(card)
        if change is not None:
            found[f"{clean_text(card.title, 40)} [{clean_text(card.cost, 4)}]"] = change
    return found
