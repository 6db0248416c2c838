"""The bridge's HTTP client: reads that may be repeated, and sends that never are.

Nothing here follows a redirect, keeps a cookie, asks a proxy or tries a request a second time. Every action goes out on
a connection of its own: on a kept one, a server that had closed it in the meantime would turn a request that was never
read into one whose fate is unknown.
"""

import threading
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final, cast
from urllib.parse import urlencode

import httpx2

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.delivery import Accepted, Delivery, NotSent, Refused, Unknown
from spire_mcp.bridge.limits import WireLimits
from spire_mcp.bridge.parse import Json, decode, parse_state
from spire_mcp.bridge.scrub import PATH, run_alias
from spire_mcp.bridge.tape import Tape
from spire_mcp.errors import BridgeError, BridgeIncompatibleError, BridgeUnreachableError, MultiplayerError
from spire_mcp.game.options import Request
from spire_mcp.game.screens import Observation
from spire_mcp.game.text import clean_text

_STATE: Final = "/api/v1/singleplayer"
_DRIFT: Final = ("MissingMethodException", "MissingFieldException", "MissingMemberException", "TypeLoadException")
_NEVER_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_MESSAGE_LIMIT: Final = 200
_OK: Final = 200
_CLIENT_FAULT: Final = 400
_CONFLICT: Final = 409
_SERVER_FAULT: Final = 500


class BridgeClient:
    """Talks to one bridge. One request is in flight at a time: the bridge loses some when many queue up."""

    def __init__(
        self,
        address: BridgeAddress,
        limits: WireLimits | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        tape: Tape | None = None,
    ) -> None:
        self._tape = tape
        self._address = address
        self._limits = limits or WireLimits()
        self._monotonic = monotonic
        self._reads = self._client(self._limits.read, kept=1)
        self._sends = self._client(self._limits.send, kept=0)

    def _client(self, seconds: float, *, kept: int) -> httpx2.Client:
        return httpx2.Client(
            base_url=self._address.url,
            timeout=httpx2.Timeout(seconds, connect=self._limits.connect, pool=self._limits.connect),
            limits=httpx2.Limits(max_connections=4, max_keepalive_connections=kept),
            headers={"Accept": "application/json", "Accept-Encoding": "identity"},
            transport=httpx2.HTTPTransport(
                retries=0,
                verify=False,  # plain http on loopback: loading certificates would take longer than a read
                trust_env=False,
                limits=httpx2.Limits(max_connections=4, max_keepalive_connections=kept),
            ),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            trust_env=False,
            follow_redirects=False,
        )

    @property
    def url(self) -> str:
        """The address that is used, as the address was understood."""
        return self._address.url

    def close(self) -> None:
        """Close the connections."""
        self._reads.close()
        self._sends.close()

    def read_state(self) -> Observation:
        """Read the game once.

        Raises:
            BridgeUnreachableError, BridgeIncompatibleError, MultiplayerError, BridgeError: what is wrong and the fix.
        """
        return parse_state(self._get(f"{_STATE}?format=json", self._limits.state_bytes))

    def ping(self) -> str:
        """The bridge's greeting, which names its version; says nothing about the game being responsive."""
        return clean_text(str(self._get("/", self._limits.state_bytes).get("message", "")), 120)

    def run_identity(self) -> str | None:
        """The identity of the run in progress; None when the bridge reports none.

        Only the identity is kept: the answer also holds paths of the owner's home.
        """
        compendium = self._get("/api/v1/compendium", self._limits.other_bytes)
        current = compendium.get("current_run")
        run_id = cast("Json", current).get("run_id") if isinstance(current, dict) else None
        return clean_text(run_id, 120) if isinstance(run_id, str) and run_id else None

    def wiki(self, query: str, *, kind: str, limit: int) -> list[Json]:
        """Cards and relics that the profile has discovered, as the bridge's wiki finds them.

        Raises:
            BridgeIncompatibleError: this build of the mod has no wiki.
            BridgeError: the bridge cannot be asked, or its answer cannot be read.
        """
        words = urlencode({"query": query, "item_type": kind, "limit": limit})
        try:
            found = self._get(f"/api/v1/wiki?{words}", self._limits.other_bytes).get("results")
        except BridgeError as error:
            if "status 404" in error.message:
                raise BridgeIncompatibleError(
                    "this build of the mod has no wiki", fix="Build STS2MCP from its current source to look things up."
                ) from None
            raise
        entries = cast("list[object]", found) if isinstance(found, list) else []
        return [cast("Json", entry) for entry in entries if isinstance(entry, dict)]

    def send(self, request: Request) -> Delivery:
        """Post one action, once. What became of it is the answer; nothing is raised for what the wire does."""
        try:
            status, body = _within(self._limits.whole + self._limits.connect, lambda: self._post(request))
        except _NEVER_SENT as error:
            # Nothing reached the bridge, so there is nothing to record.
            return NotSent(reason=f"the connection to port {self._address.port} was not made ({type(error).__name__})")
        except (httpx2.HTTPError, httpx2.StreamError, _Bound) as error:
            self._record(_STATE, None, b"", sent=request.body())
            return Unknown(reason=_reason(error))
        self._record(_STATE, status, body, sent=request.body())
        return _delivery(status, body)

    def _post(self, request: Request) -> tuple[int, bytes]:
        with self._sends.stream("POST", _STATE, json=request.body()) as response:
            return response.status_code, self._body(response, self._limits.state_bytes)

    def _get(self, path: str, most: int) -> Json:
        with _translated(self._address.port, self._limits):
            status, body = _within(self._limits.whole + self._limits.connect, lambda: self._read(path, most))
        self._record(path, status, body)
        if status != _OK:
            raise _fault(status, body)
        return decode(body)

    def _record(self, path: str, status: int | None, body: bytes, *, sent: Mapping[str, object] | None = None) -> None:
        """Hand an exchange to a recorder, if somebody records."""
        if self._tape is not None:
            self._tape.add(lambda: {"path": path, "sent": sent, "status": status, "body": _recorded(path, body)})

    def _read(self, path: str, most: int) -> tuple[int, bytes]:
        with self._reads.stream("GET", path) as response:
            return response.status_code, self._body(response, most)

    def _body(self, response: httpx2.Response, most: int) -> bytes:
        """The answer's bytes, within bounds of size and time: a slow drip or an endless answer cannot hold us."""
        announced = response.headers.get("content-length", "")
        if announced.isdigit() and int(announced[:20]) > most:
            raise _Bound(f"an answer of {announced[:20]} bytes, of which {most} are the limit")
        deadline = self._monotonic() + self._limits.whole
        chunks: list[bytes] = []
        size = 0
        for chunk in response.iter_raw():
            chunks.append(chunk)
            size += len(chunk)
            if size > most:
                raise _Bound(f"an answer of more than {most} bytes")
            if self._monotonic() > deadline:
                raise _Bound(f"an answer that was not whole after {self._limits.whole:g} s")
        return b"".join(chunks)


