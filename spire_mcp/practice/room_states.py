"""The state of rooms without fights, as the bridge shows them."""

from typing import Any

from spire_mcp.practice import events, rooms
from spire_mcp.practice.content import table
from spire_mcp.practice.pieces import Card
from spire_mcp.practice.run import PracticeRun
from spire_mcp.practice.wire import card_json, potion_text
from spire_mcp.practice.wording import name

Json = dict[str, Any]


def cards_json(cards: list[Card], language: str) -> list[Json]:
    """A list of cards with their places."""
    return [{**card_json(card, language), "index": index} for index, card in enumerate(cards)]


def rest(run: PracticeRun, language: str) -> Json:
    """The rest site."""
    names = {"HEAL": {"eng": "Rest", "zhs": "休息"}, "SMITH": {"eng": "Smith", "zhs": "锻造"}}
    offered = () if run.rest_done else names.items()
    options: list[Json] = []
    for index, (identity, shown) in enumerate(offered):
        enabled = identity == "HEAL" or any(rooms.can_upgrade(card) for card in run.deck)
        options.append(
            {
                "index": index,
                "id": identity,
                "name": shown[language],
                "description": f"+{run.max_hp * 3 // 10} HP" if identity == "HEAL" else shown[language],
                "is_enabled": enabled,
            }
        )
    return {"options": options, "can_proceed": run.rest_done}


def grid(run: PracticeRun, language: str) -> Json:
    """A grid of cards, or a choose-a-card overlay."""
    opened = run.grid
    assert opened is not None
    cards = cards_json(opened.cards, language)
    if opened.final:
        return choose_json(cards, can_skip=True)
    kinds = {"upgrade": "upgrade", "transform": "transform", "enchant": "NDeckEnchantSelectScreen"}
    number = "a card" if opened.count == 1 else f"{opened.count} cards"
    return {
        "screen_type": kinds.get(opened.purpose, "select"),
        "prompt": f"Choose {number} to {opened.purpose}.",
        "cards": cards,
        "preview_showing": opened.preview,
        "can_cancel": opened.preview or run.event is None,
        "can_confirm": opened.preview,
    }


def choose_json(cards: list[Json], *, can_skip: bool) -> Json:
    """A choose-a-card overlay, where picking is immediate."""
    return {
        "screen_type": "choose",
        "prompt": "Choose a card.",
        "cards": cards,
        "can_skip": can_skip,
        "preview_showing": False,
        "can_confirm": False,
        "can_cancel": can_skip,
    }


def bundles(run: PracticeRun, language: str) -> Json:
    """The choice among bundles of cards."""
    shown = run.bundles[run.bundle] if run.bundle is not None else []
    return {
        "screen_type": "bundle",
        "prompt": "Choose a bundle.",
        "bundles": [
            {"index": index, "card_count": len(cards), "cards": cards_json(cards, language)}
            for index, cards in enumerate(run.bundles)
        ],
        "preview_showing": run.bundle is not None,
        "preview_cards": cards_json(shown, language),
        "can_cancel": run.bundle is not None,
        "can_confirm": run.bundle is not None,
    }


def relic_choice(run: PracticeRun, language: str) -> Json:
    """The choice among relics."""
    return {
        "prompt": "Choose a relic.",
        "relics": [relic_json(relic, index, language) for index, relic in enumerate(run.relic_offer)],
        "can_skip": True,
    }


def relic_json(relic: str, index: int, language: str) -> Json:
    """A relic on offer."""
    shown = name(table("relics")[relic], language)
    return {
        "index": index,
        "id": relic,
        "name": shown,
        "description": f"{shown}.",
        "rarity": "Common",
        "keywords": [],
    }


def sphere(run: PracticeRun) -> Json:
    """The crystal sphere: what is uncovered, and what can be."""
    ball = run.sphere
    cells: list[Json] = []
    for y in range(ball.size):
        for x in range(ball.size):
            cell: Json = {"x": x, "y": y, "is_hidden": (x, y) not in ball.open}
            cell |= {"is_clickable": (x, y) in ball.clickable(), "is_highlighted": False, "is_hovered": False}
            if (x, y) in ball.open and (x, y) in ball.items:
                cell |= {"item_type": ball.items[x, y], "is_good": True}
            cells.append(cell)
    return {
        "grid_width": ball.size,
        "grid_height": ball.size,
        "cells": cells,
        "clickable_cells": [{"x": x, "y": y} for x, y in ball.clickable()],
        "revealed_items": [],
        "tool": ball.tool,
        "can_use_big_tool": bool(ball.left),
        "can_use_small_tool": bool(ball.left),
        "divinations_left_text": str(ball.left),
        "can_proceed": not ball.left,
    }


def treasure(run: PracticeRun, language: str) -> Json:
    """The chest."""
    if run.chest is None:
        return {"message": "Opening chest..."}
    relics = [relic_json(relic, index, language) for index, relic in enumerate(run.chest)]
    return {"relics": relics, "can_proceed": True}


def shop(run: PracticeRun, language: str) -> list[Json]:
    """The merchant's shelves."""
    items: list[Json] = []
    for index, item in enumerate(run.shop):
        sold = bool(item.get("sold"))
        entry: Json = {
            "index": index,
            "category": item["category"],
            "price": item["price"],
            "is_stocked": not sold,
            "can_afford": run.gold >= item["price"],
        }
        if item["category"] == "card":
            entry["on_sale"] = item["on_sale"]
        items.append(entry if sold else {**entry, **_shop_detail(item, language)})
    return items


def _shop_detail(item: Json, language: str) -> Json:
    match item["category"]:
        case "card":
            card = card_json(item["card"], language)
            keys = ("id", "name", "type", "cost", "star_cost", "rarity", "description")
            return {**{f"card_{key}": card[key] for key in keys}, "keywords": card["keywords"]}
        case "relic":
            shown = name(table("relics")[item["relic"]], language)
            return {"relic_id": item["relic"], "relic_name": shown, "relic_description": f"{shown}.", "keywords": []}
        case "potion":
            shown = name(table("potions")[item["potion"]], language)
            return {
                "potion_id": item["potion"],
                "potion_name": shown,
                "potion_description": potion_text(item["potion"], language),
                "keywords": [],
            }
        case _:
            return {}


def event_json(run: PracticeRun, language: str) -> Json:
    """The event and its choices."""
    event = run.event
    assert event is not None
    done = bool(event.get("done"))
    choices: list[Json] = event["options"]
    if done:
        choices = [{"titles": {"eng": "Proceed", "zhs": "继续"}, "texts": {"eng": "", "zhs": ""}}]
    options: list[Json] = []
    for index, option in enumerate(choices):
        locked = not done and events.locked(run, option)
        title = {"eng": "Locked", "zhs": "已锁定"}[language] if locked else option["titles"][language]
        options.append(
            {
                "index": index,
                "title": title,
                "description": option["texts"][language],
                "is_locked": locked,
                "is_proceed": done,
                "was_chosen": False,
                "keywords": [],
            }
        )
    return {
        "event_id": event["id"],
        "event_name": name(event, language),
        "is_ancient": bool(event.get("ancient")),
        "in_dialogue": run.dialogue > 0,
        "body": None,
        "options": options if not run.dialogue else [],
    }
