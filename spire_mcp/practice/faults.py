"""What can go wrong on purpose: which request meets which fault."""

from dataclasses import dataclass
from typing import Final

POST_FAULTS: Final = frozenset(
    {
        "reply_lost_after_effect",
        "reply_lost_before_effect",
        "error_500_after_effect",
        "error_500_before_effect",
        "ok_without_effect",
        "error_with_effect",
        "error_without_effect",
        "half_reply",
        "hang",
        "hang_with_effect",
        "late_effect",
        "popup",
        "duplicate_effect",
    }
)
GET_FAULTS: Final = frozenset(
    {
        "get_500_missing_method",
        "multiplayer",
        "get_garbage",
        "get_huge",
        "get_half",
        "get_hang",
        "map_over_fight",
        "overlay",
        "power_missing",
    }
)
LASTING: Final = frozenset(
    {
        "leak_draw_order",
        "costs_as_numbers",
        "stuck_enchant",
        "compendium_parse_error",
        "compendium_without_run_id",
        "compendium_missing",
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and the request it meets; None is every one."""

    kind: str
    number: int | None


def parse_faults(spec: str, known: frozenset[str] = POST_FAULTS | GET_FAULTS | LASTING) -> tuple[Fault, ...]:
    """Read `kind[@n]`, comma separated; n counts actions (or reads, for the read faults) from 1, `*` is every one.

    Raises:
        ValueError: names the part that cannot be read.
    """
    faults: list[Fault] = []
    for token in filter(None, (part.strip() for part in spec.split(","))):
        kind, _, number = token.partition("@")
        if kind not in known:
            raise ValueError(f"unknown fault {kind[:40]!r}; known are: {', '.join(sorted(known))}")
        if number not in {"", "*"} and not (number.isascii() and number.isdigit() and int(number[:6]) > 0):
            raise ValueError(f"the fault {token[:40]!r} needs a whole number from 1, or *, after @")
        faults.append(Fault(kind, None if number == "*" else int(number or 1)))
    return tuple(faults)


def fault_for(faults: tuple[Fault, ...], kinds: frozenset[str], number: int) -> str | None:
    """The fault that the request of this number meets."""
    return next((f.kind for f in faults if f.kind in kinds and f.number in {None, number}), None)
