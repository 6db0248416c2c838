"""Settings: what the environment and the settings file say, where each value came from, and clear errors."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final, Literal, TypeVar, cast

from platformdirs import PlatformDirs

from spire_mcp.bridge.limits import WireLimits
from spire_mcp.control.limits import ControlLimits
from spire_mcp.errors import UsageError
from spire_mcp.policy.limits import AskingLimits

Policy = Literal["auto", "jev", "solver"]
POLICIES: Final[tuple[Policy, ...]] = ("auto", "jev", "solver")
DEFAULT_BRIDGE: Final = "http://127.0.0.1:15526"

_ENVIRONMENT: Final = {
    "bridge": "SPIRE_MCP_BRIDGE",
    "state_dir": "SPIRE_MCP_STATE_DIR",
    "api_key": "TYPESAFE_API_KEY",
    "model_url": "TYPESAFE_BASE_URL",
    "model": "SPIRE_MCP_MODEL",
    "policy": "SPIRE_MCP_POLICY",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSettings:
    """When `battle` hands over, and how long it may think."""

    low_hp: float = 0.25
    """hand over once when HP falls below this share of the maximum during a call"""
    search_nodes: int = 12_000
    """how many board positions a turn's search may visit"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. `sources` says for each name whether it came from the environment, the file or the default."""

    bridge: str = DEFAULT_BRIDGE
    state_dir: Path
    policy: Policy = "auto"
    model: str | None = None
    model_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    permissions: frozenset[str] = frozenset()
    """restricted options that the owner permits: an option ID, or the part before its first colon"""
    limits: ControlLimits = field(default_factory=ControlLimits)
    wire: WireLimits = field(default_factory=WireLimits)
    battle: BattleSettings = field(default_factory=BattleSettings)
    asking: AskingLimits = field(default_factory=AskingLimits)
    config_file: Path
    sources: Mapping[str, str] = field(default_factory=dict[str, str])

    def permits(self, option_id: str) -> bool:
        """Whether the owner permits a restricted option."""
        return option_id in self.permissions or option_id.partition(":")[0] in self.permissions


def load(environment: Mapping[str, str] | None = None, *, bridge: str | None = None) -> Settings:
    """Read the settings: the command line wins over the environment, the environment over the file.

    Raises:
        UsageError: a value or a key is wrong; says which, and where it stands.
    """
    env = os.environ if environment is None else environment
    folders = PlatformDirs("spire-mcp", appauthor=False)
    config_file = (
        Path(env["SPIRE_MCP_CONFIG"]) if env.get("SPIRE_MCP_CONFIG") else folders.user_config_path / "config.toml"
    )
    table = _read_file(config_file, required=bool(env.get("SPIRE_MCP_CONFIG")))
    limits = _section(table, "limits", ControlLimits())
    wire = _section(table, "wire", WireLimits())
    battle = _section(table, "battle", BattleSettings())
    asking = _section(table, "asking", AskingLimits())
    permissions = _permissions(table)
    values = {key: _text(table, key) for key in _ENVIRONMENT if key in table}
    _refuse_unknown(table, {*_ENVIRONMENT, "limits", "wire", "battle", "asking", "permissions"})
    sources = dict.fromkeys([*_ENVIRONMENT, "permissions", "limits", "wire", "battle", "asking"], "default")
    sources.update(dict.fromkeys(table, "settings file"))
    for key, variable in _ENVIRONMENT.items():
        if env.get(variable):
            values[key] = env[variable]
            sources[key] = f"environment ({variable})"
    if bridge is not None:
        values["bridge"] = bridge
        sources["bridge"] = "command line (--bridge)"
    return Settings(
        bridge=values.get("bridge", DEFAULT_BRIDGE),
        state_dir=Path(values["state_dir"]) if "state_dir" in values else folders.user_state_path,
        policy=_policy(values.get("policy", "auto"), sources["policy"]),
        model=values.get("model"),
        model_url=values.get("model_url"),
        api_key=values.get("api_key"),
        permissions=permissions,
        limits=limits,
        wire=wire,
        battle=battle,
        asking=asking,
        config_file=config_file,
        sources=sources,
    )


def _policy(value: str, source: str) -> Policy:
    if value not in POLICIES:
        raise UsageError(f"policy ({source}) is {value[:40]!r}", fix=f"Use one of {', '.join(POLICIES)}.")
    return value


def _read_file(path: Path, *, required: bool) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise UsageError("the settings file named by SPIRE_MCP_CONFIG does not exist", fix="Correct it.") from None
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"the settings file {path.name} cannot be read: {reason}", fix="Correct that line.") from None


def _refuse_unknown(table: Mapping[str, object], known: set[str]) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise UsageError(
            f"the settings file has an unknown key {unknown[0]!r}", fix=f"Known keys: {', '.join(sorted(known))}."
        )


def _text(table: Mapping[str, object], key: str) -> str:
    value = table[key]
    if not isinstance(value, str):
        raise UsageError(f"{key} in the settings file must be text", fix=f'Write {key} = "…".')
    return value


def _permissions(table: Mapping[str, object]) -> frozenset[str]:
    value = table.get("permissions", [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise UsageError("permissions in the settings file must be a list of texts", fix='Write permissions = ["…"].')
    return frozenset(cast("list[str]", value))


_Section = TypeVar("_Section", ControlLimits, WireLimits, BattleSettings, AskingLimits)


def _section(table: Mapping[str, object], name: str, default: _Section) -> _Section:
    section = table.get(name, {})
    if not isinstance(section, dict):
        raise UsageError(f"{name} in the settings file must be a table", fix=f"Write a [{name}] section.")
    given = cast("dict[str, object]", section)
    known = {entry.name: getattr(default, entry.name) for entry in fields(default)}
    _refuse_unknown({f"{name}.{key}": value for key, value in given.items()}, {f"{name}.{key}" for key in known})
    changed: dict[str, float | int] = {}
    for key, value in given.items():
        whole = isinstance(known[key], int)
        right = isinstance(value, int) if whole else isinstance(value, int | float)
        if not right or isinstance(value, bool) or not 0 <= cast("float", value) <= 1_000_000_000:
            wanted = "a whole number" if whole else "a number"
            raise UsageError(
                f"{name}.{key} in the settings file must be {wanted}, not {value!r:.40}", fix="Correct it."
            )
        changed[key] = cast("float", value)
    return type(default)(**{**known, **changed})  # pyright: ignore[reportArgumentType]
