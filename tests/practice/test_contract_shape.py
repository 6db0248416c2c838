"""The practice game sends the keys that recorded games sent, screen by screen, and has their nulls and absences."""

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card
from tests import captures
from tests.practice.boards import game, post, set_fight, set_room, show

Json = dict[str, Any]
Keys = dict[str, set[frozenset[str]]]

# What builds of other authors and the recorders added: no upstream bridge sends it.
FOREIGN = frozenset(
    {"rooms_entered", "coverage", "turn_trace", "draw_pile_ordered", "discard_pile_ordered", "hand_ordered"}
)
# Keys that one side lacks with good reason.
OPTIONAL = {
    ("map", "current_position"): "absent before the first visit",
    ("event.options[]", "relic_name"): "only on an option that names a relic; the practice events name none",
    ("event.options[]", "relic_description"): "comes and goes with relic_name",
    ("menu:character_select.characters[]", "starting_deck"): "optional by the contract",
    ("menu:character_select.characters[]", "starting_relics"): "optional by the contract",
    ("menu:character_select.characters[]", "total_cards"): "optional by the contract",
    ("menu:character_select.characters[]", "total_potions"): "optional by the contract",
    ("menu:character_select.characters[]", "total_relics"): "optional by the contract",
}
# Without these screens among the compared ones the comparison would prove little.
LEAST = {
    "fight",
    "map",
    "rewards",
    "card_reward",
    "card_select",
    "rest_site",
    "shop",
    "event",
    "game_over",
    "player",
    "player.hand[]",
    "fight.battle.enemies[]",
    "fight.battle.enemies[].intents[]",
    "shop.items[]:card",
    "shop.items[]:relic",
    "shop.items[]:potion",
    "shop.items[]:card_removal",
    "rewards.items[]:gold",
    "rewards.items[]:card",
    "map.nodes[]",
    "map.nodes[]:Boss",
    "map.next_options[]",
    "rest_site.options[]",
    "event.options[]",
}


def shapes(state: Json) -> Iterator[tuple[str, frozenset[str]]]:
    """Every object of a state: where it stands and which keys it has."""
    kind = state["state_type"]
    if kind in {"monster", "elite", "boss"}:
        kind = "fight" if "battle" in state else "fight over"
    elif kind == "menu":
        kind = f"menu:{state['menu_screen']}"
    yield kind, frozenset(state) - FOREIGN
    for key, value in state.items():
        if key in FOREIGN:
            continue
        if key == "player":
            yield from walk("player" if "hand" in value else "player outside fights", "player", value)
        elif key == state["state_type"] or key == "run":
            yield from walk(key, key, value)
        else:
            yield from walk(f"{kind}.{key}", f"{kind}.{key}", value)


