"""The knowledge files: checked whole, and honest about what they do not hold."""

import json
from importlib.resources import files

import pytest

from spire_mcp.combat import coverage
from spire_mcp.combat.tables import read_table
from spire_mcp.errors import InternalError
from spire_mcp.game.card_facts import card_table


def text(name: str) -> str:
    return files("spire_mcp.combat").joinpath("data", f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["cards", "powers", "relics", "potions"])
def test_each_file_names_its_source_and_game_version(name: str) -> None:
    whole = json.loads(text(name))
    for key in ("source", "game_version"):
        without = {other: value for other, value in whole.items() if other != key}
        with pytest.raises(InternalError, match=key):
            read_table(name, json.dumps(without))


@pytest.mark.parametrize(
    ("name", "identity", "entry", "place"),
    [
        ("cards", "BASH", {"type": "Attack", "effects": [{"effect": "dammage"}]}, "cards.BASH.effects.0.effect"),
        ("cards", "BASH", {"type": "Attack", "effects": [{"effect": "damage", "to": "enemy"}]}, "hits is missing"),
        ("cards", "BASH", {"type": "Attack", "effects": [{"effect": "draw", "amount": "two"}]}, "effects.0.amount"),
        ("cards", "BASH", {"type": "Weapon", "effects": []}, "cards.BASH.type"),
        ("powers", "WEAK_POWER", {"touches": ["everything"]}, "powers.WEAK_POWER.touches.0"),
        ("relics", "ANCHOR", "none", "relics.ANCHOR"),
        ("potions", "FIRE_POTION", {"effect": "hurt"}, "potions.FIRE_POTION.amount"),
    ],
)
def test_a_slip_in_a_file_is_named_at_its_place(name: str, identity: str, entry: object, place: str) -> None:
    whole = json.loads(text(name))
    whole[name][identity] = entry
    with pytest.raises(InternalError, match=place):
        read_table(name, json.dumps(whole))


def test_a_file_that_is_no_json_is_named() -> None:
    with pytest.raises(InternalError, match="table of cards"):
        read_table("cards", "{")


def test_every_card_with_a_rule_is_a_card_of_the_game() -> None:
    assert set(json.loads(text("cards"))["cards"]) <= set(card_table().cards)


def test_what_is_modelled_in_part_and_not_at_all_add_up_to_what_is_known() -> None:
    for report in coverage().values():
        missing = report["unmodelled"]
        assert isinstance(missing, dict)
        unmodelled = sum(len(names) for names in missing.values())
        partly = report["partly"]
        assert isinstance(partly, dict)
        assert report["known"] == report["modelled"] + len(partly) + unmodelled  # type: ignore[operator]  # pyright: ignore
    cards = coverage()["cards"]
    assert "ARMAMENTS" in cards["partly"]  # type: ignore[operator]  # pyright: ignore
