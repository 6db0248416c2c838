"""The whole state answer of a practice run, screen by screen."""

from typing import Any

from spire_mcp.practice import room_states
from spire_mcp.practice.content import table
from spire_mcp.practice.mapgen import ROWS
from spire_mcp.practice.room_states import cards_json
from spire_mcp.practice.run import PracticeRun
from spire_mcp.practice.wire import battle_json, player_json, potion_text
from spire_mcp.practice.wording import name

Json = dict[str, Any]


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
        return _character_select(language)
    state: Json = {"state_type": run.screen, **_screen(run, language)}
    state["run"] = {"act": 1, "floor": run.floor, "ascension": 0}
    fight = run.fight
    state["player"] = player_json(
        character=name(table("characters")[run.character], language),
        hp=fight.player.hp if fight else run.hp,
        max_hp=fight.player.max_hp if fight else run.max_hp,
        gold=run.gold,
        relics=run.relics,
        potions=run.potions,
        language=language,
        fight=fight,
        attacks=fight.attacks if fight else run.attacks,
    )
    return state


def _screen(run: PracticeRun, language: str) -> Json:
    match run.screen:
        case "fight":
            return _fight(run, language)
        case "rewards":
            return {"rewards": {"items": _rewards(run, language), "can_proceed": True}}
        case "card_reward":
            return {"card_reward": {"cards": cards_json(run.offered, language), "can_skip": True}}
        case "map":
            return {"map": _map(run)}
        case "game_over":
            return {"game_over": {"message": "Run ended.", "options": ["main_menu"]}}
        case other:
            return {other: _room(run, language)}


def _room(run: PracticeRun, language: str) -> Json:
    match run.screen:
        case "rest_site":
            return room_states.rest(run, language)
        case "card_select":
            return room_states.grid(run, language)
        case "treasure":
            return room_states.treasure(run, language)
        case "shop":
            return {"items": room_states.shop(run, language), "can_proceed": False}
        case "fake_merchant":
            shop = {"items": room_states.shop(run, language), "can_proceed": False}
            shown = room_states.event_json(run, language)
            return {key: shown[key] for key in ("event_id", "event_name")} | {"started_fight": False, "shop": shop}
        case "event":
            return room_states.event_json(run, language)
        case "bundle_select":
            return room_states.bundles(run, language)
        case "relic_select":
            return room_states.relic_choice(run, language)
        case "crystal_sphere":
            return room_states.sphere(run)
        case other:
            raise AssertionError(other)


def _fight(run: PracticeRun, language: str) -> Json:
    fight = run.fight
    assert fight is not None
    battle = battle_json(fight, language)
    if fight.choice is None:
        return {"state_type": run.fight_kind, "battle": battle}
    cards = fight.choosable()
    if fight.choice.where == "offer":
        offered = room_states.choose_json(cards_json(cards, language), can_skip=False)
        return {"state_type": "card_select", "card_select": offered}
    if fight.choice.where == "discard":
        grid = {
            "screen_type": "NCombatPileCardSelectScreen",
            "prompt": "Choose a card.",
            "cards": cards_json(cards, language),
            "preview_showing": False,
            "can_cancel": False,
            "can_confirm": bool(fight.choice.picked),
        }
        return {"state_type": "card_select", "card_select": grid}
    select: Json = {
        "mode": "upgrade_select" if fight.choice.then == "upgrade" else "simple_select",
        "prompt": "Choose a card.",
        "cards": cards_json(cards, language),
        "can_confirm": len(fight.choice.picked) == fight.choice.count,
    }
    if fight.choice.picked:
        picked = enumerate(fight.choice.picked)
        select["selected_cards"] = [{"index": i, "name": name(card.data, language)} for i, card in picked]
    return {"state_type": "hand_select", "hand_select": select, "battle": battle}


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
                item["potion_description"] = potion_text(reward["potion"], language)
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


def _character_select(language: str) -> Json:
    known = table("characters")
    characters = [
        {
            "name": name(entry, language),
            "id": identity,
            "locked": False,
            "hp": entry["hp"],
            "gold": entry["gold"],
            "energy": 3,
            "description": name(entry, language),
        }
        for identity, entry in known.items()
    ]
    options = [{"name": option, "enabled": True} for option in (*known, "confirm", "embark", "back")]
    return {
        "state_type": "menu",
        "menu_screen": "character_select",
        "message": "Choose a character.",
        "characters": characters,
        "options": options,
    }
