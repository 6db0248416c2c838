"""The scripted decision model behind the System One API, with faults on request."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import urlsplit

from spire_mcp.practice.faults import fault_for, parse_faults
from spire_mcp.practice.scripted_model import MODEL_FAULTS, NAME, Script, answer, spoiled

Json = dict[str, Any]

_LARGEST_REQUEST = 1024 * 1024
_DRIP_SECONDS = 0.05


class ModelServer:
    """A scripted model on a loopback port; `with` starts and stops it. `requests` holds every request, in order."""

    def __init__(self, script: Script | None = None, *, port: int = 0, faults: str = "") -> None:
        self.script = script or Script()
        self.faults = parse_faults(faults, MODEL_FAULTS)
        self.requests: list[Json] = []
        self.guard = threading.Lock()
        self.released = threading.Event()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.model = self
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL of the service."""
        return f"http://127.0.0.1:{int(self._http.server_address[1])}"

    def start(self) -> None:
        """Serve on a thread of its own; asking twice is one."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Let silent answers go and stop serving."""
        self.released.set()
        if self._thread is not None:
            self._http.shutdown()
            self._thread.join(5)
        self._http.server_close()

    def __enter__(self) -> Self:
        """Start serving."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def model(self) -> ModelServer:
        return cast("_Server", self.server).model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing: the terminal belongs to the player."""

    def do_GET(self) -> None:
        if urlsplit(self.path).path != "/v1/models":
            self._send(404, {"error": "Not found"})
            return
        about = {"name": NAME, "description": "answers without judgement", "release_date": "2026-01-01"}
        self._send(200, {"models": [about]})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(min(length, _LARGEST_REQUEST))
        if urlsplit(self.path).path != "/v1/systemone":
            self._send(404, {"error": "Not found"})
            return
        try:
            body: Json = json.loads(data.decode("utf-8"))
            with self.model.guard:
                self.model.requests.append(body)
                number = len(self.model.requests)
            response = answer(body, self.model.script, number)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._send(422, {"detail": f"the request cannot be read: {type(error).__name__}"})
            return
        told = self.model.script.answers
        scripted = told[min(number, len(told)) - 1].get("fault") if told else None
        self._answer(response, scripted or fault_for(self.model.faults, MODEL_FAULTS, number))

    def _answer(self, response: Json, fault: str | None) -> None:
        match fault:
            case None:
                self._send(200, response)
            case "status_500" | "status_429" | "status_401":
                # A service may say anything here, even what it was sent.
                self._send(int(fault[-3:]), {"error": f"no: {self.headers.get('Authorization')}"})
            case "cut":
                self._bytes(200, json.dumps(response).encode()[:40], length=4000)
                self.close_connection = True
            case "garbage":
                self._bytes(200, b"<html>busy</html>")
            case "silence":
                self.model.released.wait()
                self.close_connection = True
            case "drip":
                self._drip(json.dumps(response).encode())
            case _:
                self._send(200, spoiled(response, fault))

    def _drip(self, data: bytes) -> None:
        self._head(200, len(data))
        try:
            for place in range(len(data)):
                self.wfile.write(data[place : place + 1])
                self.wfile.flush()
                if self.model.released.wait(_DRIP_SECONDS):
                    break
        except OSError:
            pass
        self.close_connection = True

    def _head(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _bytes(self, status: int, data: bytes, length: int | None = None) -> None:
        self._head(status, length or len(data))
        self.wfile.write(data)
        self.wfile.flush()

    def _send(self, status: int, value: Json) -> None:
        self._bytes(status, json.dumps(value).encode("utf-8"))
