"""The state directory: whole records or none, private, and damage that is never taken for absence."""

import os
import stat
from pathlib import Path

import pytest

from spire_mcp.control import journal
from spire_mcp.control.halt import read_halt, set_halt
from spire_mcp.control.storage import (
    PortFolder,
    StorageError,
    UnreadableRecord,
    read_record,
    remove_record,
    write_record,
)
from tests.clock import TestClock

posix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")


@pytest.fixture
def folder(tmp_path: Path) -> PortFolder:
    folder = PortFolder(tmp_path / "state", 15526)
    folder.create()
    return folder


def test_a_record_is_read_back_as_it_was_written(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 3, "label": "Bash → 小啃兽"})
    assert read_record(folder.inflight) == {"seq": 3, "label": "Bash → 小啃兽"}


def test_writing_a_record_leaves_no_temporary_file(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 3})
    assert [path.name for path in folder.path.iterdir()] == ["inflight.json"]


@posix_only
def test_files_and_folders_are_private(folder: PortFolder) -> None:
    write_record(folder.inflight, {"seq": 1})
    journal.append(folder.journal, {"seq": 1})
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder.inflight, folder.journal)}
    assert modes == {"inflight.json": 0o600, "journal.jsonl": 0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder.root, folder.root / "ports", folder.path)} == {0o700}


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b"\xff\xfe", b"null", b"[" * 100_000])
def test_a_damaged_record_still_counts_as_there(folder: PortFolder, damage: bytes) -> None:
    folder.inflight.write_bytes(damage)
    assert isinstance(read_record(folder.inflight), UnreadableRecord)


def test_a_huge_record_is_not_read_whole(folder: PortFolder) -> None:
    folder.inflight.write_bytes(b" " * (5 * 1024 * 1024))
    assert isinstance(read_record(folder.inflight), UnreadableRecord)


def test_an_absent_record_is_none_and_its_removal_is_no_error(folder: PortFolder) -> None:
    assert read_record(folder.inflight) is None
    remove_record(folder.inflight)


@posix_only
def test_a_link_in_place_of_a_record_is_not_followed(folder: PortFolder, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.json"
    foreign.write_text('{"seq": 9}', encoding="utf-8")
    folder.inflight.symlink_to(foreign)
    with pytest.raises(StorageError):
        read_record(folder.inflight)
    write_record(folder.inflight, {"seq": 1})
    assert foreign.read_text(encoding="utf-8") == '{"seq": 9}'


def test_a_state_directory_that_is_a_file_gives_one_clear_error_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("", encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        PortFolder(tmp_path / "state", 1).create()
    assert str(tmp_path) not in caught.value.message
    assert "SPIRE_MCP_STATE_DIR" in caught.value.fix


def test_sequence_numbers_go_on_from_the_last_record(folder: PortFolder) -> None:
    assert journal.next_seq(folder.journal) == 1
    journal.append(folder.journal, {"seq": 7})
    assert journal.next_seq(folder.journal) == 8


def test_a_line_torn_by_a_crash_is_kept_and_the_next_record_stands_alone(folder: PortFolder) -> None:
    journal.append(folder.journal, {"seq": 1})
    with folder.journal.open("ab") as file:
        file.write(b'{"seq": 2, "option": "play:BA')
    journal.append(folder.journal, {"seq": 2, "outcome": "unknown"})
    lines = folder.journal.read_bytes().splitlines()
    assert lines[1] == b'{"seq": 2, "option": "play:BA'
    assert [record["seq"] for record in journal.last(folder.journal, 5)] == [1, 2]


def test_the_newest_records_are_found_in_a_journal_longer_than_one_block(folder: PortFolder) -> None:
    # 6,000 records of about 100 bytes are more than two blocks of 256 KiB.
    with folder.journal.open("wb") as file:
        for seq in range(1, 6001):
            file.write(f'{{"seq": {seq}, "filler": "{"x" * 80}"}}\n'.encode())
    assert [record["seq"] for record in journal.last(folder.journal, 3)] == [5998, 5999, 6000]
    assert len(journal.last(folder.journal, 5000)) == 5000


@posix_only
def test_a_record_that_does_not_fit_on_the_disk_leaves_no_half_line(
    folder: PortFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append(folder.journal, {"seq": 1})
    whole = folder.journal.read_bytes()
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) > 10:
            return write(descriptor, data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StorageError):
        journal.append(folder.journal, {"seq": 2, "option": "end_turn"})
    monkeypatch.undo()
    assert folder.journal.read_bytes() == whole


def test_a_journal_of_somebody_else_is_refused_and_a_short_note_in_it_is_not(folder: PortFolder) -> None:
    folder.journal.write_text("hello\n", encoding="utf-8")
    assert journal.next_seq(folder.journal) == 1
    folder.journal.write_text("not a journal\n" * 40_000, encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        journal.next_seq(folder.journal)
    assert "no record of ours" in caught.value.message


@posix_only
def test_a_port_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "state" / "ports").mkdir(parents=True)
    (tmp_path / "state" / "ports" / "15526").symlink_to(elsewhere)
    with pytest.raises(StorageError) as caught:
        PortFolder(tmp_path / "state", 15526).create()
    assert "link" in caught.value.message


def test_the_first_reason_of_a_stop_is_never_hidden_by_a_later_one(folder: PortFolder) -> None:
    set_halt(folder, TestClock(), reason="first")
    assert set_halt(folder, TestClock(), reason="second")["reason"] == "first"


def test_a_stop_marker_that_is_not_json_still_stops(folder: PortFolder) -> None:
    folder.halted.write_text("stop!", encoding="utf-8")
    marker = read_halt(folder)
    assert marker is not None
    assert "not JSON" in str(marker["reason"])
