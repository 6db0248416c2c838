"""The whole state answer of a practice run, screen by screen."""

from typing import Any

from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card
from spire_mcp.practice.mapgen import ROWS
from spire_mcp.practice.run import PracticeRun
from spire_mcp.practice.wire import battle_json, card_json, player_json
from spire_mcp.practice.wording import name

Json = dict[str, Any]

CHARACTER = {"eng": "The Ironclad", "zhs": "铁甲战士"}


def render(run: PracticeRun, language: str) -> Json:
    """What GET shows for the run as it stands."""
    if run.screen == "main_menu":
        options = ["singleplayer", "multiplayer", "compendium", "timeline", "settings", "quit"]
        return {"state_type": "menu", "menu_screen": "main", "message": "Main menu.", "options": options}
    if run.screen == "singleplayer_menu":
        names = [
            {"name": option, "enabled": option in {"standard", "back"}} for option in ("standard", "daily", "back")
        ]
        return {"state_type": "menu", "menu_screen": "singleplayer", "message": "Choose a mode.", "options": names}
    if run.screen == "character_select":
        return _character_select(run, language)
    state: Json = {"state_type": run.screen, **_screen(run, language)}
    state["run"] = {"act": 1, "floor": run.floor, "ascension": 0}
    fight = run.fight
    state["player"] = player_json(
        character=CHARACTER[language],
        hp=fight.player.hp if fight else run.hp,
        max_hp=fight.player.max_hp if fight else run.max_hp,
        gold=run.gold,
        relics=run.relics,
        potions=run.potions,
        language=language,
        fight=fight,
    )
    return state


def _screen(run: PracticeRun, language: str) -> Json:
    match run.screen:
        case "fight":
            return _fight(run, language)
        case "rewards":
            return {"rewards": {"items": _rewards(run, language), "can_proceed": True}}
        case "card_reward":
            return {"card_reward": {"cards": _cards(run.offered, language), "can_skip": True}}
        case "map":
            return {"map": _map(run)}
        case "rest_site":
            return {"rest_site": _rest(run, language)}
        case "card_select":
            return {"card_select": _grid(run, language)}
        case "treasure":
            return {"treasure": _treasure(run, language)}
        case "shop":
            return {"shop": {"items": _shop(run, language), "can_proceed": False}}
        case "event":
            return {"event": _event(run, language)}
        case "game_over":
            return {"game_over": {"message": "Run ended.", "options": ["main_menu"]}}
        case other:
            raise AssertionError(other)


def _fight(run: PracticeRun, language: str) -> Json:
    fight = run.fight
    assert fight is not None
    battle = battle_json(fight, language)
    if fight.choice is None:
        return {"state_type": run.fight_kind, "battle": battle}
    cards = fight.choosable()
    if fight.choice.where == "discard":
        grid = {
            "screen_type": "NCombatPileCardSelectScreen",
            "prompt": "Choose a card.",
            "cards": _cards(cards, language),
            "preview_showing": False,
            "can_cancel": False,
            "can_confirm": bool(fight.choice.picked),
        }
        return {"state_type": "card_select", "card_select": grid}
    select: Json = {
        "mode": "upgrade_select" if fight.choice.then == "upgrade" else "simple_select",
        "prompt": "Choose a card.",
        "cards": _cards(cards, language),
        "can_confirm": len(fight.choice.picked) == fight.choice.count,
    }
    if fight.choice.picked:
        picked = enumerate(fight.choice.picked)
        select["selected_cards"] = [{"index": i, "name": name(card.data, language)} for i, card in picked]
    return {"state_type": "hand_select", "hand_select": select, "battle": battle}


def _cards(cards: list[Card], language: str) -> list[Json]:
    return [{**card_json(card, language), "index": index} for index, card in enumerate(cards)]


def _rewards(run: PracticeRun, language: str) -> list[Json]:
    items: list[Json] = []
    for index, reward in enumerate(run.rewards):
        item: Json = {"index": index, "type": reward["type"]}
        match reward["type"]:
            case "gold":
                item |= {"description": f"{reward['gold']} Gold", "gold_amount": reward["gold"]}
            case "potion":
                entry = table("potions")[reward["potion"]]
                shown = name(entry, language)
                item |= {"description": shown, "potion_id": reward["potion"], "potion_name": shown}
                item["potion_description"] = f"{shown}: {entry['effect']['n']}."
            case "relic":
                item["description"] = name(table("relics")[reward["relic"]], language)
            case _:
                item["description"] = {"eng": "Add a card to your deck.", "zhs": "将一张牌加入牌组。"}[language]
        items.append(item)
    return items


