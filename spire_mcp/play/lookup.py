"""An entry of the bridge's wiki, cut down to what a planner can use and cleaned of what nobody should obey."""

from collections.abc import Mapping
from typing import cast

from spire_mcp.game.text import clean_text


def entry(raw: Mapping[str, object]) -> dict[str, object]:
    """A card with its upgrade, or a relic; every text bounded and clean."""
    kind = clean_text(_text(raw, "item_type"), 12)
    shown: dict[str, object] = {
        "kind": kind,
        "id": clean_text(_text(raw, "id"), 60),
        "name": clean_text(_text(raw, "name"), 60),
        "rarity": clean_text(_text(raw, "rarity"), 20),
    }
    base, better = _part(raw, "base"), _part(raw, "upgraded")
    if base is None:
        return {**shown, "text": clean_text(_text(raw, "description"), 240)}
    shown |= {"type": clean_text(_text(base, "type"), 12), **_variant(base)}
    if better is not None:
        shown["upgraded"] = _variant(better)
    return shown


def _variant(card: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {
        "cost": clean_text(_text(card, "cost"), 4),
        "text": clean_text(_text(card, "description"), 240),
    }
    stars = clean_text(_text(card, "star_cost"), 4)
    return {**found, "stars": stars} if stars else found


def _part(raw: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    value = raw.get(key)
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def _text(raw: Mapping[str, object], key: str) -> str:
    value = raw.get(key)
    return str(value) if isinstance(value, str | int) else ""
