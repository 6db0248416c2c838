"""The names of each potion in the languages that are known, so that a planner may use any of them."""

import json
from functools import cache
from importlib.resources import files
from typing import cast


@cache
def _table() -> dict[str, tuple[str, ...]]:
    text = files("spire_mcp.game").joinpath("data", "potions.json").read_text(encoding="utf-8")
    potions = cast("dict[str, dict[str, list[str]]]", json.loads(text))["potions"]
    return {potion: tuple(names) for potion, names in potions.items()}


def potion_names(potion_id: str) -> tuple[str, ...]:
    """A potion's English and Chinese names; empty for one that is not known."""
    return _table().get(potion_id, ())
