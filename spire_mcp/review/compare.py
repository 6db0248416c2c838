"""The result of `eval` as a page: each policy's fights with the interval in which its true number probably lies."""

from collections.abc import Mapping
from pathlib import Path

from spire_mcp.review.charts import Chart, Point, draw
from spire_mcp.review.pages import render, write_page
from spire_mcp.review.records import items, number, rows, table, whole

_FIGURES = (
    ("fights won", "share won, 95 % interval", "won"),
    ("HP lost", "mean HP lost, 95 % interval", "hp_lost"),
)


def write_comparison(result: Mapping[str, object], out: Path) -> None:
    """Write the page of an `eval` result.

    Raises:
        UsageError: it cannot be written.
    """
    pools = table(table(result.get("summary")).get("pools"))
    charts: list[Chart] = []
    for pool, value in pools.items():
        row = table(value)
        if not whole(row.get("fights")):
            continue
        for title, y, key in _FIGURES:
            points = [_point(name, table(numbers), key) for name, numbers in table(row.get("policies")).items()]
            chart = draw(
                f"{pool}: {title}",
                x="policy",
                y=y,
                series=(title,),
                points=[point for point in points if point is not None],
                kind="bar",
            )
            if chart is not None:
                charts.append(chart)
    write_page(
        out, render("eval.html", charts=charts, fights=rows(result.get("fights")), summary=result.get("summary"))
    )


def _point(name: str, numbers: Mapping[str, object], key: str) -> Point | None:
    value, bounds = number(numbers.get(key)), [number(bound) for bound in items(numbers.get(f"{key}_range"))]
    if value is None:
        return None
    match bounds:
        case [float() as low, float() as high]:
            return Point(name, (value,), None, ((low, high),))
        case _:
            return Point(name, (value,), None, (None,))
