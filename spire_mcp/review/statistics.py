"""Figures with their uncertainty: a difference that luck could have made is no difference."""

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import mean, stdev
from typing import Final

Result = dict[str, object]

_Z: Final = 1.96
"""standard errors that hold 95 % of a normal distribution"""


def interval(values: Sequence[float]) -> list[float]:
    """Where the true mean lies with 95 % confidence."""
    centre = mean(values)
    half = _Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return [round(centre - half, 2), round(centre + half, 2)]


def share_interval(hits: int, of: int) -> list[float]:
    """Likewise for a share (Wilson): it stays within 0 and 1, and is not empty where all or none hit."""
    share = hits / of
    centre = (share + _Z * _Z / (2 * of)) / (1 + _Z * _Z / of)
    half = _Z * sqrt(share * (1 - share) / of + _Z * _Z / (4 * of * of)) / (1 + _Z * _Z / of)
    return [round(max(0.0, centre - half), 3), round(min(1.0, centre + half), 3)]


def percentile(values: Sequence[int], share: float) -> int:
    """The value that this share of the values does not exceed; 0 for none."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)] if values else 0
