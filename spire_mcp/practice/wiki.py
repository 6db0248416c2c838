"""The bridge's wiki: cards and relics by a search over their names (bridge-contract-detail.md, section 5.3)."""

from typing import Any

from spire_mcp.practice.content import cards as card_table
from spire_mcp.practice.content import table
from spire_mcp.practice.pieces import Card
from spire_mcp.practice.wire import card_json
from spire_mcp.practice.wording import name

Json = dict[str, Any]

_EXACT, _PART = 1000, 850
_MOST = 50


def search(query: str, kind: str, limit: str, language: str) -> Json:
    """The answer to a search; kinds are `all`, `card` and `relic`."""
    wanted = query.strip().casefold()
    found: list[Json] = []
    if kind in {"all", "any", "", "card", "cards"}:
        found += [_card(identity, score, language) for identity, score in _matches(card_table(), wanted, language)]
    if kind in {"all", "any", "", "relic", "relics"}:
        found += [_relic(identity, score, language) for identity, score in _matches(table("relics"), wanted, language)]
    found.sort(key=lambda result: (-result["score"], result["id"]))
    most = max(1, min(_MOST, int(limit))) if limit.isascii() and limit.isdigit() else 10
    return {
        "status": "ok",
        "profile_id": 1,
        "query": query,
        "item_type": kind,
        "limit": most,
        "counts": {"searched": len(card_table()) + len(table("relics")), "returned": min(most, len(found))},
        "results": found[:most],
    }


def _matches(entries: Json, wanted: str, language: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for identity, entry in entries.items():
        words = {identity.casefold(), name(entry, language).casefold()}
        if wanted in words:
            found.append((identity, _EXACT))
        elif any(wanted in word for word in words):
            found.append((identity, _PART))
    return found


def _card(identity: str, score: int, language: str) -> Json:
    base = card_json(Card(identity), language)
    upgradable = base["type"] not in {"Status", "Curse"}
    return {
        "item_type": "card",
        "id": identity,
        "name": base["name"],
        "score": score,
        "rarity": base["rarity"],
        "type": base["type"],
        "is_upgradable": upgradable,
        "base": {"variant": "base", **base},
        "upgraded": {"variant": "upgraded", **card_json(Card(identity, True), language)} if upgradable else None,
    }


def _relic(identity: str, score: int, language: str) -> Json:
    shown = name(table("relics")[identity], language)
    return {
        "item_type": "relic",
        "id": identity,
        "name": shown,
        "score": score,
        "rarity": "Common",
        "description": f"{shown}.",
        "keywords": [],
    }
