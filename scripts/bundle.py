"""Builds what other people's programs install from: the registry's server.json and the desktop bundle (.mcpb).

python3 scripts/bundle.py [--out dist] [--namespace io.github.spire-mcp]

Both say what pyproject.toml and the package say, so nothing stands in two places. The bundle is the same byte for byte
when its sources are: entries are sorted and carry one date. Formats: MCP registry server.json of 2025-12-11, MCPB
manifest 0.4 (server type `uv`: the host makes the environment, so one bundle serves every system).
"""

import argparse
import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MAIN = """\"\"\"What the desktop host starts.\"\"\"

import sys

from spire_mcp.cli import main

sys.exit(main(["serve"]))
"""
_DATE = (2026, 1, 1, 0, 0, 0)
_FILES = ("pyproject.toml", "README.md", "LICENSE", "AGENTS.md")
_ENVIRONMENT = {
    "SPIRE_MCP_BRIDGE": ("bridge", "Bridge", "Where the STS2MCP mod listens on this machine.", False),
    "TYPESAFE_API_KEY": ("api_key", "Decision model key", "For TypeSafe's Jev; without one the program decides.", True),
    "TYPESAFE_BASE_URL": ("model_url", "Decision model address", "Another service with the same API.", False),
}


def project() -> dict[str, Any]:
    """The project's table, with the version that the package has."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = (ROOT / "spire_mcp" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', source, re.MULTILINE)
    assert found is not None, "spire_mcp/__init__.py names no version"
    return {**table, "version": found.group(1)}


def server_json(namespace: str) -> dict[str, Any]:
    """The entry for the MCP registry."""
    table = project()
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": f"{namespace}/{table['name']}",
        "title": "Slay the Spire 2",
        "description": table["description"][:100],
        "version": table["version"],
        "packages": [
            {
                "registryType": "pypi",
                "identifier": table["name"],
                "version": table["version"],
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "serve"}],
                "environmentVariables": [
                    {"name": name, "description": text, "isRequired": False, "isSecret": secret}
                    for name, (_, _, text, secret) in _ENVIRONMENT.items()
                ],
            }
        ],
    }


def manifest() -> dict[str, Any]:
    """The bundle's manifest."""
    table = project()
    settings = {
        key: {"type": "string", "title": title, "description": text, "required": False, "sensitive": secret}
        for key, title, text, secret in _ENVIRONMENT.values()
    }
    settings["bridge"]["default"] = "http://127.0.0.1:15526"
    return {
        "manifest_version": "0.4",
        "name": table["name"],
        "display_name": "Slay the Spire 2",
        "version": table["version"],
        "description": table["description"],
        "author": {"name": "the spire-mcp authors"},
        "license": table["license"],
        "keywords": table["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "main.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "main.py"],
                "env": {name: f"${{user_config.{key}}}" for name, (key, *_) in _ENVIRONMENT.items()},
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": table["requires-python"]},
        },
        "user_config": settings,
    }


def write_bundle(path: Path) -> None:
    """The .mcpb: a zip of the manifest, the package and what its build needs."""
    entries = {name: (ROOT / name).read_bytes() for name in _FILES}
    for file in (ROOT / "spire_mcp").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            entries[file.relative_to(ROOT).as_posix()] = file.read_bytes()
    entries["manifest.json"] = (json.dumps(manifest(), indent=2) + "\n").encode("utf-8")
    entries["main.py"] = MAIN.encode("utf-8")
    with zipfile.ZipFile(path, "w") as bundle:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, date_time=_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            bundle.writestr(info, entries[name])


def main() -> None:
    """Write both."""
    parser = argparse.ArgumentParser(description="Build server.json and the desktop bundle.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--namespace", default="io.github.spire-mcp", help="the registry's name for the publisher")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    entry = arguments.out / "server.json"
    entry.write_text(json.dumps(server_json(arguments.namespace), indent=2) + "\n", encoding="utf-8")
    bundle = arguments.out / f"spire-mcp-{project()['version']}.mcpb"
    write_bundle(bundle)
    print(f"{entry.name}\n{bundle.name}  {bundle.stat().st_size} bytes")


if __name__ == "__main__":
    main()