def _map(run: PracticeRun) -> Json:
    def point(place: tuple[int, int]) -> Json:
        return {"col": place[0], "row": place[1], "type": run.map[place].type}

    boss: Json = {"col": 3, "row": ROWS + 1, "id": run.boss, "name": run.boss.replace("_", " ").title()}
    nodes = sorted(run.map.values(), key=lambda node: (node.row, node.col))
    return {
        "current_position": point(run.position),
        "visited": [point(place) for place in run.visited],
        "next_options": [
            {"index": index, **point(place), "leads_to": [point(child) for child in sorted(run.map[place].children)]}
            for index, place in enumerate(run.next_nodes())
        ],
        "nodes": [
            {
                "col": n.col,
                "row": n.row,
                "type": n.type,
                "children": [list(child) for child in sorted(n.children)],
                **({"id": boss["id"], "name": boss["name"]} if n.type == "Boss" else {}),
            }
            for n in nodes
        ],
        "boss": boss,
        "bosses": [boss],
    }


def _rest(run: PracticeRun, language: str) -> Json:
    names = {"HEAL": {"eng": "Rest", "zhs": "休息"}, "SMITH": {"eng": "Smith", "zhs": "锻造"}}
    offered = () if run.rest_done else names.items()
    options: list[Json] = []
    for index, (identity, shown) in enumerate(offered):
        enabled = identity == "HEAL" or any(run.can_upgrade(card) for card in run.deck)
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


def _grid(run: PracticeRun, language: str) -> Json:
    grid = run.grid
    assert grid is not None
    return {
        "screen_type": grid.purpose if grid.purpose in {"upgrade", "transform"} else "select",
        "prompt": f"Choose a card to {grid.purpose}.",
        "cards": _cards(grid.cards, language),
        "preview_showing": grid.preview,
        "can_cancel": True,
        "can_confirm": grid.preview,
    }


def _treasure(run: PracticeRun, language: str) -> Json:
    if run.chest is None:
        return {"message": "Opening chest..."}
    relics: list[Json] = []
    for index, relic in enumerate(run.chest):
        shown = name(table("relics")[relic], language)
        relics.append(
            {"index": index, "id": relic, "name": shown, "description": f"{shown}.", "rarity": "Common", "keywords": []}
        )
    return {"relics": relics, "can_proceed": True}


def _shop(run: PracticeRun, language: str) -> list[Json]:
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
                "potion_description": f"{shown}.",
                "keywords": [],
            }
        case _:
            return {}


def _event(run: PracticeRun, language: str) -> Json:
    event = run.event
    assert event is not None
    choices = event["options"]
    if event.get("done"):
        choices = [{"titles": {"eng": "Proceed", "zhs": "继续"}, "texts": {"eng": "", "zhs": ""}}]
    options: list[Json] = [
        {
            "index": index,
            "title": option["titles"][language],
            "description": option["texts"][language],
            "is_locked": False,
            "is_proceed": bool(event.get("done")),
            "was_chosen": False,
            "keywords": [],
        }
        for index, option in enumerate(choices)
    ]
    return {
        "event_id": event["id"],
        "event_name": name(event, language),
        "is_ancient": bool(event.get("ancient")),
        "in_dialogue": run.dialogue > 0,
        "body": None,
        "options": options if not run.dialogue else [],
    }


def _character_select(run: PracticeRun, language: str) -> Json:
    character = {
        "name": CHARACTER[language],
        "id": "IRONCLAD",
        "locked": False,
        "hp": run.max_hp,
        "gold": run.gold,
        "energy": 3,
        "description": CHARACTER[language],
    }
    options = [{"name": name, "enabled": True} for name in ("IRONCLAD", "confirm", "embark", "back")]
    return {
        "state_type": "menu",
        "menu_screen": "character_select",
        "message": "Choose a character.",
        "characters": [character],
        "options": options,
    }
