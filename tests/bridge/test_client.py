"""The HTTP client against servers that do everything wrong: each failure told apart, no action sent twice."""

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.delivery import Accepted, NotSent, Refused, Unknown
from spire_mcp.bridge.limits import WireLimits
from spire_mcp.errors import (
    BridgeError,
    BridgeIncompatibleError,
    BridgeUnreachableError,
    MultiplayerError,
    UsageError,
)
from spire_mcp.game.options import Request
from tests.bridge.misbehaving import Answer, MisbehavingServer, close, drip, endless, hang, raw, reply, reset

SHORT = WireLimits(connect=0.5, read=0.3, send=0.3, whole=0.4, state_bytes=200_000, other_bytes=200_000)
END_TURN = Request(action="end_turn")
MENU = json.dumps({"state_type": "menu", "menu_screen": "main", "message": "", "options": ["quit"]}).encode()
DRIFT = json.dumps(
    {
        "error": "Failed to read game state: Method not found: get_IsPlayPhase",
        "exception_type": "System.MissingMethodException",
        "stack_trace": "at C:\\Users\\someone\\STS2_MCP.dll",
    }
).encode()


@contextmanager
def talking(answer: Answer, *, reads: bool = True) -> Generator[tuple[MisbehavingServer, BridgeClient]]:
    with MisbehavingServer(answer, reads=reads) as server:
        client = BridgeClient(BridgeAddress.parse(server.url), SHORT)
        try:
            yield server, client
        finally:
            client.close()


