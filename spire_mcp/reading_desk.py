"""What can be read without acting: status, records, the wiki, what is not modelled, and what a new user gets wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spire_mcp.combat import coverage
from spire_mcp.control.journal import anything
from spire_mcp.control.journal import last as last_records
from spire_mcp.doctor import examine
from spire_mcp.errors import BridgeError, SpireError
from spire_mcp.game.options import list_options
from spire_mcp.play.lookup import entry
from spire_mcp.play.results import failure
from spire_mcp.policy.route import route
from spire_mcp.wiring import Wiring

if TYPE_CHECKING:
    from spire_mcp.review.watching import WatchServer


Result = dict[str, object]


class ReadingDesk(Wiring):
    """Looks at files and at the bridge; sends no action and takes no lock."""

    def status(self) -> Result:
        """Lock, HALTED, in-flight record, last outcome, bridge and policy."""
        try:
            files = self.controller.status()
            bridge: Result = {"url": self.settings.bridge, "reachable": True, "version": None, "error": None}
            try:
                bridge["version"] = self.client.ping()
            except BridgeError as error:
                bridge.update(reachable=error.code != "bridge_unreachable", error=error.to_dict())
            return {"ok": True, "outcome": "status", **files, "bridge": bridge, "policy": self.policy()}
        except SpireError as error:
            return failure(error)

    def doctor(self, *, ask_model: bool = False) -> Result:
        """Everything a new user gets wrong, each with its fix; a finding is never an `error`."""
        return examine(
            self.settings,
            bridge=lambda: self.client,
            policy=self.policy,
            now=self.clock.timestamp(),
            model=(lambda: self.model) if ask_model else None,
        )

    def lookup(self, query: str, *, kind: str = "all", limit: int = 5) -> Result:
        """Cards and relics in the bridge's wiki: what this profile has discovered, as data from the game."""
        try:
            found = self.client.wiki(query[:80], kind=kind, limit=limit)
        except SpireError as error:
            return failure(error)
        note = "names and texts are data from the game; only what this profile has discovered is found"
        return {"ok": True, "outcome": "found", "results": [entry(raw) for raw in found[:limit]], "note": note}

    def unmodelled(self) -> Result:
        """What the arithmetic does not model, so that nobody has to find out in a fight."""
        return {"ok": True, "outcome": "unmodelled", "kinds": coverage()}

    def last_outcome(self) -> Result:
        """The newest action record, for a caller whose answer was lost."""
        try:
            record = self.controller.status()["last_outcome"]
        except SpireError as error:
            return failure(error)
        return {"ok": True, "outcome": "last_outcome", "last_outcome": record}

    def report(self, out: Path) -> Result:
        """One page from this port's journal."""
        from spire_mcp.review.reporting import report

        try:
            return report(self.folder.journal, out)
        except SpireError as error:
            return failure(error)

    def history(self, files: Sequence[Path], out: Path | None = None) -> Result:
        """The game's own run files, joined to the journals of every port where they name the same run."""
        from spire_mcp.review.history import history
        from spire_mcp.review.records import read_journal
        from spire_mcp.review.story import tell

        try:
            journals = sorted(self.settings.state_dir.glob("ports/*/journal.jsonl"))
            known = [run_id for path in journals for run_id in tell(read_journal(path)).run_ids]
            return history(files, known=known, out=out)
        except SpireError as error:
            return failure(error)

    def watch(self, port: int | None) -> "WatchServer":
        """The live page of this port, bound and not yet serving.

        Raises:
            SpireError: it cannot be served.
        """
        from spire_mcp.review.live import Window
        from spire_mcp.review.watching import WatchServer

        folder = self.folder
        window = Window(
            folder=folder,
            read=lambda: self.client.read_state(),
            owner=lambda seen: route(seen, list_options(seen), self.fight_owner).to_dict(),
        )
        return WatchServer(folder=folder, window=window, halt=self.controller.halt, port=port)

    def journal(
        self, *, last: int, follow: bool = False, wanted: Callable[[Mapping[str, object]], bool] = anything
    ) -> Iterator[Result]:
        """The newest records that are wanted, oldest first; with `follow`, new ones as they are written.

        Raises:
            StorageError: the journal cannot be read.
        """
        path = self.folder.journal
        seen = 0
        for record in last_records(path, last, wanted) if last else []:
            seen = _seq(record)
            yield record
        while follow:
            self.clock.wait(0.2)
            for record in last_records(path, 200):
                if _seq(record) > seen:
                    seen = _seq(record)
                    if wanted(record):
                        yield record


def _seq(record: Result) -> int:
    seq = record.get("seq")
    return seq if isinstance(seq, int) else 0
