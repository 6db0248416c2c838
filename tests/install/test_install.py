"""`install` shows a host its snippet, merges it without losing anything, and can take itself back."""

import json
import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.cli import main
from spire_mcp.errors import UsageError
from spire_mcp.install.hosts import HOSTS, host
from spire_mcp.install.installing import Installer, server_entry, snippet

JSON_HOSTS = [name for name in HOSTS if name not in {"codex", "generic"}]


def installer(folder: Path, name: str, *, bridge: str | None = None) -> Installer:
    environment = {"APPDATA": str(folder / "roaming")}
    found = host(name, home=folder, here=folder / "project", environment=environment, platform="linux")
    return Installer(found, server_entry(found, bridge), folder / "state")


def file_of(one: Installer, content: str | bytes) -> Path:
    path = one.host.file
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


@pytest.mark.parametrize("name", HOSTS)
def test_the_snippet_of_every_host_starts_this_very_server(name: str, tmp_path: Path) -> None:
    one = installer(tmp_path, name)
    text = str(one.show()["snippet"])
    entry = tomllib.loads(text)["mcp_servers"]["spire"] if name == "codex" else json.loads(text)["mcpServers"]["spire"]
    assert [entry["command"], *entry["args"]] == [sys.executable, "-m", "spire_mcp", "serve"]
    assert not (tmp_path / "state").exists()


