"""One writer per port, across processes, and the lock dies with its holder."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from spire_mcp.control.clock import SystemClock
from spire_mcp.control.lock import lock_status, writer_lock
from spire_mcp.control.storage import PortFolder, StorageError
from spire_mcp.errors import BusyError

_HOLDER = """
import sys
from pathlib import Path
from spire_mcp.control.clock import SystemClock
from spire_mcp.control.lock import writer_lock
from spire_mcp.control.storage import PortFolder, StorageError
with writer_lock(PortFolder(Path(sys.argv[1]), 15526), SystemClock(), purpose="battle", wait=0):
    print("held", flush=True)
    sys.stdin.read()
"""


def _holder(state: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_told_who_holds_the_port(tmp_path: Path) -> None:
    folder = PortFolder(tmp_path, 15526)
    with _holder(tmp_path) as process:
        with pytest.raises(BusyError) as caught, writer_lock(folder, SystemClock(), purpose="act", wait=0.1):
            pass
        assert f"process {process.pid}, battle" in caught.value.message
        status = lock_status(folder)
        process.communicate()
    assert status["held"] is True
    assert status["purpose"] == "battle"
    assert lock_status(folder)["held"] is False


def test_a_second_holder_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    folder = PortFolder(tmp_path, 15526)
    with (
        writer_lock(folder, SystemClock(), purpose="a", wait=0),
        pytest.raises(BusyError),
        writer_lock(folder, SystemClock(), purpose="b", wait=0),
    ):
        pass


def test_a_port_that_was_never_used_is_held_by_nobody(tmp_path: Path) -> None:
    assert lock_status(PortFolder(tmp_path, 15526))["held"] is False
    assert not (tmp_path / "ports").exists()


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_holder_frees_the_port(tmp_path: Path) -> None:
    folder = PortFolder(tmp_path, 15526)
    with _holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    with writer_lock(folder, SystemClock(), purpose="act", wait=0):
        pass


def test_a_file_system_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(self: FileLock) -> None:
        raise NotImplementedError("no locks here")

    monkeypatch.setattr(FileLock, "acquire", unsupported)
    folder = PortFolder(tmp_path, 15526)
    with pytest.raises(StorageError) as caught, writer_lock(folder, SystemClock(), purpose="act", wait=0):
        pass
    assert "no locks" in caught.value.message


def test_the_lock_file_stays_when_the_lock_is_given_back(tmp_path: Path) -> None:
    folder = PortFolder(tmp_path, 15526)
    with writer_lock(folder, SystemClock(), purpose="act", wait=0):
        inode = folder.lock.stat().st_ino
    assert folder.lock.stat().st_ino == inode
