"""Every way to fail, as one tree: each error knows its code, exit status, whether the game may have changed, and a fix.

SpireError
├── UsageError              usage               2  the command line is wrong
├── RefusedError                                3  nothing was sent
│   ├── StaleStateError     stale_state
│   ├── UnknownOptionError  unknown_option
│   ├── NotPermittedError   not_permitted
│   ├── InvalidPacketError  invalid_packet
│   ├── WrongScreenError    wrong_screen
│   ├── NotSettledError     not_settled
│   └── NoRunIdentityError  no_run_identity
├── HaltedError             halted              4  stopped, now or already
├── BusyError               busy                5  another controller holds the port
├── BridgeError             bridge_error        6  the bridge answered with a fault
│   ├── BridgeUnreachableError   bridge_unreachable
│   ├── BridgeIncompatibleError  bridge_incompatible
│   └── MultiplayerError         multiplayer
├── RejectedError           rejected            7  the bridge said no and the game did not change
└── InternalError           internal            1  a defect in spire-mcp, or storage that failed
"""

from typing import ClassVar


class SpireError(Exception):
    """Base of all errors that a user may meet."""

    code: ClassVar[str] = "internal"
    exit_status: ClassVar[int] = 1
    default_fix: ClassVar[str] = "Run `spire-mcp status`, then report this with the last lines of `spire-mcp journal`."

    def __init__(self, message: str, *, fix: str | None = None, may_have_acted: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix or self.default_fix
        self.may_have_acted = may_have_acted

    def to_dict(self) -> dict[str, object]:
        """The `error` object of a result (interface: code, message, may_have_acted, fix)."""
        return {
            "code": self.code,
            "message": self.message,
            "may_have_acted": self.may_have_acted,
            "fix": self.fix,
        }


class InternalError(SpireError):
    """Something failed that is neither the user's nor the game's doing."""


class UsageError(SpireError):
    """The command line or a setting is wrong."""

    code = "usage"
    exit_status = 2
    default_fix = "Run `spire-mcp --help`."


class RefusedError(SpireError):
    """A request that was refused before anything was sent."""

    exit_status = 3


class StaleStateError(RefusedError):
    """The game is not in the state that the caller named."""

    code = "stale_state"
    default_fix = "Read the state again and choose from its options."


class UnknownOptionError(RefusedError):
    """The settled screen has no such option."""

    code = "unknown_option"
    default_fix = "Copy an option ID from the state's `options`."


class NotPermittedError(RefusedError):
    """The option exists and the owner has not permitted it, or it is a known trap of the bridge."""

    code = "not_permitted"
    default_fix = "Choose another option, or let the owner permit it in the settings."


class InvalidPacketError(RefusedError):
    """A strategy packet that does not follow its schema."""

    code = "invalid_packet"
    default_fix = "Correct the named field; `spire-mcp strategy check` explains each one."


class WrongScreenError(RefusedError):
    """The command does not fit the screen that the game shows."""

    code = "wrong_screen"
    default_fix = "Read the state; its `route` says who has the next decision."


class NotSettledError(RefusedError):
    """The game did not come to rest in time."""

    code = "not_settled"
    default_fix = "Wait for the game's animation or close what covers it, then read the state again."


class NoRunIdentityError(RefusedError):
    """The bridge reports no run identity, so nothing can be bound to the run."""

    code = "no_run_identity"
    default_fix = "Give the strategy to a single `battle` call instead, or save it once the bridge reports the run."


class HaltedError(SpireError):
    """The port is stopped until someone has looked at the game."""

    code = "halted"
    exit_status = 4
    default_fix = (
        "Look at the game. Then run `spire-mcp state`, and `spire-mcp clear-halt STATE_ID` with the state ID it prints."
    )


class BusyError(SpireError):
    """Another process is acting on this port."""

    code = "busy"
    exit_status = 5
    default_fix = "Wait for the other controller to finish; `spire-mcp status` shows who holds the lock."


class BridgeError(SpireError):
    """The bridge answered with a fault or with something that cannot be read."""

    code = "bridge_error"
    exit_status = 6
    default_fix = "Look at the game for a dialog or an error, then read the state again."


class BridgeUnreachableError(BridgeError):
    """Nothing answers on the bridge's port."""

    code = "bridge_unreachable"
    default_fix = (
        "Start the game with the STS2MCP mod enabled, or `spire-mcp practice`, and check SPIRE_MCP_BRIDGE or --bridge."
    )


class BridgeIncompatibleError(BridgeError):
    """The mod and the game do not fit together."""

    code = "bridge_incompatible"
    default_fix = (
        "The mod is too old for this game version: build STS2MCP from its current source, or hold the game's version."
    )


class MultiplayerError(BridgeError):
    """A multiplayer run is in progress."""

    code = "multiplayer"
    default_fix = "Leave the multiplayer run; only single-player runs are driven."


class RejectedError(SpireError):
    """The bridge said no and the game did not change."""

    code = "rejected"
    exit_status = 7
    default_fix = "Read the state again; the option may have become available or gone."
