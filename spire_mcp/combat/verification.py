"""Holding a card's rule against the numbers that its text in hand shows; what differs is not computed.

Hand text holds the player's own modifiers and nothing of a target (combat-rules.md, section 0). So the number is
computed from the table with the own modifiers and must be the one shown; the target's factors then go onto the
unrounded value.
This is the one place that knows what displayed card numbers contain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from spire_mcp.combat.knowledge import CardRule
from spire_mcp.combat.reading import shown_block, shown_damage, text_numbers
from spire_mcp.game.parts import Card

_ENCHANTMENTS: Final = frozenset({"Sharp", "Nimble", "锋利", "灵巧"})
"""Enchantments that add their number to damage or block, by displayed name."""

Number = Callable[[int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What some cards' numbers depend on: our block, the exhaust pile, and the whole hand with the card itself."""

    block: int
    exhaust_pile: int
    hand: int


def counted(effect: Mapping[str, Any], card: Card, counts: Counts) -> int:
    """What `per` adds to an amount before a target is named: its text cannot hold what is the target's."""
    per: Mapping[str, Any] | None = effect.get("per")
    if per is None:
        return 0
    number = {"exhaust_pile": counts.exhaust_pile, "other_hand": counts.hand - 1, "enemy_power": 0}[per["count"]]
    return number * base_number(per["each"], card)


def enchantment(card: Card) -> int:
    """What an enchantment adds to the card's damage or block; 0 for none. The number stands in its description."""
    for keyword in card.keywords:
        if keyword.name in _ENCHANTMENTS:
            numbers = text_numbers(keyword.description or "")
            return numbers[0] if numbers else 0
    return 0


def base_number(effect_amount: object, card: Card) -> int:
    """A table number for this card: base or upgraded."""
    if isinstance(effect_amount, list):
        value: object = effect_amount[1 if card.is_upgraded else 0]  # pyright: ignore[reportUnknownVariableType]
        return value if isinstance(value, int) else 0
    return effect_amount if isinstance(effect_amount, int) else 0


def problem_with(card: Card, rule: CardRule, bonus: int, damage: Number, block: Number, counts: Counts) -> str | None:
    """Why the card's numbers cannot be trusted; None when the text shows what the table says.

    Args:
        card: the card in hand.
        rule: what the table says it does.
        bonus: what an enchantment adds.
        damage: from a base to what the text must show, with the player's own modifiers.
        block: likewise for block.
        counts: what some cards' numbers depend on.
    """
    text = card.description or ""
    for effect in rule.effects:
        if effect["effect"] == "damage" and effect.get("from") != "text":
            from_block = effect.get("from") == "block"
            base = counts.block if from_block else base_number(effect["amount"], card) + counted(effect, card, counts)
            base += 0 if from_block else bonus
            problem = _differs(text, damage(base), shown_damage(text), "damage")
        elif effect["effect"] == "block":
            problem = _differs(text, block(base_number(effect["amount"], card) + bonus), shown_block(text), "block")
        elif effect["effect"] in {"lose_hp", "draw"}:
            number = base_number(effect["amount"], card)
            problem = None if number == 1 or number in text_numbers(text) else f"its text does not show {number}"
        else:
            problem = None
        if problem is not None:
            return problem
    return None


def _differs(text: str, computed: int, shown: int | None, what: str) -> str | None:
    if shown is not None:
        return None if shown == computed else f"its text shows {shown} {what}, the table gives {computed}"
    return None if computed in text_numbers(text) else f"its text does not show the {computed} {what} of the table"
