"""Reading the bridge's answers: every recorded screen, every habit of the builds, and nothing that can break it."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
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


@pytest.mark.parametrize("key", ["run", "player", "battle"])
def test_null_and_absent_objects_are_read_alike(key: str) -> None:
    absent, null = raw("monster-18"), raw("monster-18")
    del absent[key]
    null[key] = None
    first, second = parse_state(absent), parse_state(null)
    assert (first.screen, first.player, first.run) == (second.screen, second.player, second.run)
    assert getattr(first, key) is None


def test_a_null_text_is_an_absent_text_and_an_empty_one_stays_empty() -> None:
    seen: list[str | None] = []
    for change in ({"description": None}, {}, {"description": ""}):
        state = raw("monster-18")
        relic = state["player"]["relics"][0]
        del relic["description"]
        relic |= change
        player = parse_state(state).player
        assert player is not None
        seen.append(player.relics[0].description)
    assert seen == [None, None, ""]


@pytest.mark.parametrize("kind", ["rewards", "card_reward", "card_select", "map", "shop", "rest_site", "treasure"])
def test_a_payload_that_is_missing_null_or_empty_is_read_alike(kind: str) -> None:
    states: list[Json] = [{"state_type": kind}, {"state_type": kind, kind: None}, {"state_type": kind, kind: {}}]
    missing, null, empty = (parse_state(state) for state in states)
    assert missing.screen == null.screen == empty.screen
    assert list_options(missing) == list_options(null) == list_options(empty)


def test_reading_leaves_the_answer_as_it_was() -> None:
    for path in single_states():
        state = raw(path.stem)
        before = copy.deepcopy(state)
        parse_state(state)
        assert state == before


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_keys(item) for item in value.values()))
    return set().union(*(_keys(item) for item in value)) if isinstance(value, list) else set()


LEAKS = ("draw_pile_ordered", "hand_ordered", "discard_pile_ordered")


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("place", [None, "player", "battle"])
def test_a_leaked_order_reaches_nobody(leak: str, place: str | None) -> None:
    state = raw("monster-18")
    (state if place is None else state[place])[leak] = [{"name": "SECRET", "description": "SECRET"}]
    seen = parse_state(state)
    assert "SECRET" not in repr(seen)
    assert "SECRET" not in json.dumps(full(seen))
    assert seen == parse_state(raw("monster-18")) or leak in raw("monster-18").get(place or "", raw("monster-18"))


def test_no_recorded_leak_reaches_an_observation() -> None:
    states = [raw(path.stem) for path in single_states()]
    states += [json.loads(line)["state"] for path in runs() for line in path.read_text(encoding="utf-8").splitlines()]
    leaking = [state for state in states if not _keys(state).isdisjoint(LEAKS)]
    assert len(leaking) > 30  # one of the builds that were recorded leaks in each of its fights
    for state in leaking:
        assert _keys(parse_state(state).raw).isdisjoint(LEAKS)


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_draw_pile_is_not_kept(random: Any) -> None:
    state = raw("monster-18")
    pile = state["player"]["draw_pile"]
    assert len({card["name"] for card in pile}) > 1
    random.shuffle(pile)
    seen, plain = parse_state(state), parse_state(raw("monster-18"))
    assert seen == plain
    assert json.dumps(full(seen)) == json.dumps(full(plain))


def test_the_order_of_the_hand_is_kept() -> None:
    hand = [card["id"] for card in raw("monster-18")["player"]["hand"]]
    assert len(set(hand)) > 1
    assert [card.id for card in parse_state(raw("monster-18")).hand] == hand


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
        (("run",), [], "run"),
        (("player",), "Ironclad", "player"),
        (("player", "hand", 0, "can_play"), "perhaps", "player.hand.0.can_play"),
        (("player", "hand", 0, "id"), None, "player.hand.0.id"),
        (("player", "relics", 0), 3, "player.relics.0"),
        (("player", "hp"), 5.5, "player.hp"),
        (("player", "hp"), None, "player.hp"),
        (("battle",), "fight", "battle"),
        (("battle", "enemies"), {"0": {}}, "battle.enemies"),
        (("battle", "enemies", 0, "intents", 0, "label"), [], "battle.enemies.0.intents.0.label"),
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
    assert f"at {place}: " in caught.value.message
    assert_short_and_plain(caught.value)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("map-01", "next_options", 5),
        ("shop-01", "items", "many"),
        ("event-01", "options", {"a": 1}),
        ("rest_site-01", "options", 1.5),
        ("card_select-01", "cards", True),
    ],
)
def test_a_wrong_payload_of_any_screen_is_an_error_that_names_the_screen(name: str, key: str, value: Any) -> None:
    state = raw(name)
    kind = state["state_type"]
    state[kind][key] = value
    with pytest.raises(BridgeError, match=rf"at {kind}\.{key}: "):
        parse_state(state)


def assert_short_and_plain(error: SpireError) -> None:
    """One line: 120 characters of place, 120 of reason, and our words."""
    assert error.message.isprintable()
    assert len(error.message) < 300
    assert error.fix


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


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.sampled_from([10**25, -(10**400), 2**63, 0.5, -0.0, 1e300])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["", "X", "12x2", "99999999999999999999", "²", "\ud800", "\u202e", "None", "true", "../../x"])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = sorted(
    {path.stem.rsplit("-", 1)[0] for path in single_states()}
    | {"hand_select", "treasure", "overlay", "rewards", "card_reward", "bundle_select", "relic_select"}
    | {"fake_merchant", "crystal_sphere", "unknown", "hologram"}
)


def read_and_use(body: bytes) -> None:
    """Everything that happens to an answer before anybody decides: it works, or it is one clear error."""
    try:
        seen = parse_state(decode(body))
    except SpireError as error:
        failure = error
    else:
        options = list_options(seen)
        assert len({option.id for option in options}) == len(options)
        assert all(option.id.isascii() and " " not in option.id for option in options)
        json.dumps(compact(seen)).encode()
        json.dumps(full(seen)).encode()
        return
    assert_short_and_plain(failure)


@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_bytes_and_no_json_break_the_reading(body: bytes) -> None:
    read_and_use(body)


@given(state_type=st.sampled_from(KINDS) | JSON, payload=JSON, battle=JSON, player=JSON, run=JSON)
@settings(max_examples=300)
def test_no_answer_breaks_the_reading(state_type: Any, payload: Any, battle: Any, player: Any, run: Any) -> None:
    state: Json = {"state_type": state_type, "battle": battle, "player": player, "run": run}
    if isinstance(state_type, str):
        state[state_type] = payload
    read_and_use(json.dumps(state).encode())


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in _places(item, (*path, key)))]


ALL = [raw(path.stem) for path in single_states()]


@st.composite
def spoilt_captures(draw: st.DrawFn, most: int) -> Json:
    """A recorded screen in which up to `most` values are replaced, removed, or put into a list twice."""
    state = copy.deepcopy(draw(st.sampled_from(ALL)))
    for _ in range(draw(st.integers(1, most))):
        place = draw(st.sampled_from([place for place in _places(state) if place]))
        inner: Any = state
        for part in place[:-1]:
            inner = inner[part]
        match draw(st.sampled_from(["replace", "replace", "remove", "double"])):
            case "remove":
                del inner[place[-1]]
            case "double" if isinstance(inner, list):
                inner.append(copy.deepcopy(inner[place[-1]]))
            case _:
                inner[place[-1]] = draw(JSON)
        if not state:
            break
    return state


@given(spoilt_captures(1))
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_no_single_changed_value_of_a_real_screen_breaks_anything(state: Json) -> None:
    read_and_use(json.dumps(state).encode())


@given(spoilt_captures(5))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_no_handful_of_changes_to_a_real_screen_breaks_anything(state: Json) -> None:
    read_and_use(json.dumps(state).encode())


def test_a_grid_with_selection_marks_is_read() -> None:
    state = raw("card_select-02")
    state["card_select"]["cards"][0]["is_selected"] = True
    state["card_select"] |= {"selected_count": 1, "selected_indices": [0]}
    screen = parse_state(state).screen
    assert isinstance(screen, CardSelect)
    assert (screen.cards[0].is_selected, screen.selected_count, screen.selected_indices) == (True, 1, (0,))