@contextmanager
def nobody() -> Generator[BridgeClient]:
    """A port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        client = BridgeClient(BridgeAddress.parse(f"http://127.0.0.1:{taken.getsockname()[1]}"), SHORT)
        yield client
        client.close()


def test_a_refused_connection_is_the_only_end_in_which_nothing_was_sent() -> None:
    with nobody() as client:
        assert isinstance(client.send(END_TURN), NotSent)
        with pytest.raises(BridgeUnreachableError) as caught:
            client.read_state()
    assert "practice" in caught.value.fix


SENDS = [
    ("accepted", reply("200 OK", b'{"status": "ok", "message": "Ending turn"}'), Accepted),
    ("refused", reply("200 OK", b'{"status": "error", "error": "Not in combat"}'), Refused),
    ("refused by status", reply("400 Bad Request", b'{"error": "Invalid JSON"}'), Refused),
    ("a 404 without an error", reply("404 Not Found", b"{}"), Unknown),
    ("a 500", reply("500 Internal Server Error", b'{"error": "Action failed: x"}'), Unknown),
    ("no status in a 200", reply("200 OK", b'{"message": "hello"}'), Unknown),
    ("an unknown status", reply("200 OK", b'{"status": "maybe"}'), Unknown),
    ("an empty body", reply("200 OK", b""), Unknown),
    ("garbage", reply("200 OK", b"<html></html>"), Unknown),
    ("invalid UTF-8", reply("200 OK", b'{"status": "ok\xff"}'), Unknown),
    ("a redirect", reply("307 Temporary Redirect", b"", more=b"Location: /elsewhere\r\n"), Unknown),
    ("closed after reading", close, Unknown),
    ("reset after reading", reset, Unknown),
    ("a hang", hang, Unknown),
    ("half a head", raw(b"HTTP/1.1 200 OK\r\nContent-Le"), Unknown),
    ("half a body", reply("200 OK", b'{"status": "ok"', length=400), Unknown),
    ("no HTTP", raw(b"\x00\x01\x02 hello"), Unknown),
    ("50 MB announced", reply("200 OK", b"{", length=50 * 1024 * 1024), Unknown),
    ("an endless answer", endless, Unknown),
    ("a slow drip", drip, Unknown),
]


@pytest.mark.parametrize(("answer", "end"), [row[1:] for row in SENDS], ids=[row[0] for row in SENDS])
def test_each_end_of_a_send_is_told_apart_and_the_request_arrives_once(answer: Answer, end: type) -> None:
    with talking(answer) as (server, client):
        delivery = client.send(END_TURN)
    assert isinstance(delivery, end), delivery
    assert len(server.requests) == 1
    assert server.requests[0].endswith(b'{"action":"end_turn"}')


def test_a_connection_closed_before_the_request_was_read_is_not_called_unsent() -> None:
    with talking(close, reads=False) as (server, client):
        assert isinstance(client.send(END_TURN), Unknown)
    assert server.connections == 1


def test_each_send_has_a_connection_of_its_own() -> None:
    with talking(reply("200 OK", b'{"status": "ok", "message": ""}')) as (server, client):
        for _ in range(3):
            assert isinstance(client.send(END_TURN), Accepted)
    assert (server.connections, len(server.requests)) == (3, 3)


def test_the_parameters_of_an_action_stand_beside_its_name() -> None:
    with talking(reply("200 OK", b'{"status": "ok", "message": ""}')) as (server, client):
        client.send(Request(action="play_card", parameters={"card_index": 2, "target": "1"}))
    body = json.loads(server.requests[0].partition(b"\r\n\r\n")[2])
    assert body == {"action": "play_card", "card_index": 2, "target": "1"}


def test_what_the_bridge_says_is_bounded_and_plain() -> None:
    said = json.dumps({"status": "error", "error": "\x1b[31m" + "no " * 5000}).encode()
    with talking(reply("200 OK", said)) as (_, client):
        delivery = client.send(END_TURN)
    assert isinstance(delivery, Refused)
    assert len(delivery.message) <= 200
    assert delivery.message.isprintable()


READS = [
    ("a 500", reply("500 Internal Server Error", b'{"error": "x", "stack_trace": "at C:/Users"}'), BridgeError),
    ("version drift", reply("500 Internal Server Error", DRIFT), BridgeIncompatibleError),
    ("multiplayer", reply("409 Conflict", b'{"error": "multiplayer"}'), MultiplayerError),
    ("garbage", reply("200 OK", b"<html></html>"), BridgeError),
    ("an empty body", reply("200 OK", b""), BridgeError),
    ("invalid UTF-8", reply("200 OK", b'{"state_type": "\xff"}'), BridgeError),
    ("no state", reply("200 OK", b'{"error": "no"}'), BridgeError),
    ("a redirect", reply("302 Found", b"", more=b"Location: /elsewhere\r\n"), BridgeError),
    ("half a body", reply("200 OK", b'{"state_type"', length=400), BridgeError),
    ("half a head", raw(b"HTTP/1.1 200 OK\r\nContent-Le"), BridgeError),
    ("closed", close, BridgeError),
    ("reset", reset, BridgeError),
    ("50 MB announced", reply("200 OK", b"{", length=50 * 1024 * 1024), BridgeError),
    ("an endless answer", endless, BridgeError),
    ("a slow drip", drip, BridgeError),
    ("a hang", hang, BridgeUnreachableError),
]


@pytest.mark.parametrize(("answer", "error"), [row[1:] for row in READS], ids=[row[0] for row in READS])
def test_each_failed_reading_is_its_own_error_with_a_fix(answer: Answer, error: type[BridgeError]) -> None:
    with talking(answer) as (_, client), pytest.raises(BridgeError) as caught:
        client.read_state()
    assert type(caught.value) is error
    assert caught.value.fix
    assert "Users" not in caught.value.message
    assert len(caught.value.message) < 320


def test_a_good_reading_is_an_observation() -> None:
    with talking(reply("200 OK", MENU)) as (_, client):
        assert client.read_state().state_type == "menu"


def test_the_run_identity_is_read_without_the_private_paths_beside_it() -> None:
    run = {"is_in_progress": True, "run_id": "modded:profile1:17", "save_path": "/home/someone/save"}
    with talking(reply("200 OK", json.dumps({"current_run": run}).encode())) as (_, client):
        assert client.run_identity() == "modded:profile1:17"


@pytest.mark.parametrize("answer", [{"current_run": None}, {"current_run": {"parse_error": "x"}}, {}])
def test_a_run_without_an_identity_has_none(answer: object) -> None:
    with talking(reply("200 OK", json.dumps(answer).encode())) as (_, client):
        assert client.run_identity() is None


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_a_proxy_in_the_environment_sees_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with MisbehavingServer(close) as proxy:
        monkeypatch.setenv(name, proxy.url)
        with talking(reply("200 OK", MENU)) as (server, client):
            client.read_state()
            client.send(END_TURN)
        assert (proxy.connections, len(server.requests)) == (0, 2)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:15526", "http://127.0.0.1:15526"),
        ("http://127.0.0.1:15526/", "http://127.0.0.1:15526"),
        ("http://127.0.0.1", "http://127.0.0.1:15526"),
        ("http://localhost:99", "http://127.0.0.1:99"),
        ("http://LOCALHOST:99", "http://127.0.0.1:99"),
        ("http://[::1]:99", "http://[::1]:99"),
        ("http://127.1.2.3:99", "http://127.1.2.3:99"),
    ],
)
def test_addresses_of_this_machine_are_accepted(text: str, url: str) -> None:
    assert BridgeAddress.parse(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.0.0.1:15526",
        "https://127.0.0.1:15526",
        "ftp://127.0.0.1",
        "http://example.com",
        "http://localhost.example.com:1",
        "http://10.0.0.1:15526",
        "http://0.0.0.0:15526",
        "http://192.168.1.2:15526",
        "http://[::]:15526",
        "http://[::ffff:127.0.0.1]:15526",
        "http://2130706433:15526",
        "http://0x7f.1:15526",
        "http://127.1:15526",
        "http://user@127.0.0.1:15526",
        "http://user:secret@127.0.0.1:15526",
        "http://127.0.0.1:0",
        "http://127.0.0.1:70000",
        "http://127.0.0.1:port",
        "http://127.0.0.1:1/path",
        "http://127.0.0.1:1?x=1",
        "http://127.0.0.1:1#x",
        "http://127.0.0.1 :1",
        "http://127.0.0.1\n:1",
        "http://[::1",
        "http://",
    ],
)
def test_every_other_address_is_refused_without_a_look_up(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        BridgeAddress.parse(text)
    assert "secret" not in caught.value.message
    assert "127.0.0.1" in caught.value.fix
