"""What POST does: the checks of the bridge in their order, then the change to the run."""

from typing import Any

from spire_mcp.practice import events, fight_actions, rooms
from spire_mcp.practice.checks import ActionCrashed, ActionRefused, on, place, whole
from spire_mcp.practice.content import table
from spire_mcp.practice.fight_actions import resolve
from spire_mcp.practice.run import PracticeRun

__all__ = ["ActionCrashed", "ActionRefused", "act", "resolve"]

Json = dict[str, Any]


def act(run: PracticeRun, body: Json) -> str:
    """Carry out an action and return the bridge's message.

    Raises:
        ActionRefused: with the bridge's reason.
        ActionCrashed: a parameter has the wrong JSON type.
    """
    action = body["action"]
    if action == "menu_select":
        return _menu(run, body)
    if run.screen in {"main_menu", "singleplayer_menu", "character_select"}:
        raise ActionRefused("No run in progress")
    handler = _HANDLERS.get(action)
    if handler is None:
        raise ActionRefused(f"Unknown action: {action}")
    message = handler(run, body)
    run.after_action()
    return message


def _claim_reward(run: PracticeRun, body: Json) -> str:
    on(run, "rewards", "Rewards screen is not open")
    index = place(body, "index", len(run.rewards), "Reward index {n} out of range")
    kind = run.rewards[index]["type"]
    run.claim(index)
    return f"Claiming reward: {kind}"


def _select_card_reward(run: PracticeRun, body: Json) -> str:
    on(run, "card_reward", "Card reward selection screen is not open")
    index = place(body, "card_index", len(run.offered), "Card index {n} out of range")
    run.take_card(index)
    return "Selecting card"


def _skip_card_reward(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "card_reward", "Card reward selection screen is not open")
    run.take_card(None)
    return "Skipping card reward"


def _proceed(run: PracticeRun, body: Json) -> str:
    del body
    ready = run.screen in {"rewards", "shop", "fake_merchant"} or (run.screen == "rest_site" and run.rest_done)
    if not ready and not (run.screen == "treasure" and run.chest is not None):
        raise ActionRefused("No proceed button available or enabled")
    left = run.screen.replace("_", " ")
    run.proceed()
    return f"Proceeding from {left}"


def _choose_map_node(run: PracticeRun, body: Json) -> str:
    on(run, "map", "Map screen is not open")
    nodes = run.next_nodes()
    index = place(body, "index", len(nodes), "Map node index {n} out of range")
    node = nodes[index]
    run.travel(node)
    return f"Traveling to {run.map[node].type} at ({node[0]},{node[1]})"


def _choose_event_option(run: PracticeRun, body: Json) -> str:
    on(run, "event", "Event room is not open")
    assert run.event is not None
    if run.dialogue:
        raise ActionRefused("No event options available")
    length = 1 if run.event.get("done") else len(run.event["options"])
    index = place(body, "index", length, "Event option index {n} out of range")
    if not run.event.get("done") and events.locked(run, run.event["options"][index]):
        raise ActionRefused(f"Event option {index} is locked")
    events.choose(run, index)
    return "Choosing event option"


def _advance_dialogue(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "event", "Event room is not open")
    if not run.dialogue:
        raise ActionRefused("No ancient dialogue active")
    run.dialogue -= 1
    return "Advancing dialogue"


def _choose_rest_option(run: PracticeRun, body: Json) -> str:
    whole(body, "index")
    on(run, "rest_site", "Rest site room is not open")
    if run.rest_done:
        raise ActionRefused("No rest site options available")
    index = place(body, "index", 2, "Rest option index {n} out of range")
    if index == 1 and not any(rooms.can_upgrade(card) for card in run.deck):
        raise ActionRefused("Rest site option SMITH is disabled")
    rooms.rest(run, ("HEAL", "SMITH")[index])
    return "Selecting rest site option"


def _shop_purchase(run: PracticeRun, body: Json) -> str:
    if run.screen not in {"shop", "fake_merchant"}:
        raise ActionRefused("Not in a shop")
    index = place(body, "index", len(run.shop), "Shop item index {n} out of range")
    item = run.shop[index]
    if item.get("sold"):
        raise ActionRefused("Item is sold out")
    if run.gold < item["price"]:
        raise ActionRefused(f"Not enough gold (need {item['price']}, have {run.gold})")
    rooms.buy(run, index)
    return f"Purchasing item for {item['price']} gold"


def _claim_treasure_relic(run: PracticeRun, body: Json) -> str:
    on(run, "treasure", "Treasure room is not open")
    if not run.chest:
        raise ActionRefused("Relic collection is not visible")
    index = place(body, "index", len(run.chest), "Relic index {n} out of range")
    rooms.take_treasure(run, index)
    return "Claiming treasure relic"


def _select_card(run: PracticeRun, body: Json) -> str:
    picked = fight_actions.pick_in_fight(run, body)
    if picked is not None:
        return picked
    if "index" not in body:
        raise ActionRefused("Missing 'index'")
    on(run, "card_select", "No card selection screen is open")
    grid = run.grid
    assert grid is not None
    index = place(body, "index", len(grid.cards), "Card index {n} out of range")
    if grid.final:
        grid.selected = [grid.cards[index]]
        rooms.confirm_grid(run)
        return "Choosing card"
    grid.toggle(index)
    return "Toggling card selection"


