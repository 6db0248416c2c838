"""The practice game's content: data files, each with its source and game version, and checked whole."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

Json = dict[str, Any]
Pair = tuple[int, int]
Names = dict[Literal["eng", "zhs"], str]


class ContentError(ValueError):
    """A content file says something that the game cannot play; names the file and the place."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Card(_Strict):
    names: Names
    pool: str
    type: Literal["Attack", "Skill", "Power", "Status", "Curse", "Quest"]
    rarity: str
    cost: tuple[int | Literal["X"] | None, int | Literal["X"] | None]
    target: str
    keywords: tuple[str, ...]
    effects: tuple[Mapping[str, Any], ...]
    stars: int = 0
    upgraded_keywords: tuple[str, ...] = ()
    end_of_turn_damage: int = 0
    end_of_turn_loss: int = 0
    end_of_turn_loss_per_card: int = 0
    end_of_turn_power: tuple[str, int] | None = None


class _Intent(_Strict):
    type: str
    damage: int = 0
    hits: int = 0
    count: int = 0


class _Move(_Strict):
    intents: tuple[_Intent, ...]
    effects: tuple[Mapping[str, Any], ...]


class _Monster(_Strict):
    names: Names
    hp: Pair
    powers: Mapping[str, int]
    moves: Mapping[str, _Move]
    first: str | tuple[str, ...] | Mapping[str, Any]
    chain: Mapping[str, str | tuple[str, ...]] | None = None
    pool: tuple[str, ...] | None = None
    max_run: Mapping[str, int] = {}
    cooldown: Mapping[str, int] = {}
    limit: Mapping[str, int] = {}
    block: int = 0


class _Named(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    names: Names


class _Character(_Strict):
    names: Names
    hp: int
    gold: int
    deck: tuple[str, ...]
    relics: tuple[str, ...]
    pool: str
    orb_slots: int = 0


class _Option(_Strict):
    titles: Names
    texts: Names
    effects: tuple[Mapping[str, Any], ...]
    needs: Mapping[str, int] = {}


class _Event(_Strict):
    id: str
    names: Names
    options: tuple[_Option, ...]
    act: Literal["overgrowth", "underdocks"] | None = None
    ancient: bool = False
    dialogue: int = 0
    merchant: bool = False


class _File(_Strict):
    source: str
    game_version: str


class _Cards(_File):
    cards: dict[str, _Card]


class _Monsters(_File):
    ascension: int
    monsters: dict[str, _Monster]


class _Words(_File):
    powers: dict[str, _Named]
    potions: dict[str, _Named]
    relics: dict[str, _Named]


class _Run(_File):
    encounters: dict[
        Literal["overgrowth", "underdocks"],
        dict[Literal["weak", "normal", "elite", "boss"], dict[str, tuple[tuple[str, ...], ...]]],
    ]
    characters: dict[str, _Character]
    events: dict[str, _Event]
    ancients: dict[str, _Event]
    left_out: dict[str, str]


_SHAPES: dict[str, type[_File]] = {"cards": _Cards, "monsters": _Monsters, "words": _Words, "run": _Run}


def read(name: str, text: str) -> Json:
    """A content file from its text.

    Raises:
        ContentError: names the file and the first place in it that is wrong.
    """
    try:
        _SHAPES[name].model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in problem["loc"]) or "its beginning"
        raise ContentError(f"{name}.json is damaged at {place}: {problem['msg']}") from None
    loaded: Json = json.loads(text)
    return loaded


@cache
def _load(name: str) -> Json:
    return read(name, files("spire_mcp.practice").joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


def dangling(cards: Json, monsters: Json, words: Json, run: Json) -> list[str]:
    """References between the files that lead nowhere, each named with where it stands."""
    found: list[str] = []

    def known(where: str, names: Iterable[str], entries: Mapping[str, Any]) -> None:
        found.extend(f"{where}: {name}" for name in names if name not in entries)

    for name, monster in monsters["monsters"].items():
        chain: dict[str, str | list[str]] = monster.get("chain") or {}
        steps = [move for moves in chain.values() for move in _listed(moves)]
        known(f"monsters.{name}", [*steps, *(monster.get("pool") or ())], monster["moves"])
        for move in monster["moves"].values():
            added = [effect["add_card"] for effect in move["effects"] if "add_card" in effect]
            known(f"monsters.{name}", added, cards["cards"])
    for act, pools in run["encounters"].items():
        for pool, encounters in pools.items():
            for name, groups in encounters.items():
                known(f"encounters.{act}.{pool}.{name}", {m for group in groups for m in group}, monsters["monsters"])
    for name, character in run["characters"].items():
        known(f"characters.{name}", character["deck"], cards["cards"])
        known(f"characters.{name}", character["relics"], words["relics"])
    for name, event in run["events"].items():
        effects = [effect for option in event["options"] for effect in option["effects"]]
        known(f"events.{name}", [effect["card"] for effect in effects if "card" in effect], cards["cards"])
    return found


def _listed(moves: str | list[str]) -> list[str]:
    return [moves] if isinstance(moves, str) else moves


def cards() -> Json:
    """Cards by ID."""
    found: Json = _load("cards")["cards"]
    return found


def monsters() -> Json:
    """Monsters by ID."""
    found: Json = _load("monsters")["monsters"]
    return found


def table(name: str) -> Json:
    """A table of `words.json` or `run.json`, such as powers, potions, relics or encounters."""
    words = _load("words")
    found: Json = words[name] if name in words else _load("run")[name]
    return found