def walk(label: str, path: str, value: object) -> Iterator[tuple[str, frozenset[str]]]:
    if isinstance(value, dict):
        yield label, frozenset(value) - FOREIGN
        for key, inner in value.items():
            if key not in FOREIGN:
                yield from walk(f"{path}.{key}", f"{path}.{key}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(name(f"{path}[]", inner), f"{path}[]", inner)


def name(path: str, value: object) -> str:
    """Items of one list that differ by what they are."""
    if isinstance(value, dict):
        if path == "rewards.items[]":
            return f"{path}:{value['type']}"
        if path == "shop.items[]":
            return f"{path}:{value['category']}" + ("" if value["is_stocked"] else ":sold")
        if path == "map.nodes[]" and value["type"] == "Boss":
            return f"{path}:Boss"
    return path


@cache
def real() -> Keys:
    states = [json.loads(path.read_text(encoding="utf-8")) for path in captures.single_states()]
    for path in captures.runs():
        states += [json.loads(line)["state"] for line in path.read_text(encoding="utf-8").splitlines()]
    # A recorder of its own merged the menu into some states and left keys out of them.
    return gather([state for state in states if "menu_options" not in state])


def gather(states: list[Json]) -> Keys:
    found: Keys = defaultdict(set)
    for state in states:
        for where, keys in shapes(state):
            found[where].add(keys)
    return found


def practice_states(language: str) -> list[Json]:
    played = game(language=language)
    played.run.potions = ["FIRE_POTION", None, "BLOCK_POTION"]
    states = [played.state()]
    fight = set_fight(played, "STRIKE_IRONCLAD", "DAZED", monsters=("NIBBIT", "FLYCONID"))
    fight.draw_pile, fight.discard_pile, fight.exhaust_pile = [Card("BASH")], [Card("BURN")], [Card("SLIMED")]
    fight.player.add("WEAK_POWER", 1)
    fight.enemies[0].add("VULNERABLE_POWER", 1)
    states.append(show(played))
    run = set_room(played, "map")
    states.append(show(played))
    run.fight_kind = "elite"
    run.potion_chance = 1
    run._roll_rewards()
    run.screen = "rewards"
    states.append(show(played))
    post(played, "claim_reward", index=3)
    states.append(played.state())
    set_room(played, "rest_site")
    states.append(show(played))
    post(played, "choose_rest_option", index=1)
    states.append(played.state())
    run = set_room(played, "shop")
    run.gold = 10_000
    states.append(show(played))
    post(played, "shop_purchase", index=0)
    states.append(played.state())
    set_room(played, "treasure")
    # Closed, and then open: without a delay the first look passes the stages between.
    states.append(show(played))
    states.append(played.state())
    for event in table("events").values():
        run = set_room(played, "event")
        run.event = event
        states.append(show(played))
    set_room(played, "game_over")
    states.append(show(played))
    return states + [show_menu(language, s) for s in ("main_menu", "singleplayer_menu", "character_select")]


def show_menu(language: str, screen: str) -> Json:
    played = game(language=language, start="menu")
    played.run.screen = screen
    return show(played)


@pytest.mark.parametrize("language", ["eng", "zhs"])
def test_every_object_that_both_send_has_the_same_keys(language: str) -> None:
    ours, theirs = gather(practice_states(language)), real()
    common = set(ours) & set(theirs)
    # The excerpts in the repository hold fewer screens than the whole recordings.
    assert common >= (LEAST if captures.folder() == captures.OUTSIDE else LEAST & set(theirs))
    different = {}
    for where in sorted(common):
        free = {key for place, key in OPTIONAL if place == where}
        mine, recorded = ({keys - free for keys in side[where]} for side in (ours, theirs))
        if mine != recorded:
            different[where] = (mine ^ recorded, "practice" if mine - recorded else "recorded")
    assert different == {}


def test_every_optional_key_is_still_one_that_some_side_has() -> None:
    ours, theirs = gather(practice_states("eng")), real()
    for where, key in OPTIONAL:
        known = ours.get(where, set()) | theirs.get(where, set())
        if known:
            assert key in frozenset[str]().union(*known) or where not in theirs, (where, key)


def test_nulls_are_sent_where_the_bridge_sends_them() -> None:
    played = game()
    set_fight(played, "STRIKE_IRONCLAD", "DAZED")
    state = played.state()
    playable, unplayable = state["player"]["hand"]
    assert (playable["can_play"], playable["unplayable_reason"]) == (True, None)
    assert (unplayable["can_play"], unplayable["unplayable_reason"]) == (False, "HasUnplayableKeyword")
    # An unplayable card shows "0" and never its absence of a cost.
    assert unplayable["cost"] == "0"
    assert all(card["star_cost"] is None for card in state["player"]["hand"])
    assert all(relic["counter"] is None for relic in state["player"]["relics"])
    set_room(played, "event")
    assert played.state()["event"]["body"] is None


def test_what_belongs_to_a_fight_is_absent_outside_it_and_potions_keep_their_slots() -> None:
    played = game()
    played.run.potions = [None, None, "FIRE_POTION"]
    set_room(played, "map")
    player = show(played)["player"]
    assert not {"energy", "max_energy", "hand", "draw_pile", "draw_pile_count"} & set(player)
    assert (player["status"], player["block"]) == ([], 0)
    assert [potion["slot"] for potion in player["potions"]] == [2]
    assert player["max_potion_slots"] == 3


def test_a_hand_selection_lists_what_is_picked_only_when_something_is() -> None:
    played = game()
    set_fight(played, "ARMAMENTS", "STRIKE_IRONCLAD", "BASH", "DEFEND_IRONCLAD")
    post(played, "play_card", card_index=0)
    state = played.state()
    assert state["state_type"] == "hand_select"
    select = state["hand_select"]
    assert (select["mode"], "selected_cards" in select, select["can_confirm"]) == ("upgrade_select", False, False)
    post(played, "combat_select_card", card_index=1)
    select = played.state()["hand_select"]
    assert [(card["index"], card["name"]) for card in select["selected_cards"]] == [(0, "Bash")]
    # The picked card has left the list, so indices shift; the hand keeps its own.
    assert [(c["index"], c["id"]) for c in select["cards"]] == [(0, "STRIKE_IRONCLAD"), (1, "DEFEND_IRONCLAD")]
    assert len(played.state()["player"]["hand"]) == 3
    post(played, "combat_confirm_selection")
    assert [card["name"] for card in played.state()["player"]["hand"]] == ["Strike", "Bash+", "Defend"]


def test_labels_hold_damage_for_attacks_counts_for_status_cards_and_nothing_otherwise() -> None:
    played = game()
    fight = set_fight(played, "BASH", monsters=("TRACKER_RUBY_RAIDER", "LEAF_SLIME_M", "VINE_SHAMBLER"))
    fight.enemies[2].add("WEAK_POWER", 1)
    intents = [enemy["intents"][0] for enemy in show(played)["battle"]["enemies"]]
    # Tracking is a debuff; two Slimed; 6 damage twice under Weak is 4 (4.5) twice.
    assert [(i["type"], i["label"]) for i in intents] == [("Debuff", ""), ("StatusCard", "2"), ("Attack", "4x2")]


def test_the_main_menu_has_plain_names_and_the_others_have_objects() -> None:
    assert all(isinstance(option, str) for option in show_menu("eng", "main_menu")["options"])
    for screen in ("singleplayer_menu", "character_select"):
        for option in show_menu("eng", screen)["options"]:
            assert set(option) == {"name", "enabled"}
