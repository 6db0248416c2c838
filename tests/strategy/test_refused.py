"""Packets that are malformed as files: each is refused with its field named, exit status 3, and nothing sent."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.commands.output import exit_status
from tests.strategy.packets import packet
from tests.tables import InProcess

Json = dict[str, Any]


def right() -> Json:
    return packet(conditions=[{"kind": "hp_at_least", "value": 25}], order=["BASH", "DEFEND_IRONCLAD"])


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def condition(value: Any) -> bytes:
    return text(packet(conditions=[value], order=["BASH"]))


def hp(value: Any) -> bytes:
    return condition({"kind": "hp_at_least", "value": value})


def ordered(*entries: Any) -> bytes:
    whole = packet()
    whole["strategy"]["order"] = list(entries)
    return text(whole)


_FIRST = "strategy.conditions.0"
# what the file holds, and the field that the message begins with
ROWS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the packet"),
    "cut off": (text(right())[:-5], "the packet"),
    "UTF-16": (text(right()).decode().encode("utf-16"), "the packet"),
    "one wrong byte": (text(right()).replace(b"because", b"bec\xffuse"), "the packet"),
    "huge": (text(packet(reason="x" * 70_000)), "the packet"),
    "nested without end": (b"[" * 60_000, "the packet"),
    "nested value": (hp([[[[[[[[[[[[1]]]]]]]]]]]]), "the packet"),
    "a list": (b"[]", "the packet"),
    "strategy alone": (text(right()["strategy"]), "expected_state_id"),
    "unknown key": (text({**right(), "force": True}), "force"),
    "unknown key of the strategy": (text(packet(priority=1)), "strategy.priority"),
    "no kind": (condition({"value": 1}), _FIRST),
    "unknown kind": (condition({"kind": "hp_is", "value": 1}), _FIRST),
    "kind is a list": (condition({"kind": ["hp_at_least"], "value": 1}), _FIRST),
    "kind is null": (condition({"kind": None, "value": 1}), _FIRST),
    "condition is text": (condition("hp_at_least"), _FIRST),
    "true as a number": (hp(True), f"{_FIRST}.value"),
    "text as a number": (hp("25"), f"{_FIRST}.value"),
    "null as a number": (hp(None), f"{_FIRST}.value"),
    "a fraction": (hp(25.5), f"{_FIRST}.value"),
    "a whole fraction": (hp(25.0), f"{_FIRST}.value"),
    "NaN": (hp(float("nan")), "the packet"),
    "infinity": (hp(float("-inf")), "the packet"),
    "negative": (hp(-1), f"{_FIRST}.value"),
    "too large": (hp(10**30), f"{_FIRST}.value"),
    "too many digits": (text(right()).replace(b"25", b"9" * 5000), "the packet"),
    "half a place": (condition({"kind": "same_floor", "act": 2}), f"{_FIRST}.floor"),
    "value of another kind": (condition({"kind": "same_run", "run_id": "a", "value": 1}), f"{_FIRST}.value"),
    "no enemies": (condition({"kind": "same_enemies", "entity_ids": []}), f"{_FIRST}.entity_ids"),
    "enemies as text": (condition({"kind": "same_enemies", "entity_ids": "NIBBIT_0"}), f"{_FIRST}.entity_ids"),
    "entry is text": (ordered("BASH"), "strategy.order.0"),
    "entry without match": (ordered({"why": "so"}), "strategy.order.0.match"),
    "entry twice": (ordered({"match": "BASH", "why": ""}, {"match": "BASH", "why": ""}), "strategy.order.1.match"),
    "match is a number": (ordered({"match": 5, "why": ""}), "strategy.order.0.match"),
    "too many entries": (ordered(*({"match": f"C{n}", "why": ""} for n in range(41))), "strategy.order"),
    "key twice": (text(right()).replace(b'"value": 25', b'"value": 25, "value": 1'), "value"),
    "strategy twice": (b'{"strategy": {}, ' + text(right())[1:], "strategy"),
    "half a character": (text(packet(reason="?")).replace(b'"?"', b'"\\ud800"'), "strategy.reason"),
    "ID that is a path": (text(packet(strategy_id="../x")), "strategy.strategy_id"),
    "ID with a line break": (text(packet(strategy_id="x\n")), "strategy.strategy_id"),
}


@pytest.mark.parametrize(("data", "field"), ROWS.values(), ids=ROWS.keys())
def test_a_malformed_file_is_refused_with_its_field_and_nothing_is_sent(
    tmp_path: Path, data: bytes, field: str
) -> None:
    table = InProcess(tmp_path, seed="demo")
    results: tuple[Json, ...] = (
        table.battle(packet=data),
        table.app.strategy_check(data),
        table.app.strategy_save(data),
    )
    for result in results:
        error: Any = result["error"]
        assert (result["ok"], error["code"], exit_status(result)) == (False, "invalid_packet", 3)
        assert error["may_have_acted"] is False
        assert error["message"].startswith((f"{field}:", f"{field}.")), error["message"]
        assert len(error["message"]) < 400
    assert table.bridge.sent == []
    assert table.app.strategy_list()["strategies"] == []


def test_enough_ways_to_be_malformed_are_tried() -> None:
    assert len(ROWS) >= 30  # what the issue asks for


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    from spire_mcp.cli import main

    os.mkfifo(tmp_path / "pipe.json")
    assert main(["strategy", "check", str(tmp_path / "pipe.json")]) == 2
