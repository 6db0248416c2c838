"""A second reading of the contract: which requests are allowed on a raw state, written without the product's options.

From bridge-contract.md, sections 2, 3 and 7. Requests that the bridge would accept and that would do harm or nothing
(a dropped potion, a toggle that undoes a selection) are not allowed here.
"""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
Request = tuple[str, tuple[tuple[str, Any], ...]]


def _request(action: str, **parameters: Any) -> Request:
    return action, tuple(sorted(parameters.items()))


def allowed(state: Json) -> set[Request]:
    """The requests that the contract allows on this state, each as (action, parameters)."""
    kind = state["state_type"]
    found: set[Request] = set()
    player = state.get("player")
    if kind in {"monster", "elite", "boss", "hand_select"}:
        found |= set(_fight(state))
    elif kind in _SCREENS:
        found |= set(_SCREENS[kind](state.get(kind) or {}, player or {}))
    elif kind == "menu":
        found |= set(_menu(state))
    if player is not None and kind not in {"menu", "game_over", "overlay", "unknown"} and _at_rest(state):
        found |= {_request("discard_potion", slot=potion["slot"]) for potion in player.get("potions", [])}
    return found


def _at_rest(state: Json) -> bool:
    """Whether anything can be done at all: a fight out of its play phase, an opening chest or a moving map cannot."""
    kind, battle, inner = state["state_type"], state.get("battle"), state.get(state["state_type"]) or {}
    if kind == "hand_select":
        return bool(inner.get("cards") or inner.get("can_confirm"))
    if kind in {"monster", "elite", "boss"}:
        return battle is not None and battle["turn"] == "player" and battle["is_play_phase"] and bool(_living(battle))
    if kind == "map":
        return bool(inner.get("next_options")) and "hand" not in state["player"]
    if kind == "treasure":
        return bool(inner.get("relics")) or bool(inner.get("can_proceed"))
    if kind == "event":
        return bool(inner.get("options")) or bool(inner.get("in_dialogue"))
    if kind == "rest_site":
        return bool(inner.get("options")) or bool(inner.get("can_proceed"))
    return "error" not in (inner.get("shop") or inner)


def _living(battle: Json) -> list[Json]:
    """Enemies that still count; a recording that was cut down lists none at all."""
    return [enemy for enemy in battle.get("enemies", []) if enemy["hp"] > 0]


def _fight(state: Json) -> Iterator[Request]:
    battle, player = state.get("battle"), state["player"]
    select = state.get("hand_select")
    if select is not None:
        for card in select["cards"]:
            yield _request("combat_select_card", card_index=card["index"])
        if select["can_confirm"]:
            yield _request("combat_confirm_selection")
        return
    if battle is None or not _at_rest(state):
        return
    targets = [str(enemy["combat_id"]) for enemy in _living(battle)]
    for card in player["hand"]:
        if not card["can_play"]:
            continue
        if card["target_type"] == "AnyEnemy":
            yield from (_request("play_card", card_index=card["index"], target=target) for target in targets)
        else:
            yield _request("play_card", card_index=card["index"])
    for potion in player["potions"]:
        if not potion["can_use_in_combat"]:
            continue
        if potion["target_type"] == "AnyEnemy":
            yield from (_request("use_potion", slot=potion["slot"], target=target) for target in targets)
        else:
            yield _request("use_potion", slot=potion["slot"])
    yield _request("end_turn")


def thing(state: Json, request: Request) -> object:
    """What a request is about, without its place: two requests about equal things do the same."""
    action, named = request[0], dict(request[1])
    place = next((key for key in ("card_index", "index", "slot") if key in named), None)
    if place is None or action not in _LISTS:
        return None
    entries: Any = state
    for key in _LISTS[action]:
        entries = entries[state["state_type"] if key == "*" else key]
    field = "slot" if place == "slot" else "index"
    found = next(entry for entry in entries if entry[field] == named[place])
    return {key: value for key, value in found.items() if key != field}, named.get("target")


_LISTS = {
    "play_card": ("player", "hand"),
    "use_potion": ("player", "potions"),
    "discard_potion": ("player", "potions"),
    "combat_select_card": ("hand_select", "cards"),
    "claim_reward": ("*", "items"),
    "select_card_reward": ("*", "cards"),
    "select_card": ("*", "cards"),
}
"""Where the things that equal each other are listed."""


