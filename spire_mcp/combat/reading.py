"""Reading numbers from the game's text: intent labels and the text of cards in hand, in any language."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

ATTACKS: Final = frozenset({"Attack", "DeathBlow"})
HARMLESS_NOW: Final = frozenset(
    {
        "Buff",
        "Debuff",
        "DebuffStrong",
        "Defend",
        "StatusCard",
        "CardDebuff",
        "Summon",
        "Stun",
        "Sleep",
        "Heal",
        "Escape",
    }
)
"""Intents that cost no HP in the coming enemy turn. Any other type is unknown, which is not harmless."""

_LABEL: Final = re.compile(r"(\d{1,6})(?:\s*[x×✕✖X*]\s*(\d{1,4}))?")
_ICON: Final = re.compile(r"\[[^\]]*\]")
_NUMBER: Final = re.compile(r"\d+")
_DAMAGE: Final = re.compile(r"(?:Deal |造成)(\d+)(?: damage|点伤害)")
_BLOCK: Final = re.compile(r"(?:Gain |获得)(\d+)(?: Block|点格挡)")


@dataclass(frozen=True, slots=True)
class Attack:
    """A displayed attack: damage per hit, and how many hits."""

    damage: int
    hits: int


def read_label(label: str | None) -> Attack | None:
    """The attack that a label displays; None for anything that is not plainly a number or number times number.

    Full-width digits and signs and spaces occur in some languages.
    """
    text = unicodedata.normalize("NFKC", label or "").strip()
    match = _LABEL.fullmatch(text)
    if match is None:
        return None
    return Attack(int(match.group(1)), int(match.group(2) or 1))


def text_numbers(text: str) -> list[int]:
    """All whole numbers in a card's text, in order, without those in icon names."""
    return [int(number) for number in _NUMBER.findall(_ICON.sub(" ", unicodedata.normalize("NFKC", text)))]


def shown_damage(text: str) -> int | None:
    """The damage that a text in a language known here displays."""
    match = _DAMAGE.search(unicodedata.normalize("NFKC", text))
    return int(match.group(1)) if match else None


def shown_block(text: str) -> int | None:
    """The block that a text in a language known here displays."""
    match = _BLOCK.search(unicodedata.normalize("NFKC", text))
    return int(match.group(1)) if match else None
