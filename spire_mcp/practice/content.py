"""The practice game's content: cards, monsters and words as data, each with its source and game version."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _load(name: str) -> dict[str, Any]:
    text = files("spire_mcp.practice").joinpath("data", f"{name}.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def cards() -> dict[str, Any]:
    """Cards by ID."""
    found: dict[str, Any] = _load("cards")["cards"]
    return found


def monsters() -> dict[str, Any]:
    """Monsters by ID."""
    found: dict[str, Any] = _load("monsters")["monsters"]
    return found


def table(name: str) -> dict[str, Any]:
    """A table of `words.json` or `run.json`, such as powers, potions, relics or encounters."""
    merged = {**_load("words"), **_load("run")}
    found: dict[str, Any] = merged[name]
    return found
