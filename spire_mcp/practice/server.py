"""The practice game behind the bridge's HTTP contract, with faults on request."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, time_ns
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import parse_qs, urlsplit

from spire_mcp.practice.faults import GET_FAULTS, LASTING, POST_FAULTS, Fault, fault_for, parse_faults
from spire_mcp.practice.game import Answer, PracticeGame
from spire_mcp.practice.wiki import search

Json = dict[str, Any]

_READ_ONLY = ("/api/v1/compendium", "/api/v1/wiki", "/api/v1/profile")
_NO_METHOD = (405, "Method not allowed")
_GREETING = {"message": "Hello from STS2 MCP v0.4.0", "status": "ok"}
_LATE = 3.0
_HUGE = 50 * 1024 * 1024
_LARGEST_REQUEST = 1024 * 1024


class PracticeServer:
    """A practice game on a loopback port; `with` starts and stops it.

    `requests` holds every action received, in order, with the fault it met: what a test counts. `arrived` is set once
    the first of them has come.
    """

    def __init__(
        self,
        *,
        seed: str = "practice",
        port: int = 0,
        faults: str = "",
        language: str = "eng",
        delay: float = 0.15,
        start: str = "fight",
        act: str = "overgrowth",
        character: str = "IRONCLAD",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.faults = parse_faults(faults)
        self.game = PracticeGame(
            seed=seed,
            language=language,
            delay=delay,
            start=start,
            clock=clock,
            run_id=f"modded:profile1:{time_ns() // 1_000_000}",
            act=act,
            character=character,
        )
        self.requests: list[Json] = []
        self.reads = 0
        self.guard = threading.Lock()
        self.released = threading.Event()
        self.arrived = threading.Event()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.practice = self
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port in use."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The bridge's address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve on a thread of its own; asking twice is one."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Let hanging answers go and stop serving."""
        self.released.set()
        if self._thread is not None:
            self._http.shutdown()
            self._thread.join(5)
        self._http.server_close()

    def serve_forever(self) -> None:
        """Wait until the process is interrupted."""
        self.start()
        self.released.wait()

    def __enter__(self) -> Self:
        """Start serving."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        self.stop()

    def lasting(self, kind: str) -> bool:
        """Whether a fault that needs no number is on."""
        return any(fault.kind == kind for fault in self.faults if fault.kind in LASTING)


def _disguised(state: Json, fault: str) -> Json:
    """What one read shows instead: a map somebody opened, a transition, or a state without its powers."""
    common = {key: state[key] for key in ("run", "player") if key in state}
    match fault:
        case "map_over_fight" if "hand" in state.get("player", {}):
            return {"state_type": "map", "map": {"visited": [], "next_options": [], "nodes": []}, **common}
        case "overlay":
            return {"state_type": "overlay", "overlay": {"screen_type": "Transition", "message": "..."}, **common}
        case _:
            for creature in [state.get("player", {}), *state.get("battle", {}).get("enemies", [])]:
                creature["status"] = []
            return state


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    practice: PracticeServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def practice(self) -> PracticeServer:
        return cast("_Server", self.server).practice

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing: the terminal belongs to the player."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        match parts.path:
            case "/":
                self._send(200, _GREETING)
            case "/api/v1/singleplayer":
                self._state()
            case "/api/v1/compendium":
                self._compendium()
            case "/api/v1/wiki":
                self._wiki(parse_qs(parts.query))
            case "/api/v1/profiles":
                profiles = [{"id": number, "is_current": number == 1, "has_data": number == 1} for number in (1, 2, 3)]
                self._send(200, {"current_profile_id": 1, "profiles": profiles})
            case "/api/v1/profile":
                self._send(200, {"characters": [], "number_of_runs": 0})
            case "/api/v1/multiplayer":
                self._send(409, {"error": "Not in a multiplayer run"})
            case _:
                self._send(404, {"error": "Not found"})

    def _compendium(self) -> None:
        practice = self.practice
        if practice.lasting("compendium_missing"):
            self._send(404, {"error": "Not found"})
            return
        current: Json = {"is_in_progress": True, "profile_id": 1, "save_scope": "modded"}
        if practice.lasting("compendium_parse_error"):
            current["parse_error"] = "Unexpected end of input"
        elif not practice.lasting("compendium_without_run_id"):
            current["run_id"] = practice.game.run_id
        in_run = practice.game.run.screen not in {"main_menu", "singleplayer_menu", "character_select"}
        self._send(200, {"profile_id": 1, "current_run": current if in_run else None, "sections": {}})

    def _wiki(self, query: dict[str, list[str]]) -> None:
        def one(*names: str) -> str:
            return next((query[name][0] for name in names if name in query), "")

        wanted = one("query", "q")
        if not wanted.strip():
            self._send(400, {"error": "Missing 'query' parameter"})
            return
        self._send(200, search(wanted, one("type", "item_type") or "all", one("limit"), self.practice.game.language))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(min(length, _LARGEST_REQUEST))
        path = urlsplit(self.path).path
        if path == "/":
            self._send(200, _GREETING)
            return
        if path != "/api/v1/singleplayer":
            known = {"/api/v1/multiplayer": (409, "Not in a multiplayer run"), **dict.fromkeys(_READ_ONLY, _NO_METHOD)}
            status, said = known.get(path, (404, "Not found"))
            self._send(status, {"error": said})
            return
        try:
            body: object = json.loads(data.decode("utf-8"))
        except ValueError:
            body = ()
        if body is not None and not isinstance(body, dict):
            self._send(400, {"error": "Invalid JSON"})
            return
        request = cast("Json", body or {})
        if request.get("action", ()) is None:
            # The mod reads null as an empty name.
            request["action"] = ""
        if "action" not in request:
            self._send(400, {"error": "Missing 'action' field"})
        elif not isinstance(request["action"], str):
            self._send(500, {"error": "Internal error: the action is not text"})
        else:
            self._action(request)

    def do_OPTIONS(self) -> None:
        self.send_response(204)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    def do_PUT(self) -> None:
        path = urlsplit(self.path).path
        known = path in {"/api/v1/singleplayer", "/api/v1/profiles", *_READ_ONLY}
        self._send(*((405, {"error": "Method not allowed"}) if known else (404, {"error": "Not found"})))

    do_DELETE = do_PUT

    # ------------------------------------------------------------------ reading

    def _state(self) -> None:
        practice = self.practice
        with practice.guard:
            practice.reads += 1
            fault = fault_for(practice.faults, GET_FAULTS, practice.reads)
            state = practice.game.state()
        if practice.lasting("leak_draw_order") and "hand" in state.get("player", {}):
            with practice.guard:
                fight = practice.game.run.fight
                state["player"]["draw_pile_ordered"] = [card.id for card in fight.draw_pile] if fight else []
        if practice.lasting("costs_as_numbers"):
            for card in state.get("player", {}).get("hand", []):
                card["cost"] = int(card["cost"]) if card["cost"].isdigit() else card["cost"]
        match fault:
            case None:
                self._send(200, state)
            case "get_500_missing_method":
                answer = {
                    "error": "Failed to read game state: Method not found: get_IsPlayPhase",
                    "exception_type": "System.MissingMethodException",
                    "stack_trace": None,
                }
                self._send(500, answer)
            case "multiplayer":
                self._send(409, {"error": "A multiplayer run is in progress"})
            case "get_garbage":
                self._raw(b"<html>not the bridge</html>")
            case "get_huge":
                self._huge()
            case "get_half":
                self._half(200, state)
            case "map_over_fight" | "overlay" | "power_missing":
                self._send(200, _disguised(state, fault))
            case _:
                practice.released.wait()
                self.close_connection = True

    # ------------------------------------------------------------------ acting

    def _action(self, body: Json) -> None:
        practice = self.practice
        with practice.guard:
            number = len(practice.requests) + 1
            fault = fault_for(practice.faults, POST_FAULTS, number)
            practice.requests.append({"body": body, "fault": fault})
            answer = self._take(practice.game, body, fault)
        practice.arrived.set()
        self._reply(fault, answer)

    def _take(self, game: PracticeGame, body: Json, fault: str | None) -> Answer:
        """Whether and when the action takes effect under a fault."""
        if fault in {"reply_lost_before_effect", "error_500_before_effect", "error_without_effect", "hang"}:
            return 200, {"status": "error", "error": "The action was not taken"}
        if fault == "ok_without_effect":
            return 200, {"status": "ok", "message": "Accepted, and nothing comes of it"}
        answer = game.post(body, extra_delay=_LATE if fault == "late_effect" else 0.0)
        if fault == "duplicate_effect":
            game.settle()
            game.post(body)
        if self.practice.lasting("stuck_enchant") and game.run.grid is not None:
            game.run.grid.stuck = game.run.grid.purpose == "enchant"
        if fault == "popup":
            game.popup = True
        return answer

    def _reply(self, fault: str | None, answer: Answer) -> None:
        match fault:
            case "reply_lost_after_effect" | "reply_lost_before_effect":
                self.close_connection = True
                self.connection.close()
            case "error_500_after_effect" | "error_500_before_effect":
                self._send(500, {"error": "Action failed: Object reference not set"})
            case "error_with_effect":
                self._send(200, {"status": "error", "error": "Refused, and yet it happened"})
            case "half_reply":
                self._half(*answer)
            case "hang" | "hang_with_effect":
                self.practice.released.wait()
                self.close_connection = True
            case _:
                self._send(*answer)

    # ------------------------------------------------------------------ answering

    def _bytes(self, answer: Json) -> bytes:
        return json.dumps(answer, ensure_ascii=False, indent=2).encode("utf-8")

    def _head(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, answer: Json) -> None:
        data = self._bytes(answer)
        self._head(status, len(data))
        self.wfile.write(data)

    def _raw(self, data: bytes) -> None:
        self._head(200, len(data))
        self.wfile.write(data)

    def _half(self, status: int, answer: Json) -> None:
        data = self._bytes(answer)
        self._head(status, len(data))
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.close_connection = True

    def _huge(self) -> None:
        self._head(200, _HUGE)
        block = b" " * 65536
        try:
            for _ in range(_HUGE // len(block)):
                self.wfile.write(block)
        except OSError:
            self.close_connection = True


__all__ = ["Fault", "PracticeServer"]
