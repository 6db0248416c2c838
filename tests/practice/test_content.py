"""The practice game's files: read strictly, whole, and without a reference that leads nowhere."""

import copy
import json
from importlib.resources import files
from typing import Any

import pytest

from spire_mcp.practice.content import ContentError, dangling, read

NAMES = ("cards", "monsters", "words", "run")


def text(name: str) -> str:
    return files("spire_mcp.practice").joinpath("data", f"{name}.json").read_text(encoding="utf-8")


def whole(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(text(name))
    return loaded


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_read_and_names_its_source_and_game_version(name: str) -> None:
    assert read(name, text(name))
    for key in ("source", "game_version"):
        without = {other: value for other, value in whole(name).items() if other != key}
        with pytest.raises(ContentError, match=key):
            read(name, json.dumps(without))


@pytest.mark.parametrize(
    ("name", "path", "value", "place"),
    [
        ("cards", ("cards", "BASH", "cost"), [2], "cards.BASH.cost"),
        ("cards", ("cards", "BASH", "price"), 2, "cards.BASH.price"),
        ("monsters", ("monsters", "NIBBIT", "hp"), ["42", "x"], "monsters.NIBBIT.hp"),
        ("monsters", ("monsters", "NIBBIT", "moves", "BUTT", "intents"), {}, "monsters.NIBBIT.moves.BUTT.intents"),
        ("words", ("relics", "ANCHOR", "names"), {"fra": "Ancre"}, "relics.ANCHOR.names.fra"),
        ("run", ("characters", "SILENT", "hp"), None, "characters.SILENT.hp"),
        ("run", ("encounters", "sewers"), {}, "encounters.sewers"),
    ],
)
def test_a_slip_is_named_at_its_place(name: str, path: tuple[str, ...], value: object, place: str) -> None:
    damaged = whole(name)
    node = damaged
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    with pytest.raises(ContentError, match=place):
        read(name, json.dumps(damaged))


def test_no_reference_between_the_files_leads_nowhere() -> None:
    assert dangling(*(whole(name) for name in NAMES)) == []


def test_a_reference_that_leads_nowhere_is_named() -> None:
    cards, monsters, words, run = (copy.deepcopy(whole(name)) for name in NAMES)
    run["characters"]["SILENT"]["deck"].append("NO_SUCH_CARD")
    monsters["monsters"]["NIBBIT"]["chain"]["BUTT"] = "NO_SUCH_MOVE"
    run["encounters"]["underdocks"]["weak"]["SEAPUNK_WEAK"] = [["NO_SUCH_MONSTER"]]
    found = dangling(cards, monsters, words, run)
    assert found == [
        "monsters.NIBBIT: NO_SUCH_MOVE",
        "encounters.underdocks.weak.SEAPUNK_WEAK: NO_SUCH_MONSTER",
        "characters.SILENT: NO_SUCH_CARD",
    ]


def test_everything_that_is_shown_has_a_name_in_both_languages() -> None:
    words = whole("words")
    entries = [*whole("cards")["cards"].values(), *whole("monsters")["monsters"].values()]
    entries += [entry for kind in ("powers", "potions", "relics") for entry in words[kind].values()]
    assert all(entry["names"]["eng"] and entry["names"]["zhs"] for entry in entries)
