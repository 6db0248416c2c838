"""The documents: every command in them runs, and every link in them leads somewhere."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from spire_mcp.errors import SpireError
from spire_mcp.practice.server import PracticeServer
from spire_mcp.settings import load

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "strategies").glob("*.md")])
_BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
_TOML = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def commands(document: Path) -> list[str]:
    """The lines of the shell blocks, in order."""
    blocks = _BLOCK.findall(document.read_text(encoding="utf-8"))
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


LINES = [
    pytest.param(line, id=f"{document.name}-{number}-{line[:40]}")
    for document in DOCUMENTS
    for number, line in enumerate(commands(document))
    if line.startswith("spire-mcp ")
]


@pytest.mark.parametrize("line", LINES)
def test_every_spire_mcp_command_of_a_document_runs(line: str, tmp_path: Path) -> None:
    with PracticeServer(delay=0.01, seed="docs") as server:
        _runs(line, {**os.environ, "SPIRE_MCP_BRIDGE": server.url, "SPIRE_MCP_STATE_DIR": str(tmp_path / "state")})


def _runs(line: str, env: dict[str, str]) -> None:
    words = shlex.split(line)[1:]
    folder = Path(env["SPIRE_MCP_STATE_DIR"]).parent
    folder.mkdir(parents=True, exist_ok=True)
    # Commands may write where they stand and into the home of whoever runs them: here both are the test's.
    env |= {"HOME": str(folder), "USERPROFILE": str(folder), "APPDATA": str(folder), "CODEX_HOME": str(folder)}
    if words[0] in _LASTING or words[:2] == ["serve", "--http"]:
        _starts(words, env, folder)
        return
    if words[0] in {"--version", "completion"}:
        assert _run(words, env, folder).strip()
        return
    state = json.loads(_run(["state"], env))
    option = next(o["id"] for o in state["options"] if o["kind"] != "restricted")
    packet = _packet_for(state["state_id"], Path(env["SPIRE_MCP_STATE_DIR"]))
    values = {"STATE_ID": state["state_id"], "OPTION_ID": option, "PACKET.json": packet, "STRATEGY_ID": "poison-plan"}
    if "STRATEGY_ID" in words:
        _run(["strategy", "save", packet], env)
    for text in _run([values.get(word, word) for word in words], env, folder).splitlines():
        assert "error" not in json.loads(text), line


def _packet_for(state_id: str, folder: Path) -> str:
    """A worked packet, written for this state."""
    packet = json.loads((ROOT / "strategies" / "poison-plan.json").read_text(encoding="utf-8"))
    packet["expected_state_id"] = state_id
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "packet.json"
    path.write_text(json.dumps(packet), encoding="utf-8")
    return str(path)


def _run(words: list[str], env: dict[str, str], folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "spire_mcp", *words],
        env={**env, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=55,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


_LASTING = frozenset({"practice", "watch", "record", "replay"})
_SERVING = frozenset({"serving", "watching", "recording"})


def _starts(words: list[str], env: dict[str, str], folder: Path) -> None:
    """A command that goes on until it is interrupted says first that it has begun."""
    if words[0] in {"practice", "replay"} and "--port" not in words:
        words = [*words, "--port", "0"]
    if words[0] == "replay":
        (folder / words[1]).write_text('{"recording": 1}\n', encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "spire_mcp", *words],
        env={**env, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["outcome"] in _SERVING
        process.terminate()


def test_the_readme_calls_the_test_command_that_ci_calls() -> None:
    assert "python3 scripts/test.py" in commands(ROOT / "README.md")
    assert "python3 scripts/test.py" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_readme_installs_and_starts_the_demo_in_one_line() -> None:
    line = commands(ROOT / "README.md")[0]
    assert line.endswith(".venv/bin/spire-mcp demo")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_within_the_repository_leads_somewhere(document: Path) -> None:
    for target in _LINK.findall(document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


def test_the_settings_example_is_valid_and_shows_the_defaults(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    example = _TOML.findall(text)[0]
    tomllib.loads(example)
    config = tmp_path / "config.toml"
    config.write_text(example, encoding="utf-8")
    shown = load({"SPIRE_MCP_CONFIG": str(config)})
    plain = load({"XDG_CONFIG_HOME": str(tmp_path / "none")})
    assert shown.limits == plain.limits
    assert shown.battle == plain.battle
    assert shown.wire == plain.wire
    assert shown.permits("discard_potion:FIRE_POTION")


def test_every_test_file_that_the_safety_page_names_exists() -> None:
    for name in re.findall(r"`(tests/[\w/]+(?:\.py)?/?)`", (ROOT / "docs" / "safety.md").read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def test_no_document_or_source_holds_a_registry_address_or_a_machine_path() -> None:
    forbidden = re.compile(r"pypi-mirror|simple/|/work/|/root/|/home/\w")
    files = [*DOCUMENTS, *(ROOT / "spire_mcp").rglob("*.py"), ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    for file in files:
        assert forbidden.search(file.read_text(encoding="utf-8")) is None, file


def test_the_reference_is_what_the_program_says() -> None:
    script = ROOT / "scripts" / "reference.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def _codes(kind: type[SpireError]) -> set[str]:
    return {kind.code, *(code for child in kind.__subclasses__() for code in _codes(child))}


def test_the_troubleshooting_page_has_every_error_code_and_every_reason() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    contract = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    reasons = set(re.findall(r"^\| `(\w+)` \|", contract, re.MULTILINE))
    assert len(reasons) == 17  # the reasons of the interface, section 3
    missing = [word for word in sorted(_codes(SpireError) | reasons) if f"`{word}`" not in text]
    assert missing == []
