"""Saved strategies: bound to the run that the bridge reports, kept on disk, and gone when their run is."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from spire_mcp.control.storage import PortFolder, UnreadableRecord, read_record, remove_record, storage, write_record
from spire_mcp.errors import InvalidPacketError, NoRunIdentityError, UsageError
from spire_mcp.policy.packet import IntentsUnchanged, Packet, Strategy, read_packet

MOST: Final = 50
_ANY_STATE: Final = "s1-a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A strategy as it was saved."""

    strategy: Strategy
    run_id: str
    saved_at: str

    def to_dict(self, run_id: str | None) -> dict[str, object]:
        """For `strategy list`, with whether it is for the run that is being played."""
        return {
            "id": self.strategy.strategy_id,
            "meaning": self.strategy.semantic_id,
            "reason": self.strategy.reason,
            "saved_at": self.saved_at,
            "this_run": None if run_id is None else run_id == self.run_id,
        }


@dataclass(frozen=True, slots=True)
class Strategies:
    """The saved strategies of one port. Writing needs the writer lock, reading does not."""

    folder: PortFolder

    def _path(self, strategy_id: str) -> Path:
        # A prefix keeps names such as CON from being a device on one of the systems.
        return self.folder.strategies / f"s-{strategy_id}.json"

    def save(self, packet: Packet, run_id: str | None, when: str) -> Saved:
        """Keep a packet's strategy for this run; one of the same ID is replaced.

        Raises:
            NoRunIdentityError: the bridge does not say which run this is.
            InvalidPacketError: it needs something that only a single call has.
        """
        if run_id is None:
            raise NoRunIdentityError("the bridge reports no identity of the run, so nothing can be bound to it")
        for place in ("conditions", "expires_on"):
            for number, condition in enumerate(getattr(packet.strategy, place)):
                if isinstance(condition, IntentsUnchanged) and condition.signature is None:
                    where = f"strategy.{place}.{number}.signature"
                    raise InvalidPacketError(f"{where}: a saved strategy has to name the intents it compares with")
        if len(self.all()) >= MOST and not self._path(packet.strategy.strategy_id).exists():
            raise UsageError(f"{MOST} strategies are saved already", fix="Drop some: `spire-mcp strategy drop ID`.")
        with storage("making the folder of strategies"):
            self.folder.strategies.mkdir(mode=0o700, exist_ok=True)
        strategy = json.loads(packet.strategy.model_dump_json())
        record: dict[str, object] = {"run_id": run_id, "saved_at": when, "strategy": strategy}
        write_record(self._path(packet.strategy.strategy_id), record)
        return Saved(strategy=packet.strategy, run_id=run_id, saved_at=when)

    def all(self) -> list[Saved]:
        """Every strategy that can be read, oldest first; a damaged file is not used and not repaired."""
        try:
            paths = sorted(self.folder.strategies.glob("s-*.json"))
        except OSError:
            return []
        found = [saved for saved in map(_read, paths) if saved is not None]
        return sorted(found, key=lambda saved: (saved.saved_at, saved.strategy.strategy_id))

    def of_run(self, run_id: str) -> list[Saved]:
        """The strategies of a run, oldest first."""
        return [saved for saved in self.all() if saved.run_id == run_id]

    def drop(self, strategy_id: str) -> None:
        """Forget a strategy.

        Raises:
            UsageError: there is none of this ID.
        """
        known = [saved.strategy.strategy_id for saved in self.all()]
        if strategy_id not in known:
            listed = ", ".join(known[:10]) or "none"
            raise UsageError(f"no strategy {strategy_id[:64]!r} is saved", fix=f"Saved are: {listed}.")
        remove_record(self._path(strategy_id))


def _read(path: Path) -> Saved | None:
    record = read_record(path)
    if record is None or isinstance(record, UnreadableRecord):
        return None
    run_id, when = record.get("run_id"), record.get("saved_at")
    if not isinstance(run_id, str) or not isinstance(when, str):
        return None
    try:
        packet = read_packet({"expected_state_id": _ANY_STATE, "strategy": cast("object", record.get("strategy"))})
    except InvalidPacketError:
        return None
    same = path.name == f"s-{packet.strategy.strategy_id}.json"
    return Saved(strategy=packet.strategy, run_id=run_id, saved_at=when) if same else None