def _confirm_selection(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "card_select", "No card selection screen is open")
    grid = run.grid
    assert grid is not None
    if grid.final:
        raise ActionRefused("This screen requires no confirmation")
    if not grid.preview:
        raise ActionRefused("No confirm button is currently enabled")
    if not grid.stuck:
        rooms.confirm_grid(run)
    return "Confirming selection from preview"


def _cancel_selection(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "card_select", "No card selection screen is open")
    assert run.grid is not None
    if run.grid.preview:
        run.grid.preview = False
        run.grid.selected.clear()
        return "Cancelling preview"
    if run.event is not None and not run.grid.final:
        raise ActionRefused("No cancel/close button is currently enabled")
    rooms.close_grid(run)
    if run.event is not None:
        run.event = {**run.event, "done": True}
    return "Closing card selection screen"


def _select_bundle(run: PracticeRun, body: Json) -> str:
    on(run, "bundle_select", "No bundle selection screen is open")
    if run.bundle is not None:
        raise ActionRefused("A bundle preview is already open")
    run.bundle = place(body, "index", len(run.bundles), "Bundle index {n} out of range")
    return f"Selecting bundle {run.bundle}"


def _confirm_bundle(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "bundle_select", "No bundle selection screen is open")
    if run.bundle is None:
        raise ActionRefused("Bundle confirm button is not enabled")
    events.take_bundle(run)
    return "Confirming bundle selection"


def _cancel_bundle(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "bundle_select", "No bundle selection screen is open")
    if run.bundle is None:
        raise ActionRefused("Bundle cancel button is not enabled")
    run.bundle = None
    return "Cancelling bundle preview"


def _select_relic(run: PracticeRun, body: Json) -> str:
    on(run, "relic_select", "No relic selection screen is open")
    run.take_relic(place(body, "index", len(run.relic_offer), "Relic index {n} out of range"))
    return "Selecting relic"


def _skip_relic(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "relic_select", "No relic selection screen is open")
    run.take_relic(None)
    return "Skipping relic selection"


def _set_tool(run: PracticeRun, body: Json) -> str:
    on(run, "crystal_sphere", "Crystal Sphere screen is not open")
    tool = body.get("tool")
    if tool not in {"big", "small"}:
        raise ActionRefused("Missing 'tool'" if tool is None else "Unknown Crystal Sphere tool")
    run.sphere.tool = tool
    return f"Setting Crystal Sphere tool to {tool}"


def _click_cell(run: PracticeRun, body: Json) -> str:
    on(run, "crystal_sphere", "Crystal Sphere screen is not open")
    cell = whole(body, "x"), whole(body, "y")
    if cell not in run.sphere.clickable():
        raise ActionRefused(f"Crystal Sphere cell {cell} is not clickable")
    run.sphere.uncover(cell)
    return f"Clicking Crystal Sphere cell {cell}"


def _leave_sphere(run: PracticeRun, body: Json) -> str:
    del body
    on(run, "crystal_sphere", "Crystal Sphere screen is not open")
    if run.sphere.left:
        raise ActionRefused("Crystal Sphere proceed button is not enabled")
    events.leave_sphere(run)
    return "Proceeding from Crystal Sphere"


def _menu(run: PracticeRun, body: Json) -> str:
    option = body.get("option")
    if not isinstance(option, str) or not option.strip():
        raise ActionRefused("Missing menu option")
    option = option.strip().lower()
    match run.screen, option:
        case "game_over", "main_menu":
            run.screen = "main_menu"
        case "main_menu", "singleplayer":
            run.screen = "singleplayer_menu"
        case "singleplayer_menu", "standard":
            run.screen = "character_select"
        case "singleplayer_menu", "back":
            run.screen = "main_menu"
        case "character_select", "back":
            run.screen = "singleplayer_menu"
        case "character_select", name if name.upper() in table("characters"):
            run.selected = name.upper()
            return f"Selected {run.selected}. Use 'confirm' to embark."
        case "character_select", "confirm" | "embark":
            run.embark(run.selected)
        case (("main_menu" | "singleplayer_menu" | "character_select"), _):
            raise ActionRefused(f"Menu option '{option[:40]}' is not available")
        case _:
            raise ActionRefused("Not on a menu screen")
    return f"Selected {option}"


_HANDLERS = {
    "play_card": fight_actions.play_card,
    "end_turn": fight_actions.end_turn,
    "use_potion": fight_actions.use_potion,
    "discard_potion": fight_actions.discard_potion,
    "combat_select_card": fight_actions.combat_select,
    "combat_confirm_selection": fight_actions.combat_confirm,
    "claim_reward": _claim_reward,
    "select_card_reward": _select_card_reward,
    "skip_card_reward": _skip_card_reward,
    "proceed": _proceed,
    "choose_map_node": _choose_map_node,
    "choose_event_option": _choose_event_option,
    "advance_dialogue": _advance_dialogue,
    "choose_rest_option": _choose_rest_option,
    "shop_purchase": _shop_purchase,
    "claim_treasure_relic": _claim_treasure_relic,
    "select_card": _select_card,
    "confirm_selection": _confirm_selection,
    "cancel_selection": _cancel_selection,
    "select_bundle": _select_bundle,
    "confirm_bundle_selection": _confirm_bundle,
    "cancel_bundle_selection": _cancel_bundle,
    "select_relic": _select_relic,
    "skip_relic_selection": _skip_relic,
    "crystal_sphere_set_tool": _set_tool,
    "crystal_sphere_click_cell": _click_cell,
    "crystal_sphere_proceed": _leave_sphere,
}
