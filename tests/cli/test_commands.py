"""The command line as a stranger drives it: real processes, one JSON object, the exit codes of the interface."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from spire_mcp import __version__
from spire_mcp.practice.model_server import ModelServer
from spire_mcp.practice.server import PracticeServer

_SHORT = """
[limits]
steady = 0.02
play = 0.6
end_turn = 1.5
settle = 3.0
screen = 0.6
effects = 0.2
refused = 0.2
[wire]
send = 0.4
"""


class Shell:
    """Runs commands against one practice game."""

    def __init__(self, server: PracticeServer, folder: Path) -> None:
        self.server = server
        self.state_dir = folder / "state"
        config = folder / "short.toml"
        config.write_text(_SHORT, encoding="utf-8")
        self.env = {
            **{key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")},
            "SPIRE_MCP_BRIDGE": server.url,
            "SPIRE_MCP_STATE_DIR": str(self.state_dir),
            "SPIRE_MCP_CONFIG": str(config),
            "PYTHONIOENCODING": "utf-8",
        }

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "spire_mcp", *words],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, *words: str) -> tuple[int, dict[str, Any]]:
        """A command's exit status and its one JSON object."""
        with self.start(*words) as process:
            out, err = process.communicate(timeout=50)
        assert "Traceback" not in err
        assert out.count("\n") == 1
        return process.returncode, json.loads(out)

    @property
    def files(self) -> Path:
        return self.state_dir / "ports" / str(self.server.port)


@pytest.fixture
def shell(tmp_path: Path) -> Generator[Shell]:
    with PracticeServer(delay=0.05, seed="cli") as server:
        yield Shell(server, tmp_path)


@pytest.fixture
def chinese(tmp_path: Path) -> Generator[Shell]:
    with PracticeServer(delay=0.02, seed="cli", language="zhs") as server:
        yield Shell(server, tmp_path)


def test_version_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spire_mcp", "--version"], capture_output=True, text=True, check=True, timeout=20
    )
    assert done.stdout == f"spire-mcp {__version__}\n"


def test_state_has_the_keys_of_the_interface(shell: Shell) -> None:
    status, state = shell.run("state")
    assert status == 0
    assert {"ok", "state_id", "screen", "run", "route", "view", "options", "halted", "facts"} <= set(state)
    assert set(state["run"]) == {"act", "floor", "ascension", "run_id"}
    assert set(state["route"]) == {"owner", "reason"}
    assert state["route"]["owner"] == "program"
    assert all(set(option) == {"id", "label", "kind"} for option in state["options"])
    assert set(state["facts"]) == {
        "incoming",
        "block",
        "hp",
        "blockable",
        "lethal_for_us",
        "lethal_for_them",
        "intents_signature",
    }
    assert not shell.files.exists()  # reading leaves nothing behind


@pytest.mark.parametrize("view", ["compact", "full", "raw"])
def test_each_view_is_printed(shell: Shell, view: str) -> None:
    status, state = shell.run("state", "--view", view)
    assert status == 0
    assert state["view"]


def test_act_performs_one_option_and_proves_it(shell: Shell) -> None:
    _, state = shell.run("state")
    option = next(option["id"] for option in state["options"] if option["id"].startswith("play:"))
    status, result = shell.run("act", state["state_id"], option)
    assert status == 0
    assert result["outcome"] == "verified"
    assert set(result) == {"ok", "outcome", "seq", "state_id_before", "option", "evidence", "state"}
    assert result["state_id_before"] == state["state_id"]
    assert result["state"]["state_id"] != state["state_id"]
    assert len(shell.server.requests) == 1


def test_a_fight_is_played_to_its_end_in_english_and_in_chinese(shell: Shell, chinese: Shell) -> None:
    for game in (shell, chinese):
        status, result = game.run("battle", "60", "--policy", "solver")
        assert status == 0
        assert result["outcome"] == "combat_over"
        keys = {"ok", "outcome", "reason", "steps", "actions", "model", "brief", "state"}
        assert set(result) == keys
        assert result["steps"] == len(result["actions"]) == len(game.server.requests)
        assert all(set(action) >= {"seq", "option", "label", "by", "evidence"} for action in result["actions"])
        assert set(result["model"]) == {"name", "requests", "input_tokens", "cost_usd", "seconds"}
        assert result["state"]["screen"] == "rewards"


def test_the_limit_on_steps_is_kept(shell: Shell) -> None:
    status, result = shell.run("battle", "2", "--policy", "solver")
    assert (status, result["outcome"], result["steps"]) == (0, "step_limit", 2)


