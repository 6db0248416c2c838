"""What a new user gets wrong, looked at one thing at a time; each finding says what to do.

Nothing here acts on the game, lifts a stop or resolves a record. The state directory is made when it is missing, as the
first action would make it, and a probe file is written there and removed. No key and no proxy's address is ever shown.
"""

import contextlib
import locale
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from spire_mcp import __version__
from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.control.halt import read_halt
from spire_mcp.control.lock import lock_status
from spire_mcp.control.storage import PortFolder, StorageError, read_record, storage
from spire_mcp.doctor_bridge import Check, check_address, check_bridge, check_model
from spire_mcp.errors import BusyError, HaltedError, UsageError
from spire_mcp.game.text import clean_text
from spire_mcp.policy.model_client import JevClient
from spire_mcp.settings import Settings

_OLDEST_PYTHON: Final = (3, 11)
_FREE_BYTES: Final = 10_000_000
_FIRST_YEAR: Final = 2026  # the game's API that is spoken here is of this year
_CAPTURING: Final = frozenset({"http_proxy", "all_proxy"})


_TRUST: Final = Check(
    "trust",
    ok=True,
    found="the bridge takes actions from any program, and any web page, on this machine",
    fix="Open no untrusted page while a run is at stake.",
    blocks=False,
)


def examine(
    settings: Settings,
    *,
    bridge: Callable[[], BridgeClient],
    policy: Callable[[], str],
    now: str,
    model: Callable[[], JevClient] | None = None,
) -> dict[str, object]:
    """All checks; `ok` is false when one that blocks play failed. The model is asked when one is given."""
    checks = [
        check_python(sys.version_info[:3]),
        Check("spire-mcp", ok=True, found=__version__),
        *check_settings(settings, policy),
        check_proxies(os.environ),
        check_clock(now),
        check_terminal(locale.getencoding(), windows=os.name == "nt"),
    ]
    try:
        address = BridgeAddress.parse(settings.bridge)
    except UsageError as error:
        checks.append(Check("bridge address", ok=False, found=error.message, fix=error.fix))
    else:
        checks += [check_address(settings.bridge, address), *check_bridge(bridge())]
        checks += _files(PortFolder(settings.state_dir, address.port))
    if model is not None:
        checks.append(check_model(model, configured=bool(settings.api_key or settings.model_url)))
    checks.append(_TRUST)
    ok = all(check.ok for check in checks if check.blocks)
    return {"ok": ok, "outcome": "ready" if ok else "not_ready", "checks": [check.to_dict() for check in checks]}


def check_python(version: tuple[int, int, int]) -> Check:
    """The interpreter is new enough."""
    fix = None if version >= _OLDEST_PYTHON else "Install Python 3.11 or newer and make the environment again with it."
    return Check("python", ok=fix is None, found=".".join(map(str, version)), fix=fix)


def check_settings(settings: Settings, policy: Callable[[], str]) -> Iterator[Check]:
    """Each effective value and where it came from; of the key only whether there is one."""
    there = "read" if settings.config_file.is_file() else "not there, which is fine"
    yield Check("settings file", ok=True, found=f"{shown_path(settings.config_file)}: {there}")
    values = {
        "bridge": _host(settings.bridge),
        "state_dir": shown_path(settings.state_dir),
        "model": settings.model or "none",
        "model_url": _host(settings.model_url),
        "api_key": "present, not shown" if settings.api_key else "absent",
        "permissions": ", ".join(sorted(settings.permissions)) or "none",
        **{name: _changes(getattr(settings, name)) for name in ("limits", "wire", "battle", "asking")},
    }
    for name, value in values.items():
        yield Check(f"setting {name}", ok=True, found=_from(settings, name, value))
    try:
        yield Check(
            "setting policy", ok=True, found=_from(settings, "policy", f"{settings.policy}, plays as {policy()}")
        )
    except UsageError as error:
        yield Check("setting policy", ok=False, found=_from(settings, "policy", error.message), fix=error.fix)


def _from(settings: Settings, name: str, value: str) -> str:
    return f"{clean_text(value, 300)} ({settings.sources.get(name, 'default')})"


def _changes(section: object) -> str:
    """The values of a section that are not the defaults."""
    default = type(section)()
    names = [entry.name for entry in fields(section)]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    changed = [name for name in names if getattr(section, name) != getattr(default, name)]
    return ", ".join(f"{name} = {getattr(section, name)}" for name in changed) or "the defaults"


