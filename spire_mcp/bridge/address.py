"""The bridge's address: loopback and nothing else, without asking a name server."""

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from spire_mcp.errors import UsageError

DEFAULT_PORT: Final = 15526
_FIX: Final = "Give a loopback address such as http://127.0.0.1:15526."


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeAddress:
    """Where the bridge listens. `localhost`, `127.0.0.1` and `[::1]` with one port are one port to the controller."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The base of every request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> "BridgeAddress":
        """Read an address.

        `localhost` becomes 127.0.0.1 at once: a look-up could be redirected, and could prefer an IPv6 address on which
        the game does not listen.

        Raises:
            UsageError: it is not a plain http address of this machine.
        """
        shown = "".join(char if char.isprintable() else "?" for char in text[:80])
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise UsageError(f"the bridge's address {shown!r} cannot be read", fix=_FIX) from None
        if parts.scheme != "http" or host is None or " " in text or not text.isprintable():
            raise UsageError(f"the bridge's address {shown!r} is no http address", fix=_FIX)
        if parts.username is not None or parts.password is not None:
            raise UsageError("the bridge's address carries a user name", fix=_FIX)
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise UsageError(f"the bridge's address {shown!r} goes on after the port", fix=_FIX)
        if port == 0:
            raise UsageError(f"the bridge's address {shown!r} names port 0", fix=_FIX)
        return cls(host=_loopback(host, shown), port=DEFAULT_PORT if port is None else port)


def _loopback(host: str, shown: str) -> str:
    if host == "localhost":
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise UsageError(f"the bridge's address {shown!r} is not this machine's", fix=_FIX) from None
    if not address.is_loopback or getattr(address, "ipv4_mapped", None) or getattr(address, "scope_id", None):
        raise UsageError(f"the bridge's address {shown!r} is not loopback", fix=_FIX)
    return str(address)
