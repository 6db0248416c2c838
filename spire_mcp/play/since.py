"""What has changed since our last call: another run, or a board that somebody else has moved."""

from spire_mcp.control.storage import PortFolder, UnreadableRecord, read_record, remove_record, write_record
from spire_mcp.game.screens import Observation


def saw(folder: PortFolder, observation: Observation, run_id: str | None) -> None:
    """Remember the state at rest in which a call of ours leaves the game; only while the lock is held."""
    run = observation.run
    write_record(
        folder.seen,
        {
            "state_id": observation.state_id,
            "run_id": run_id,
            "act": run.act if run else None,
            "floor": run.floor if run else None,
        },
    )


def lost_sight(folder: PortFolder) -> None:
    """Forget how the game was left: an action of ours may still be taking effect, and would look like another's."""
    remove_record(folder.seen)


def since_last(folder: PortFolder, observation: Observation, run_id: str | None) -> dict[str, dict[str, object]]:
    """What is different from how our last call left the game; nothing where it is the same or nobody knows.

    `run_boundary`: the bridge reports another run. That a run has ended says nothing of how. `moved_by_others`: it is
    the same room of the same run, and another state.
    """
    last = read_record(folder.seen)
    if last is None or isinstance(last, UnreadableRecord):
        return {}
    before, run = last.get("run_id"), observation.run
    if before is not None and run_id is not None and before != run_id:
        note = "another run than at the last call; how the other one ended is not known"
        return {"run_boundary": {"before": before, "now": run_id, "note": note}}
    same_room = run is not None and (last.get("act"), last.get("floor")) == (run.act, run.floor)
    if same_room and last.get("state_id") != observation.state_id:
        note = "somebody else moved the board since the last call"
        return {"moved_by_others": {"before": last.get("state_id"), "now": observation.state_id, "note": note}}
    return {}
