"""The MCP server over HTTP on loopback: a token, checked Host and Origin, bounded bodies, and no way to the outside."""

import hmac
import json
import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn

from spire_mcp.app import App
from spire_mcp.control.storage import UnreadableRecord, read_record, write_record
from spire_mcp.errors import UsageError
from spire_mcp.server import build_server, configure_logging
from spire_mcp.shift import Shift

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY: Final = 1024 * 1024
_HOST: Final = "127.0.0.1"


def token_of(state_dir: Path) -> str:
    """The token that a client has to send, made once and kept in a file that only its owner can read.

    Raises:
        StorageError: the file cannot be read or written.
        UsageError: it holds something else.
    """
    path = state_dir / "http-token.json"
    record = read_record(path)
    if record is None:
        state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        token = secrets.token_urlsafe(32)
        write_record(path, {"token": token})
        return token
    token = record.get("token")
    if isinstance(record, UnreadableRecord) or not isinstance(token, str) or len(token) < 16:
        raise UsageError("http-token.json in the state directory holds no token", fix="Remove it; a new one is made.")
    return token


def guarded(inner: Application, token: str) -> Application:
    """The application behind the token. Who does not have it learns nothing but that it is wanted."""
    wanted = f"Bearer {token}".encode()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            if not hmac.compare_digest(given, wanted):
                await _refuse(send)
                return
        await inner(scope, receive, send)

    return application


async def _refuse(send: Send) -> None:
    body = json.dumps({"error": "this server wants its token: Authorization: Bearer …"}).encode("utf-8")
    headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def serve_http(app: App, port: int, announce: Callable[[str], None]) -> None:
    """Serve on a loopback port until a signal ends it between two actions.

    Args:
        app: the application.
        port: the port; 0 takes a free one.
        announce: called with the address once the port is taken.

    Raises:
        UsageError: the port cannot be used.
    """
    configure_logging()
    token = token_of(app.settings.state_dir)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((_HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise UsageError(f"port {port} cannot be used: {reason}", fix="Give another --http port.") from None
    # The SDK checks Host and Origin by itself as long as the host that it is told is a loopback one.
    shift = Shift()
    inner = build_server(app, shift).streamable_http_app(host=_HOST, max_request_body_size=LARGEST_BODY)
    config = uvicorn.Config(guarded(inner, token), ws="none", log_level="warning", access_log=False)
    with listener:
        announce(f"http://{_HOST}:{listener.getsockname()[1]}/mcp")
        _Server(config, shift).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Tells the work to stop between two actions; uvicorn itself waits for answers, however long they take."""

    def __init__(self, config: uvicorn.Config, shift: Shift) -> None:
        super().__init__(config)
        self._shift = shift

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._shift.end()
        super().handle_exit(sig, frame)
