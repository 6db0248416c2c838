"""The HTTP client against servers that do everything wrong: each failure told apart, no action sent twice."""

import itertools
import json
import re
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.delivery import Accepted, Delivery, NotSent, Refused, Unknown
from spire_mcp.bridge.limits import WireLimits
from spire_mcp.errors import BridgeError, BridgeIncompatibleError, BridgeUnreachableError, MultiplayerError
from spire_mcp.game.options import Request
from tests.bridge.misbehaving import (
    Answer,
    MisbehavingServer,
    close,
    drip,
    drip_head,
    endless,
    hang,
    raw,
    reply,
    reset,
    then_close,
    then_reset,
    unread,
)

# The shortest waits that a busy machine still keeps apart from an answer: a loopback exchange takes a few ms.
SHORT = WireLimits(connect=0.5, read=0.3, send=0.3, whole=0.4, state_bytes=200_000, other_bytes=400_000)
MB_50 = 50 * 1024 * 1024
END_TURN = Request(action="end_turn")
OK = reply("200 OK", b'{"status": "ok", "message": "Ending turn"}')
MENU = json.dumps({"state_type": "menu", "menu_screen": "main", "message": "", "options": ["quit"]}).encode()
DRIFT = json.dumps(
    {
        "error": "Failed to read game state: Method not found: get_IsPlayPhase",
        "exception_type": "System.MissingMethodException",
        "stack_trace": "at Mod.Read() in C:\\Users\\someone\\STS2_MCP.dll",
    }
).encode()
WITH_PATHS = json.dumps(
    {
        "error": "Could not find file 'C:\\Users\\Some One\\save.json' or /home/someone/save.json",
        "exception_type": "System.IO.FileNotFoundException",
        "stack_trace": "at Mod.Read() in /home/someone/Mod.cs:line 3",
    }
).encode()
HTML = b"<!DOCTYPE html><html><body>Not the game</body></html>"
DEEP = b"[" * 5000 + b"]" * 5000
PRIVATE = re.compile(r"(?i)users|someone|some one|home|\.cs|stack|trace| at \w+\.|c:\\|\.py")


@contextmanager
def talking(
    answer: Answer,
    *,
    reads: bool = True,
    limits: WireLimits = SHORT,
    monotonic: Callable[[], float] | None = None,
) -> Generator[tuple[MisbehavingServer, BridgeClient]]:
    with MisbehavingServer(answer, reads=reads) as server:
        address = BridgeAddress.parse(server.url)
        client = BridgeClient(address, limits) if monotonic is None else BridgeClient(address, limits, monotonic)
        try:
            yield server, client
        finally:
            client.close()


def words(delivery: Delivery) -> str:
    return delivery.reason if isinstance(delivery, NotSent | Unknown) else delivery.message


def assert_fit_to_show(text: str, most: int = 320) -> None:
    """One bounded line without the owner's paths: 200 characters are the bridge's, the rest is ours."""
    assert text.isprintable()
    assert len(text) < most
    assert not PRIVATE.search(text), text


# Sends: four ends, one request.


