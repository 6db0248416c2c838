"""What the live page shows now: new journal records as they are written, and the board by one plain read.

Nothing here takes the writer lock or changes a file.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from spire_mcp.control.halt import read_halt
from spire_mcp.control.standing import standing
from spire_mcp.control.storage import PortFolder, read_record
from spire_mcp.errors import SpireError
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.game.text import clean_text
from spire_mcp.review.charts import draw
from spire_mcp.review.records import Record, parse_lines, read_journal, table, text, whole
from spire_mcp.review.reporting import charts, totals
from spire_mcp.review.story import entry_of, tell

_MOST_OPTIONS: Final = 30
_BLOCK: Final = 4 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Follower:
    """Reads a growing journal from where it stopped; a line counts once its end is there."""

    folder: PortFolder
    position: int = 0
    rest: bytes = b""

    def new(self) -> list[Record]:
        """The records written since the last call; a file that became shorter is another one and is read anew."""
        try:
            with self.folder.journal.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
                if size < self.position:
                    self.position, self.rest = 0, b""
                file.seek(self.position)
                data = file.read(_BLOCK)
        except OSError:
            return []
        self.position += len(data)
        whole_lines, _, self.rest = (self.rest + data).rpartition(b"\n")
        return list(parse_lines(whole_lines))


@dataclass(slots=True, kw_only=True)
class Window:
    """One port, looked at."""

    folder: PortFolder
    read: Callable[[], Observation]
    owner: Callable[[Observation], Mapping[str, object]]
    """who owns the decision on this screen"""
    _last: dict[str, object] = field(default_factory=dict[str, object])

    def board(self) -> dict[str, object]:
        """The board, HALTED and the action in flight, as the page shows them."""
        found: dict[str, object] = {"halted": None, "inflight": None, "board": None, "problem": None}
        try:
            found["halted"] = _shown(read_halt(self.folder))
            found["inflight"] = _shown(read_record(self.folder.inflight))
            observation = self.read()
            found["board"] = self._board(observation)
        except SpireError as error:
            found["problem"] = {"message": clean_text(error.message, 300), "fix": error.fix}
        return found

    def _board(self, observation: Observation) -> dict[str, object]:
        options = list_options(observation)
        hand = [f"{card.name or '?'} ({text(card.cost, 4) or '–'})" for card in observation.hand]
        enemies: list[dict[str, object]] = []
        for enemy in observation.enemies:
            intents = [clean_text(f"{one.type} {one.label or ''}", 60) for one in enemy.intents or ()]
            enemies.append(
                {
                    "name": clean_text(enemy.title, 60),
                    "hp": enemy.hp,
                    "max_hp": enemy.max_hp,
                    "block": enemy.block,
                    "intents": intents,
                }
            )
        return {
            **(standing(observation) or {"screen": observation.state_type}),
            "state_id": observation.state_id,
            "enemies": enemies,
            "hand": [clean_text(card, 60) for card in hand],
            "options": [clean_text(option.label, 100) for option in options[:_MOST_OPTIONS]],
            "owner": dict(self.owner(observation)),
        }

    def sums(self) -> dict[str, object]:
        """The totals of the journal."""
        return totals(tell(read_journal(self.folder.journal)))

    def chart(self) -> str:
        """HP over floors, in colours that do on light and on dark."""
        story = tell(read_journal(self.folder.journal))
        found = next((chart for chart in charts(story) if chart.title.startswith("HP")), None)
        if found is None:
            return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 40"></svg>'
        drawn = draw(found.title, x=found.x, y=found.y, series=found.series, points=found.points, color="#808890")
        return str(drawn.svg) if drawn else ""


def shown_record(record: Record) -> dict[str, object]:
    """A record as the page shows it."""
    entry = asdict(entry_of(record))
    for key in ("board", "model"):
        entry[key] = dict(table(entry[key]))
    return entry


def _shown(record: Mapping[str, object] | None) -> dict[str, object] | None:
    if record is None:
        return None
    keys = ("reason", "when", "option", "label", "by", "what_to_do", "state_id_before", "unreadable")
    found: dict[str, object] = {key: text(record.get(key), 400) for key in keys if record.get(key)}
    return {"seq": whole(record.get("seq")), **found}