def _rewards(inner: Json, player: Json) -> Iterator[Request]:
    room = len(player["potions"]) < player.get("max_potion_slots", 0)
    for item in inner["items"]:
        if item["type"] != "potion" or room:
            yield _request("claim_reward", index=item["index"])
    if inner["can_proceed"]:
        yield _request("proceed")


def _card_reward(inner: Json, _: Json) -> Iterator[Request]:
    yield from (_request("select_card_reward", card_index=card["index"]) for card in inner["cards"])
    if inner["can_skip"]:
        yield _request("skip_card_reward")


def _card_select(inner: Json, _: Json) -> Iterator[Request]:
    # Without marks a grid that can be confirmed may hold a selection, and a click may undo it.
    if not inner["preview_showing"] and not inner["can_confirm"]:
        yield from (_request("select_card", index=card["index"]) for card in inner["cards"])
    if inner["can_confirm"]:
        yield _request("confirm_selection")
    if inner["can_cancel"] or inner.get("can_skip"):
        yield _request("cancel_selection")


def _map(inner: Json, player: Json) -> Iterator[Request]:
    if "hand" not in player:
        yield from (_request("choose_map_node", index=node["index"]) for node in inner["next_options"])


def _event(inner: Json, _: Json) -> Iterator[Request]:
    if inner["in_dialogue"]:
        yield _request("advance_dialogue")
        return
    yield from (_request("choose_event_option", index=o["index"]) for o in inner["options"] if not o["is_locked"])


def _rest_site(inner: Json, _: Json) -> Iterator[Request]:
    yield from (_request("choose_rest_option", index=o["index"]) for o in inner["options"] if o["is_enabled"])
    if inner["can_proceed"]:
        yield _request("proceed")


def _shop(inner: Json, player: Json) -> Iterator[Request]:
    if "error" in inner:
        return
    room = len(player["potions"]) < player.get("max_potion_slots", 0)
    for item in inner["items"]:
        if item["is_stocked"] and item["can_afford"] and (item["category"] != "potion" or room):
            yield _request("shop_purchase", index=item["index"])
    yield _request("proceed")


def _treasure(inner: Json, _: Json) -> Iterator[Request]:
    yield from (_request("claim_treasure_relic", index=relic["index"]) for relic in inner.get("relics") or [])
    if inner.get("can_proceed"):
        yield _request("proceed")


def _bundle_select(inner: Json, _: Json) -> Iterator[Request]:
    if not inner["preview_showing"]:
        yield from (_request("select_bundle", index=bundle["index"]) for bundle in inner["bundles"])
    if inner["can_confirm"]:
        yield _request("confirm_bundle_selection")
    if inner["can_cancel"]:
        yield _request("cancel_bundle_selection")


def _relic_select(inner: Json, _: Json) -> Iterator[Request]:
    yield from (_request("select_relic", index=relic["index"]) for relic in inner["relics"])
    if inner["can_skip"]:
        yield _request("skip_relic_selection")


def _crystal_sphere(inner: Json, _: Json) -> Iterator[Request]:
    for tool in ("big", "small"):
        if inner[f"can_use_{tool}_tool"] and inner["tool"] != tool:
            yield _request("crystal_sphere_set_tool", tool=tool)
    yield from (_request("crystal_sphere_click_cell", x=c["x"], y=c["y"]) for c in inner["clickable_cells"])
    if inner["can_proceed"]:
        yield _request("crystal_sphere_proceed")


def _game_over(inner: Json, _: Json) -> Iterator[Request]:
    yield from (_request("menu_select", option=option) for option in inner["options"])


_SCREENS = {
    "rewards": _rewards,
    "card_reward": _card_reward,
    "card_select": _card_select,
    "map": _map,
    "event": _event,
    "rest_site": _rest_site,
    "shop": _shop,
    "fake_merchant": lambda inner, player: _shop(inner["shop"], player),
    "treasure": _treasure,
    "bundle_select": _bundle_select,
    "relic_select": _relic_select,
    "crystal_sphere": _crystal_sphere,
    "game_over": _game_over,
}


def _menu(state: Json) -> Iterator[Request]:
    """Entries of a menu; a character is chosen together with setting out, since no state shows which is selected."""
    characters = {character["id"] for character in state.get("characters", [])}
    for option in state.get("options", []):
        name, enabled = (option, True) if isinstance(option, str) else (option["name"], option["enabled"])
        if enabled and not (characters and name in {"confirm", "embark"}):
            yield _request("menu_select", option=name)