@contextmanager
def nobody() -> Generator[BridgeClient]:
    """A port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        client = BridgeClient(BridgeAddress.parse(f"http://127.0.0.1:{taken.getsockname()[1]}"), SHORT)
        yield client
        client.close()


def test_a_refused_connection_is_an_action_that_was_not_sent() -> None:
    with nobody() as client:
        delivery = client.send(END_TURN)
    assert isinstance(delivery, NotSent)
    assert_fit_to_show(delivery.reason)


def test_a_refused_connection_makes_every_reading_unreachable_with_a_fix() -> None:
    with nobody() as client:
        for read in (client.read_state, client.ping, client.run_identity):
            with pytest.raises(BridgeUnreachableError) as caught:
                read()
            assert "nothing answers on port" in caught.value.message
            assert "practice" in caught.value.fix


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux drops connections beyond the backlog in silence")
def test_a_connection_that_is_never_taken_up_is_an_action_that_was_not_sent() -> None:
    limits = WireLimits(connect=0.2, read=0.3, send=0.3, whole=0.4)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]  # a backlog of 0 takes 1; the others make sure that it is full
        for one in waiting:
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect(listener.getsockname())
        client = BridgeClient(BridgeAddress.parse(f"http://127.0.0.1:{listener.getsockname()[1]}"), limits)
        assert isinstance(client.send(END_TURN), NotSent)
        with pytest.raises(BridgeUnreachableError):
            client.read_state()
        client.close()
        for one in waiting:
            one.close()


SENDS = [
    ("accepted", OK, Accepted, "Ending turn"),
    ("accepted without a message", reply("200 OK", b'{"status": "ok"}'), Accepted, ""),
    ("accepted, and the connection is reset at once", then_reset(OK), Accepted, "Ending turn"),
    ("refused", reply("200 OK", b'{"status": "error", "error": "Not in combat"}'), Refused, "Not in combat"),
    ("refused without a reason", reply("200 OK", b'{"status": "error"}'), Refused, ""),
    ("refused as malformed", reply("400 Bad Request", b'{"error": "Invalid JSON"}'), Refused, "Invalid JSON"),
    ("refused as multiplayer", reply("409 Conflict", b'{"error": "In a multiplayer run"}'), Refused, "multiplayer"),
    ("a 400 without an error", reply("400 Bad Request", b'{"status": "ok"}'), Unknown, "status 400"),
    ("a 400 with an error that is no text", reply("400 Bad Request", b'{"error": {"a": 1}}'), Unknown, "status 400"),
    ("a 404 as a page", reply("404 Not Found", HTML), Unknown, "status 404"),
    ("a 404 without a body", reply("404 Not Found", b""), Unknown, "status 404"),
    ("a 409 without a body", reply("409 Conflict", b""), Unknown, "status 409"),
    ("a 500", reply("500 Internal Server Error", b'{"error": "Action failed: x"}'), Unknown, "Action failed: x"),
    ("a 500 that says ok", reply("500 Internal Server Error", b'{"status": "ok"}'), Unknown, "status 500"),
    ("a 500 that says error", reply("500 Internal Server Error", b'{"status": "error"}'), Unknown, "status 500"),
    ("version drift", reply("500 Internal Server Error", DRIFT), Unknown, "Method not found"),
    ("a 500 with paths", reply("500 Internal Server Error", WITH_PATHS), Unknown, "Could not find file"),
    ("a 201 that says ok", reply("201 Created", b'{"status": "ok"}'), Unknown, "status 201"),
    ("a 204", raw(b"HTTP/1.1 204 No Content\r\n\r\n"), Unknown, "status 204"),
    ("a 101", raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), Unknown, "broke"),
    ("a status beyond all statuses", reply("600 Odd", b"{}"), Unknown, "status 600"),
    ("no status in a 200", reply("200 OK", b'{"message": "hello"}'), Unknown, "status 200"),
    ("an unknown status", reply("200 OK", b'{"status": "maybe"}'), Unknown, "status 200"),
    ("a status that is no text", reply("200 OK", b'{"status": ["ok"]}'), Unknown, "status 200"),
    ("a list", reply("200 OK", b'[{"status": "ok"}]'), Unknown, "status 200"),
    ("an empty body", reply("200 OK", b""), Unknown, "nothing to read"),
    ("a page", reply("200 OK", HTML), Unknown, "nothing to read"),
    ("invalid UTF-8", reply("200 OK", b'{"status": "ok", "message": "\xff"}'), Unknown, "nothing to read"),
    ("NaN", reply("200 OK", b'{"status": "ok", "a": NaN}'), Unknown, "nothing to read"),
    ("deep nesting", reply("200 OK", b'{"status": "ok", "a": ' + DEEP + b"}"), Unknown, "nothing to read"),
    ("compressed unasked", reply("200 OK", b"\x1f\x8b\x08", more=b"Content-Encoding: gzip\r\n"), Unknown, "nothing"),
    ("closed after reading", close, Unknown, "broke"),
    ("reset after reading", reset, Unknown, "broke"),
    ("a hang", hang, Unknown, "no answer in time"),
    ("half a head", raw(b"HTTP/1.1 200 OK\r\nContent-Le"), Unknown, "broke"),
    ("half a body", reply("200 OK", b'{"status": "ok"', length=400), Unknown, "broke"),
    ("a whole object of a longer body", reply("200 OK", b'{"status": "ok"}', length=400), Unknown, "broke"),
    ("no HTTP", raw(b"\x00\x01\x02 hello\r\n\r\n"), Unknown, "broke"),
    ("a broken chunk", raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), Unknown, "broke"),
    ("an endless head", raw(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000), Unknown, "broke"),
    ("50 MB announced", reply("200 OK", b"{", length=MB_50), Unknown, str(MB_50)),
    (
        "more than 20 digits announced",
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n"),
        Unknown,
        "",
    ),
    ("an endless answer", endless, Unknown, "more than 200000 bytes"),
    ("a slow drip", drip, Unknown, "not whole"),
    ("a head that never ends", drip_head, Unknown, "not whole"),
]


@pytest.mark.parametrize(("answer", "end", "says"), [row[1:] for row in SENDS], ids=[row[0] for row in SENDS])
def test_each_end_of_a_send_is_told_apart_and_the_request_arrives_once(answer: Answer, end: type, says: str) -> None:
    with talking(answer) as (server, client):
        delivery = client.send(END_TURN)
    assert type(delivery) is end, delivery
    assert says in words(delivery)
    assert_fit_to_show(words(delivery))
    assert (server.connections, len(server.requests)) == (1, 1)
    assert server.requests[0].endswith(b'{"action":"end_turn"}')


@pytest.mark.parametrize("answer", [close, reset], ids=["closed", "reset"])
def test_a_connection_lost_before_the_request_was_read_is_not_called_unsent(answer: Answer) -> None:
    with talking(unread(answer), reads=False) as (server, client):
        assert isinstance(client.send(END_TURN), Unknown)
    assert server.connections == 1


@pytest.mark.parametrize("answer", [close, reset], ids=["closed", "reset"])
def test_a_connection_lost_at_once_is_not_made_a_second_time(answer: Answer) -> None:
    with talking(answer, reads=False) as (server, client):
        # Which of the two it is depends on whether the end came before the connection was reported as made.
        assert isinstance(client.send(END_TURN), NotSent | Unknown)
    assert server.connections == 1


def test_each_send_has_a_connection_of_its_own() -> None:
    with talking(OK) as (server, client):
        for _ in range(3):
            assert isinstance(client.send(END_TURN), Accepted)
    assert (server.connections, len(server.requests)) == (3, 3)


@pytest.mark.parametrize("ending", [then_close, then_reset], ids=["closed", "reset"])
def test_a_connection_that_the_server_ends_between_two_sends_costs_neither(ending: Callable[[Answer], Answer]) -> None:
    with talking(ending(OK)) as (server, client):
        for _ in range(2):
            assert isinstance(client.send(END_TURN), Accepted)
            assert server.closed.acquire(timeout=2)
    assert (server.connections, len(server.requests)) == (2, 2)


def test_a_reading_before_it_leaves_no_connection_for_a_send_to_use() -> None:
    with talking(reply("200 OK", MENU)) as (server, client):
        client.read_state()
        client.send(END_TURN)
    assert (server.connections, len(server.requests)) == (2, 2)


def test_a_send_after_an_unknown_one_is_another_request_and_nothing_is_made_up_for() -> None:
    with talking(close) as (server, client):
        assert isinstance(client.send(END_TURN), Unknown)
        server.answer = OK
        assert isinstance(client.send(Request(action="proceed")), Accepted)
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in server.requests]
    assert bodies == [{"action": "end_turn"}, {"action": "proceed"}]


def test_the_parameters_of_an_action_stand_beside_its_name() -> None:
    with talking(OK) as (server, client):
        client.send(Request(action="play_card", parameters={"card_index": 2, "target": "吃_0"}))
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /api/v1/singleplayer HTTP/1.1\r\n")
    assert b"content-type: application/json" in head.lower()
    assert json.loads(body.decode("utf-8")) == {"action": "play_card", "card_index": 2, "target": "吃_0"}


def test_the_host_is_the_name_that_the_bridge_listens_for() -> None:
    with talking(OK) as (server, client):
        client.send(END_TURN)
        assert f"\r\nHost: {server.url.removeprefix('http://')}\r\n".encode() in server.requests[0]


@pytest.mark.parametrize("status", ["ok", "error"])
def test_what_the_bridge_says_is_bounded_and_plain(status: str) -> None:
    said = "\x1b[31m\u202e\n" + "no " * 5000
    with talking(reply("200 OK", json.dumps({"status": status, "message": said, "error": said}).encode())) as (
        _,
        client,
    ):
        delivery = client.send(END_TURN)
    assert words(delivery).startswith("[31m no no")
    assert len(words(delivery)) <= 200
    assert words(delivery).isprintable()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Could not find 'C:\\Users\\Some One\\a.json' now", "Could not find '(a path)' now"),
        ("read C:/Users/someone/a.json", "read (a path)"),
        ("access to \\\\server\\share denied", "access to (a path)"),
        ("at Mod.Act() in /home/someone/Mod.cs:line 3\n at Mod.Run()", "at Mod.Act() in (a path)"),
        ("Deal 3/4 damage and/or Block", "Deal 3/4 damage and/or Block"),
        ("Card 'Bash' needs 2 energy / has 1", "Card 'Bash' needs 2 energy / has 1"),
    ],
)
def test_the_bridges_words_are_passed_on_without_paths(said: str, shown: str) -> None:
    with talking(reply("200 OK", json.dumps({"status": "error", "error": said}).encode())) as (_, client):
        assert client.send(END_TURN) == Refused(message=shown)


LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["ok", "error"])


@given(
    status=st.sampled_from([200, 200, 200, 202, 400, 404, 409, 500, 503]),
    body=st.dictionaries(st.sampled_from(["status", "error", "message", "done"]), LEAF | st.lists(LEAF, max_size=2)),
)
@settings(max_examples=60)
def test_only_a_200_that_says_so_is_an_accepted_action(status: int, body: dict[str, Any]) -> None:
    with talking(reply(f"{status} X", json.dumps(body).encode())) as (server, client):
        delivery = client.send(END_TURN)
    says = body.get("status")
    assert isinstance(delivery, Accepted) == (status == 200 and says == "ok")
    client_fault = 400 <= status < 500 and isinstance(body.get("error"), str)
    assert isinstance(delivery, Refused) == ((status == 200 and says == "error") or client_fault)
    assert len(server.requests) == 1


@given(st.binary(max_size=60), st.sampled_from([b"", b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]))
@settings(max_examples=60)
def test_no_bytes_on_the_wire_break_a_send_or_a_reading(data: bytes, before: bytes) -> None:
    with talking(raw(before + data)) as (server, client):
        assert isinstance(client.send(END_TURN), Unknown)
        with pytest.raises(BridgeError) as caught:
            client.read_state()
    assert_fit_to_show(caught.value.message)
    assert len(server.requests) == 2


# Readings: each failure one error with a fix.

READS = [
    ("a 500", reply("500 Internal Server Error", b'{"error": "x", "stack_trace": "at C:/Users"}'), BridgeError, "500"),
    ("a 500 with paths", reply("500 Internal Server Error", WITH_PATHS), BridgeError, "Could not find file '(a path)'"),
    ("a 500 as a page", reply("500 Internal Server Error", HTML), BridgeError, "status 500"),
    ("version drift", reply("500 Internal Server Error", DRIFT), BridgeIncompatibleError, "does not fit"),
    ("a 400 with an error", reply("400 Bad Request", b'{"error": "Invalid format"}'), BridgeError, "Invalid format"),
    ("a 404 without an error", reply("404 Not Found", b""), BridgeError, "status 404"),
    ("a 403 as a page", reply("403 Forbidden", HTML), BridgeError, "status 403"),
    ("multiplayer", reply("409 Conflict", b'{"error": "multiplayer"}'), MultiplayerError, "multiplayer"),
    ("multiplayer without a body", reply("409 Conflict", b""), MultiplayerError, "multiplayer"),
    ("a 204", raw(b"HTTP/1.1 204 No Content\r\n\r\n"), BridgeError, "status 204"),
    ("a page", reply("200 OK", HTML), BridgeError, "not JSON"),
    ("an empty body", reply("200 OK", b""), BridgeError, "not JSON"),
    ("invalid UTF-8", reply("200 OK", b'{"state_type": "\xff"}'), BridgeError, "not UTF-8"),
    ("UTF-16", reply("200 OK", MENU.decode().encode("utf-16")), BridgeError, "not UTF-8"),
    ("a list", reply("200 OK", b"[1]"), BridgeError, "no JSON object"),
    ("no state", reply("200 OK", b'{"error": "no"}'), BridgeError, "no state_type"),
    ("NaN", reply("200 OK", b'{"state_type": "menu", "a": NaN}'), BridgeError, "NaN"),
    ("deep nesting", reply("200 OK", b'{"a": ' + DEEP + b"}"), BridgeError, "nested more than 60 deep"),
    ("half a body", reply("200 OK", b'{"state_type"', length=400), BridgeError, "broke off"),
    ("a whole object of a longer body", reply("200 OK", MENU, length=4000), BridgeError, "broke off"),
    ("half a head", raw(b"HTTP/1.1 200 OK\r\nContent-Le"), BridgeError, "broke off"),
    ("no HTTP", raw(b"\x00\x01\x02 hello\r\n\r\n"), BridgeError, "broke off"),
    ("a broken chunk", raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), BridgeError, "broke off"),
    ("closed", close, BridgeError, "broke off"),
    ("reset", reset, BridgeError, "broke off"),
    ("50 MB announced", reply("200 OK", b"{", length=MB_50), BridgeError, str(MB_50)),
    ("an endless answer", endless, BridgeError, "more than 200000 bytes"),
    ("a slow drip", drip, BridgeError, "not whole after 0.4 s"),
    ("a head that never ends", drip_head, BridgeError, "not whole after"),
    ("a hang", hang, BridgeUnreachableError, "no answer in 0.3 s"),
]


@pytest.mark.parametrize(("answer", "error", "says"), [row[1:] for row in READS], ids=[row[0] for row in READS])
def test_each_failed_reading_is_its_own_error_with_a_fix(answer: Answer, error: type[BridgeError], says: str) -> None:
    with talking(answer) as (server, client), pytest.raises(BridgeError) as caught:
        client.read_state()
    assert type(caught.value) is error
    assert says in caught.value.message
    assert_fit_to_show(caught.value.message)
    assert caught.value.fix
    assert not caught.value.may_have_acted
    assert caught.value.__cause__ is None
    assert (server.connections, len(server.requests)) == (1, 1)


@pytest.mark.parametrize("answer", [close, reset], ids=["closed", "reset"])
def test_a_reading_lost_before_it_was_read_is_not_tried_again(answer: Answer) -> None:
    with talking(unread(answer), reads=False) as (server, client), pytest.raises(BridgeError, match="broke off"):
        client.read_state()
    assert server.connections == 1


def test_a_good_reading_is_an_observation() -> None:
    with talking(reply("200 OK", MENU)) as (server, client):
        assert client.read_state().state_type == "menu"
    assert server.requests[0].startswith(b"GET /api/v1/singleplayer?format=json HTTP/1.1\r\n")


def test_readings_share_a_connection() -> None:
    with talking(reply("200 OK", MENU)) as (server, client):
        for _ in range(3):
            client.read_state()
    assert (server.connections, len(server.requests)) == (1, 3)


def test_a_connection_that_the_server_ends_between_two_readings_is_made_anew() -> None:
    with talking(then_close(reply("200 OK", MENU))) as (server, client):
        for _ in range(2):
            assert client.read_state().state_type == "menu"
            assert server.closed.acquire(timeout=2)
    assert (server.connections, len(server.requests)) == (2, 2)


@pytest.mark.parametrize("answer", [hang, drip, endless, close], ids=lambda answer: answer.__name__)
def test_a_failed_reading_leaves_nothing_behind_for_the_next(answer: Answer) -> None:
    with talking(answer) as (server, client):
        with pytest.raises(BridgeError):
            client.read_state()
        server.answer = reply("200 OK", MENU)
        assert client.read_state().state_type == "menu"
    assert len(server.requests) == 2


def test_the_whole_answer_has_a_deadline_however_steadily_it_comes() -> None:
    # A clock that moves 1 s at each look: 2.5 s are over with the third piece, although each piece comes in time.
    seconds = itertools.count()
    limits = WireLimits(connect=0.5, read=0.3, send=0.3, whole=2.5)
    with talking(drip, limits=limits, monotonic=lambda: float(next(seconds))) as (_, client):
        with pytest.raises(BridgeError) as caught:
            client.read_state()
        looked = next(seconds)
        assert isinstance(client.send(END_TURN), Unknown)
    assert "not whole after 2.5 s" in caught.value.message
    assert looked == 4  # once at the beginning, then at each of three pieces


def test_an_answer_in_many_pieces_is_whole_within_its_deadline() -> None:
    def in_pieces(server: MisbehavingServer, connection: socket.socket) -> None:
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(MENU)}\r\n\r\n".encode())
        for byte in MENU:
            connection.sendall(bytes([byte]))

    with talking(in_pieces, monotonic=lambda: 7.0) as (_, client):
        assert client.read_state().state_type == "menu"


def test_an_answer_of_just_the_permitted_size_is_read_and_one_byte_more_is_not() -> None:
    body = MENU.ljust(1000)
    for most, readable in ((1000, True), (999, False)):
        for announced in (True, False):
            head = f"Content-Length: {len(body)}\r\n" if announced else ""
            answer = raw(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body)
            with talking(answer, limits=WireLimits(read=0.3, whole=0.4, state_bytes=most)) as (_, client):
                if readable:
                    assert client.read_state().state_type == "menu"
                else:
                    with pytest.raises(BridgeError):
                        client.read_state()


def test_the_greeting_is_shown_bounded_and_plain() -> None:
    greeting = json.dumps({"message": "Hello from STS2 MCP v0.4.0\x1b[31m" + "!" * 500, "status": "ok"}).encode()
    with talking(reply("200 OK", greeting)) as (server, client):
        said = client.ping()
    assert said.startswith("Hello from STS2 MCP v0.4.0 ")
    assert said.isprintable()
    assert len(said) <= 120
    assert server.requests[0].startswith(b"GET / HTTP/1.1\r\n")


def test_the_run_identity_is_read_without_the_private_paths_beside_it() -> None:
    run = {"is_in_progress": True, "run_id": "modded:profile1:17", "save_path": "/home/someone/save"}
    # The compendium is larger than any state: 300 kB fit its bound here and not that of a state.
    answer = json.dumps({"current_run": run, "cards": "x" * 300_000}).encode()
    with talking(reply("200 OK", answer)) as (_, client):
        assert client.run_identity() == "modded:profile1:17"


@pytest.mark.parametrize(
    "answer",
    [
        {"current_run": None},
        {"current_run": {"parse_error": "x"}},
        {"current_run": {"run_id": ""}},
        {"current_run": {"run_id": 17}},
        {"current_run": ["run_id"]},
        {},
    ],
)
def test_a_run_without_an_identity_has_none(answer: object) -> None:
    with talking(reply("200 OK", json.dumps(answer).encode())) as (_, client):
        assert client.run_identity() is None


# Where nothing may ever go.


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"])
def test_a_proxy_in_the_environment_sees_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with MisbehavingServer(close) as proxy:
        monkeypatch.setenv(name, proxy.url)
        with talking(reply("200 OK", MENU)) as (server, client):
            client.read_state()
            client.send(END_TURN)
        with nobody() as client:
            assert isinstance(client.send(END_TURN), NotSent)
        assert (proxy.connections, len(server.requests)) == (0, 2)


def test_a_proxy_that_nobody_could_use_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://[not an address")
    with talking(OK) as (_, client):
        assert isinstance(client.send(END_TURN), Accepted)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with MisbehavingServer(reply("200 OK", MENU)) as elsewhere:
        location = f"Location: {elsewhere.url}/api/v1/singleplayer\r\n".encode()
        with talking(reply(f"{status} Moved", b"", more=location)) as (server, client):
            delivery = client.send(END_TURN)
            with pytest.raises(BridgeError) as caught:
                client.read_state()
        assert (elsewhere.connections, len(server.requests)) == (0, 2)
    assert isinstance(delivery, Unknown)
    assert f"status {status}" in delivery.reason
    assert f"status {status}" in caught.value.message


def test_a_redirect_to_nowhere_is_a_status_like_any_other() -> None:
    with talking(reply("302 Found", b"", more=b"Location: http://[bad\r\n")) as (server, client):
        assert isinstance(client.send(END_TURN), Unknown)
    assert len(server.requests) == 1


def test_no_cookie_is_kept() -> None:
    with talking(reply("200 OK", MENU, more=b"Set-Cookie: session=1; Path=/\r\n")) as (server, client):
        for _ in range(2):
            client.read_state()
            client.send(END_TURN)
    assert len(server.requests) == 4
    assert not any(b"cookie" in request.lower() for request in server.requests)
