"""What every action checks first: parameters of the right type, an index in range, the right screen."""

from typing import Any

from spire_mcp.practice.run import PracticeRun

Json = dict[str, Any]


class ActionRefused(Exception):  # noqa: N818 - a normal answer of the bridge
    """The bridge says no: HTTP 200 with `status: error`."""


class ActionCrashed(Exception):  # noqa: N818 - likewise
    """The mod's own code throws: HTTP 500."""


def whole(body: Json, key: str) -> int:
    """A whole-number parameter."""
    if key not in body:
        raise ActionRefused(f"Missing '{key}'")
    value = body[key]
    if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**31:
        raise ActionCrashed(f"The JSON value of '{key}' could not be converted to a whole number")
    return value


def place(body: Json, key: str, length: int, refusal: str) -> int:
    """An index into a list of this length."""
    value = whole(body, key)
    if not 0 <= value < length:
        raise ActionRefused(refusal.format(n=value, m=length))
    return value


def on(run: PracticeRun, screen: str, refusal: str) -> None:
    """Refuse an action on another screen than its own."""
    if run.screen != screen:
        raise ActionRefused(refusal)
