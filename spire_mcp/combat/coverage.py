"""What the arithmetic knows and what it does not, listed: what is not modelled is never assumed harmless."""

from collections.abc import Iterable, Mapping
from typing import Any

from spire_mcp.combat.knowledge import AT_NEXT_START, card_rule
from spire_mcp.combat.tables import table, unmodelled_potions, versions
from spire_mcp.game.card_facts import card_table

Report = dict[str, object]


def coverage() -> dict[str, Report]:
    """Per kind (cards, powers, relics, potions): what is modelled, what in part, what not, and the game version."""
    found = {"cards": _cards(), "powers": _powers(), "relics": _relics(), "potions": _potions()}
    for kind, report in found.items():
        report["game_version"] = versions()[kind]
    return found


def _cards() -> Report:
    known = card_table().cards
    partly: dict[str, str] = {}
    for card in sorted(known):
        rule = card_rule(card)
        if rule is not None:
            unknown = [str(effect["what"]) for effect in rule.effects if effect["effect"] == "unknown"]
            if unknown:
                partly[card] = "; ".join(unknown)
    rules = table("cards")
    missing: dict[str, list[str]] = {}
    for card, facts in sorted(known.items()):
        if card not in rules:
            missing.setdefault(facts.pool, []).append(card)
    return _report(len(known), rules, partly, missing)


def _powers() -> Report:
    return _touched(table("powers"))


def _relics() -> Report:
    return _touched(table("relics"))


def _touched(entries: Mapping[str, Mapping[str, Any]]) -> Report:
    """Powers or relics: with a rule or without effect on any number, only ever better for us, or not modelled."""
    partly: dict[str, str] = {}
    missing: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        danger = [number for number in entry["touches"] if number not in AT_NEXT_START]
        if entry.get("modelled"):
            continue
        if danger:
            missing.setdefault("touches " + ", ".join(danger), []).append(name)
        elif entry["touches"] or entry.get("better"):
            numbers = {number for numbers in entry.get("better", {}).values() for number in numbers}
            partly[name] = "not certain: " + ", ".join([*entry["touches"], *sorted(numbers)])
    listed = {name for names in missing.values() for name in names}
    return _report(len(entries), [name for name in entries if name not in listed], partly, missing)


def _potions() -> Report:
    rules = table("potions")
    return _report(len(rules) + len(unmodelled_potions()), rules, {}, {"no rule": list(unmodelled_potions())})


def _report(known: int, modelled: Iterable[str], partly: Mapping[str, str], missing: Mapping[str, list[str]]) -> Report:
    whole = [name for name in modelled if name not in partly]
    return {"known": known, "modelled": len(whole), "partly": dict(partly), "unmodelled": dict(missing)}
