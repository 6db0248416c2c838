"""The doctor's looks at what is beyond this program: the bridge, the mod, and the decision model."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.errors import BridgeError
from spire_mcp.game.text import clean_text
from spire_mcp.policy.answers import NotBelievedError
from spire_mcp.policy.model_client import JevClient

_OTHER_PROGRAM: Final = "If it stays so, another program uses this port, or the mod is of a version not known here."
TESTED_MODS: Final = ("0.4.0",)
"""What the mod calls itself in the builds whose answers were recorded (captures, game 0.103 to 0.107.1)."""
_VERSION: Final = re.compile(r"\bv?(\d+\.\d+(?:\.\d+)?)\b")
_READY: Final = {
    "ready": {
        "type": "noul",
        "instructions": "Is this a test of the connection?",
        "criteria": {"true": "it is a test", "false": "it is a game"},
    }
}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; `blocks` says whether play is impossible while it is not ok."""

    name: str
    ok: bool
    found: str
    fix: str | None = None
    blocks: bool = True

    def to_dict(self) -> dict[str, object]:
        """The entry of interface section 3."""
        return {"name": self.name, "ok": self.ok, "found": self.found, "fix": self.fix}


def check_address(written: str, address: BridgeAddress) -> Check:
    """How the bridge's address is spelled: the game listens on 127.0.0.1."""
    host = urlsplit(written).hostname
    if host == "localhost":
        return Check("bridge address", ok=True, found=f"localhost, taken as {address.url} without a look-up")
    usual = address.host == "127.0.0.1"
    fix = None if usual else f"If nothing answers, write http://127.0.0.1:{address.port}: the game listens there."
    return Check("bridge address", ok=True, found=address.url, fix=fix)


def check_bridge(bridge: BridgeClient) -> Iterator[Check]:
    """The bridge answers, and what it says of the game can be read."""
    try:
        greeting = bridge.ping()
        yield Check("bridge", ok=True, found=greeting or "answers without a greeting")
    except BridgeError as error:
        yield _trouble("bridge", error)
        yield Check("game state", ok=False, found="not read", fix="Put the bridge right first.")
        return
    yield check_mod(greeting)
    try:
        yield Check(
            "game state", ok=True, found=f"readable; the screen is {clean_text(bridge.read_state().state_type, 40)}"
        )
    except BridgeError as error:
        yield _trouble("game state", error)
        return
    yield check_run_identity(bridge)


def check_mod(greeting: str) -> Check:
    """The mod's version beside the ones that were tested; several builds share one number, so it is only a hint."""
    named = _VERSION.search(greeting)
    version = named.group(1) if named else "not named"
    tested = ", ".join(TESTED_MODS)
    if named and version in TESTED_MODS:
        return Check("mod", ok=True, found=f"version {version}, tested", blocks=False)
    fix = "Play on: every effect is proved. If something is refused or stops, attach a `spire-mcp record` to a report."
    return Check("mod", ok=False, found=f"version {version}; tested: {tested}", fix=fix, blocks=False)


def check_run_identity(bridge: BridgeClient) -> Check:
    """Whether the bridge can say which run this is: without that saved strategies are not applied."""
    try:
        known = bridge.run_identity() is not None
    except BridgeError as error:
        found = f"{error.code}: {error.message}"
        fix = "Saved strategies are not applied; give `battle` a packet instead."
        return Check("run identity", ok=False, found=found, fix=fix, blocks=False)
    found = "reported" if known else "none now: no run is in progress, or this build reports none"
    return Check("run identity", ok=True, found=found, blocks=False)


def _trouble(name: str, error: BridgeError) -> Check:
    fix = f"{error.fix} {_OTHER_PROGRAM}" if error.code == "bridge_error" else error.fix
    return Check(name, ok=False, found=f"{error.code}: {error.message}", fix=fix)


def check_model(model: Callable[[], JevClient], *, configured: bool) -> Check:
    """One small question to the decision model; asked for by name, since it costs a request."""
    if not configured:
        fix = "Set TYPESAFE_API_KEY, or TYPESAFE_BASE_URL for a local service; the program plays without."
        return Check("decision model", ok=False, found="none is configured", fix=fix, blocks=False)
    try:
        client = model()
        reply = client.ask({"test": "of the connection"}, _READY)
    except NotBelievedError as error:
        return Check("decision model", ok=False, found=str(error), fix=error.fix, blocks=False)
    answers: object = reply.answers
    if not isinstance(answers, dict) or "ready" not in answers:
        found = "answers without answering the question"
        return Check("decision model", ok=False, found=found, fix="Check TYPESAFE_BASE_URL.", blocks=False)
    return Check("decision model", ok=True, found=f"{clean_text(str(reply.model), 60)} answers", blocks=False)