def test_a_battle_away_from_a_fight_hands_over(tmp_path: Path) -> None:
    with PracticeServer(delay=0.02, start="map") as server:
        status, result = Shell(server, tmp_path).run("battle")
    assert (status, result["outcome"], result["reason"]) == (0, "handover", "wrong_screen")


def test_advance_stops_at_the_first_decision(shell: Shell) -> None:
    shell.run("battle", "60", "--policy", "solver")
    status, result = shell.run("advance")
    assert (status, result["outcome"], result["reason"]) == (0, "handover", "wrong_screen")
    assert result["actions"][0]["option"].startswith("claim:gold:")
    left = {option["id"] for option in result["state"]["options"]}
    assert "claim:card" in left


def test_preview_and_plan_compute_and_perform_a_line(shell: Shell) -> None:
    _, state = shell.run("state")
    strikes = [option["id"] for option in state["options"] if option["id"].startswith("play:STRIKE")]
    line = [strikes[0], strikes[0], "end_turn"]
    status, preview = shell.run("preview", state["state_id"], *line)
    assert status == 0
    assert [step["option"] for step in preview["steps"]] == line
    assert set(preview["end_of_turn"]) == {"incoming", "hp_lost", "dies", "unknown"}
    assert shell.server.requests == []
    status, done = shell.run("plan", state["state_id"], *line)
    assert (status, done["outcome"], done["steps"]) == (0, "done", 3)
    predicted = preview["steps"][-1]["predicted"]
    assert done["state"]["view"]["player"]["hp"] == predicted["player"]["hp"]


def test_status_journal_and_a_hand_made_stop(shell: Shell) -> None:
    status, found = shell.run("status")
    assert status == 0
    assert set(found) == {"ok", "outcome", "lock", "halted", "inflight", "last_outcome", "bridge", "policy"}
    assert (found["policy"], found["bridge"]["reachable"], found["halted"]) == ("solver", True, None)
    assert shell.run("halt", "--reason", "lunch")[0] == 0
    _, state = shell.run("state")
    assert state["halted"]["reason"] == "lunch"
    status, refused = shell.run("act", state["state_id"], "end_turn")
    assert (status, refused["error"]["code"]) == (4, "halted")
    assert refused["error"]["may_have_acted"] is False
    status, cleared = shell.run("clear-halt", state["state_id"])
    assert (status, cleared["outcome"]) == (0, "cleared")
    with shell.start("journal") as process:
        out, _ = process.communicate(timeout=20)
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["kind"] for record in records] == ["halt", "clear_halt"]


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["act", "s1-aaaaaaaaaaaaaaaa", "end_turn"], 3, "stale_state"),
        (["act", "", ""], 3, "stale_state"),
        (["act", "only-one"], 2, "usage"),
        (["battle", "sixty"], 2, "usage"),
        (["battle", "0"], 2, "usage"),
        (["battle", "101"], 2, "usage"),
        (["battle", "12", "34"], 2, "usage"),
        (["advance", "-3"], 2, "usage"),
        (["clear-halt", "s1-bbbbbbbbbbbbbbbb"], 3, "stale_state"),
        (["preview", "s1-aaaaaaaaaaaaaaaa", "end_turn"], 3, "stale_state"),
        (["dance"], 2, "usage"),
        ([], 2, "usage"),
        (["--bridge", "http://example.com:80", "state"], 2, "usage"),
        (["--bridge", "http://10.0.0.1:15526", "state"], 2, "usage"),
        (["--bridge", "http://127.0.0.1:1", "state"], 6, "bridge_unreachable"),
        (["--bridge", "http://127.0.0.1:1", "act", "s1-a", "b"], 6, "bridge_unreachable"),
        (["--bridge", "http://127.0.0.1:1", "battle"], 6, "bridge_unreachable"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_a_wrong_call_gets_one_clear_error_and_sends_nothing(
    shell: Shell, words: list[str], status: int, code: str
) -> None:
    seen, result = shell.run(*words)
    assert (seen, result["ok"], result["error"]["code"]) == (status, False, code)
    assert set(result["error"]) == {"code", "message", "may_have_acted", "fix"}
    assert result["error"]["fix"]
    assert shell.server.requests == []


@pytest.mark.parametrize(
    ("faults", "code"),
    [
        ("get_500_missing_method@*", "bridge_incompatible"),
        ("multiplayer@*", "multiplayer"),
        ("get_garbage@*", "bridge_error"),
        ("get_huge@*", "bridge_error"),
        ("get_half@*", "bridge_error"),
    ],
)
def test_a_bridge_that_answers_wrongly_is_told_apart(tmp_path: Path, faults: str, code: str) -> None:
    with PracticeServer(delay=0.02, faults=faults) as server:
        status, result = Shell(server, tmp_path).run("state")
    assert (status, result["error"]["code"]) == (6, code)
    assert str(tmp_path) not in json.dumps(result)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_controller_killed_while_the_bridge_hangs_leaves_the_port_stopped(tmp_path: Path) -> None:
    with PracticeServer(delay=0.02, faults="hang_with_effect") as server:
        shell = Shell(server, tmp_path)
        shell.env["SPIRE_MCP_CONFIG"] = ""
        _, state = shell.run("state")
        with shell.start("act", state["state_id"], "end_turn") as process:
            assert server.arrived.wait(10)
            process.send_signal(signal.SIGKILL)
            process.wait(10)
        assert (shell.files / "inflight.json").exists()
        status, after = shell.run("state")
        assert status == 0
        assert after["halted"]["seq"] == 1
        assert (shell.files / "HALTED").exists()
        assert shell.run("act", after["state_id"], "end_turn")[0] == 4
        assert shell.run("battle")[0] == 4
        assert len(server.requests) == 1
        assert shell.run("clear-halt", after["state_id"])[0] == 0
        _, found = shell.run("status")
        assert (found["halted"], found["inflight"]) == (None, None)
        assert found["last_outcome"]["outcome"] == "unknown"


def test_three_processes_at_once_send_one_request(shell: Shell) -> None:
    _, state = shell.run("state")
    running = [shell.start("act", state["state_id"], "end_turn") for _ in range(3)]
    results: list[tuple[int, dict[str, Any]]] = []
    for process in running:
        out, _ = process.communicate(timeout=50)
        results.append((process.returncode, json.loads(out)))
    assert len(shell.server.requests) == 1
    assert sum(status == 0 for status, _ in results) == 1
    assert {result["error"]["code"] for status, result in results if status} <= {"busy", "stale_state"}


def test_the_demo_ends_well_and_says_what_was_decided(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "spire_mcp", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
    ) as process:
        out, told = process.communicate(timeout=55)
    result = json.loads(out)
    assert process.returncode == 0
    assert result["ok"] is True
    assert result["fights"][0]["outcome"] == "combat_over"
    assert result["summary"]["screen"] == "map"
    assert told.count("because") >= 5


def test_help_shows_every_command_with_examples() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spire_mcp", "--help"], capture_output=True, text=True, check=True, timeout=20
    )
    for command in ("state", "act", "battle", "clear-halt", "journal", "practice", "demo", "serve"):
        assert command in done.stdout


