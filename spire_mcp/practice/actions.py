"""What POST does: the checks of the bridge in their order, then the change to the run."""

from typing import Any

from spire_mcp.practice import rules
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Fight, Monster
from spire_mcp.practice.run import PracticeRun

Json = dict[str, Any]


class ActionRefused(Exception):  # noqa: N818 - a normal answer of the bridge
    """The bridge says no: HTTP 200 with `status: error`."""


class ActionCrashed(Exception):  # noqa: N818 - likewise
    """The mod's own code throws: HTTP 500."""


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


def _whole(body: Json, key: str) -> int:
    if key not in body:
        raise ActionRefused(f"Missing '{key}'")
    value = body[key]
    if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**31:
        raise ActionCrashed(f"The JSON value of '{key}' could not be converted to a whole number")
    return value


def _place(body: Json, key: str, length: int, refusal: str) -> int:
    value = _whole(body, key)
    if not 0 <= value < length:
        raise ActionRefused(refusal.format(n=value, m=length))
    return value


def _on(run: PracticeRun, screen: str, refusal: str) -> None:
    if run.screen != screen:
        raise ActionRefused(refusal)


def _fight(run: PracticeRun) -> Fight:
    if run.fight is None or run.screen != "fight":
        raise ActionRefused("Not in combat")
    return run.fight


def _target(fight: Fight, body: Json, missing: str) -> Monster:
    target = body.get("target")
    if target is not None and not isinstance(target, str):
        raise ActionCrashed("The JSON value of 'target' could not be converted to text")
    if "target" not in body:
        raise ActionRefused(missing)
    found = resolve(fight, target or "")
    if found is None:
        raise ActionRefused(f"Target '{target}' not found")
    return found


def resolve(fight: Fight, target: str) -> Monster | None:
    """The monster that a target names: an entity ID counted among the living now, or a combat ID in digits."""
    if target.isascii() and target.isdigit():
        return next((monster for monster in fight.enemies if monster.combat_id == int(target)), None)
    counts: dict[str, int] = {}
    for monster in fight.enemies:
        number = counts.get(monster.id, 0)
        counts[monster.id] = number + 1
        if target == f"{monster.id}_{number}":
            return monster
    return None


def _play_card(run: PracticeRun, body: Json) -> str:
    fight = _fight(run)
    if fight.choice is not None:
        raise ActionRefused("Player actions are currently disabled")
    index = _place(body, "card_index", len(fight.hand), "card_index {n} out of range (hand has {m} cards)")
    card = fight.hand[index]
    reason = fight.why_not(card)
    if reason is not None:
        raise ActionRefused(f"Card '{card.id}' cannot be played: {reason}")
    if card.data["target"] == "AnyEnemy":
        monster = _target(fight, body, "Card requires a target")
        fight.play(index, monster.combat_id)
        return f"Playing '{card.id}' targeting {monster.id}"
    fight.play(index)
    return f"Playing '{card.id}'"


def _end_turn(run: PracticeRun, body: Json) -> str:
    del body
    fight = _fight(run)
    if fight.choice is not None:
        raise ActionRefused("Cannot end turn while the hand is choosing")
    fight.end_turn()
    return "Ending turn"


def _use_potion(run: PracticeRun, body: Json) -> str:
    slot = _place(body, "slot", len(run.potions), "Potion slot {n} out of range")
    potion = run.potions[slot]
    if potion is None:
        raise ActionRefused(f"No potion in slot {slot}")
    entry = table("potions")[potion]
    if run.fight is None and not entry.get("anytime"):
        raise ActionRefused("This potion can only be used in combat")
    if run.fight is not None and run.fight.choice is not None:
        raise ActionRefused("Player actions are currently disabled")
    aimed = None
    if entry["target"] == "AnyEnemy":
        aimed = _target(_fight(run), body, "Potion requires a target enemy")
    run.potions[slot] = None
    _potion_effect(run, entry["effect"], aimed)
    return f"Using potion '{potion}' from slot {slot}"


