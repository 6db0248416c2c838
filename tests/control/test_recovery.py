"""A controller that dies at any point of an action: what the next command finds is the truth."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spire_mcp.control import journal
from spire_mcp.control.recovery import recover
from spire_mcp.control.storage import PortFolder, write_record
from tests.clock import TestClock
from tests.products import seat

# Runs one action in a process that kills itself before or after the named step.
_DIES = """
import os, signal, sys
from pathlib import Path
from spire_mcp.app import App
from spire_mcp.control import executor, lock
from spire_mcp.settings import Settings
from tests.products import SHORT, SHORT_WIRE

url, state_dir, point, when = sys.argv[1:5]

def deadly(module, name):
    real = getattr(module, name)
    def wrapped(*args, **kwargs):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)
        return result
    setattr(module, name, wrapped)

app = App(settings=Settings(bridge=url, state_dir=Path(state_dir), config_file=Path("none"), limits=SHORT,
                            wire=SHORT_WIRE))
state = app.state()
match point:
    case "lock":
        deadly(lock, "write_record")
    case "inflight":
        deadly(executor, "write_record")
    case "send":
        deadly(app.client, "send")
    case "journal":
        deadly(executor.journal, "append")
    case "resolve":
        deadly(executor, "remove_record")
app.act(state["state_id"], "end_turn")
print("survived")
"""

# point, before or after it, requests that reached the bridge, whether the next command finds the port stopped
POINTS = [
    ("lock", "before", 0, False),
    ("lock", "after", 0, False),
    ("inflight", "before", 0, False),
    ("inflight", "after", 0, True),
    ("send", "before", 0, True),
    ("send", "after", 1, True),
    ("journal", "before", 1, True),
    ("journal", "after", 1, False),
    ("resolve", "before", 1, False),
    ("resolve", "after", 1, False),
]


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
@pytest.mark.parametrize(("point", "when", "requests", "stopped"), POINTS)
def test_after_a_death_at_any_point_the_next_command_says_the_truth(
    tmp_path: Path, point: str, when: str, requests: int, stopped: bool
) -> None:
    with seat(tmp_path) as table:
        done = subprocess.run(
            [sys.executable, "-c", _DIES, table.server.url, str(tmp_path), point, when],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            cwd=Path(__file__).resolve().parents[2],
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert len(table.sent) == requests
        status = table.app.status()
        assert (status["halted"] is not None) is stopped
        result = table.act("end_turn")
        assert result["outcome"] == ("refused" if stopped else "verified")
        assert len(table.sent) == (requests if stopped else requests + 1)
        seqs = [int(str(record["seq"])) for record in table.app.journal(last=50)]
        assert seqs == sorted(set(seqs))


@pytest.fixture
def folder(tmp_path: Path) -> PortFolder:
    folder = PortFolder(tmp_path / "state", 15526)
    folder.create()
    return folder


def test_an_action_whose_outcome_the_journal_holds_is_no_stop(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 4, "option": "end_turn"})
    journal.append(folder.journal, {"seq": 4, "option": "end_turn", "outcome": "verified"})
    assert recover(folder, TestClock()) is None
    assert not folder.inflight.exists()


def test_a_journal_line_of_another_action_does_not_resolve_it(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 4, "option": "end_turn"})
    journal.append(folder.journal, {"seq": 4, "option": "play:BASH:e1", "outcome": "verified"})
    assert recover(folder, TestClock()) is not None
    assert folder.halted.exists()


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"seq": "four"}', '{"seq": true}'])
def test_a_damaged_in_flight_record_stops_the_port(folder: PortFolder, damage: str) -> None:
    folder.inflight.write_text(damage, encoding="utf-8")
    marker = recover(folder, TestClock())
    assert marker is not None
    assert folder.halted.exists()
    assert folder.inflight.read_text(encoding="utf-8") == damage


def test_a_lost_action_is_told_once_in_the_journal(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 1, "option": "end_turn", "kind": "action"})
    for _ in range(3):
        recover(folder, TestClock())
    lines = [json.loads(line) for line in folder.journal.read_text(encoding="utf-8").splitlines()]
    assert [(line["seq"], line["outcome"]) for line in lines] == [(1, "unknown")]
