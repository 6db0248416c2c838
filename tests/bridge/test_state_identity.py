"""The state ID: equal for equal boards, another one for every difference that could matter, and no flicker."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.identity import OMISSIONS, state_id
from tests.captures import raw, single_states

Json = dict[str, Any]
FIGHT = raw("monster-18")


def shuffled(value: Any) -> Any:
    """The same JSON with the keys of every object in reverse order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(list(value))}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


def test_an_id_is_short_and_carries_its_format() -> None:
    assert re.fullmatch(r"s1-[a-z2-7]{16}", state_id(FIGHT))


@pytest.mark.parametrize("path", single_states(), ids=lambda path: path.stem)
def test_the_order_of_keys_does_not_matter(path: Any) -> None:
    state = raw(path.stem)
    assert state_id(shuffled(state)) == state_id(state)


def test_computing_an_id_leaves_the_state_as_it_was() -> None:
    state = copy.deepcopy(FIGHT)
    state_id(state)
    assert state == FIGHT


def test_all_recorded_single_screens_have_different_ids_unless_they_are_equal() -> None:
    by_id: dict[str, list[Json]] = {}
    for path in single_states():
        by_id.setdefault(state_id(raw(path.stem)), []).append(raw(path.stem))
    for states in by_id.values():
        player = [state.get("player", {}) for state in states]
        assert all(other.get("hand") == player[0].get("hand") for other in player)


def _pile_text(state: Json) -> None:
    state["player"]["discard_pile"][0]["description"] = "Deal 9 damage."


def _pile_order(state: Json) -> None:
    state["player"]["draw_pile"].reverse()


def _leak(state: Json) -> None:
    state["player"]["draw_pile_ordered"] = ["BASH", "STRIKE"]
    state["hand_ordered"] = [1, 2]


def _message(state: Json) -> None:
    state["message"] = "The enemy is thinking"


CHANGES: dict[str, Callable[[Json], None]] = {
    "pile_text": _pile_text,
    "pile_order": _pile_order,
    "leaked_draw_order": _leak,
    "messages": _message,
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_what_is_left_out_of_a_fight_does_not_change_its_id(name: str) -> None:
    state = copy.deepcopy(FIGHT)
    CHANGES[name](state)
    assert state != FIGHT
    assert state_id(state) == state_id(FIGHT)


def test_the_examples_of_a_transform_preview_do_not_change_the_id() -> None:
    state = raw("card_select-01")
    assert state["card_select"]["screen_type"] == "transform"
    shown = copy.deepcopy(state)
    shown["card_select"]["preview_cards"] = [{"id": "ANGER", "name": "Anger"}]
    assert state_id(shown) == state_id(state)
    shown["card_select"]["screen_type"] = state["card_select"]["screen_type"] = "upgrade"
    assert state_id(shown) != state_id(state)


def test_where_the_mouse_points_in_the_crystal_sphere_does_not_change_the_id() -> None:
    cell = {"x": 0, "y": 0, "is_hidden": True, "is_clickable": True, "is_hovered": False}
    state: Json = {"state_type": "crystal_sphere", "crystal_sphere": {"cells": [cell]}}
    hovered = copy.deepcopy(state)
    hovered["crystal_sphere"]["cells"][0]["is_hovered"] = True
    assert state_id(hovered) == state_id(state)
    hovered["crystal_sphere"]["cells"][0]["is_hidden"] = False
    assert state_id(hovered) != state_id(state)


def test_every_omission_has_a_test_and_a_reason() -> None:
    assert {omission.name for omission in OMISSIONS} == {*CHANGES, "transform_examples", "hover"}
    assert all(omission.reason for omission in OMISSIONS)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in _leaves(item, (*path, index))]
    return [path]


RELEVANT = [
    path
    for path in _leaves(FIGHT)
    if not (any(str(part).endswith("_pile") for part in path) and path[-1] == "description") and path != ("message",)
]


@given(st.sampled_from(RELEVANT))
def test_a_change_in_any_relevant_field_gives_another_id(path: tuple[Any, ...]) -> None:
    state = copy.deepcopy(FIGHT)
    inner: Any = state
    for part in path[:-1]:
        inner = inner[part]
    old = inner[path[-1]]
    inner[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}!"
    assert state_id(state) != state_id(FIGHT)


def test_an_observation_carries_the_id_of_what_was_read() -> None:
    leaked = copy.deepcopy(FIGHT)
    _leak(leaked)
    assert parse_state(leaked).state_id == parse_state(FIGHT).state_id
    assert "draw_pile_ordered" not in str(parse_state(leaked).raw)