def _host(url: str | None) -> str:
    """The host of an address alone: the rest can hold a secret."""
    if url is None:
        return "none"
    with contextlib.suppress(ValueError):
        return urlsplit(url).hostname or "set, without a host"
    return "set, not readable as an address"


def shown_path(path: Path) -> str:
    """A path as the owner wrote it, with the home directory as `~`."""
    try:
        inside = path.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return str(path)
    return str(Path("~") / inside)


def check_proxies(environment: Mapping[str, str]) -> Check:
    """Proxies that other programs would send the bridge's requests to; only their names are shown."""
    names = sorted(name for name, value in environment.items() if value and name.lower() in _CAPTURING)
    found = f"{', '.join(names)} set; ignored, the bridge is always reached directly" if names else "none set"
    return Check("proxies", ok=True, found=found, blocks=False)


def check_clock(now: str) -> Check:
    """The clock is not before this program."""
    wrong = int(now[:4]) < _FIRST_YEAR
    return Check(
        "clock", ok=not wrong, found=now, fix="Set the clock of this machine." if wrong else None, blocks=False
    )


def check_terminal(encoding: str, *, windows: bool) -> Check:
    """The terminal shows the game's names; a Windows console takes Unicode whatever its code page."""
    right = windows or encoding.lower().replace("-", "").replace("_", "") == "utf8"
    fix = None if right else "Choose a UTF-8 locale, such as LC_ALL=C.UTF-8, or names will show as other signs."
    return Check("terminal", ok=right, found=f"the system's encoding is {encoding}", fix=fix, blocks=False)


def _files(folder: PortFolder) -> Iterator[Check]:
    looks = {
        "state directory": check_folder,
        "disk space": check_space,
        "writer lock": check_lock,
        "HALTED": check_halted,
        "in-flight record": check_inflight,
    }
    for name, look in looks.items():
        try:
            with storage(f"looking at the {name}"):
                yield look(folder)
        except StorageError as error:
            yield Check(name, ok=False, found=error.message, fix=f"Make {shown_path(folder.root)} a folder of yours.")


def check_folder(folder: PortFolder) -> Check:
    """The state directory can be made and written, and nobody else reads it."""
    folder.create()
    probe = folder.path / f".doctor.{os.getpid()}.tmp"
    try:
        probe.write_bytes(b"probe")
    finally:
        probe.unlink(missing_ok=True)
    shown = shown_path(folder.root)
    if os.name != "nt" and any(path.stat().st_mode & 0o077 for path in (folder.root, folder.path)):
        fix = "Run `chmod -R go-rwx` on that folder."
        return Check("state directory", ok=False, found=f"{shown}: others may enter", fix=fix, blocks=False)
    return Check("state directory", ok=True, found=f"{shown}: writable and private")


def check_space(folder: PortFolder) -> Check:
    """There is room for records."""
    there = next(path for path in (folder.root, *folder.root.absolute().parents) if path.is_dir())
    free = shutil.disk_usage(there).free
    fix = None if free > _FREE_BYTES else "Free some space, or set SPIRE_MCP_STATE_DIR to a folder on another disk."
    return Check("disk space", ok=fix is None, found=f"{free // 1_000_000} MB free", fix=fix)


def check_lock(folder: PortFolder) -> Check:
    """No other controller is acting."""
    holder = lock_status(folder)
    if not holder["held"]:
        return Check("writer lock", ok=True, found="free")
    who = clean_text(f"process {holder['pid']}, {holder['purpose']}, since {holder['since']}", 200)
    return Check("writer lock", ok=False, found=f"held by {who}", fix=BusyError.default_fix)


def check_halted(folder: PortFolder) -> Check:
    """Nothing is stopped."""
    marker = read_halt(folder)
    if marker is None:
        return Check("HALTED", ok=True, found="no")
    return Check("HALTED", ok=False, found=clean_text(str(marker.get("reason")), 300), fix=HaltedError.default_fix)


def check_inflight(folder: PortFolder) -> Check:
    """No action of a process that is gone awaits its outcome."""
    record = read_record(folder.inflight)
    if record is None:
        return Check("in-flight record", ok=True, found="none")
    if lock_status(folder)["held"]:
        return Check("in-flight record", ok=True, found="an action is under way")
    found = clean_text(f"left behind by a process that ended: {record.get('option')}", 200)
    return Check(
        "in-flight record", ok=False, found=found, fix="Run `spire-mcp status`; it resolves it or says HALTED."
    )