def test_another_bridge_is_named_in_the_entry(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor", bridge="http://127.0.0.1:15527")
    assert "http://127.0.0.1:15527" in one.entry["args"]


@pytest.mark.parametrize("name", JSON_HOSTS)
def test_writing_keeps_everything_else_and_a_second_time_changes_nothing(name: str, tmp_path: Path) -> None:
    one = installer(tmp_path, name)
    before: dict[str, Any] = {
        "theme": "夜",
        "mcpServers": {"other": {"command": "x"}},
        "n": 1.5,
        "deep": {"a": [1, {}]},
    }
    path = file_of(one, json.dumps(before, indent=4, ensure_ascii=False))
    assert one.write()["outcome"] == "written"
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["mcpServers"].pop("spire") == one.entry
    assert after == before
    assert '\n    "theme": "夜"' in path.read_text(encoding="utf-8")  # four spaces, as it was
    bytes_after, files = path.read_bytes(), sorted(path.parent.iterdir())
    assert one.write()["outcome"] == "unchanged"
    assert (path.read_bytes(), sorted(path.parent.iterdir())) == (bytes_after, files)


def test_writing_makes_a_file_that_is_not_there_and_undoing_removes_it(tmp_path: Path) -> None:
    one = installer(tmp_path, "claude-code")
    one.write()
    path = one.host.file
    assert path is not None
    assert json.loads(path.read_text(encoding="utf-8")) == {"mcpServers": {"spire": one.entry}}
    assert one.undo()["outcome"] == "undone"
    assert not path.exists()
    assert one.undo()["outcome"] == "nothing_to_undo"


@pytest.mark.parametrize(
    "content",
    [
        b'{"a":1}',
        b"",
        b'\xef\xbb\xbf{\r\n\t"mcpServers": {}\r\n}\r\n',
        b'{"mcpServers": {"spire": {"command": "an older one"}}}',
    ],
    ids=["compact", "empty", "windows", "older entry"],
)
def test_undoing_gives_the_very_bytes_back(content: bytes, tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    path = file_of(one, content)
    one.write()
    assert path.read_bytes() != content
    one.undo()
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_the_mark_and_the_line_ends_of_a_windows_file_stay(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    path = file_of(one, b'\xef\xbb\xbf{\r\n  "a": 1\r\n}\r\n')
    one.write()
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_undoing_after_somebody_else_wrote_takes_out_our_entry_alone(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    path = file_of(one, '{"mcpServers": {"spire": {"command": "an older one"}}}')
    one.write()
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["mcpServers"]["new"] = {"command": "y"}
    path.write_text(json.dumps(changed), encoding="utf-8")
    one.undo()
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "mcpServers": {"spire": {"command": "an older one"}, "new": {"command": "y"}}
    }


def test_an_entry_that_was_changed_by_hand_is_not_taken_back(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    one.write()
    path = one.host.file
    assert path is not None
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["mcpServers"]["spire"]["env"] = {"SPIRE_MCP_POLICY": "solver"}
    path.write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(UsageError, match="not the entry that was written"):
        one.undo()
    assert json.loads(path.read_text(encoding="utf-8")) == changed


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "no JSON object"),
        ('{"mcpServers": []}', "mcpServers"),
        ('{"mcpServers": {"spire": 1}}', "mcpServers.spire"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": 1} // mine', "line 1"),
        (b'{"a": "\xff"}', "not UTF-8"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_left_as_it_is(
    content: str | bytes, said: str, tmp_path: Path
) -> None:
    one = installer(tmp_path, "cursor")
    path = file_of(one, content)
    before = path.read_bytes()
    with pytest.raises(UsageError, match=said):
        one.write()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_codex_keeps_comments_order_and_other_servers(tmp_path: Path) -> None:
    one = installer(tmp_path, "codex")
    before = '# mine\nmodel = "x"  # the good one\n\n[mcp_servers.other]\ncommand = "y"\n\n[tui]\ntheme = "dark"\n'
    path = file_of(one, before)
    one.write()
    text = path.read_text(encoding="utf-8")
    assert text.startswith('# mine\nmodel = "x"  # the good one\n')
    found = tomllib.loads(text)
    assert found["mcp_servers"]["spire"] == one.entry
    assert found["mcp_servers"]["other"] == {"command": "y"}
    assert found["tui"] == {"theme": "dark"}
    assert one.write()["outcome"] == "unchanged"
    one.undo()
    assert path.read_text(encoding="utf-8") == before


def test_codex_refuses_what_is_not_toml(tmp_path: Path) -> None:
    one = installer(tmp_path, "codex")
    file_of(one, "model = \n[")
    with pytest.raises(UsageError, match="not valid TOML"):
        one.write()


def test_the_snippet_of_codex_gives_a_fight_its_time(tmp_path: Path) -> None:
    one = installer(tmp_path, "codex")
    assert tomllib.loads(snippet(one.host, one.entry))["mcp_servers"]["spire"]["tool_timeout_sec"] == 600


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_permissions_stay_and_a_link_is_followed(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}", encoding="utf-8")
    kept.chmod(0o640)
    path = one.host.file
    assert path is not None
    path.parent.mkdir()
    path.symlink_to(kept)
    one.write()
    assert path.is_symlink()
    assert "spire" in json.loads(kept.read_text(encoding="utf-8"))["mcpServers"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    one = installer(tmp_path, "cursor")
    (tmp_path / ".cursor").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mcp\.json"):
        one.write()
    assert (tmp_path / ".cursor").read_text(encoding="utf-8") == "a file where the folder should be"


def test_each_system_has_its_place_for_claude_desktop(tmp_path: Path) -> None:
    def place(platform: str, environment: dict[str, str]) -> str:
        found = host("claude-desktop", home=tmp_path, here=tmp_path, environment=environment, platform=platform)
        assert found.file is not None
        return found.file.relative_to(tmp_path).as_posix()

    roaming = {"APPDATA": str(tmp_path / "AppData" / "Roaming")}
    assert place("darwin", {}) == "Library/Application Support/Claude/claude_desktop_config.json"
    assert place("win32", roaming) == place("win32", {}) == "AppData/Roaming/Claude/claude_desktop_config.json"
    assert place("linux", {}) == ".config/Claude/claude_desktop_config.json"


def test_the_command_writes_and_undoes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIRE_MCP_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SPIRE_MCP_CONFIG", "")
    path = tmp_path / "servers.json"

    def run(*words: str) -> tuple[int, dict[str, Any]]:
        status = main(["--json", "install", *words])
        return status, json.loads(capsys.readouterr().out)

    assert run("generic", "--write")[1]["error"]["code"] == "usage"
    assert run("generic", "--write", "--file", str(path))[1]["outcome"] == "written"
    assert "spire" in json.loads(path.read_text(encoding="utf-8"))["mcpServers"]
    assert run("generic", "--undo", "--file", str(path))[1]["outcome"] == "undone"
    assert not path.exists()
    status, refused = run("emacs")
    assert (status, refused["error"]["code"]) == (2, "usage")
    assert "claude-code" in refused["error"]["fix"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_command_is_in_the_completion_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(word in script for word in ("clear-halt", "doctor", "strategy", "--policy"))
