"""Each action's required effect: seen, not seen, and something else changed in its place."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.effects import EFFECTS, already_true, judge
from spire_mcp.game.expected import Expected
from spire_mcp.game.options import Option, find_option

Json = dict[str, Any]
Change = Callable[[Json], None]

RUN = {"act": 1, "floor": 5, "ascension": 0}


def player(**more: Any) -> Json:
    return {
        "hp": 50,
        "max_hp": 80,
        "gold": 100,
        "relics": [{"id": "BURNING_BLOOD"}],
        "potions": [{"id": "FIRE_POTION", "slot": 1, "can_use_in_combat": True, "target_type": "AnyEnemy"}],
        "max_potion_slots": 3,
        **more,
    }


def screen(kind: str, payload: Any, **more: Any) -> Json:
    return {"state_type": kind, kind: payload, "run": dict(RUN), "player": player(), **more}


def card(identity: str, index: int, **more: Any) -> Json:
    whole = {"id": identity, "name": identity.title(), "type": "Attack", "cost": "1", "index": index, "can_play": True}
    return {**whole, "target_type": "AnyEnemy", **more}


def fight(**more: Any) -> Json:
    hand = [card("STRIKE", 0), card("STRIKE", 1), card("BASH", 2, cost="2")]
    me = player(energy=3, hand=hand, draw_pile_count=5, discard_pile_count=0, exhaust_pile_count=0)
    enemy = {"entity_id": "NIBBIT_0", "combat_id": 1, "name": "Nibbit", "hp": 40, "max_hp": 44, "intents": []}
    battle = {"round": 2, "turn": "player", "is_play_phase": True, "enemies": [enemy]}
    return {"state_type": "monster", "battle": battle, "run": dict(RUN), "player": me, **more}


MAP = screen("map", {"next_options": [{"index": 0, "col": 2, "row": 5, "type": "Monster"}], "nodes": []})
REWARDS = screen(
    "rewards",
    {
        "items": [
            {"index": 0, "type": "gold", "description": "17 Gold", "gold_amount": 17},
            {"index": 1, "type": "potion", "description": "Block Potion", "potion_id": "BLOCK_POTION"},
            {"index": 2, "type": "relic", "description": "Anchor"},
            {"index": 3, "type": "card", "description": "Add a card"},
        ],
        "can_proceed": True,
    },
)
CARDS = [card("ANGER", 0), card("CLASH", 1)]
REWARD = screen("card_reward", {"cards": CARDS, "can_skip": True})
GRID = screen(
    "card_select",
    {
        "screen_type": "upgrade",
        "prompt": "Choose a card.",
        "cards": CARDS,
        "preview_showing": False,
        "can_cancel": True,
    },
)
PREVIEW = copy.deepcopy(GRID)
PREVIEW["card_select"] |= {"preview_showing": True, "can_confirm": True}
EVENT = screen("event", {"event_id": "NEST", "options": [{"index": 0, "title": "Eat"}, {"index": 1, "title": "Go"}]})
REST = screen("rest_site", {"options": [{"index": 0, "id": "HEAL", "name": "Rest", "is_enabled": True}]})
ITEM = {"index": 0, "category": "relic", "price": 60, "is_stocked": True, "can_afford": True, "relic_id": "VAJRA"}
SHOP = screen(
    "shop",
    {"items": [ITEM, {"index": 1, "category": "card_removal", "price": 75, "is_stocked": True, "can_afford": True}]},
)
TREASURE = screen("treasure", {"relics": [{"index": 0, "id": "VAJRA"}], "can_proceed": True})
RELICS = screen("relic_select", {"relics": [{"index": 0, "id": "VAJRA"}], "can_skip": True})
BUNDLES = screen("bundle_select", {"bundles": [{"index": 0, "cards": CARDS}], "preview_showing": False})
BUNDLE = screen("bundle_select", {"bundles": [], "preview_showing": True, "can_confirm": True, "can_cancel": True})
SPHERE = screen(
    "crystal_sphere",
    {
        "cells": [{"x": 1, "y": 2, "is_hidden": True, "is_clickable": True}],
        "clickable_cells": [{"x": 1, "y": 2}],
        "tool": "small",
        "can_use_big_tool": True,
        "can_use_small_tool": True,
        "can_proceed": True,
    },
)
HAND = {**fight(), "state_type": "hand_select"}
HAND["hand_select"] = {"mode": "simple_select", "prompt": "Exhaust", "cards": CARDS, "can_confirm": True}
LOOKED_AT = screen("map", {"next_options": [], "nodes": []})
OVER = screen("game_over", {"options": ["main_menu"]})
MENU: Json = {"state_type": "menu", "menu_screen": "popup", "options": [{"name": "ok", "enabled": True}]}


def becomes(state: Json) -> Change:
    """Another state altogether."""

    def change(now: Json) -> None:
        now.clear()
        now.update(copy.deepcopy(state))

    return change


def both(*changes: Change) -> Change:
    def change(now: Json) -> None:
        for each in changes:
            each(now)

    return change


def put(*path: Any, to: Any) -> Change:
    """One value changed."""

    def change(now: Json) -> None:
        inner: Any = now
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = to

    return change


def drop(*path: Any) -> Change:
    """One thing gone."""

    def change(now: Json) -> None:
        inner: Any = now
        for part in path[:-1]:
            inner = inner[part]
        del inner[path[-1]]

    return change


gold = lambda amount: put("player", "gold", to=amount)  # noqa: E731
energy = lambda amount: put("player", "energy", to=amount)  # noqa: E731
relics = put("player", "relics", to=[{"id": "BURNING_BLOOD"}, {"id": "VAJRA"}])
next_floor = put("run", to={**RUN, "floor": 6})
strike_gone = both(drop("player", "hand", 0), put("player", "discard_pile_count", to=1))

# action: before, option, the change that proves it, changes that do not
CASES: dict[str, tuple[Json, str, Change, list[Change]]] = {
    "play_card": (
        fight(),
        "play:STRIKE:e1",
        both(strike_gone, energy(2)),
        [
            strike_gone,  # left without its cost being paid
            energy(2),  # paid, and still in hand
            both(drop("player", "hand", 2), energy(1)),  # another card was played
            put("battle", "enemies", 0, "hp", to=34),  # damage alone
            put("battle", "round", to=3),
            both(strike_gone, energy(2), put("battle", "round", to=3)),  # the turn was ended by another hand
            both(strike_gone, energy(2), next_floor),
            becomes({**fight(), "state_type": "map", "map": {"next_options": []}}),
            becomes({**fight(), "battle": None}),
        ],
    ),
    "use_potion": (
        fight(),
        "potion:FIRE_POTION:e1",
        put("player", "potions", to=[]),
        [put("battle", "enemies", 0, "hp", to=20), put("player", "potions", 0, "slot", to=0)],
    ),
    "discard_potion": (fight(), "discard_potion:FIRE_POTION", put("player", "potions", to=[]), [gold(99)]),
    "end_turn": (
        fight(),
        "end_turn",
        put("battle", "round", to=3),
        [
            put("battle", "turn", to="enemy"),
            put("player", "hp", to=40),
            put("battle", "round", to=4),
            put("player", "hand", to=[]),
        ],
    ),
    "combat_select_card": (
        HAND,
        "pick:ANGER",
        both(drop("hand_select", "cards", 0), put("hand_select", "selected_cards", to=[{"index": 0, "name": "Anger"}])),
        [
            put("hand_select", "selected_cards", to=[{"index": 0}]),
            drop("hand_select", "cards", 1),
            becomes(MENU),
            becomes({**fight(), "battle": None}),
        ],
    ),
    "combat_confirm_selection": (
        HAND,
        "confirm",
        becomes(fight()),
        [put("hand_select", "can_confirm", to=False), becomes(MENU)],
    ),
    "claim_reward": (
        REWARDS,
        "claim:gold:17",
        both(gold(117), drop("rewards", "items", 0)),
        [gold(117), drop("rewards", "items", 0), both(gold(110), drop("rewards", "items", 1))],
    ),
    "select_card_reward": (REWARD, "take:ANGER", becomes(REWARDS), [gold(101), becomes(MENU), becomes(OVER)]),
    "select_reward_alternative": (
        {**REWARD, "card_reward": {**REWARD["card_reward"], "alternatives": ["Skip", "Sacrifice"]}},
        "alternative:SACRIFICE",
        becomes(REWARDS),
        [put("card_reward", "can_skip", to=False)],
    ),
    "skip_card_reward": (REWARD, "skip", becomes(REWARDS), [put("card_reward", "can_skip", to=False)]),
    "proceed": (REWARDS, "proceed", becomes(MAP), [drop("rewards", "items", 0), becomes(MENU), becomes(LOOKED_AT)]),
    "choose_map_node": (
        MAP,
        "travel:Monster:2,5",
        both(becomes(fight()), next_floor),
        [
            becomes(fight()),  # a fight on the same floor
            put("map", "next_options", to=[]),
            put("map", "current_position", to={"col": 3, "row": 5}),
            both(becomes(fight()), put("run", to={**RUN, "floor": 9})),
        ],
    ),
    "choose_event_option": (
        EVENT,
        "event:EAT",
        put("event", "options", to=[{"index": 0, "title": "Proceed", "is_proceed": True}]),
        [gold(90), becomes(MENU)],
    ),
    "advance_dialogue": (
        screen("event", {"event_id": "NEOW", "in_dialogue": True, "options": []}),
        "dialogue",
        both(put("event", "in_dialogue", to=False), put("event", "options", to=[{"index": 0, "title": "A"}])),
        [gold(90)],
    ),
    "choose_rest_option": (
        REST,
        "rest:HEAL",
        both(put("rest_site", "options", to=[]), put("rest_site", "can_proceed", to=True)),
        [put("player", "hp", to=74), becomes(MAP)],
    ),
    "shop_purchase": (
        SHOP,
        "buy:relic:VAJRA",
        both(gold(40), put("shop", "items", 0, "is_stocked", to=False)),
        [gold(40), put("shop", "items", 0, "is_stocked", to=False), both(gold(25), drop("shop", "items", 1))],
    ),
    "claim_treasure_relic": (
        TREASURE,
        "relic:VAJRA",
        both(relics, put("treasure", "relics", to=[])),
        [put("treasure", "relics", to=[]), gold(150)],
    ),
    "select_card": (
        GRID,
        "select:ANGER",
        becomes(PREVIEW),
        [gold(90), put("card_select", "can_cancel", to=False), becomes(MENU)],
    ),
    "confirm_selection": (PREVIEW, "confirm", becomes(EVENT), [gold(90), put("card_select", "can_confirm", to=False)]),
    "cancel_selection": (PREVIEW, "cancel", becomes(GRID), [gold(90), becomes(MENU)]),
    "select_bundle": (BUNDLES, "bundle:ANGER_CLASH", becomes(BUNDLE), [gold(90)]),
    "confirm_bundle_selection": (BUNDLE, "confirm", becomes(EVENT), [becomes(MENU), gold(90)]),
    "cancel_bundle_selection": (BUNDLE, "cancel", becomes(BUNDLES), [gold(90)]),
    "select_relic": (RELICS, "relic:VAJRA", both(becomes(MAP), relics), [relics, becomes(MENU)]),
    "skip_relic_selection": (RELICS, "skip", becomes(MAP), [gold(90)]),
    "crystal_sphere_set_tool": (SPHERE, "tool:big", put("crystal_sphere", "tool", to="big"), [gold(90)]),
    "crystal_sphere_click_cell": (
        SPHERE,
        "cell:1,2",
        put("crystal_sphere", "cells", 0, "is_hidden", to=False),
        [put("crystal_sphere", "clickable_cells", to=[])],
    ),
    "crystal_sphere_proceed": (SPHERE, "proceed", becomes(MAP), [gold(90), becomes(MENU)]),
    "menu_select": (MENU, "menu:ok", becomes(fight()), [put("message", to="…")]),
}


def option(state: Json, identity: str) -> Option:
    found = find_option(parse_state(copy.deepcopy(state)), identity)
    assert found is not None
    return found


def changed(state: Json, change: Change) -> Json:
    later = copy.deepcopy(state)
    change(later)
    return later


def test_every_action_of_the_contract_has_an_effect_and_a_case() -> None:
    assert set(CASES) == set(EFFECTS)
    assert all(effect.may and effect.must_not for effect in EFFECTS.values())


@pytest.mark.parametrize("action", sorted(CASES))
def test_the_required_effect_proves_the_action(action: str) -> None:
    state, identity, proof, _ = CASES[action]
    chosen = option(state, identity)
    assert chosen.action == action
    verdict = judge(parse_state(state), parse_state(changed(state, proof)), chosen)
    assert verdict.proved, verdict.missing
    assert verdict.evidence


@pytest.mark.parametrize("action", sorted(CASES))
def test_an_unchanged_state_proves_nothing(action: str) -> None:
    state, identity, _, _ = CASES[action]
    assert not judge(parse_state(state), parse_state(state), option(state, identity)).proved


@pytest.mark.parametrize(
    ("action", "number"), [(action, number) for action in sorted(CASES) for number in range(len(CASES[action][3]))]
)
def test_something_else_that_changed_proves_nothing(action: str, number: int) -> None:
    state, identity, _, others = CASES[action]
    verdict = judge(parse_state(state), parse_state(changed(state, others[number])), option(state, identity))
    assert not verdict.proved, verdict.evidence


def test_arithmetic_says_what_energy_is_left_when_a_card_gives_some() -> None:
    later = changed(fight(), both(strike_gone, energy(4)))
    chosen = option(fight(), "play:STRIKE:e1")
    assert not judge(parse_state(fight()), parse_state(later), chosen, Expected(energy=2)).proved
    assert judge(parse_state(fight()), parse_state(later), chosen, Expected(energy=4)).proved


def test_a_fight_that_ends_proves_a_lost_play_only_when_that_was_certain() -> None:
    later = screen("rewards", {"items": [], "can_proceed": True})
    chosen = option(fight(), "play:STRIKE:e1")
    assert judge(parse_state(fight()), parse_state(later), chosen).unique is False
    assert judge(parse_state(fight()), parse_state(later), chosen, Expected(fight_over=True)).unique is True


def test_a_tool_that_is_active_already_is_refused_beforehand() -> None:
    state = parse_state(SPHERE)
    assert already_true(state, option(SPHERE, "tool:small")) is not None
    assert already_true(state, option(SPHERE, "tool:big")) is None


def test_a_play_is_not_unique_when_another_card_has_gone_too() -> None:
    chosen = option(fight(), "play:STRIKE:e1")
    alone = judge(parse_state(fight()), parse_state(changed(fight(), both(strike_gone, energy(2)))), chosen)
    later = changed(fight(), both(strike_gone, drop("player", "hand", 1), energy(2)))
    crowded = judge(parse_state(fight()), parse_state(later), chosen)
    assert (alone.proved, alone.unique) == (True, True)
    assert (crowded.proved, crowded.unique) == (True, False)


def test_a_potion_that_fills_its_own_place_is_proved() -> None:
    later = changed(fight(), put("player", "potions", to=[{"id": "BLOCK_POTION", "slot": 1}]))
    verdict = judge(parse_state(fight()), parse_state(later), option(fight(), "potion:FIRE_POTION:e1"))
    assert (verdict.proved, verdict.unique) == (True, False)


def test_a_relic_that_is_named_by_a_click_on_the_card_reward_is_not_claimed() -> None:
    verdict = judge(parse_state(REWARDS), parse_state(REWARD), option(REWARDS, "claim:relic:ANCHOR"))
    assert not verdict.proved


def test_a_node_that_the_map_stands_on_is_proved_uniquely() -> None:
    later = changed(MAP, both(put("map", "current_position", to={"col": 2, "row": 5}), next_floor))
    verdict = judge(parse_state(MAP), parse_state(later), option(MAP, "travel:Monster:2,5"))
    assert (verdict.proved, verdict.unique) == (True, True)


def test_an_elite_node_is_not_proved_by_another_room() -> None:
    elite = copy.deepcopy(MAP)
    elite["map"]["next_options"][0]["type"] = "Elite"
    verdict = judge(parse_state(elite), parse_state(changed(fight(), next_floor)), option(elite, "travel:Elite:2,5"))
    assert not verdict.proved


def test_a_relic_that_pays_gold_when_bought_is_proved_by_being_owned() -> None:
    later = changed(SHOP, both(gold(400), relics, put("shop", "items", 0, "is_stocked", to=False)))
    verdict = judge(parse_state(SHOP), parse_state(later), option(SHOP, "buy:relic:VAJRA"))
    assert (verdict.proved, verdict.unique) == (True, False)


@pytest.mark.parametrize(
    ("change", "proved"),
    [
        # 40 paid of 100, as the text says; 39 is something else; a page that comes again at no price tells nothing.
        (lambda player: player.update(gold=60), True),
        (lambda player: player.update(gold=61), False),
        (lambda player: player.update(max_hp=82, hp=49), True),
        (lambda player: None, False),
    ],
)
def test_an_event_that_comes_again_is_proved_by_the_price_that_its_option_names(
    change: Callable[[Json], None], proved: bool
) -> None:
    texts = ["Pay 40 Gold. Gain 2 Max HP. Take 3 damage.", "Leave."]
    options = [{"index": i, "title": f"Choice {i}", "description": text} for i, text in enumerate(texts)]
    before = screen("event", {"event_id": "BATHS", "options": options})
    after = copy.deepcopy(before)
    change(after["player"])
    chosen = option(before, "event:CHOICE_0")
    verdict = judge(parse_state(copy.deepcopy(before)), parse_state(after), chosen)
    assert verdict.proved is proved
    assert not verdict.unique
