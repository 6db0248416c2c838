"""`history`: the game's own `.run` files, whatever their version: wins, floors and killers.

Only `win`, `killed_by_encounter`, `ascension`, `build_id` and the like are known from documented samples. Every field
may be missing; what is not there is counted as not known and never guessed.
"""

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from spire_mcp.errors import UsageError
from spire_mcp.review.charts import Chart, Point, draw
from spire_mcp.review.pages import render, write_page
from spire_mcp.review.records import Record, items, rows, table, text, whole
from spire_mcp.review.statistics import share_interval

Result = dict[str, object]
_LARGEST: Final = 16 * 1024 * 1024
_MOST_FILES: Final = 10_000
_UNKNOWN: Final = "not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """One finished run as its file tells it."""

    file: str
    character: str
    ascension: int | None
    version: str
    won: bool | None
    abandoned: bool | None
    floors: int | None
    killer: str
    run_id: str | None
    """as the bridge would have named it; None where the file's place or content does not tell"""
    ours: bool = False
    """whether a journal of ours names exactly this run"""


def default_folders(env: Mapping[str, str], platform: str = sys.platform, home: Path | None = None) -> Path:
    """The game's user-data folder on this system."""
    home = home or Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "SlayTheSpire2"
    if platform.startswith("win"):
        return Path(env.get("APPDATA") or home / "AppData" / "Roaming") / "SlayTheSpire2"
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "SlayTheSpire2"


def find_files(base: Path) -> list[Path]:
    """The history files below the game's folder, modded and not."""
    return sorted(path for path in base.glob("**/saves/history/*.run") if path.is_file())[:_MOST_FILES]


def history(files: Sequence[Path], *, known: Sequence[str] = (), out: Path | None = None) -> Result:
    """Read run files and sum them up.

    Args:
        files: the files; none looks where the game keeps them.
        known: run identities that our journals name.
        out: where to write the page, if at all.

    Raises:
        UsageError: a named file is not there, or the page cannot be written.
    """
    found = list(files) or find_files(default_folders(os.environ))
    missing = next((path.name for path in found if not path.is_file()), None)
    if missing is not None:
        raise UsageError(
            f"{text(missing, 80)} is no file", fix="Name `.run` files, or none to look in the game's folder."
        )
    runs: list[PastRun] = []
    unreadable: list[str] = []
    for path in found:
        run = read_run(path, known)
        if run is None:
            unreadable.append(text(path.name, 80))
        else:
            runs.append(run)
    result: Result = {
        "ok": True,
        "outcome": "history",
        "files": len(found),
        "unreadable": unreadable,
        "summary": {
            "all": _sum(runs),
            **{title: _by(runs, key) for title, key in _GROUPS.items()},
            "killers": dict(Counter(run.killer for run in runs if run.killer).most_common()),
        },
        "runs": [asdict(run) for run in runs],
    }
    if out is not None:
        write_page(out, render("history.html", result=result, runs=runs, charts=_charts(runs)))
        result["file"] = str(out)
    return result


def read_run(path: Path, known: Sequence[str] = ()) -> PastRun | None:
    """One file; None when it is no JSON object, or says nothing."""
    try:
        if path.stat().st_size > _LARGEST:
            return None
        parsed: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    found = table(parsed)
    if not found:
        return None
    won, abandoned = found.get("win"), found.get("was_abandoned")
    players = rows(found.get("players"))
    character = text((players[0] if players else found).get("character"), 60).removeprefix("CHARACTER.")
    killer = text(found.get("killed_by_encounter"), 80) or text(found.get("killed_by_event"), 80)
    run_id = _identity(path, found)
    return PastRun(
        file=text(path.name, 80),
        character=character or _UNKNOWN,
        ascension=whole(found.get("ascension")),
        version=text(found.get("build_id"), 60) or _UNKNOWN,
        won=won if isinstance(won, bool) else None,
        abandoned=abandoned if isinstance(abandoned, bool) else None,
        floors=_floors(found),
        killer="" if killer.upper().startswith("NONE") else killer,
        run_id=run_id,
        ours=run_id is not None and run_id in known,
    )


def _identity(path: Path, found: Record) -> str | None:
    """`scope:profileN:start_time`, only where file and folder say all three."""
    started = whole(found.get("start_time"))
    parts = path.absolute().parts[:-1]
    profile = next((part for part in reversed(parts) if part.startswith("profile") and part[7:].isdigit()), None)
    if started is None or profile is None:
        return None
    return f"{'modded' if 'modded' in parts else 'vanilla'}:{profile}:{started}"


def _floors(found: Record) -> int | None:
    for key in ("map_point_count", "floor_reached", "floors"):
        if (value := whole(found.get(key))) is not None:
            return value
    points = items(found.get("map_point_history"))
    return sum(max(1, len(items(act))) for act in points) if points else None


def _sum(runs: Sequence[PastRun]) -> Result:
    decided = [run for run in runs if run.won is not None]
    floors = [run.floors for run in runs if run.floors is not None]
    wins = sum(run.won is True for run in decided)
    return {
        "runs": len(runs),
        "decided": len(decided),
        "wins": wins,
        "win_share": share_interval(wins, len(decided)) if decided else None,
        "mean_floors": round(sum(floors) / len(floors), 1) if floors else None,
    }


def _by(runs: Sequence[PastRun], key: Callable[[PastRun], str]) -> Result:
    groups: defaultdict[str, list[PastRun]] = defaultdict(list)
    for run in runs:
        groups[key(run)].append(run)
    return {name: _sum(groups[name]) for name in sorted(groups)}


_GROUPS: Final[Mapping[str, Callable[[PastRun], str]]] = {
    "character": lambda run: run.character,
    "ascension": lambda run: _UNKNOWN if run.ascension is None else str(run.ascension),
    "version": lambda run: run.version,
}


def _charts(runs: Sequence[PastRun]) -> list[Chart]:
    found: list[Chart | None] = []
    for title, key in _GROUPS.items():
        points: list[Point] = []
        for name, one in _by(runs, key).items():
            row = table(one)
            decided, wins = whole(row.get("decided")), whole(row.get("wins"))
            if decided and wins is not None:
                low, high = share_interval(wins, decided)
                points.append(Point(name, (wins / decided,), None, ((low, high),)))
        found.append(
            draw(f"Wins by {title}", x=title, y="share won, 95 % interval", series=("won",), points=points, kind="bar")
        )
    floors = [
        Point(str(n), (None if run.floors is None else float(run.floors),), f"f{n}") for n, run in enumerate(runs, 1)
    ]
    found.append(draw("Floors", x="run", y="floors reached", series=("floors",), points=floors))
    killers = [
        Point(name, (float(many),)) for name, many in Counter(r.killer for r in runs if r.killer).most_common(10)
    ]
    found.append(draw("Killers", x="encounter", y="runs ended", series=("runs",), points=killers, kind="bar"))
    return [chart for chart in found if chart is not None]
