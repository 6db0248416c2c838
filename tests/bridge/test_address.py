"""The bridge's address: this machine in every spelling, and no other, without asking a name server."""

import ipaddress
import socket
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.errors import UsageError


@pytest.fixture(autouse=True)
def no_look_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a name was looked up")

    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:15526", "http://127.0.0.1:15526"),
        ("http://127.0.0.1:15526/", "http://127.0.0.1:15526"),
        ("http://127.0.0.1", "http://127.0.0.1:15526"),
        ("http://127.0.0.1:", "http://127.0.0.1:15526"),
        ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ("http://127.0.0.1:65535", "http://127.0.0.1:65535"),
        ("HTTP://127.0.0.1:99", "http://127.0.0.1:99"),
        ("http://localhost", "http://127.0.0.1:15526"),
        ("http://localhost:99/", "http://127.0.0.1:99"),
        ("http://LOCALHOST:99", "http://127.0.0.1:99"),
        ("http://127.1.2.3:99", "http://127.1.2.3:99"),
        ("http://[::1]:99", "http://[::1]:99"),
        ("http://[0:0:0:0:0:0:0:1]:99", "http://[::1]:99"),
    ],
)
def test_addresses_of_this_machine_are_accepted(text: str, url: str) -> None:
    assert BridgeAddress.parse(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        "127.0.0.1:15526",
        "localhost:15526",
        "//127.0.0.1:15526",
        "http:127.0.0.1",
        "http:/127.0.0.1",
        "http://",
        "http://:15526",
        "https://127.0.0.1:15526",
        "ftp://127.0.0.1",
        "file:///etc/hosts",
        "http+unix://127.0.0.1",
        "http://example.com",
        "http://localhost.example.com:1",
        "http://127.0.0.1.example.com:1",
        "http://localhost.:1",
        "http://localhost.localdomain:1",
        "http://10.0.0.1:15526",
        "http://192.168.1.2:15526",
        "http://169.254.169.254",
        "http://0.0.0.0:15526",
        "http://255.255.255.255",
        "http://[::]:15526",
        "http://[fe80::1]:15526",
        "http://[::ffff:127.0.0.1]:15526",
        "http://[::1%lo]:15526",
        "http://[127.0.0.1]:15526",
        "http://[v1.x]:15526",
        "http://2130706433:15526",
        "http://0x7f.1:15526",
        "http://0177.0.0.1:15526",
        "http://127.1:15526",
        "http://127.0.0.1%2e:15526",
        "http://①②⑦.0.0.1:15526",
        "http://127。0。0。1:15526",
        "http://user@127.0.0.1:15526",
        "http://@127.0.0.1:15526",
        "http://user:secret@127.0.0.1:15526",
        "http://127.0.0.1\\@example.com",
        "http://example.com\\@127.0.0.1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:65536",
        "http://127.0.0.1:-1",
        "http://127.0.0.1:+80",
        "http://127.0.0.1:１５５２６",
        "http://127.0.0.1:port",
        "http://127.0.0.1:1:2",
        "http://127.0.0.1:1/path",
        "http://127.0.0.1:1//",
        "http://127.0.0.1:1?x=1",
        "http://127.0.0.1:1#x",
        "http://127.0.0.1 :1",
        " http://127.0.0.1:1",
        pytest.param("http://127.0.0.1\n:1", id="a line break inside"),
        pytest.param("http://127.0.0.1:1\n", id="a line break at the end"),
        pytest.param("\x00http://127.0.0.1:1", id="a NUL before"),
        pytest.param("http://localhost\x00:1", id="a NUL inside"),
        pytest.param("http://127.0.0.1\u202e:1", id="a change of direction"),
        "http://[::1",
        "http://::1",
    ],
)
def test_every_other_address_is_refused_without_a_look_up(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        BridgeAddress.parse(text)
    assert "secret" not in caught.value.message
    assert caught.value.message.isprintable()
    assert "http://127.0.0.1:15526" in caught.value.fix


def test_a_long_address_is_not_repeated_whole() -> None:
    with pytest.raises(UsageError) as caught:
        BridgeAddress.parse("http://" + "a" * 5000)
    assert len(caught.value.message) < 200


def test_two_spellings_of_one_port_are_one_address() -> None:
    spellings = ["http://localhost:7", "http://127.0.0.1:7/", "HTTP://LocalHost:7"]
    assert len({BridgeAddress.parse(text) for text in spellings}) == 1


PIECES = st.sampled_from(
    [
        "http",
        "https",
        ":",
        "/",
        "//",
        "@",
        "[",
        "]",
        "127.0.0.1",
        "localhost",
        "::1",
        "10.0.0.1",
        "%",
        "?",
        "#",
        "\\",
        "7",
    ]
)


@given(st.text(max_size=40) | st.lists(PIECES | st.text(max_size=3), max_size=9).map("".join))
def test_any_text_is_an_address_of_this_machine_or_one_refusal(text: str) -> None:
    try:
        address = BridgeAddress.parse(text)
    except UsageError as error:
        refusal = error.message
    else:
        refusal = ""
        assert ipaddress.ip_address(address.host).is_loopback
        assert 0 < address.port < 65536
    assert refusal.isprintable()


@given(st.ip_addresses(), st.integers(1, 65535))
def test_a_literal_is_accepted_exactly_when_it_is_loopback(
    literal: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int
) -> None:
    host = str(literal) if literal.version == 4 else f"[{literal}]"
    try:
        accepted = BridgeAddress.parse(f"http://{host}:{port}") == BridgeAddress(host=str(literal), port=port)
    except UsageError:
        accepted = False
    assert accepted == (literal.is_loopback and getattr(literal, "ipv4_mapped", None) is None)
