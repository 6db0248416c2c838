"""`watch`: the live page on loopback, by server-sent events; whoever holds its token may also stop the port."""

import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlsplit

from spire_mcp.control.storage import PortFolder, StorageError, UnreadableRecord, read_record, write_record
from spire_mcp.errors import SpireError, UsageError
from spire_mcp.review.live import Follower, Window, shown_record
from spire_mcp.review.pages import digest, render
from spire_mcp.review.records import text, whole

_TICK: Final = 0.2
"""Seconds between two looks at the journal: an action is to be seen within one."""
_BOARD_EVERY: Final = 3
"""Looks at the journal for one look at the game."""
_BACKLOG: Final = 200
_MOST_VIEWERS: Final = 8


def _policy(script: str) -> str:
    return (
        f"default-src 'none'; script-src '{digest(script)}'; style-src 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class WatchServer:
    """Serves one port's live page. The address stays the same over restarts, so an open page finds it again."""

    def __init__(self, *, folder: PortFolder, window: Window, halt: Callable[[str], object], port: int | None) -> None:
        """Bind the page's own port.

        Args:
            folder: the files of the watched bridge port.
            window: what is shown.
            halt: sets HALTED.
            port: the page's port; None takes the last one again, or a free one.

        Raises:
            UsageError: the port cannot be had.
            StorageError: the address could not be kept.
        """
        folder.create()
        self.window, self.halt, self.folder = window, halt, folder
        self.stopping = threading.Event()
        self.viewers = threading.BoundedSemaphore(_MOST_VIEWERS)
        known = read_record(folder.path / "watch.json") or {}
        if isinstance(known, UnreadableRecord):
            known = {}
        kept = text(known.get("token"), 80)
        self.token = kept if len(kept) >= 32 else secrets.token_urlsafe(32)
        self._server = _bind(self, port, whole(known.get("port")))
        self.port = self._server.server_port
        write_record(folder.path / "watch.json", {"port": self.port, "token": self.token})

    @property
    def url(self) -> str:
        """The page, with its token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def serve_forever(self) -> None:
        """Serve until `close`."""
        self._server.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        """End the streams and give the port back. Only after `serve_forever` was begun."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    watch: WatchServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A viewer that went away is no news."""


def _bind(watch: WatchServer, asked: int | None, known: int | None) -> _Server:
    ports = [asked] if asked is not None else [port for port in (known, 0) if port is not None]
    problem = ""
    for port in ports:
        try:
            server = _Server(("127.0.0.1", port), _Handler)
        except OSError as error:
            problem = error.strerror or type(error).__name__
        except OverflowError:
            problem = "it is no port"
        else:
            server.watch = watch
            return server
    raise UsageError(f"the page cannot have port {ports[-1]}: {problem}", fix="Give another --port, or none.")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Nothing: the path holds the token."""

    def do_GET(self) -> None:
        """The page, its events, its chart."""
        url = urlsplit(self.path)
        if not self._allowed(parse_qs(url.query).get("token", [""])[0]):
            return
        if url.path == "/":
            script = render("watch.js")
            page = render("watch.html", script=script)
            self._answer(HTTPStatus.OK, page.encode("utf-8"), "text/html; charset=utf-8", policy=_policy(script))
        elif url.path == "/hp.svg":
            try:
                drawn = self.server.watch.window.chart()
            except StorageError:
                drawn = '<svg xmlns="http://www.w3.org/2000/svg"/>'
            policy = "default-src 'none'; style-src 'unsafe-inline'"
            self._answer(HTTPStatus.OK, drawn.encode("utf-8"), "image/svg+xml", policy=policy)
        elif url.path == "/events":
            self._events()
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def do_POST(self) -> None:
        """The stop button. The token comes in a header, which no other page can send without being asked first."""
        if not self._allowed(self.headers.get("X-Spire-Token", ""), must_have_origin=True):
            return
        if urlsplit(self.path).path != "/halt":
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        try:
            self.server.watch.halt("stopped from the watch page")
        except SpireError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, error.message)
            return
        self._answer(HTTPStatus.OK, b'{"halted":true}', "application/json")

    def _allowed(self, token: str, *, must_have_origin: bool = False) -> bool:
        names = {f"{host}:{self.server.server_port}" for host in ("127.0.0.1", "localhost")}
        if self.headers.get("Host", "") not in names:
            self._refuse(HTTPStatus.FORBIDDEN, "this page is served on loopback only")
            return False
        origin = self.headers.get("Origin")
        if (origin is None and must_have_origin) or (
            origin is not None and origin not in {f"http://{n}" for n in names}
        ):
            self._refuse(HTTPStatus.FORBIDDEN, "the request comes from another page")
            return False
        if not hmac.compare_digest(token.encode("utf-8"), self.server.watch.token.encode("ascii")):
            self._refuse(HTTPStatus.FORBIDDEN, "the address has no valid token; `spire-mcp watch` prints it")
            return False
        return True

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._answer(status, f"{message}\n".encode(), "text/plain; charset=utf-8")

    def _answer(self, status: HTTPStatus, body: bytes, kind: str, *, policy: str = "default-src 'none'") -> None:
        self.send_response(status)
        self._headers(kind, policy)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def _headers(self, kind: str, policy: str = "default-src 'none'") -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")

    def _events(self) -> None:
        watch = self.server.watch
        if not watch.viewers.acquire(blocking=False):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages watch already")
            return
        try:
            self.close_connection = True
            self.send_response(HTTPStatus.OK)
            self._headers("text/event-stream")
            self.end_headers()
            self.wfile.write(b"retry: 500\n\n")
            self._stream(watch)
        except (OSError, ValueError):
            return  # the viewer went away
        finally:
            watch.viewers.release()

    def _stream(self, watch: WatchServer) -> None:
        seen = self.headers.get("Last-Event-ID", "")
        after = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 15 else None
        follower = Follower(folder=watch.folder)
        first, turn = True, 0
        while not watch.stopping.is_set():
            records = follower.new()
            if first:
                # A page that comes back is told what it missed; a new one the newest.
                missed = [record for record in records if after is None or (whole(record.get("seq")) or 0) > after]
                records = missed[-_BACKLOG:]
            for record in records:
                self._send("record", shown_record(record), whole(record.get("seq")))
            if records or first:
                self._send("sums", watch.window.sums())
            if turn % _BOARD_EVERY == 0 or records:
                self._send("board", watch.window.board())
            first, turn = False, turn + 1
            watch.stopping.wait(_TICK)

    def _send(self, event: str, data: object, seq: int | None = None) -> None:
        mark = f"id: {seq}\n" if seq is not None else ""
        self.wfile.write(f"{mark}event: {event}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()
