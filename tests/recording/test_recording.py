"""A recording is small, scrubbed and strict, and a replay of it makes the same decisions."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spire_mcp.app import App
from spire_mcp.bridge.changes import change_between, changed
from spire_mcp.bridge.recording import Recording, RecordingWriter
from spire_mcp.bridge.replaying import Replay, ReplayServer
from spire_mcp.bridge.scrub import run_alias, scrubbed
from spire_mcp.bridge.tape import FRESH, Tape
from spire_mcp.cli import main
from spire_mcp.control.clock import SystemClock
from spire_mcp.errors import UsageError
from spire_mcp.practice.server import PracticeServer
from spire_mcp.recorder import Recorder
from spire_mcp.settings import Settings
from tests.products import SHORT, SHORT_WIRE

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON)
def test_a_change_makes_the_new_value_of_the_old_one(old: object, new: object) -> None:
    made = changed(old, change_between(old, new))
    assert json.dumps(made, sort_keys=True) == json.dumps(new, sort_keys=True)  # 1 and True are not one value


@given(JSON, JSON)
def test_what_is_no_change_is_refused_in_words(old: object, change: object) -> None:
    try:
        changed(old, change)
    except ValueError as error:
        assert str(error)  # noqa: PT017 - either end is right; only another error would be wrong


_APPS: list[App] = []


@pytest.fixture(autouse=True)
def closed() -> Generator[None]:
    """Close what a test opened."""
    yield
    while _APPS:
        _APPS.pop().close()


def app_for(url: str, folder: Path) -> App:
    _APPS.append(_app(url, folder))
    return _APPS[-1]


def _app(url: str, folder: Path) -> App:
    return App(
        settings=Settings(bridge=url, state_dir=folder, config_file=folder / "none.toml", limits=SHORT, wire=SHORT_WIRE)
    )


@contextmanager
def recording(app: App, out: Path) -> Generator[None]:
    """A recorder of the application's port on a thread of its own."""
    ready, stop = threading.Event(), threading.Event()
    problems: list[BaseException] = []

    def work() -> None:
        recorder = Recorder(folder=app.folder, client=app.client, clock=SystemClock(), out=out)
        try:
            recorder.run(stop.is_set, ready.set)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            problems.append(error)
            ready.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert ready.wait(5)
    try:
        yield
    finally:
        stop.set()
        thread.join(10)
        assert problems == []


def test_a_replay_of_a_fight_makes_the_same_decisions_on_the_same_states(tmp_path: Path) -> None:
    out = tmp_path / "fight.jsonl"
    with PracticeServer(delay=0.01, seed="recorded") as server:
        played = app_for(server.url, tmp_path / "a")
        one_state = len(json.dumps(played.state(view="raw")["view"]))
        with recording(app_for(server.url, tmp_path / "a"), out):
            first: dict[str, Any] = played.battle(policy="solver")
    assert first["outcome"] in {"combat_over", "handover"}
    assert first["steps"] > 3
    with ReplayServer(Recording.load(out)) as again:
        second: dict[str, Any] = app_for(again.url, tmp_path / "b").battle(policy="solver")
        assert again.replay.left == 0
    assert [(a["option"], a["label"], a["by"]) for a in second["actions"]] == [
        (a["option"], a["label"], a["by"]) for a in first["actions"]
    ]
    assert second["state"]["state_id"] == first["state"]["state_id"]
    # One state for each action would be this much; the states between, and the answers, are in the file as well.
    assert out.stat().st_size < one_state * first["steps"]


def test_an_action_that_was_not_recorded_is_refused_and_nothing_moves(tmp_path: Path) -> None:
    out = tmp_path / "fight.jsonl"
    with PracticeServer(delay=0.01, seed="recorded") as server:
        played = app_for(server.url, tmp_path / "a")
        with recording(app_for(server.url, tmp_path / "a"), out):
            state: dict[str, Any] = played.state()
            end = next(option["id"] for option in state["options"] if option["id"] == "end_turn")
            played.act(state["state_id"], end)
    with ReplayServer(Recording.load(out)) as again:
        app = app_for(again.url, tmp_path / "b")
        shown: dict[str, Any] = app.state()
        assert shown["state_id"] == state["state_id"]
        other = next(option["id"] for option in shown["options"] if option["id"].startswith("play:"))
        refused: dict[str, Any] = app.act(shown["state_id"], other)
        assert refused["error"]["code"] == "rejected"
        assert app.act(shown["state_id"], end)["outcome"] == "verified"


