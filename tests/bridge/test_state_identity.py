"""The state ID: equal for equal boards, another one for every difference that could matter, and no flicker."""

import copy
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game import identity
from spire_mcp.game.identity import FORMAT, OMISSIONS, state_id
from tests.captures import raw, single_states

Json = dict[str, Any]
Change = Callable[[Json], None]
FIGHT = raw("monster-18")
ONE_OF_EACH = list({path.stem.rsplit("-", 1)[0]: path.stem for path in reversed(single_states())}.values())


def shuffled(value: Any, random: Any) -> Any:
    """The same JSON with the keys of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    return [shuffled(item, random) for item in value] if isinstance(value, list) else value


def test_an_id_is_short_and_carries_its_format() -> None:
    assert FORMAT == "s1-"
    for path in single_states():
        assert re.fullmatch(r"s1-[a-z2-7]{16}", state_id(raw(path.stem)))


@given(st.sampled_from(single_states()), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(path: Any, random: Any) -> None:
    state = raw(path.stem)
    assert state_id(shuffled(state, random)) == state_id(state)


def test_computing_an_id_leaves_the_state_as_it_was() -> None:
    for path in single_states():
        state = raw(path.stem)
        state_id(state)
        assert state == raw(path.stem)


def test_all_recorded_single_screens_have_different_ids_unless_they_are_equal() -> None:
    by_id: dict[str, list[Json]] = {}
    for path in single_states():
        by_id.setdefault(state_id(raw(path.stem)), []).append(raw(path.stem))
    for states in by_id.values():
        player = [state.get("player", {}) for state in states]
        assert all(other.get("hand") == player[0].get("hand") for other in player)


# What is left out.

CARD = {"name": "Bash", "cost": "2", "star_cost": None, "description": "Deal 8 damage.", "keywords": []}
OTHER_CARD = {"name": "Anger", "cost": "0", "star_cost": None, "description": "Deal 6 damage.", "keywords": []}
CELL = {"x": 0, "y": 0, "is_hidden": True, "is_clickable": True, "is_hovered": False}
PREVIEW = {"screen_type": "transform", "cards": [], "preview_showing": True, "preview_cards": [{"id": "BASH"}]}


def fight() -> Json:
    """A fight with two cards in each pile."""
    state = copy.deepcopy(FIGHT)
    for pile in identity.PILES:
        state["player"][pile] = [copy.deepcopy(CARD), copy.deepcopy(OTHER_CARD)]
    return state


def _pile_card(pile: str, **values: Any) -> Change:
    return lambda state: state["player"][pile][0].update(values)


def _reversed(pile: str) -> Change:
    return lambda state: state["player"][pile].reverse()


def _with(place: str | None, key: str, value: Any) -> Change:
    return lambda state: (state if place is None else state[place]).update({key: value})


def _hovered(state: Json) -> None:
    state["crystal_sphere"]["cells"][0]["is_hovered"] = True


SPHERE: Json = {"state_type": "crystal_sphere", "crystal_sphere": {"cells": [CELL]}}
TRANSFORM: Json = {"state_type": "card_select", "card_select": PREVIEW}

LEFT_OUT: list[tuple[str, str, Json, Change]] = [
    *(
        ("pile_text", f"{key} in the {pile}", fight(), _pile_card(pile, **{key: value}))
        for pile in identity.PILES
        for key, value in (("description", "Deal 9 damage."), ("keywords", [{"name": "Exhaust"}]))
    ),
    *(("pile_order", pile, fight(), _reversed(pile)) for pile in identity.PILES),
    *(
        ("leaked_draw_order", f"{leak} in {place or 'the state'}", fight(), _with(place, leak, ["BASH", "STRIKE"]))
        for leak in identity.LEAKS
        for place in (None, "player", "battle")
    ),
    ("messages", "beside a fight", fight(), _with(None, "message", "The enemy is thinking")),
    *(
        ("messages", kind, {"state_type": kind, kind: {"message": "Opening"}}, _with(kind, "message", "Opened"))
        for kind in ("overlay", "treasure", "game_over", "fake_merchant")
    ),
    ("transform_examples", "another example", TRANSFORM, _with("card_select", "preview_cards", [{"id": "ANGER"}])),
    ("hover", "the mouse over a cell", SPHERE, _hovered),
]


@pytest.mark.parametrize(
    ("name", "state", "change"),
    [(name, state, change) for name, _, state, change in LEFT_OUT],
    ids=[f"{name}: {what}" for name, what, _, _ in LEFT_OUT],
)
def test_what_is_left_out_does_not_change_the_id_and_would_if_it_were_kept(
    name: str, state: Json, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = copy.deepcopy(state)
    change(changed)
    assert changed != state
    assert state_id(changed) == state_id(state)
    monkeypatch.setattr(identity, "OMISSIONS", tuple(entry for entry in OMISSIONS if entry.name != name))
    assert state_id(changed) != state_id(state)


def test_every_omission_has_a_test_and_a_reason() -> None:
    assert {omission.name for omission in OMISSIONS} == {name for name, *_ in LEFT_OUT}
    assert all(omission.reason for omission in OMISSIONS)


BESIDE: list[tuple[str, Json, Change]] = [
    *((f"a name in the {pile}", fight(), _pile_card(pile, name="Strike")) for pile in identity.PILES),
    *((f"a cost in the {pile}", fight(), _pile_card(pile, cost="1")) for pile in identity.PILES),
    *(
        (f"a copy in the {pile}", fight(), lambda state, pile=pile: state["player"][pile].append(CARD))
        for pile in identity.PILES
    ),
    *((f"an empty {pile}", fight(), lambda state, pile=pile: state["player"][pile].clear()) for pile in identity.PILES),
    ("text of a card in hand", fight(), lambda state: state["player"]["hand"][0].update(description="Deal 9 damage.")),
    ("the order of the hand", fight(), lambda state: state["player"]["hand"].reverse()),
    ("the message of a menu", {"state_type": "menu", "message": "Choose"}, _with(None, "message", "Delete?")),
    (
        "the preview of an upgrade",
        {"state_type": "card_select", "card_select": {**PREVIEW, "screen_type": "upgrade"}},
        _with("card_select", "preview_cards", [{"id": "ANGER"}]),
    ),
    ("a preview that appears", TRANSFORM, _with("card_select", "preview_showing", False)),
    ("a cell that was uncovered", SPHERE, lambda state: state["crystal_sphere"]["cells"][0].update(is_hidden=False)),
    ("a new key", fight(), _with("battle", "weather", "rain")),
]


@pytest.mark.parametrize(("state", "change"), [row[1:] for row in BESIDE], ids=[row[0] for row in BESIDE])
def test_what_stands_beside_an_omission_changes_the_id(state: Json, change: Change) -> None:
    changed = copy.deepcopy(state)
    change(changed)
    assert changed != state
    assert state_id(changed) != state_id(state)


# What is not left out: everything else.


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in _leaves(item, (*path, index))]
    return [path]


def _left_out(path: Sequence[Any], state: Json) -> bool:
    """Whether a leaf falls under an omission: written anew here, so that a wider omission is noticed."""
    in_pile = path[0] == "player" and str(path[1]) in {"draw_pile", "discard_pile", "exhaust_pile"}
    return (
        (in_pile and len(path) > 3 and path[3] in {"description", "keywords"})
        or any(str(part).endswith("_ordered") for part in path)
        or (list(path) == ["message"] and state["state_type"] != "menu")
        or tuple(path) in {(kind, "message") for kind in ("overlay", "treasure", "game_over", "fake_merchant")}
        or (list(path[:2]) == ["card_select", "preview_cards"] and state["card_select"]["screen_type"] == "transform")
        or path[-1] == "is_hovered"
    )


def _relevant(state: Json) -> list[tuple[Any, ...]]:
    return [path for path in _leaves(state) if not _left_out(path, state)]


def _other(old: Any) -> Any:
    match old:
        case bool():
            return not old
        case int() | float():
            return old + 1
        case None:
            return 0
        case _:
            return f"{old}!"


def _holder(state: Json, path: tuple[Any, ...]) -> Any:
    inner: Any = state
    for part in path[:-1]:
        inner = inner[part]
    return inner


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_change_of_any_single_value_of_a_screen_gives_another_id(name: str) -> None:
    state = raw(name)
    before = state_id(state)
    relevant = _relevant(state)
    for path in relevant[:: len(relevant) // 150 + 1]:  # some 150 of up to 1,000 values: a digest takes about 1 ms
        holder, key = _holder(state, path), path[-1]
        old = holder[key]
        holder[key] = _other(old)
        assert state_id(state) != before, path
        holder[key] = old
    assert state_id(state) == before


RELEVANT = _relevant(FIGHT)
VALUES = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.booleans() | st.none()


@given(path=st.sampled_from(RELEVANT), value=VALUES)
@settings(max_examples=500)
def test_any_other_value_anywhere_in_a_fight_gives_another_id(path: tuple[Any, ...], value: Any) -> None:
    state = copy.deepcopy(FIGHT)
    holder = _holder(state, path)
    if type(value) is type(holder[path[-1]]) and value == holder[path[-1]]:
        return
    holder[path[-1]] = value
    assert state_id(state) != state_id(FIGHT)


@given(path=st.sampled_from([path for path in RELEVANT if isinstance(path[-1], str)]))
def test_a_value_that_disappears_from_a_fight_gives_another_id(path: tuple[Any, ...]) -> None:
    state = copy.deepcopy(FIGHT)
    del _holder(state, path)[path[-1]]
    assert state_id(state) != state_id(FIGHT)


def test_an_observation_carries_the_id_of_what_was_read() -> None:
    for path in single_states():
        assert parse_state(raw(path.stem)).state_id == state_id(raw(path.stem))
