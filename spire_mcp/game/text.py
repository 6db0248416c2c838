"""Text from the game as others may see it: data, bounded, and with nothing in it that a terminal or page would obey."""

import unicodedata
from typing import Final

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})


def clean_text(text: str | None, limit: int = 120) -> str:
    """One line of at most `limit` characters, without control, direction-changing and unassigned characters."""
    if not text:
        return ""
    shown = "".join(" " if unicodedata.category(char) in _INVISIBLE else char for char in text[: limit * 4])
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"