def _potion_effect(run: PracticeRun, effect: Json, aimed: Monster | None) -> None:
    fight = run.fight
    number: int = effect["n"]
    if effect["do"] == "heal_percent":
        amount = run.max_hp * number // 100
        if fight is not None:
            fight.player.hp = min(fight.player.max_hp, fight.player.hp + amount)
        else:
            run.hp = min(run.max_hp, run.hp + amount)
        return
    assert fight is not None
    match effect["do"]:
        case "hurt":
            for monster in fight.enemies if effect["to"] == "all" else [aimed]:
                if monster is not None:
                    capped = 1 if monster.amount("INTANGIBLE") else number
                    fight.hurt_monster(monster, capped)
        case "gain_block":
            fight.player.block += number
        case "energy":
            fight.energy += number
        case "draw":
            fight.draw(number)
        case "apply" if effect["to"] == "self":
            if effect["power"] == "FLEX_POTION_POWER":
                fight.player.add("STRENGTH_POWER", number)
            fight.player.add(effect["power"], number, grace=effect["power"] in rules.TICKING)
        case "apply":
            assert aimed is not None
            aimed.add(effect["power"], number)
        case other:
            raise AssertionError(other)


def _discard_potion(run: PracticeRun, body: Json) -> str:
    slot = _place(body, "slot", len(run.potions), "Potion slot {n} out of range")
    if run.potions[slot] is None:
        raise ActionRefused(f"No potion in slot {slot}")
    run.potions[slot] = None
    return "Discarded potion"


def _combat_select(run: PracticeRun, body: Json) -> str:
    fight = run.fight
    if fight is None or fight.choice is None or fight.choice.where != "hand":
        raise ActionRefused("No in-combat card selection is active")
    cards = fight.choosable()
    index = _place(body, "card_index", len(cards), "Card index {n} out of range ({m} selectable cards)")
    if len(fight.choice.picked) >= fight.choice.count:
        fight.choice.picked.pop(0)
    fight.choice.picked.append(cards[index])
    return f"Selecting card from hand: {cards[index].id}"


def _combat_confirm(run: PracticeRun, body: Json) -> str:
    del body
    fight = run.fight
    if fight is None or fight.choice is None or fight.choice.where != "hand":
        raise ActionRefused("No in-combat card selection is active")
    if len(fight.choice.picked) != fight.choice.count:
        raise ActionRefused("Confirm button is not enabled")
    fight.confirm_choice()
    return "Confirming combat card selection"


def _claim_reward(run: PracticeRun, body: Json) -> str:
    _on(run, "rewards", "Rewards screen is not open")
    index = _place(body, "index", len(run.rewards), "Reward index {n} out of range")
    kind = run.rewards[index]["type"]
    run.claim(index)
    return f"Claiming reward: {kind}"


def _select_card_reward(run: PracticeRun, body: Json) -> str:
    _on(run, "card_reward", "Card reward selection screen is not open")
    index = _place(body, "card_index", len(run.offered), "Card index {n} out of range")
    run.take_card(index)
    return "Selecting card"


def _skip_card_reward(run: PracticeRun, body: Json) -> str:
    del body
    _on(run, "card_reward", "Card reward selection screen is not open")
    run.take_card(None)
    return "Skipping card reward"


def _proceed(run: PracticeRun, body: Json) -> str:
    del body
    ready = run.screen in {"rewards", "shop"} or (run.screen == "rest_site" and run.rest_done)
    if not ready and not (run.screen == "treasure" and run.chest is not None):
        raise ActionRefused("No proceed button available or enabled")
    place = run.screen.replace("_", " ")
    run.proceed()
    return f"Proceeding from {place}"


def _choose_map_node(run: PracticeRun, body: Json) -> str:
    _on(run, "map", "Map screen is not open")
    nodes = run.next_nodes()
    index = _place(body, "index", len(nodes), "Map node index {n} out of range")
    node = nodes[index]
    run.travel(node)
    return f"Traveling to {run.map[node].type} at ({node[0]},{node[1]})"