def test_an_answer_that_was_lost_is_lost_again_and_halts_again(tmp_path: Path) -> None:
    out = tmp_path / "lost.jsonl"
    with PracticeServer(delay=0.01, seed="lost", faults="hang@1") as server:
        played = app_for(server.url, tmp_path / "a")
        with recording(app_for(server.url, tmp_path / "a"), out):
            state: dict[str, Any] = played.state()
            first: dict[str, Any] = played.act(state["state_id"], "end_turn")
    with ReplayServer(Recording.load(out)) as again:
        second: dict[str, Any] = app_for(again.url, tmp_path / "b").act(state["state_id"], "end_turn")
    assert second["outcome"] == first["outcome"]


def test_nothing_is_recorded_when_nobody_records(tmp_path: Path) -> None:
    with PracticeServer(delay=0.01) as server:
        app = app_for(server.url, tmp_path)
        app.state()
        assert not app.folder.spool.exists()


def test_a_recorder_that_is_gone_is_noticed(tmp_path: Path) -> None:
    marker, spool = tmp_path / "recording.json", tmp_path / "recording.spool"
    marker.write_text("{}", encoding="utf-8")
    spool.touch()
    here = marker.stat().st_mtime
    Tape(marker, spool, now=lambda: here + FRESH + 1).add(lambda: {"path": "/", "status": 200})
    assert spool.read_bytes() == b""
    Tape(marker, spool, now=lambda: here + 1).add(lambda: {"path": "/", "status": 200})
    assert json.loads(spool.read_bytes()) == {"path": "/", "status": 200}


def test_a_spool_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    with PracticeServer(delay=0.01) as server:
        app = app_for(server.url, tmp_path)
        app.folder.create()
        app.folder.recording.write_text("{}", encoding="utf-8")
        app.folder.spool.mkdir()
        assert app.state()["ok"] is True


def test_paths_accounts_and_save_names_are_scrubbed(tmp_path: Path) -> None:
    secret = {
        "error": "no /Users/anna/Library/save.json here",
        "save_path": "C:\\Users\\anna\\save",
        "owner": "76561198000000001",
        "deep": [{"steam_id": "anna"}],
    }
    text = json.dumps(scrubbed(secret))
    assert "anna" not in text
    assert "76561198000000001" not in text
    assert run_alias("modded:profile1:1") == run_alias("modded:profile1:1") != run_alias("modded:profile1:2")
    out = tmp_path / "run.jsonl"
    with PracticeServer(delay=0.01) as server:
        app = app_for(server.url, tmp_path / "a")
        with recording(app_for(server.url, tmp_path / "a"), out):
            identity = app.client.run_identity()
    assert identity is not None
    assert identity not in out.read_text(encoding="utf-8")
    with ReplayServer(Recording.load(out)) as again:
        assert app_for(again.url, tmp_path / "b").client.run_identity() == run_alias(identity)


def lines(*more: object) -> list[bytes]:
    header = {"recording": 1, "made_by": "a test", "greeting": "hello"}
    return [json.dumps(line).encode("utf-8") + b"\n" for line in (header, *more)]


