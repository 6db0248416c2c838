"""What an earlier process left behind: an in-flight record is resolved from the journal, or stops the port."""

from spire_mcp.control import journal
from spire_mcp.control.clock import Clock
from spire_mcp.control.halt import read_halt, set_halt
from spire_mcp.control.storage import PortFolder, read_record, remove_record

_LOST = "an action was in flight when its process ended; whether it took effect is not known"
_KNOWN = frozenset({"verified", "rejected", "not_sent"})


def recover(folder: PortFolder, clock: Clock) -> dict[str, object] | None:
    """Make the port's files tell the truth after a crash; returns the stop marker, or None when the port may act.

    Only to be called while the writer lock is held: otherwise the in-flight record may belong to a living process.

    Raises:
        StorageError: a record could not be read or written.
    """
    record = read_record(folder.inflight)
    if record is None:
        return read_halt(folder)
    seq = record.get("seq")
    seq = seq if isinstance(seq, int) and not isinstance(seq, bool) else None
    written = journal.find(folder.journal, seq) if seq is not None else None
    ours = written is not None and written.get("option") == record.get("option")
    if written is not None and ours and written.get("outcome") in _KNOWN:
        # The process died between the journal line and the removal: the outcome is known.
        remove_record(folder.inflight)
        return read_halt(folder)
    marker = set_halt(
        folder,
        clock,
        reason=_LOST,
        seq=seq,
        state_id_before=_text(record.get("state_id_before")),
        option=_text(record.get("option")),
        request=_request(record),
    )
    if not ours:
        journal.append(
            folder.journal,
            {
                **({key: value for key, value in record.items() if key != "unreadable"}),
                "seq": seq if seq is not None else journal.next_seq(folder.journal),
                "kind": "action",
                "outcome": "unknown",
                "evidence": [_LOST],
                "ended": clock.timestamp(),
            },
        )
    return marker


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _request(record: dict[str, object]) -> dict[str, object] | None:
    requests = record.get("requests")
    if isinstance(requests, list) and requests and isinstance(requests[-1], dict):
        return dict(requests[-1])  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return None
