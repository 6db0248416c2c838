"""Reading the bridge's answers: every recorded screen, every habit of the builds, and nothing that can break it."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spire_mcp.bridge.parse import decode, parse_state
from spire_mcp.errors import BridgeError, SpireError
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import CardSelect, Combat, Menu, Observation, Unknown
from spire_mcp.game.views import compact, full
from tests.captures import raw, read, runs, single_states

Json = dict[str, Any]


@pytest.mark.parametrize("path", single_states(), ids=lambda path: path.stem)
def test_every_recorded_screen_is_read_as_what_it_is(path: Any) -> None:
    seen = read(path)
    kind = path.stem.rsplit("-", 1)[0]
    assert seen.state_type == kind
    assert not isinstance(seen.screen, Unknown)


@pytest.mark.parametrize("path", runs(), ids=lambda path: path.stem)
def test_every_state_of_every_recorded_run_is_read(path: Any) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        seen = parse_state(json.loads(line)["state"])
        assert not isinstance(seen.screen, Unknown)
        assert compact(seen)


@pytest.mark.parametrize(
    ("cost", "energy", "is_x"), [("1", 1, False), (1, 1, False), ("X", None, True), (None, None, False)]
)
def test_a_cost_is_text_or_a_number_or_x(cost: Any, energy: int | None, is_x: bool) -> None:
    state = raw("monster-18")
    state["player"]["hand"][0]["cost"] = cost
    card = parse_state(state).hand[0]
    assert (card.energy_cost, card.is_x_cost) == (energy, is_x)


def test_menu_entries_are_texts_or_objects() -> None:
    plain: Json = {"state_type": "menu", "menu_screen": "main", "message": "", "options": ["singleplayer", "quit"]}
    objects: Json = {
        **plain,
        "options": [{"name": "singleplayer", "enabled": True}, {"name": "quit", "enabled": False}],
    }
    first, second = parse_state(plain).screen, parse_state(objects).screen
    assert isinstance(first, Menu)
    assert isinstance(second, Menu)
    assert [option.name for option in first.options] == [option.name for option in second.options]
    assert [option.enabled for option in second.options] == [True, False]


def test_an_unknown_state_type_is_a_value_and_offers_nothing() -> None:
    seen = parse_state({"state_type": "hologram", "run": {"act": 1, "floor": 2}})
    assert isinstance(seen.screen, Unknown)
    assert list_options(seen) == ()


def test_an_unknown_state_type_with_a_battle_is_a_fight() -> None:
    state = raw("monster-18")
    state["state_type"] = "arena"
    assert isinstance(parse_state(state).screen, Combat)


def test_a_fight_without_a_battle_waits() -> None:
    state = raw("monster-18")
    del state["battle"]
    state["message"] = "Combat ended."
    seen = parse_state(state)
    assert isinstance(seen.screen, Combat)
    assert seen.battle is None
    assert list_options(seen) == ()


@pytest.mark.parametrize("key", ["status", "relics", "potions", "hand", "draw_pile"])
def test_null_absent_and_empty_lists_are_read_alike(key: str) -> None:
    seen: list[Observation] = []
    for value in (None, [], "absent"):
        state = raw("monster-18")
        if value == "absent":
            del state["player"][key]
        else:
            state["player"][key] = value
        seen.append(parse_state(state))
    values = [list(getattr(observation.player, key) or ()) for observation in seen]
    assert values == [[], [], []]


def test_unknown_keys_are_kept_in_the_raw_state() -> None:
    state = raw("monster-18")
    state["battle"]["weather"] = "rain"
    assert parse_state(state).raw["battle"]["weather"] == "rain"  # type: ignore[index]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("player", "hp"), "many", "player.hp"),
        (("player", "hand"), 7, "player.hand"),
        (("battle", "enemies", 0, "hp"), {}, "battle.enemies.0.hp"),
        (("run", "floor"), "top", "run.floor"),
        (("battle",), "fight", "battle"),
    ],
)
def test_a_value_of_the_wrong_type_is_one_error_that_names_its_place(path: Any, value: Any, place: str) -> None:
    state = raw("monster-18")
    inner: Any = state
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    with pytest.raises(BridgeError) as caught:
        parse_state(state)
    assert place in caught.value.message
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"null",
        b"[]",
        b"5",
        b"{",
        b"<html>",
        b'{"state_type": NaN}',
        b'{"state_type": "menu", "x": Infinity}',
        b'{"state_type": "menu", "x": 1e999}',
        b'{"state_type": "\xff"}',
        b"[" * 200_000,
        b'{"a":' * 3000 + b"1" + b"}" * 3000,
        b'{"a":' * 90 + b"1" + b"}" * 90,
    ],
    ids=lambda body: repr(body[:24]),
)
def test_what_is_no_state_is_one_clear_error(body: bytes) -> None:
    with pytest.raises(BridgeError):
        parse_state(decode(body))


def test_a_lone_surrogate_is_replaced() -> None:
    seen = decode(b'{"state_type": "menu", "message": "\\ud800"}')
    assert seen["message"] == "?"


def test_a_state_without_a_type_is_an_error() -> None:
    with pytest.raises(BridgeError):
        parse_state({"player": {}})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = sorted({path.stem.rsplit("-", 1)[0] for path in single_states()} | {"hand_select", "treasure", "overlay"})


@given(state_type=st.sampled_from(KINDS), payload=JSON, player=JSON, run=JSON)
@settings(max_examples=300)
def test_no_answer_breaks_the_reading(state_type: str, payload: Any, player: Any, run: Any) -> None:
    state: Json = {"state_type": state_type, state_type: payload, "battle": payload, "player": player, "run": run}
    try:
        seen = parse_state(decode(json.dumps(state).encode()))
    except SpireError:
        return
    assert isinstance(list_options(seen), tuple)
    assert isinstance(compact(seen), dict)
    assert isinstance(full(seen), dict)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in _places(item, (*path, key)))]


ALL = [raw(path.stem) for path in single_states()]


@given(index=st.integers(0, len(ALL) - 1), choice=st.integers(0, 10**6), value=JSON)
@settings(max_examples=400)
def test_no_single_changed_value_of_a_real_screen_breaks_anything(index: int, choice: int, value: Any) -> None:
    state = copy.deepcopy(ALL[index])
    places = [place for place in _places(state) if place]
    place = places[choice % len(places)]
    inner: Any = state
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    try:
        seen = parse_state(decode(json.dumps(state).encode()))
    except SpireError:
        return
    options = list_options(seen)
    assert len({option.id for option in options}) == len(options)
    assert all(option.id.isascii() and " " not in option.id for option in options)
    assert isinstance(compact(seen), dict)


def test_a_grid_with_selection_marks_is_read() -> None:
    state = raw("card_select-02")
    state["card_select"]["cards"][0]["is_selected"] = True
    state["card_select"] |= {"selected_count": 1, "selected_indices": [0]}
    screen = parse_state(state).screen
    assert isinstance(screen, CardSelect)
    assert (screen.cards[0].is_selected, screen.selected_count, screen.selected_indices) == (True, 1, (0,))
