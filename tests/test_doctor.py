"""The doctor: what it finds, what it advises, and what it never shows."""

import json
import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spire_mcp import cli
from spire_mcp.app import App
from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.control.clock import SystemClock
from spire_mcp.control.lock import writer_lock
from spire_mcp.control.storage import PortFolder
from spire_mcp.doctor import (
    check_clock,
    check_proxies,
    check_python,
    check_space,
    check_terminal,
    shown_path,
)
from spire_mcp.doctor_bridge import check_address, check_mod
from spire_mcp.errors import UsageError
from spire_mcp.practice.model_server import ModelServer
from tests.products import Table, seat

SECRET = "sk-never-shown-7f3a"
CHECK_KEYS = {"name", "ok", "found", "fix"}


def checks(table: Table) -> dict[str, dict[str, Any]]:
    result: dict[str, Any] = table.app.doctor()
    return {check["name"]: check for check in result["checks"]}


def fault(tmp_path: Path, kind: str) -> dict[str, Any]:
    with seat(tmp_path / "state", faults=f"{kind}@*") as table:
        assert table.app.doctor()["ok"] is False
        found = checks(table)
        assert table.sent == []
    return found["game state"]


def test_with_a_bridge_everything_that_blocks_play_is_well_and_nothing_was_sent(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        result: dict[str, Any] = table.app.doctor()
        assert table.sent == []
    assert result["ok"] is True
    assert set(result) == {"ok", "outcome", "checks"}
    assert all(set(check) == CHECK_KEYS for check in result["checks"])
    names = [check["name"] for check in result["checks"]]
    assert len(names) == len(set(names))
    found = {check["name"]: check["found"] for check in result["checks"]}
    assert found["bridge"].startswith("Hello from STS2 MCP")
    assert found["game state"].startswith("readable")
    assert "any program" in found["trust"]


def test_every_failed_check_says_what_to_do(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        table.server.stop()
        failed = [check for check in checks(table).values() if not check["ok"]]
    assert failed
    assert all(check["fix"] for check in failed)


def test_a_bridge_that_is_not_running_is_one_finding_with_the_way_to_start_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:  # bound and not listening: nothing can answer on this port meanwhile
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("SPIRE_MCP_BRIDGE", f"http://127.0.0.1:{taken.getsockname()[1]}")
        assert cli.main(["doctor", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    found = {check["name"]: check for check in result["checks"]}
    assert result["ok"] is False
    assert "error" not in result
    assert found["bridge"]["found"].startswith("bridge_unreachable")
    assert "Start the game" in found["bridge"]["fix"]
    assert found["game state"]["ok"] is False
    assert found["state directory"]["ok"] is True


def test_a_mod_that_does_not_fit_a_multiplayer_run_and_garbage_are_told_apart(tmp_path: Path) -> None:
    incompatible = fault(tmp_path, "get_500_missing_method")
    multiplayer = fault(tmp_path, "multiplayer")
    garbage = fault(tmp_path, "get_garbage")
    assert incompatible["found"].startswith("bridge_incompatible")
    assert "build STS2MCP" in incompatible["fix"]
    assert multiplayer["found"].startswith("multiplayer")
    assert "Leave the multiplayer run" in multiplayer["fix"]
    assert garbage["found"].startswith("bridge_error")
    assert "another program" in garbage["fix"]


def test_an_address_of_another_machine_is_a_finding_and_is_not_asked(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        settings = replace(table.app.settings, bridge="http://example.com:15526")
        result: dict[str, Any] = App(settings=settings).doctor()
    found = {check["name"]: check for check in result["checks"]}
    assert result["ok"] is False
    assert found["bridge address"]["ok"] is False
    assert "bridge" not in found


def test_a_policy_without_a_model_that_it_needs_is_a_finding(tmp_path: Path) -> None:
    with seat(tmp_path / "state", settings={"policy": "jev"}) as table:
        with pytest.raises(UsageError) as refused:
            table.app.policy()
        assert checks(table)["setting policy"]["fix"] == refused.value.fix
        assert table.app.doctor()["ok"] is False


def test_a_file_where_the_state_directory_should_be_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way", encoding="utf-8")
    with seat(tmp_path / "state") as table:
        result = table.app.doctor()
        found = checks(table)
    assert result["ok"] is False
    assert found["state directory"]["ok"] is False
    assert "Make " in found["state directory"]["fix"]


def test_damaged_records_stop_play_and_stay_as_they_are(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        table.files.mkdir(parents=True, mode=0o700)
        for name in ("HALTED", "inflight.json"):
            (table.files / name).write_text("{torn", encoding="utf-8")
        found = checks(table)
        assert table.halted
        assert table.inflight
        assert not (table.files / "journal.jsonl").exists()
    assert found["HALTED"]["ok"] is False
    assert "clear-halt" in found["HALTED"]["fix"]
    assert found["in-flight record"]["ok"] is False


def test_a_folder_in_the_lock_s_place_is_a_finding(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        (table.files / "lock").mkdir(parents=True)
        found = checks(table)
    assert found["writer lock"]["ok"] is False


def test_the_holder_of_the_lock_is_named_and_its_action_counts_as_under_way(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        folder = table.app.controller.folder
        with writer_lock(folder, SystemClock(), purpose="battle", wait=0):
            folder.inflight.write_text("{}", encoding="utf-8")
            found = checks(table)
    assert found["writer lock"]["ok"] is False
    assert f"process {os.getpid()}, battle" in found["writer lock"]["found"]
    assert found["in-flight record"]["ok"] is True


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of this kind")
def test_a_state_directory_that_others_may_enter_is_named_and_does_not_stop_play(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(0o755)
    with seat(tmp_path / "state") as table:
        result = table.app.doctor()
        found = checks(table)
    assert result["ok"] is True
    assert found["state directory"]["ok"] is False
    assert "chmod" in found["state directory"]["fix"]


def test_the_probe_file_is_gone_afterwards_and_the_folders_are_private(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        checks(table)
        assert list(table.files.iterdir()) == []
        if os.name != "nt":
            assert table.files.stat().st_mode & 0o077 == 0


def test_no_key_and_no_secret_in_an_address_is_ever_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TYPESAFE_API_KEY", SECRET)
    monkeypatch.setenv("TYPESAFE_BASE_URL", f"https://user:{SECRET}@models.example/{SECRET}?key={SECRET}")
    monkeypatch.setenv("HTTP_PROXY", f"http://user:{SECRET}@proxy.example:3128")
    with seat(tmp_path / "state") as table:
        monkeypatch.setenv("SPIRE_MCP_BRIDGE", table.server.url)
        assert cli.main(["doctor", "--json"]) == 0
        assert cli.main(["doctor", "--human"]) == 0
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
    found = {check["name"]: check["found"] for check in json.loads(printed.out.splitlines()[0])["checks"]}
    assert found["setting api_key"] == "present, not shown (environment (TYPESAFE_API_KEY))"
    assert found["setting model_url"] == "models.example (environment (TYPESAFE_BASE_URL))"
    assert "HTTP_PROXY set; ignored" in found["proxies"]


def test_proxies_do_not_keep_the_doctor_from_the_bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    with seat(tmp_path / "state") as table:
        assert table.app.doctor()["ok"] is True


def test_settings_say_where_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('policy = "solver"\n[battle]\nlow_hp = 0.5\n', encoding="utf-8")
    monkeypatch.setenv("SPIRE_MCP_CONFIG", str(config))
    with seat(tmp_path / "state") as table:
        assert cli.main(["doctor", "--json", "--bridge", table.server.url]) == 0
    found = {check["name"]: check["found"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert found["settings file"].endswith("config.toml: read")
    assert found["setting policy"] == "solver, plays as solver (settings file)"
    assert found["setting battle"] == "low_hp = 0.5 (settings file)"
    assert found["setting limits"] == "the defaults (default)"
    assert found["setting api_key"] == "absent (default)"
    assert found["setting bridge"] == "127.0.0.1 (command line (--bridge))"


def test_the_view_for_people_marks_each_check_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("SPIRE_MCP_BRIDGE", f"http://127.0.0.1:{taken.getsockname()[1]}")
        assert cli.main(["doctor", "--human"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "✗ not_ready"
    assert any(line.startswith("  ✓ python: ") for line in lines)
    bridge = next(number for number, line in enumerate(lines) if line.startswith("  ✗ bridge: "))
    assert lines[bridge + 1].startswith("      what to do: Start the game")


@pytest.mark.parametrize(("version", "ok"), [((3, 10, 14), False), ((3, 11, 0), True), ((3, 14, 1), True)])
def test_python_before_3_11_is_too_old(version: tuple[int, int, int], ok: bool) -> None:
    assert check_python(version).ok is ok


def test_a_clock_before_2026_is_wrong() -> None:
    assert check_clock("1970-01-01T00:00:00+00:00").ok is False
    assert check_clock("2026-01-01T00:00:00+00:00").ok is True


def test_a_terminal_needs_utf_8_unless_it_is_a_windows_console() -> None:
    assert check_terminal("UTF-8", windows=False).ok is True
    assert check_terminal("ANSI_X3.4-1968", windows=False).ok is False
    assert check_terminal("cp1252", windows=True).ok is True


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("http://localhost:7", "without a look-up"),
        ("http://[::1]:7", "write http://127.0.0.1:7"),
        ("http://127.0.0.1:7", "http://127.0.0.1:7"),
    ],
)
def test_the_spelling_of_the_address_is_explained(written: str, says: str) -> None:
    check = check_address(written, BridgeAddress.parse(written))
    assert check.ok is True
    assert says in f"{check.found} {check.fix}"


def test_only_proxies_that_capture_plain_http_are_named() -> None:
    check = check_proxies({"http_proxy": "x", "https_proxy": "x", "NO_PROXY": "x", "ALL_PROXY": ""})
    assert check.found.startswith("http_proxy set")


def test_ten_megabytes_must_be_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 10_000_000  # the bound itself is not enough

    monkeypatch.setattr("spire_mcp.doctor.shutil.disk_usage", lambda path: Usage)
    assert check_space(PortFolder(tmp_path / "none", 7)).ok is False
    Usage.free += 1
    assert check_space(PortFolder(tmp_path / "none", 7)).ok is True


def test_a_path_below_home_is_shown_from_the_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert shown_path(tmp_path / "a" / "b") == str(Path("~/a/b"))
    assert shown_path(tmp_path) == "~"
    assert shown_path(tmp_path.parent) == str(tmp_path.parent)


def test_the_mod_is_held_against_the_tested_ones() -> None:
    assert check_mod("Hello from STS2 MCP v0.4.0").ok
    newer = check_mod("Hello from STS2 MCP v0.5.1")
    assert (newer.ok, newer.blocks) == (False, False)
    assert "0.5.1" in newer.found
    assert "record" in str(newer.fix)
    assert check_mod("").found.startswith("version not named")


def test_a_build_that_cannot_name_the_run_says_what_that_costs(tmp_path: Path) -> None:
    with seat(tmp_path / "state", faults="compendium_missing@*") as table:
        found = checks(table)["run identity"]
        assert table.app.doctor()["ok"] is True
    assert "packet" in str(found["fix"]) or found["ok"] is True


def test_the_model_is_asked_only_when_asked_for_and_its_key_is_never_shown(tmp_path: Path) -> None:
    with ModelServer() as service, seat(tmp_path / "state") as table:
        settings = replace(table.app.settings, model_url=service.url, api_key=SECRET)
        app = App(settings=settings)
        assert "decision model" not in json.dumps(app.doctor())
        assert service.requests == []
        result = json.dumps(app.doctor(ask_model=True))
        assert "scripted-ranking answers" in result
        assert len(service.requests) == 1
        assert SECRET not in result
        app.close()


@pytest.mark.parametrize(("faults", "said"), [("status_401@*", "refused the key"), ("garbage@*", "cannot be read")])
def test_a_model_that_fails_is_a_finding_that_blocks_nothing(tmp_path: Path, faults: str, said: str) -> None:
    with ModelServer(faults=faults) as service, seat(tmp_path / "state") as table:
        app = App(settings=replace(table.app.settings, model_url=service.url, api_key=SECRET))
        result: dict[str, Any] = app.doctor(ask_model=True)
        app.close()
    found = next(check for check in result["checks"] if check["name"] == "decision model")
    assert said in found["found"]
    assert result["ok"] is True


def test_without_a_model_asking_for_it_says_how_to_get_one(tmp_path: Path) -> None:
    with seat(tmp_path / "state") as table:
        result: dict[str, Any] = table.app.doctor(ask_model=True)
    found = next(check for check in result["checks"] if check["name"] == "decision model")
    assert "TYPESAFE_API_KEY" in found["fix"]
