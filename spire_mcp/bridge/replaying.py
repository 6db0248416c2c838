"""A recording as a bridge: the same answers in the same order, and no for any action that was not recorded."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self, cast
from urllib.parse import urlsplit

from spire_mcp.bridge.recording import Exchange, Json, Recording

_LARGEST_REQUEST: Final = 1024 * 1024
_STATE: Final = "/api/v1/singleplayer"


class Replay:
    """Where a replay stands in its recording.

    Between two actions the states come in the order in which they were seen, the last one again and again. An action
    that is the recorded one moves on; any other is refused, so that nobody plays past what is known.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._guard = threading.Lock()
        self._segments: list[list[Exchange]] = [[]]
        self._actions: list[Exchange] = []
        for exchange in recording.exchanges:
            if exchange.is_action:
                self._actions.append(exchange)
                self._segments.append([])
            else:
                self._segments[-1].append(exchange)
        self._at = 0
        self._shown: dict[str, int] = {}

    @property
    def left(self) -> int:
        """How many recorded actions have not been asked for."""
        return len(self._actions) - self._at

    def get(self, path: str) -> Exchange | None:
        """What a reading shows now; None for what was never read."""
        with self._guard:
            here = [exchange for exchange in self._segments[self._at] if _same(exchange.path, path)]
            if here:
                shown = self._shown.get(_key(path), 0)
                self._shown[_key(path)] = shown + 1
                return here[min(shown, len(here) - 1)]
            earlier = (exchange for segment in reversed(self._segments[: self._at]) for exchange in reversed(segment))
            return next((exchange for exchange in earlier if _same(exchange.path, path)), None)

    def post(self, sent: Json) -> Exchange | None:
        """What the recorded action answered; None when this is not the recorded one, and nothing moves."""
        with self._guard:
            if self._at >= len(self._actions) or self._actions[self._at].sent != sent:
                return None
            self._at += 1
            self._shown.clear()
            return self._actions[self._at - 1]


def _key(path: str) -> str:
    """The query of a state asks for a format, and nothing else."""
    plain = urlsplit(path).path
    return plain if plain == _STATE else path


def _same(recorded: str, asked: str) -> bool:
    return _key(recorded) == _key(asked)


class ReplayServer:
    """Serves a replay on a loopback port; `with` starts and stops it."""

    def __init__(self, recording: Recording, port: int = 0) -> None:
        self.replay = Replay(recording)
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.replay = self.replay
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The bridge's address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def serve_forever(self) -> None:
        """Wait until the process is interrupted."""
        self._stopped.wait()

    def __enter__(self) -> Self:
        """Start serving."""
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        self._stopped.set()
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    replay: Replay


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """A reading."""
        replay = cast("_Server", self.server).replay
        if self.path == "/":
            greeting = replay.recording.greeting or "a recording"
            self._answer(200, {"message": greeting, "status": "ok"})
            return
        exchange = replay.get(self.path)
        if exchange is None:
            self._answer(404, {"status": "error", "error": "this was not recorded"})
        else:
            self._recorded(exchange)

    def do_POST(self) -> None:
        """An action."""
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length[:9]) > _LARGEST_REQUEST:
            self.close_connection = True
            self._answer(413, {"status": "error", "error": "no request of this size was recorded"})
            return
        try:
            sent: Any = json.loads(self.rfile.read(int(length)))
        except ValueError:
            sent = None
        exchange = cast("_Server", self.server).replay.post(cast("Json", sent)) if isinstance(sent, dict) else None
        if exchange is None:
            self._answer(200, {"status": "error", "error": "the recording does not go on with this action"})
        else:
            self._recorded(exchange)

    def _recorded(self, exchange: Exchange) -> None:
        if exchange.status is None:
            self.close_connection = True  # no answer came then, so none comes now
            return
        self._answer(exchange.status, exchange.body)

    def _answer(self, status: int, body: Json | None) -> None:
        data = b"not JSON" if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing: standard error belongs to the command."""