def _choose_event_option(run: PracticeRun, body: Json) -> str:
    _on(run, "event", "Event room is not open")
    assert run.event is not None
    if run.dialogue:
        raise ActionRefused("No event options available")
    length = 1 if run.event.get("done") else len(run.event["options"])
    run.choose_event(_place(body, "index", length, "Event option index {n} out of range"))
    return "Choosing event option"


def _advance_dialogue(run: PracticeRun, body: Json) -> str:
    del body
    _on(run, "event", "Event room is not open")
    if not run.dialogue:
        raise ActionRefused("No ancient dialogue active")
    run.dialogue -= 1
    return "Advancing dialogue"


def _choose_rest_option(run: PracticeRun, body: Json) -> str:
    _whole(body, "index")
    _on(run, "rest_site", "Rest site room is not open")
    if run.rest_done:
        raise ActionRefused("No rest site options available")
    index = _place(body, "index", 2, "Rest option index {n} out of range")
    if index == 1 and not any(run.can_upgrade(card) for card in run.deck):
        raise ActionRefused("Rest site option SMITH is disabled")
    run.rest(("HEAL", "SMITH")[index])
    return "Selecting rest site option"


def _shop_purchase(run: PracticeRun, body: Json) -> str:
    _on(run, "shop", "Not in a shop")
    index = _place(body, "index", len(run.shop), "Shop item index {n} out of range")
    item = run.shop[index]
    if item.get("sold"):
        raise ActionRefused("Item is sold out")
    if run.gold < item["price"]:
        raise ActionRefused(f"Not enough gold (need {item['price']}, have {run.gold})")
    run.buy(index)
    return f"Purchasing item for {item['price']} gold"


def _claim_treasure_relic(run: PracticeRun, body: Json) -> str:
    _on(run, "treasure", "Treasure room is not open")
    if not run.chest:
        raise ActionRefused("Relic collection is not visible")
    index = _place(body, "index", len(run.chest), "Relic index {n} out of range")
    run.take_treasure(index)
    return "Claiming treasure relic"


def _select_card(run: PracticeRun, body: Json) -> str:
    fight = run.fight
    if fight is not None and fight.choice is not None and fight.choice.where == "discard":
        cards = fight.choosable()
        index = _place(body, "index", len(cards), "Card index {n} out of range")
        fight.choice.picked.append(cards[index])
        fight.confirm_choice()
        return "Toggling card selection"
    if "index" not in body:
        raise ActionRefused("Missing 'index'")
    _on(run, "card_select", "No card selection screen is open")
    assert run.grid is not None
    run.grid.toggle(_place(body, "index", len(run.grid.cards), "Card index {n} out of range"))
    return "Toggling card selection"


def _confirm_selection(run: PracticeRun, body: Json) -> str:
    del body
    _on(run, "card_select", "No card selection screen is open")
    assert run.grid is not None
    if not run.grid.preview:
        raise ActionRefused("No confirm button is currently enabled")
    run.confirm_grid()
    return "Confirming selection from preview"


def _cancel_selection(run: PracticeRun, body: Json) -> str:
    del body
    _on(run, "card_select", "No card selection screen is open")
    assert run.grid is not None
    if run.grid.preview:
        run.grid.preview = False
        run.grid.selected.clear()
        return "Cancelling preview"
    run.close_grid()
    return "Closing card selection screen"


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
        case "character_select", "ironclad":
            return "Selected IRONCLAD. Use 'confirm' to embark."
        case "character_select", "confirm" | "embark":
            restarted = PracticeRun(f"{run.seed}+", start="map")
            run.__dict__.update(restarted.__dict__)
            run.meet_the_ancient()
        case (("main_menu" | "singleplayer_menu" | "character_select"), _):
            raise ActionRefused(f"Menu option '{option[:40]}' is not available")
        case _:
            raise ActionRefused("Not on a menu screen")
    return f"Selected {option}"


_HANDLERS = {
    "play_card": _play_card,
    "end_turn": _end_turn,
    "use_potion": _use_potion,
    "discard_potion": _discard_potion,
    "combat_select_card": _combat_select,
    "combat_confirm_selection": _combat_confirm,
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
}
