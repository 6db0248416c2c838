"""Where each host keeps its list of MCP servers, and in which words; one table, so that a change is a line."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from spire_mcp.errors import UsageError

Format = Literal["json", "toml"]
HOSTS: Final = ("claude-code", "claude-desktop", "codex", "cursor", "dsh", "generic")
SERVER: Final = "spire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One host's way of listing servers.

    `verified` is False where the place was read in the documents of others only.
    """

    name: str
    title: str
    file: Path | None
    format: Format = "json"
    table: str = "mcpServers"
    extra: Mapping[str, object] | None = None
    then: str
    verified: bool = True


def host(name: str, *, home: Path, here: Path, environment: Mapping[str, str], platform: str = sys.platform) -> Host:
    """The host of that name on this machine.

    Args:
        name: one of HOSTS.
        home: the user's home folder.
        here: the folder of a project, for hosts that list servers per project.
        environment: the variables that move a host's folder.
        platform: as `sys.platform` says it.

    Raises:
        UsageError: there is no such host.
    """
    match name:
        case "claude-code":
            return Host(
                name=name,
                title="Claude Code",
                file=here / ".mcp.json",
                then="Start `claude` in this folder and allow the server when it asks; `/mcp` shows it.",
            )
        case "claude-desktop":
            return Host(
                name=name,
                title="Claude Desktop",
                file=_claude_desktop(home, environment, platform) / "claude_desktop_config.json",
                then="Quit Claude Desktop wholly and start it again.",
                verified=platform in {"darwin", "win32"},
            )
        case "codex":
            folder = Path(environment["CODEX_HOME"]) if environment.get("CODEX_HOME") else home / ".codex"
            return Host(
                name=name,
                title="Codex",
                file=folder / "config.toml",
                format="toml",
                table="mcp_servers",
                # A fight takes longer than Codex waits for a tool unless it is told.
                extra={"tool_timeout_sec": 600},
                then="Start Codex again; `/mcp` shows the server.",
            )
        case "cursor":
            return Host(
                name=name,
                title="Cursor",
                file=home / ".cursor" / "mcp.json",
                then="Open Cursor's settings, MCP, and switch the server on.",
            )
        case "dsh":
            folder = Path(environment["DSH_HOME"]) if environment.get("DSH_HOME") else home / ".dsh"
            return Host(
                name=name,
                title="DeepSeek Harness",
                file=folder / "mcp.json",
                then="Start the harness again; if it shows no server, paste the snippet in its settings.",
                verified=False,
            )
        case "generic":
            return Host(
                name=name,
                title="any host",
                file=None,
                then="Paste it where your host lists MCP servers, or name its file with --file.",
            )
        case _:
            raise UsageError(f"{name!r:.60} is no host", fix=f"Give one of {', '.join(HOSTS)}.")


def _claude_desktop(home: Path, environment: Mapping[str, str], platform: str) -> Path:
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Claude"
    if platform == "win32":
        roaming = environment.get("APPDATA")
        return (Path(roaming) if roaming else home / "AppData" / "Roaming") / "Claude"
    return home / ".config" / "Claude"
