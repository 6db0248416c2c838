"""The client: one request, our own deadline, our own words, and no key in anything."""

import socket
import threading
from collections.abc import Generator
from typing import Any

import pytest

from spire_mcp.policy.answers import NotBelievedError, Reply
from spire_mcp.policy.model_client import JevClient
from spire_mcp.practice.model_server import ModelServer
from spire_mcp.practice.scripted_model import Script
from tests.models import KEY

QUESTIONS: dict[str, dict[str, Any]] = {
    "line1": {"type": "choice", "instructions": "?", "criteria": {"A": "one", "B": "two", "none": "no"}},
    "danger": {"type": "score", "instructions": "?", "criteria": ["low", "high"]},
    "potion": {"type": "noul", "instructions": "?", "criteria": {"true": "yes", "false": "no"}},
}


@pytest.fixture
def server() -> Generator[ModelServer]:
    with ModelServer(Script(behaviour="first")) as running:
        yield running


def client(url: str, *, key: str | None = KEY, deadline: float = 5.0) -> JevClient:
    return JevClient(api_key=key, base_url=url, model=None, deadline=deadline)


def ask(asker: JevClient) -> Reply:
    try:
        return asker.ask({"turn": 1}, QUESTIONS)
    finally:
        asker.close()


def refused(asker: JevClient) -> NotBelievedError:
    with pytest.raises(NotBelievedError) as caught:
        ask(asker)
    assert KEY not in f"{caught.value.why} {caught.value.fix}"
    return caught.value


def test_a_request_brings_its_answer(server: ModelServer) -> None:
    reply = ask(client(server.url))
    assert (reply.model, set(reply.answers)) == ("scripted-first", set(QUESTIONS))  # type: ignore[call-overload]
    sent = server.requests[0]
    assert (sent["state"], sent["model"]) == ({"turn": 1}, "jev-latest")
    # The order of the options is what several questions are asked for: it has to survive the way.
    assert list(sent["questions"]["line1"]["criteria"]) == ["A", "B", "none"]


def test_a_local_service_needs_no_key(server: ModelServer) -> None:
    assert ask(client(server.url, key=None)).model == "scripted-first"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("status_500", "HTTP 500"),
        ("status_429", "HTTP 429"),
        ("status_401", "refused the key"),
        ("garbage", "cannot be read"),
        ("cut", "broke off"),
    ],
)
def test_a_fault_is_one_request_and_said_in_our_own_words(fault: str, said: str) -> None:
    with ModelServer(faults=f"{fault}@*") as server:
        assert said in refused(client(server.url)).why
        assert len(server.requests) == 1


@pytest.mark.parametrize("fault", ["silence", "drip"])
def test_silence_and_a_slow_drip_are_given_up_at_the_deadline(fault: str) -> None:
    # A drip of a byte each 0.05 s never meets a timeout per operation.
    with ModelServer(faults=f"{fault}@*") as server:
        assert "0.3 s" in refused(client(server.url, deadline=0.3)).why
        assert len(server.requests) == 1


def test_after_a_request_that_was_given_up_the_next_one_is_answered() -> None:
    with ModelServer(faults="silence@1") as server:
        asker = client(server.url, deadline=0.3)
        with pytest.raises(NotBelievedError):
            asker.ask({}, QUESTIONS)
        assert ask(asker).model == "scripted-ranking"


def test_nobody_answering_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody else can listen there
        assert "could not be reached" in refused(client(f"http://127.0.0.1:{taken.getsockname()[1]}")).why


@pytest.mark.parametrize(("key", "url"), [("two words", None), ("schlüssel", None), (KEY, "not an address")])
def test_a_key_or_an_address_that_cannot_be_used_is_said(key: str, url: str | None) -> None:
    asker = client(url or "http://127.0.0.1:1", key=key)
    with pytest.raises(NotBelievedError) as caught:
        ask(asker)
    assert "TYPESAFE_API_KEY" in caught.value.fix or "again" in caught.value.fix
    assert key not in caught.value.why


def test_a_key_never_leaves_this_machine_unencrypted() -> None:
    # An address of the range for documentation: nothing is there, and nothing is sent there.
    assert "unencrypted" in refused(client("http://192.0.2.1:80")).why


def raw_answer(*blocks: bytes) -> str:
    """A service that answers once with these bytes; returns its address."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener, listener.accept()[0] as connection:
            connection.recv(65536)
            try:
                for block in blocks:
                    connection.sendall(block)
            except OSError:
                pass

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_an_answer_without_an_end_is_not_read_to_its_end() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n"
    assert refused(client(raw_answer(head, *[b" " * 65536] * 40)))


def test_a_packed_answer_is_not_unpacked() -> None:
    # A packed megabyte can hold a thousand.
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"
    assert refused(client(raw_answer(head)))


def test_a_proxy_from_the_surroundings_never_sees_a_request_to_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert ask(client(server.url)).model == "scripted-first"


def test_a_service_that_says_the_key_is_not_quoted() -> None:
    with ModelServer(Script(answers=({"response": {"model": f"me {KEY}", "usage": {}, "answers": {}}},))) as server:
        assert ask(client(server.url)).model == "me ***"
