"""Options: named by identity, complete where the contract is certain, and each trap of the bridge refused."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import Option, find_option, list_options
from tests.boards import bash, defend, enemy, fight, strike
from tests.captures import observation, raw, read, single_states
from tests.game.test_effects import GRID, MAP, REWARDS, SHOP, TREASURE, Json, card, screen

_ID = re.compile(r"[A-Za-z0-9_:+~.,-]{1,64}")


def ids(state: Json) -> list[str]:
    return [option.id for option in list_options(parse_state(copy.deepcopy(state)))]


def named(state: Json, identity: str) -> Option:
    return next(option for option in list_options(parse_state(copy.deepcopy(state))) if option.id == identity)


@pytest.mark.parametrize("path", single_states(), ids=lambda path: path.stem)
def test_ids_are_unique_and_easy_to_type_on_every_recorded_screen(path: Any) -> None:
    options = list_options(read(path))
    assert len({option.id for option in options}) == len(options)
    for option in options:
        assert _ID.fullmatch(option.id), option.id
        assert len(option.label) <= 160
        assert option.label.isprintable()


EXACT = {
    "monster-18": ["play:MASTER_OF_STRATEGY", "play:NEUTRALIZE:e1", "end_turn"],
    "game_over-01": ["menu:main_menu"],
    "card_select-01": ["confirm", "cancel"],
}


@pytest.mark.parametrize("name", sorted(EXACT))
def test_a_recorded_screen_offers_exactly_what_the_contract_allows(name: str) -> None:
    offered = [option.id for option in list_options(observation(name)) if not option.id.startswith("discard_potion")]
    assert offered == EXACT[name]


def test_a_map_offers_its_open_nodes_and_nothing_else() -> None:
    state = raw("map-01")
    nodes = state["map"]["next_options"]
    assert ids(state) == [f"travel:{node['type']}:{node['col']},{node['row']}" for node in nodes]


def test_cards_that_no_rule_can_tell_apart_are_one_option() -> None:
    options = list_options(fight([strike(), strike(), defend()], [enemy(40, "5")]))
    assert [option.id for option in options] == ["play:STRIKE_IRONCLAD:e1", "play:DEFEND_IRONCLAD", "end_turn"]


def test_cards_that_differ_in_text_or_cost_are_told_apart() -> None:
    options = list_options(fight([strike(6), strike(8)], [enemy(40, "5")]))
    plays = [option.id for option in options if option.action == "play_card"]
    assert len(set(plays)) == 2
    assert all(play.startswith("play:STRIKE_IRONCLAD~") for play in plays)


def test_the_index_comes_from_the_very_reading() -> None:
    options = list_options(fight([defend(), bash(), strike()], [enemy(40, "5")]))
    found = {
        option.id: option.requests[0].parameters["card_index"] for option in options if option.action == "play_card"
    }
    assert found == {"play:DEFEND_IRONCLAD": 0, "play:BASH:e1": 1, "play:STRIKE_IRONCLAD:e1": 2}


@given(st.permutations([0, 1, 2, 3]))
def test_the_order_of_the_hand_does_not_change_what_is_offered(order: list[int]) -> None:
    cards = [strike(), defend(), bash(), strike(8)]
    plain = {option.id for option in list_options(fight(list(cards), [enemy(40, "5")]))}
    mixed = {option.id for option in list_options(fight([cards[place] for place in order], [enemy(40, "5")]))}
    assert plain == mixed


def test_targets_are_sent_by_the_number_that_stays() -> None:
    twins = [enemy(40, "5", number=3), {**enemy(40, "5", number=7), "entity_id": "NIBBIT_1"}]
    options = list_options(fight([strike()], twins))
    assert [(o.id, o.parameter("target")) for o in options if o.action == "play_card"] == [
        ("play:STRIKE_IRONCLAD:e3", "3"),
        ("play:STRIKE_IRONCLAD:e7", "7"),
    ]


def test_without_that_number_twins_are_not_offered_and_a_single_enemy_is() -> None:
    alone = [{**enemy(40, "5"), "combat_id": None}]
    assert "play:STRIKE_IRONCLAD:NIBBIT_0" in [o.id for o in list_options(fight([strike()], alone))]
    twins = [*alone, {**enemy(40, "5"), "combat_id": None, "entity_id": "NIBBIT_1"}]
    assert [o.id for o in list_options(fight([strike()], twins))] == ["end_turn"]


def test_the_dead_that_some_builds_keep_listing_are_no_targets() -> None:
    dead = [{**enemy(0, "5"), "is_alive": False}, enemy(40, "5", number=2)]
    assert [o.id for o in list_options(fight([strike()], dead))] == ["play:STRIKE_IRONCLAD:e2", "end_turn"]


# ---------------------------------------------------------------------- traps


def test_a_potion_that_does_not_fit_is_refused_with_the_choice_that_is_left() -> None:
    assert named(REWARDS, "claim:potion:BLOCK_POTION").trap is None
    full = copy.deepcopy(REWARDS)
    full["player"]["max_potion_slots"] = 1
    assert "use or discard" in (named(full, "claim:potion:BLOCK_POTION").trap or "")
    silent = copy.deepcopy(REWARDS)
    del silent["player"]["max_potion_slots"]
    assert named(silent, "claim:potion:BLOCK_POTION").trap


def test_leaving_rewards_says_what_is_lost_and_is_never_mechanical() -> None:
    leaving = named(REWARDS, "proceed")
    assert leaving.kind == "decision"
    assert "17 gold" in leaving.label
    assert named(screen("rewards", {"items": [], "can_proceed": True}), "proceed").kind == "mechanical"


def test_leaving_a_relic_in_a_chest_says_so_and_is_never_mechanical() -> None:
    leaving = named(TREASURE, "proceed")
    assert (leaving.kind, "VAJRA" in leaving.label) == ("decision", True)


def test_nothing_is_offered_while_a_chest_opens_or_a_shop_is_not_ready() -> None:
    for treasure in ({"message": "Opening chest..."}, {"can_proceed": False}):
        assert [i for i in ids(screen("treasure", treasure)) if not i.startswith("discard")] == []
    assert ids({**screen("shop", {"items": [], "error": "not ready"})}) == []


def test_a_shop_can_be_left_although_it_says_that_it_cannot() -> None:
    assert "proceed" in ids(SHOP)


def test_a_potion_in_a_shop_that_would_not_fit_is_refused() -> None:
    item = {"index": 0, "category": "potion", "price": 10, "is_stocked": True, "can_afford": True, "potion_id": "X"}
    state = screen("shop", {"items": [item]})
    state["player"]["max_potion_slots"] = 1
    assert named(state, "buy:potion:X").trap


def test_what_cannot_be_paid_or_is_sold_is_not_offered() -> None:
    items = [
        {"index": 0, "category": "relic", "price": 900, "is_stocked": True, "can_afford": False, "relic_id": "A"},
        {"index": 1, "category": "relic", "price": 9, "is_stocked": False, "can_afford": True},
    ]
    assert [i for i in ids(screen("shop", {"items": items})) if i.startswith("buy")] == []


def test_a_selected_card_is_not_selected_again() -> None:
    state = copy.deepcopy(GRID)
    state["card_select"]["cards"] = [card("ANGER", 0, is_selected=True), card("CLASH", 1, is_selected=False)]
    assert "undo" in (named(state, "select:ANGER").trap or "")
    assert named(state, "select:CLASH").trap is None


def test_a_grid_that_may_hold_a_selection_already_is_confirmed_or_cancelled() -> None:
    state = copy.deepcopy(GRID)
    state["card_select"]["can_confirm"] = True
    assert named(state, "select:ANGER").trap
    assert {"confirm", "cancel"} <= set(ids(state))


def test_several_cards_of_a_grid_are_one_option() -> None:
    state = copy.deepcopy(GRID)
    state["card_select"]["prompt"] = "Choose 2 cards to remove."
    state["card_select"]["cards"] = [card("ANGER", 0), card("ANGER", 1), card("CLASH", 2)]
    assert "select:ONE,OTHER" in (named(state, "select:CLASH").trap or "")
    seen = parse_state(state)
    twice = find_option(seen, "select:ANGER,ANGER")
    assert twice is not None
    assert [request.parameters["index"] for request in twice.requests] == [0, 1]
    mixed = find_option(seen, "select:CLASH,ANGER")
    assert mixed is not None
    assert [request.parameters["index"] for request in mixed.requests] == [2, 0]
    assert mixed.trap is None
    assert find_option(seen, "select:CLASH,CLASH") is None
    assert find_option(seen, "select:CLASH,BASH") is None


@pytest.mark.parametrize("prompt", ["Choose 2 cards.", "选择2张牌。", "Choose two cards.", "选择两张牌。", "２枚選ぶ"])
def test_how_many_cards_a_grid_takes_is_read_from_its_prompt(prompt: str) -> None:
    state = copy.deepcopy(GRID)
    state["card_select"]["prompt"] = prompt
    assert "takes 2 cards" in (named(state, "select:CLASH").trap or "")


def test_during_a_preview_only_its_two_ways_out_are_offered() -> None:
    state = copy.deepcopy(GRID)
    state["card_select"] |= {"preview_showing": True, "can_confirm": True}
    assert [i for i in ids(state) if not i.startswith("discard")] == ["confirm", "cancel"]


def test_a_map_that_was_opened_over_a_fight_offers_nothing() -> None:
    state = copy.deepcopy(MAP)
    state["player"]["hand"] = []
    assert ids(state) == []


def test_nothing_is_offered_in_the_enemies_turn() -> None:
    seen = fight([strike()], [enemy(40, "5")])
    for change in ({"turn": "enemy"}, {"is_play_phase": False}, {"player_actions_disabled": True}):
        state = copy.deepcopy(seen.raw)
        state["battle"].update(change)  # type: ignore[union-attr]
        assert list_options(parse_state(state)) == ()


def test_a_turn_that_cannot_be_ended_is_refused_beforehand() -> None:
    state = copy.deepcopy(fight([strike()], [enemy(40, "5")]).raw)
    state["battle"]["can_end_turn"] = False  # type: ignore[index]
    assert named(state, "end_turn").trap


@pytest.mark.parametrize("target", ["AnyAlly", "AnyPlayer", "Somewhere", None])
def test_a_card_whose_target_cannot_be_named_is_left_to_a_person(target: str | None) -> None:
    held = {**defend(), "target_type": target}
    option = next(o for o in list_options(fight([held], [enemy(40, "5")])) if o.action == "play_card")
    assert option.trap


def test_menus_are_restricted_and_popups_are_decisions() -> None:
    menu: Json = {"state_type": "menu", "menu_screen": "main", "options": ["abandon_run", "quit", "singleplayer"]}
    assert {option.kind for option in list_options(parse_state(menu))} == {"restricted"}
    popup: Json = {"state_type": "menu", "menu_screen": "popup", "options": [{"name": "是", "enabled": True}]}
    answer = list_options(parse_state(popup))[0]
    assert answer.kind == "decision"
    assert answer.id.isascii()
    assert answer.requests[0].parameters["option"] == "是"


def test_discarding_a_potion_is_the_owners_to_permit() -> None:
    assert named(REWARDS, "discard_potion:FIRE_POTION").kind == "restricted"


def test_two_choices_with_one_title_keep_apart() -> None:
    options = [
        {"index": 0, "title": "Fight", "description": "Lose 5 HP."},
        {"index": 1, "title": "Fight", "description": "Lose 9 HP."},
        {"index": 2, "title": "Locked", "is_locked": True},
    ]
    found = [i for i in ids(screen("event", {"event_id": "E", "options": options})) if i.startswith("event:")]
    assert len(set(found)) == 2
    assert all(i.startswith("event:FIGHT~") for i in found)


def test_choices_that_differ_only_far_into_their_text_keep_apart() -> None:
    long = "x" * 400
    options = [{"index": i, "title": "Fight", "description": f"{long}{i}"} for i in range(2)]
    found = [i for i in ids(screen("event", {"event_id": "E", "options": options})) if i.startswith("event:")]
    assert len(found) == 2


def test_a_choice_that_is_called_proceed_does_not_hide_the_way_out() -> None:
    options = [{"index": 0, "title": "Proceed"}, {"index": 1, "title": "Proceed", "is_proceed": True}]
    found = [i for i in ids(screen("event", {"event_id": "E", "options": options})) if i.startswith("event:")]
    assert len(found) == 2


def test_an_id_never_grows_beyond_what_can_be_copied() -> None:
    name = "A_VERY_LONG_NAME_OF_A_MONSTER_OR_CARD_FROM_A_MOD_" * 2
    options = list_options(
        fight([{**strike(), "id": name[:46]}], [{**enemy(40, "5"), "entity_id": name, "combat_id": None}])
    )
    assert all(_ID.fullmatch(option.id) for option in options)


@pytest.mark.parametrize(
    "prompt", ["Enchant a card with Sharp 2.", "Pay 75 Gold: remove a card.", "Choose up to 3 cards."]
)
def test_other_numbers_in_a_prompt_do_not_count_cards(prompt: str) -> None:
    state = copy.deepcopy(GRID)
    state["card_select"]["prompt"] = prompt
    assert named(state, "select:CLASH").trap is None
