"""The result of `eval` as a page: each policy's fights with the interval in which its true number probably lies."""

from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Final

from spire_mcp.review.charts import Chart, Point, draw
from spire_mcp.review.pages import render, write_page
from spire_mcp.review.records import number, rows, table, whole

_Z: Final = 1.96
"""Standard errors on either side of a 95 % interval."""


def wilson(wins: float, of: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; it behaves at none and at all."""
    share = wins / of
    middle = share + _Z**2 / (2 * of)
    width = _Z * sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    whole_ = 1 + _Z**2 / of
    return round(max(0.0, (middle - width) / whole_), 4), round(min(1.0, (middle + width) / whole_), 4)


def write_comparison(result: Mapping[str, object], out: Path) -> None:
    """Write the page of an `eval` result.

    Raises:
        UsageError: it cannot be written.
    """
    pools = table(table(result.get("summary")).get("pools"))
    charts: list[Chart] = []
    for pool, value in pools.items():
        row = table(value)
        fights, policies = whole(row.get("fights")) or 0, table(row.get("policies"))
        won: list[Point] = []
        lost: list[Point] = []
        for name, numbers in policies.items():
            share, mean = number(table(numbers).get("won")), number(table(numbers).get("hp_lost"))
            if share is None or mean is None or not fights:
                continue
            won.append(Point(name, (share,), None, (wilson(share * fights, fights),)))
            spread = number(table(numbers).get("hp_lost_sd"))
            error = _Z * spread / sqrt(fights) if spread is not None else None
            lost.append(Point(name, (mean,), None, ((max(0.0, mean - error), mean + error) if error else None,)))
        for title, y, points in (
            ("fights won", "share won, 95 % interval", won),
            ("HP lost", "mean HP lost, 95 % interval", lost),
        ):
            chart = draw(f"{pool}: {title}", x="policy", y=y, series=(title,), points=points, kind="bar")
            if chart is not None:
                charts.append(chart)
    write_page(
        out, render("eval.html", charts=charts, fights=rows(result.get("fights")), summary=result.get("summary"))
    )
