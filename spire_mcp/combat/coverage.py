"""What the arithmetic knows and what it does not, listed: what is not modelled is never assumed harmless."""

from collections.abc import Iterable, Mapping

from spire_mcp.combat.knowledge import card_rule
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
    powers: Mapping[str, Mapping[str, object]] = table("powers")
    modelled = [power for power, entry in powers.items() if entry.get("modelled")]
    partly = {
        power: "touches nothing that is computed"
        for power, entry in sorted(powers.items())
        if not entry.get("modelled") and not entry["touches"]
    }
    missing: dict[str, list[str]] = {}
    for power, entry in sorted(powers.items()):
        if not entry.get("modelled") and entry["touches"]:
            touched: Iterable[str] = entry["touches"]  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
            missing.setdefault("touches " + ", ".join(touched), []).append(power)
    return _report(len(powers), modelled, partly, missing)


def _relics() -> Report:
    relics: Mapping[str, Iterable[str]] = table("relics")
    harmless = [relic for relic, touches in relics.items() if not touches]
    missing: dict[str, list[str]] = {}
    for relic, touches in sorted(relics.items()):
        if touches:
            missing.setdefault("touches " + ", ".join(touches), []).append(relic)
    return _report(len(relics), harmless, {}, missing)


def _potions() -> Report:
    rules = table("potions")
    return _report(len(rules) + len(unmodelled_potions()), rules, {}, {"no rule": list(unmodelled_potions())})


def _report(known: int, modelled: Iterable[str], partly: Mapping[str, str], missing: Mapping[str, list[str]]) -> Report:
    whole = [name for name in modelled if name not in partly]
    return {"known": known, "modelled": len(whole), "partly": dict(partly), "unmodelled": dict(missing)}