READ = {"at": 0, "get": "/api/v1/singleplayer?format=json", "status": 200, "body": {"n": 1}}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([], "empty"),
        ([b"\n"], "line 1"),
        ([b"{}\n"], "line 1"),
        ([b'{"recording": 2}\n'], "format 1"),
        (lines([]), "line 2"),
        ([*lines(), b"\xff\n"], "line 2"),
        (lines({**READ, "more": 1}), "unknown key 'more'"),
        (lines({**READ, "get": "https://elsewhere"}), "must be a path"),
        (lines({**READ, "post": "/x"}), "must be a path"),
        (lines({"post": "/x", "status": 200}), "`sent`"),
        (lines({**READ, "sent": {}}), "`sent`"),
        (lines({"get": "/x"}), "neither a `status`"),
        (lines({**READ, "status": True}), "HTTP status"),
        (lines({**READ, "status": 1000}), "HTTP status"),
        (lines({**READ, "body": 3}), "no object"),
        (lines({"get": "/x", "status": 200, "change": ["{", {}, []]}), "does not fit"),
        (lines(READ, {**READ, "change": ["[", 0, {}, []]}), "line 3"),
        ([*lines(), b"[" * 100_000 + b"\n"], "nested"),
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(made: list[bytes], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Recording.read(made)
    assert said in caught.value.message


def test_a_line_that_was_cut_off_at_the_end_is_left_out_and_said() -> None:
    found = Recording.read([*lines(READ), b'{"at": 1, "get": "/api'])
    assert found.torn
    assert len(found.exchanges) == 1


def test_states_come_in_their_order_and_the_last_one_stays() -> None:
    second = {"at": 1, "get": READ["get"], "status": 200, "change": ["{", {"n": ["=", 2]}, []]}
    action = {"at": 2, "post": "/api/v1/singleplayer", "sent": {"action": "end_turn"}, "status": 200, "body": {}}
    replay = Replay(Recording.read(lines(READ, second, action)))

    def shown() -> object:
        exchange = replay.get("/api/v1/singleplayer")
        assert exchange is not None
        return exchange.body

    assert [shown(), shown(), shown()] == [{"n": 1}, {"n": 2}, {"n": 2}]
    assert replay.post({"action": "proceed"}) is None
    assert replay.left == 1
    assert replay.post({"action": "end_turn"}) is not None
    assert shown() == {"n": 2}
    assert replay.get("/api/v1/wiki?query=x") is None


def test_a_reading_that_shows_nothing_new_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    big = {"cards": [{"name": f"card {n}", "text": "x" * 50} for n in range(40)]}
    with path.open("w", encoding="utf-8") as file:
        writer = RecordingWriter(file, "hello")
        writer.begin()
        assert writer.add({"path": "/s", "status": 200, "body": {**big, "hp": 1}}, 0)
        assert not writer.add({"path": "/s", "status": 200, "body": {**big, "hp": 1}}, 1)
        before = writer.size
        assert writer.add({"path": "/s", "status": 200, "body": {**big, "hp": 2}}, 2)
        assert writer.size - before < 100  # the change, and not the forty cards again
    assert [exchange.body for exchange in Recording.load(path).exchanges] == [{**big, "hp": 1}, {**big, "hp": 2}]


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.jsonl"
    out.write_text("mine", encoding="utf-8")
    with PracticeServer(delay=0.01) as server:
        monkeypatch.setenv("SPIRE_MCP_BRIDGE", server.url)
        monkeypatch.setenv("SPIRE_MCP_STATE_DIR", str(tmp_path / "state"))
        assert main(["record", str(out)]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"
    assert out.read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
def test_the_two_commands_record_and_replay_across_processes(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    with PracticeServer(delay=0.01, seed="commands") as server:
        env = {**os.environ, "SPIRE_MCP_BRIDGE": server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path / "state")}
        with started(env, "record", str(out)) as ready:
            assert ready["outcome"] == "recording"
            first = run(env, "state")
            run(env, "act", first["state_id"], "end_turn")
            last = run(env, "state")
    with started(env, "replay", str(out), "--port", "0") as ready:
        env = {**env, "SPIRE_MCP_BRIDGE": ready["url"]}
        assert ready["actions"] == 1
        again = run(env, "state")
        assert again["state_id"] == first["state_id"]
        assert run(env, "act", first["state_id"], "end_turn")["outcome"] == "verified"
        assert run(env, "state")["state_id"] == last["state_id"]


def run(env: dict[str, str], *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "spire_mcp", *words],
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=50,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@contextmanager
def started(env: dict[str, str], *words: str) -> Generator[dict[str, Any]]:
    """A command that goes on until it is asked to end, and the object that it printed at its start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "spire_mcp", *words],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=20)
            assert "Traceback" not in err


def test_a_callable_that_fails_is_nobodys_problem(tmp_path: Path) -> None:
    marker, spool = tmp_path / "m", tmp_path / "s"
    marker.touch()
    spool.touch()
    unwritable: Callable[[], dict[str, object]] = lambda: {"body": {1, 2}}  # noqa: E731
    with pytest.raises(TypeError):
        json.dumps(unwritable())
    Tape(marker, spool).add(lambda: {"path": "\ud800"})
    assert spool.read_bytes().endswith(b"\n")
