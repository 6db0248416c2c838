"""Packets are read strictly: whatever is not exactly understood is refused, with its place named."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from spire_mcp.errors import InvalidPacketError
from spire_mcp.policy.packet import MOST_BYTES, packet_schema, parse_packet, read_packet
from tests.strategy.packets import packet

Json = dict[str, Any]
FOLDER = Path(__file__).resolve().parent.parent.parent / "strategies"
HP: Json = {"kind": "hp_at_least", "value": 25}


def changed(path: str, value: object) -> Json:
    """A right packet with one place changed; `-` removes it."""
    whole = packet(conditions=[HP], order=["BASH"])
    *parents, last = path.split(".")
    node: Any = whole
    for key in parents:
        node = node[int(key) if isinstance(node, list) else key]
    if value == "-":
        del node[last]
    else:
        node[int(last) if isinstance(node, list) else last] = value
    return whole


MALFORMED = [
    ("expected_state_id", "-", "expected_state_id"),
    ("expected_state_id", None, "expected_state_id"),
    ("expected_state_id", 7, "expected_state_id"),
    ("expected_state_id", "the newest", "expected_state_id"),
    ("expected_state_id", "s1-" + "a" * 200, "expected_state_id"),
    ("strategy", "-", "strategy"),
    ("strategy", [], "strategy"),
    ("force", True, "force"),
    ("strategy.strategy_id", "-", "strategy.strategy_id"),
    ("strategy.strategy_id", "", "strategy.strategy_id"),
    ("strategy.strategy_id", "../../HALTED", "strategy.strategy_id"),
    ("strategy.strategy_id", "a" * 65, "strategy.strategy_id"),
    ("strategy.reason", None, "strategy.reason"),
    ("strategy.reason", "x" * 501, "strategy.reason"),
    ("strategy.priority", 1, "strategy.priority"),
    ("strategy.conditions", "-", "strategy.conditions"),
    ("strategy.conditions", {}, "strategy.conditions"),
    ("strategy.conditions", [HP] * 21, "strategy.conditions"),
    ("strategy.conditions.0", "hp_at_least", "strategy.conditions.0"),
    ("strategy.conditions.0.kind", "hp_is", "strategy.conditions.0"),
    ("strategy.conditions.0.kind", "-", "strategy.conditions.0"),
    ("strategy.conditions.0.value", "25", "strategy.conditions.0.value"),
    ("strategy.conditions.0.value", 25.5, "strategy.conditions.0.value"),
    ("strategy.conditions.0.value", True, "strategy.conditions.0.value"),
    ("strategy.conditions.0.value", -1, "strategy.conditions.0.value"),
    ("strategy.conditions.0.value", "-", "strategy.conditions.0.value"),
    ("strategy.conditions.0.unless", 3, "strategy.conditions.0.unless"),
    ("strategy.conditions.0", {"kind": "same_floor", "act": 1}, "strategy.conditions.0.floor"),
    ("strategy.conditions.0", {"kind": "same_enemies", "entity_ids": []}, "strategy.conditions.0.entity_ids"),
    ("strategy.conditions.0", {"kind": "same_enemies", "entity_ids": [7]}, "strategy.conditions.0.entity_ids.0"),
    ("strategy.conditions.0", {"kind": "same_run", "run_id": ""}, "strategy.conditions.0.run_id"),
    ("strategy.conditions.0", {"kind": "intents_unchanged", "signature": ""}, "strategy.conditions.0.signature"),
    ("strategy.expires_on", None, "strategy.expires_on"),
    ("strategy.order", "BASH", "strategy.order"),
    ("strategy.order.0", "BASH", "strategy.order.0"),
    ("strategy.order.0.match", "", "strategy.order.0.match"),
    ("strategy.order.0.match", ["BASH"], "strategy.order.0.match"),
    ("strategy.order.0.why", "-", "strategy.order.0.why"),
    ("strategy.order.0.target", "e1", "strategy.order.0.target"),
]


@pytest.mark.parametrize(("path", "value", "place"), MALFORMED, ids=lambda value: str(value)[:30])
def test_a_malformed_packet_is_refused_with_its_place(path: str, value: object, place: str) -> None:
    with pytest.raises(InvalidPacketError) as refused:
        read_packet(changed(path, value))
    assert refused.value.message.startswith(f"{place}:") or refused.value.message.startswith(f"{place}.")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(path, value), packet_schema())


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON at line 1"),
        (b"[]", "valid dictionary"),
        (b"null", "valid dictionary"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"expected_state_id": NaN}', "NaN is no number"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"[" * 50 + b"]" * 50, "nested"),
        (b"[" * 50_000, "not JSON"),
        (b" " * (MOST_BYTES + 1), "larger than"),
    ],
    ids=["empty", "cut off", "list", "null", "not text", "NaN", "twice", "nested", "nested deep", "large"],
)
def test_bytes_that_are_no_packet_are_refused(data: bytes, word: str) -> None:
    with pytest.raises(InvalidPacketError, match=word):
        parse_packet(data)


def test_a_right_packet_is_read_from_bytes_with_and_without_a_byte_order_mark() -> None:
    data = json.dumps(packet(conditions=[HP], order=["BASH"])).encode()
    assert parse_packet(data) == parse_packet(b"\xef\xbb\xbf" + data)


def test_names_and_explanations_do_not_change_what_a_strategy_means() -> None:
    plain = read_packet(packet(conditions=[HP], order=["BASH"])).strategy
    other = packet(conditions=[HP], order=["BASH"], strategy_id="other", reason="another one")
    other["strategy"]["order"][0]["why"] = "another one too"
    assert read_packet(other).strategy.semantic_id == plain.semantic_id


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("strategy.conditions.0.value", 26),
        ("strategy.conditions", []),
        ("strategy.expires_on", [HP]),
        ("strategy.order.0.match", "STRIKE_IRONCLAD"),
        ("strategy.order", [{"match": "BASH", "why": ""}, {"match": "BASH", "why": ""}]),
    ],
)
def test_what_a_strategy_does_changes_what_it_means(path: str, value: object) -> None:
    plain = read_packet(packet(conditions=[HP], order=["BASH"])).strategy
    assert read_packet(changed(path, value)).strategy.semantic_id != plain.semantic_id


def test_the_published_schema_is_that_of_the_code() -> None:
    assert json.loads((FOLDER / "strategy.schema.json").read_text(encoding="utf-8")) == packet_schema()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*[!a].json")), ids=lambda path: path.stem)
def test_a_worked_packet_follows_the_schema(path: Path) -> None:
    if path.name == "strategy.schema.json":
        return
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), packet_schema())
    assert parse_packet(path.read_bytes()).strategy.strategy_id == path.stem
