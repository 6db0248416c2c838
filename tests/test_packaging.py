"""What other programs install from: the registry's entry and the desktop bundle say what the package is."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters, stdio_client
from mcp.client.session import ClientSession

from spire_mcp import __version__

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build(out)
    return out


def build(out: Path) -> None:
    script = ROOT / "scripts" / "bundle.py"
    subprocess.run([sys.executable, str(script), "--out", str(out)], check=True, capture_output=True, timeout=50)


def test_the_registry_entry_has_what_the_registry_asks_for(built: Path) -> None:
    entry: dict[str, Any] = json.loads((built / "server.json").read_text(encoding="utf-8"))
    assert entry["name"].count("/") == 1
    assert 1 <= len(entry["description"]) <= 100  # the schema's limit
    assert entry["version"] == __version__
    (package,) = entry["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", "spire-mcp")
    assert package["version"] == __version__
    assert package["transport"] == {"type": "stdio"}
    # The registry proves the owner of a PyPI package by this line in its README.
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
    secret = {variable["name"]: variable["isSecret"] for variable in package["environmentVariables"]}
    assert secret["TYPESAFE_API_KEY"] is True


def test_the_bundle_is_the_same_whenever_it_is_built(built: Path, tmp_path: Path) -> None:
    build(tmp_path)
    (first,), (second,) = built.glob("*.mcpb"), tmp_path.glob("*.mcpb")
    assert first.read_bytes() == second.read_bytes()


def test_the_bundle_names_no_machine_and_holds_the_contract(built: Path) -> None:
    (path,) = built.glob("*.mcpb")
    with zipfile.ZipFile(path) as bundle:
        names = bundle.namelist()
        manifest = json.loads(bundle.read("manifest.json"))
        assert str(ROOT).encode() not in b"".join(bundle.read(name) for name in names)
    assert {"manifest.json", "main.py", "pyproject.toml", "AGENTS.md", "spire_mcp/cli.py"} <= set(names)
    assert not any("__pycache__" in name for name in names)
    assert manifest["manifest_version"] == "0.4"
    assert manifest["server"]["entry_point"] in names
    assert manifest["version"] == __version__
    values = manifest["server"]["mcp_config"]["env"].values()
    used = {value.removeprefix("${user_config.").removesuffix("}") for value in values}
    assert used == set(manifest["user_config"])
    assert manifest["user_config"]["api_key"]["sensitive"] is True


def unpack(built: Path, folder: Path) -> None:
    (path,) = built.glob("*.mcpb")
    with zipfile.ZipFile(path) as bundle:
        bundle.extractall(folder)


@pytest.mark.anyio
async def test_what_is_in_the_bundle_serves_the_tools(built: Path, tmp_path: Path) -> None:
    unpack(built, tmp_path / "bundle")
    # The host's `uv run` does the same with an environment of its own.
    env = {**os.environ, "SPIRE_MCP_STATE_DIR": str(tmp_path / "state"), "TYPESAFE_API_KEY": "", "PYTHONPATH": ""}
    server = StdioServerParameters(command=sys.executable, args=["main.py"], cwd=tmp_path / "bundle", env=env)
    with anyio.fail_after(30):
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            contract = await session.read_resource("spire://contract")
    assert "spire_battle" in {tool.name for tool in tools.tools}
    assert "Stop where the" in str(contract)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