def test_a_person_sees_text_and_not_json(shell: Shell) -> None:
    with shell.start("state", "--human") as process:
        out, _ = process.communicate(timeout=20)
    assert not out.startswith("{")
    assert "end_turn" in out


def test_a_fight_with_a_model_leaves_its_key_in_no_file_and_no_output(shell: Shell) -> None:
    key = "sk-cli-9b2d77c1e0"
    # The second answer fails, and the service says what it was sent.
    with ModelServer(faults="status_401@2") as model:
        shell.env |= {"TYPESAFE_API_KEY": key, "TYPESAFE_BASE_URL": model.url, "TYPESAFE_LOG_LEVEL": "debug"}
        with shell.start("battle", "60") as process:
            out, err = process.communicate(timeout=50)
        result = json.loads(out)
        assert result["model"]["requests"] == len(model.requests) >= 1
        assert result["reason"] in {"model_unavailable", "rewards"}
        words = [out, err, *(str(shell.run(word)[1]) for word in ("status", "doctor"))]
        assert not any(key in text for text in words)
        files = [path for path in shell.state_dir.rglob("*") if path.is_file()]
        assert any(path.name == "requests.jsonl" for path in files)
        assert not any(key.encode() in path.read_bytes() for path in files)


def test_practice_serves_a_scripted_model_beside_the_game(shell: Shell) -> None:
    with shell.start("practice", "--port", "0", "--model", "uniform", "--model-faults", "garbage@2") as process:
        assert process.stdout is not None
        served = json.loads(process.stdout.readline())
        with urllib.request.urlopen(f"{served['model_url']}/v1/models", timeout=10) as answer:
            assert json.load(answer)["models"][0]["name"] == "scripted"
        process.terminate()


@pytest.mark.parametrize("words", [("--model", "best"), ("--model", "uniform", "--model-faults", "sulking")])
def test_a_model_that_cannot_be_served_is_a_usage_error(shell: Shell, words: tuple[str, ...]) -> None:
    status, result = shell.run("practice", "--port", "0", *words)
    assert (status, result["error"]["code"]) == (2, "usage")
