"""Whole practice acts, from the menu to the act boss, by a planner that knows nothing but the commands."""

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.tables import InProcess, Json

SEEDS = 6 * int(os.environ.get("SPIRE_MCP_PROOF", "1"))
_WANTED = (
    "menu:embark",
    "menu:standard",
    "menu:singleplayer",
    "rest:HEAL",
    "claim:card",
    "take:",
    "claim:relic",
    "relic:",
    "bundle:",
    "cell:",
    "confirm",
    "select:",
    "pick:",
    "event:",
    "travel:",
    "buy:relic",
    "proceed",
    "cancel",
    "skip",
)
_CALLS = 500


def _decide(table: InProcess, state: Json, dice: Random) -> Json | None:
    """What a planner without ideas does: the first kind of option on its list that is not refused."""
    options = [option["id"] for option in state["options"]]
    for prefix in _WANTED:
        found = [option for option in options if option.startswith(prefix)]
        if not found:
            continue
        chosen = _two(found, state) if prefix == "select:" else dice.choice(found)
        result: Json = table.app.act(state["state_id"], chosen)
        if result.get("error", {}).get("code") != "not_permitted":
            return result
    return None


def _two(found: list[str], state: Json) -> str:
    """One card of a grid, or as many as its prompt asks for, named together."""
    count = 2 if " 2 " in str(state["view"].get("choose")) else 1
    tokens = [option.removeprefix("select:") for option in found]
    return f"select:{','.join((tokens * count)[:count])}"


def _turn(table: InProcess, state: Json, brief: Json) -> Json:
    """A turn that was handed over: the brief's best line begins it."""
    lines = brief.get("best_lines") or [{"first_option": "end_turn"}]
    result: Json = table.app.act(state["state_id"], lines[0]["first_option"])
    return result


def play(table: InProcess, dice: Random) -> Counter[str]:
    """Play until the run has ended; returns how often each thing happened."""
    seen: Counter[str] = Counter()
    for _ in range(_CALLS):
        state = table.state()
        assert state["ok"], state
        if state["screen"] == "game_over":
            seen["ended"] += 1
            return seen
        owner = state["route"]["owner"]
        if owner == "program":
            result: Json = table.battle() if state["screen"] in {"monster", "elite", "boss"} else table.app.advance()
            seen[f"{result['outcome']} {result['reason']}"] += 1
            assert result["ok"], result
            if result["reason"] == "low_hp" or result["outcome"] != "handover":
                continue
            state = result["state"]
            if result["reason"] in {"lethal", "potion_decision", "unmodelled"} and "best_lines" in result["brief"]:
                assert _turn(table, state, result["brief"])["ok"]
                continue
        if state["screen"] == "game_over":
            continue
        acted = _decide(table, state, dice)
        assert acted is not None, state["options"]
        assert acted["ok"], acted
        seen["decided"] += 1
    raise AssertionError("the run never ended")


@pytest.mark.parametrize("number", range(SEEDS))
def test_an_act_is_played_without_a_stop_a_refusal_or_a_wrong_index(number: int, tmp_path: Path) -> None:
    language = "zhs" if number % 4 == 3 else "eng"
    table = InProcess(
        tmp_path,
        seed=f"act-{number}",
        start="menu",
        permissions=frozenset({"menu"}),
        act="overgrowth" if number % 2 else "underdocks",
        language=language,
    )
    seen = play(table, Random(number))
    assert seen["ended"] == 1
    assert seen["combat_over rewards"] >= 1
    assert not table.app.controller.folder.halted.exists()
    records = list(table.app.journal(last=10_000))
    outcomes = Counter(record.get("outcome") for record in records if record["kind"] == "action")
    assert set(outcomes) == {"verified"}
    assert outcomes["verified"] >= table.game.run.floor
    # An index means what was named only on the state that it was looked up on: no first request met another one.
    assert wrong_index(table, records) == []


def wrong_index(table: InProcess, records: list[Json]) -> list[Json]:
    """Actions whose (first) request arrived on another state than the one that the option was named on."""
    arrived = list(zip(table.bridge.sent, table.bridge.sent_on, strict=True))
    wrong: list[Json] = []
    for record in (record for record in records if record["kind"] == "action"):
        body, state_id = arrived.pop(0)
        if state_id != record["state_id_before"] or body != record["requests"][0]:
            wrong.append({"record": record, "body": body})
        more = len(record["requests"]) - 1
        while more or (record["most_repeats"] > 1 and arrived and arrived[0][0] == body):
            arrived.pop(0)
            more -= more > 0
    assert arrived == []
    return wrong