def _within(seconds: float, exchange: Callable[[], tuple[int, bytes]]) -> tuple[int, bytes]:
    """Run one exchange, and stop waiting for it when its time is out.

    The library bounds each read, not their sum: an answer whose head comes byte by byte would hold its caller for ever.
    The thread that still listens then is left behind; it can send nothing any more.

    Raises:
        _Bound: it took longer than `seconds`.
    """
    outcome: Future[tuple[int, bytes]] = Future()

    def run() -> None:
        try:
            outcome.set_result(exchange())
        except BaseException as error:  # noqa: BLE001 - handed to the caller, whatever it is
            outcome.set_exception(error)

    threading.Thread(target=run, name="bridge exchange", daemon=True).start()
    try:
        return outcome.result(seconds)
    except TimeoutError:
        if outcome.done():
            raise
        raise _Bound(f"an answer that was not whole after {seconds:g} s") from None


class _Bound(Exception):  # noqa: N818 - never leaves this module
    """An answer went beyond a bound."""


def _reason(error: Exception) -> str:
    if isinstance(error, _Bound):
        return str(error)
    if isinstance(error, httpx2.TimeoutException):
        return "no answer in time"
    return f"the connection broke ({type(error).__name__})"


@contextmanager
def _translated(port: int, limits: WireLimits) -> Generator[None]:
    """The one place where the HTTP library's errors become ours."""
    try:
        yield
    except _NEVER_SENT:
        raise BridgeUnreachableError(f"nothing answers on port {port} of this machine") from None
    except httpx2.TimeoutException:
        raise BridgeUnreachableError(
            f"the bridge on port {port} gave no answer in {limits.read:g} s",
            fix="The game may be loading, minimised or showing a dialog: look at it, then try again.",
        ) from None
    except _Bound as error:
        raise BridgeError(f"the bridge sent {error}") from None
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        raise BridgeError(f"the bridge's answer broke off ({type(error).__name__})") from None


def _fault(status: int, body: bytes) -> BridgeError:
    """The error for a status other than 200."""
    answer = _object(body)
    said = _said(answer)
    kind = str(answer.get("exception_type", ""))
    if status == _CONFLICT:
        return MultiplayerError("a multiplayer run is in progress")
    if status >= _SERVER_FAULT and any(name in kind or name in said for name in _DRIFT):
        return BridgeIncompatibleError(f"the mod does not fit this game version; it said: {said}")
    detail = f"; it said: {said}" if said else ""
    return BridgeError(f"the bridge answered with status {status}{detail}")


def _recorded(path: str, body: bytes) -> Json | None:
    """An answer as a recording may hold it: of the compendium the run's identity alone, under another name."""
    answer = _object(body) or None
    if answer is None or not path.startswith("/api/v1/compendium"):
        return answer
    current = answer.get("current_run")
    run_id = cast("Json", current).get("run_id") if isinstance(current, dict) else None
    return {"current_run": {"run_id": run_alias(run_id)} if isinstance(run_id, str) and run_id else None}


def _object(body: bytes) -> Json:
    try:
        return decode(body)
    except BridgeError:
        return {}


def _said(answer: Json) -> str:
    """The bridge's reason in its own words, without paths: it goes into results and the journal."""
    return clean_text(PATH.sub("(a path)", str(answer.get("error", ""))[: 4 * _MESSAGE_LIMIT]), _MESSAGE_LIMIT)


def _delivery(status: int, body: bytes) -> Delivery:
    """The end of a request that was answered."""
    answer = _object(body)
    verdict, said = answer.get("status"), _said(answer)
    if status == _OK and verdict == "ok":
        return Accepted(message=clean_text(str(answer.get("message", "")), _MESSAGE_LIMIT))
    if status == _OK and verdict == "error":
        return Refused(message=said)
    client_error = _CLIENT_FAULT <= status < _SERVER_FAULT
    if client_error and isinstance(answer.get("error"), str):
        return Refused(message=said)
    return Unknown(
        reason=f"the bridge answered with status {status}" + (f": {said}" if said else " and nothing to read")
    )
