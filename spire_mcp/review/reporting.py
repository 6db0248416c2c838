"""`report`: one self-contained page from a port's journal."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from spire_mcp.review.charts import Chart, Point, draw
from spire_mcp.review.pages import render, write_page
from spire_mcp.review.records import number, read_journal, whole
from spire_mcp.review.story import Floor, Story, first_number, last_number, tell

Result = dict[str, object]


def report(journal: Path, out: Path) -> Result:
    """Write the report of a journal and say what it holds.

    Raises:
        StorageError: the journal cannot be read.
        UsageError: the page cannot be written.
    """
    story = tell(read_journal(journal))
    write_page(out, page(story))
    return {"ok": True, "outcome": "report", "file": str(out), **totals(story)}


def page(story: Story) -> str:
    """The page of a story."""
    return render("report.html", story=story, charts=charts(story), totals=totals(story))


def totals(story: Story) -> Result:
    """The numbers of the whole journal."""
    use = [entry.model for entry in story.entries if entry.model]
    return {
        "records": len(story.entries),
        "runs": story.runs,
        "floors": sum(floor.floor is not None for floor in story.floors),
        "fights": sum(bool(floor.fight) for floor in story.floors),
        "actions": len(story.of_kind("action")),
        "owners": dict(sorted(story.owners.items())),
        "handovers": len(story.of_kind("handover")),
        "mispredictions": len(story.wrong),
        "requests": sum(whole(one.get("requests")) or 0 for one in use),
        "input_tokens": sum(whole(one.get("input_tokens")) or 0 for one in use),
        "cost_usd": round(sum(number(one.get("cost_usd")) or 0.0 for one in use), 6),
    }


def charts(story: Story) -> list[Chart]:
    """The charts that the journal has numbers for."""
    floors = [floor for floor in story.floors if floor.floor is not None]
    owners = [Point(name or "not said", (float(many),)) for name, many in story.owners.most_common()]
    names = [name for name, _ in story.owners.most_common()]
    place = "act.floor" if story.runs < 2 else "run/act.floor"
    label = {id(floor): _label(floor, story) for floor in floors}

    def by_floor(name: str, first: bool = False) -> list[Point]:
        pick = first_number if first else last_number
        return [Point(label[id(floor)], (_float(pick(floor.boards, name)),), _anchor(floor)) for floor in floors]

    hp = [
        Point(
            label[id(floor)],
            (_float(_hp_left(floor)), _float(last_number(floor.boards, "max_hp"))),
            _anchor(floor),
        )
        for floor in floors
    ]
    decided = [
        Point(
            label[id(floor)],
            tuple(float(sum(e.by == name and e.kind == "action" for e in floor.entries)) for name in names),
            _anchor(floor),
        )
        for floor in floors
    ]
    found = [
        draw("HP over floors", x=place, y="HP when leaving", series=("HP", "max HP"), points=hp),
        draw("Gold over floors", x=place, y="gold", series=("gold",), points=by_floor("gold")),
        draw(
            "Deck size over fights",
            x=place,
            y="cards as the fight began",
            series=("cards",),
            points=[point for point in by_floor("deck", first=True) if point.values[0] is not None],
        ),
        draw("Decisions by owner", x="who decided", y="actions", series=("actions",), points=owners, kind="bar"),
        draw("Decisions over floors", x=place, y="actions", series=names, points=decided) if len(names) > 1 else None,
        draw(
            "Latency over floors",
            x=place,
            y="seconds per action",
            series=("median", "longest"),
            points=[Point(label[id(floor)], _latency(floor), _slowest(floor)) for floor in floors],
        ),
        draw("Cost over floors", x=place, y="US dollars", series=("cost",), points=_costs(floors, label)),
    ]
    return [chart for chart in found if chart is not None]


def _hp_left(floor: Floor) -> int | None:
    return last_number(floor.boards, "hp")


def _label(floor: Floor, story: Story) -> str:
    place = f"{floor.act}.{floor.floor}"
    return place if story.runs < 2 else f"{floor.run}/{place}"


def _anchor(floor: Floor) -> str:
    return f"r{floor.entries[0].seq}" if floor.entries else floor.key


def _slowest(floor: Floor) -> str:
    worst = max(floor.entries, key=lambda entry: entry.seconds or 0.0)
    return f"r{worst.seq}"


def _latency(floor: Floor) -> tuple[float | None, float | None]:
    times = [entry.seconds for entry in floor.entries if entry.seconds is not None]
    return (round(median(times), 3), round(max(times), 3)) if times else (None, None)


def _costs(floors: Sequence[Floor], label: dict[int, str]) -> list[Point]:
    costs = [sum(number(entry.model.get("cost_usd")) or 0.0 for entry in floor.entries) for floor in floors]
    if not any(costs):
        return []
    return [Point(label[id(floor)], (cost,), _anchor(floor)) for floor, cost in zip(floors, costs, strict=True)]


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)
