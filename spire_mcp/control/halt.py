"""The persistent stop: what HALTED says, how it is set, and what makes it go away."""

from collections.abc import Mapping

from spire_mcp.control.clock import Clock
from spire_mcp.control.storage import PortFolder, UnreadableRecord, read_record, write_record
from spire_mcp.errors import HaltedError

_WHAT_TO_DO = (
    "Look at the game and see whether the request below took effect. Then run `spire-mcp state` and "
    "`spire-mcp clear-halt STATE_ID` with the state ID it prints. Nothing acts on this port until then."
)


def read_halt(folder: PortFolder) -> dict[str, object] | None:
    """The stop marker, or None. A marker that cannot be read still stops: it is returned with a reason that says so."""
    record = read_record(folder.halted)
    if isinstance(record, UnreadableRecord):
        return {
            "reason": f"the HALTED file is {record['unreadable']}; it stops all the same",
            "what_to_do": _WHAT_TO_DO,
        }
    return record


def set_halt(
    folder: PortFolder,
    clock: Clock,
    *,
    reason: str,
    seq: int | None = None,
    state_id_before: str | None = None,
    state_id_seen: str | None = None,
    option: str | None = None,
    request: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Stop the port until `clear-halt`. The first reason stays: a later one never hides it.

    Raises:
        StorageError: the marker could not be written.
    """
    present = read_halt(folder)
    if present is not None:
        return present
    marker: dict[str, object] = {
        "reason": reason,
        "when": clock.timestamp(),
        "seq": seq,
        "state_id_before": state_id_before,
        "state_id_seen": state_id_seen,
        "option": option,
        "request": dict(request) if request else None,
        "what_to_do": _WHAT_TO_DO,
    }
    folder.create()
    write_record(folder.halted, marker)
    return marker


def halted_error(marker: Mapping[str, object], *, may_have_acted: bool = False) -> HaltedError:
    """The error that answers everything that would act on a stopped port."""
    return HaltedError(f"HALTED: {marker.get('reason', 'no reason recorded')}", may_have_acted=may_have_acted)
