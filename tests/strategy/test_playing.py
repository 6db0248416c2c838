"""Strategies in a fight: checked before every step, a constraint and never a licence, bound to their run."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import list_options
from spire_mcp.policy.candidates import candidates
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.packet import read_packet
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.game import PracticeGame
from spire_mcp.practice.render import render
from tests.strategy.packets import packet
from tests.tables import InProcess

Json = dict[str, Any]
FOLDER = Path(__file__).resolve().parent.parent.parent / "strategies"
WORKED = sorted(path for path in FOLDER.glob("*.json") if path.name != "strategy.schema.json")


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    return InProcess(tmp_path, seed="demo")


def here(table: InProcess, **more: Any) -> Json:
    return packet(state_id=table.state()["state_id"], **more)


def play(table: InProcess, given: Json, steps: int = 60) -> Json:
    return table.app.battle(max_steps=steps, packet=given)


# ---------------------------------------------------------------------- conditions


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        ({"kind": "hp_at_least", "value": 81}, "80 HP, at least 81 wanted"),
        ({"kind": "hp_at_most", "value": 79}, "80 HP, at most 79 wanted"),
        ({"kind": "same_floor", "act": 2, "floor": 2}, "it is act 1, floor 2"),
        ({"kind": "same_run", "run_id": "another"}, "another run"),
        ({"kind": "enemy_count_at_most", "value": 0}, "living enemies"),
        ({"kind": "same_enemies", "entity_ids": ["THE_INSATIABLE_0"]}, "there are"),
        ({"kind": "intents_unchanged", "signature": "1=Attack99"}, "the intents are"),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_condition_that_does_not_hold_gives_the_turn_back_with_nothing_sent(
    table: InProcess, condition: Json, word: str
) -> None:
    result = play(table, here(table, conditions=[condition]))
    assert (result["outcome"], result["reason"]) == ("handover", "strategy_condition_failed")
    assert condition["kind"] in result["brief"]["why"]
    assert word in result["brief"]["why"]
    assert table.bridge.sent == []


def test_a_condition_that_turns_false_in_the_middle_of_a_turn_stops_before_the_next_card(table: InProcess) -> None:
    fight = table.fight
    fight.hand = [Card("HEMOKINESIS"), Card("STRIKE_IRONCLAD"), Card("STRIKE_IRONCLAD")]
    fight.energy = 3
    table.refresh()
    # Hemokinesis costs 2 HP.
    result = play(
        table,
        here(table, conditions=[{"kind": "hp_at_least", "value": 80}], order=["HEMOKINESIS", "STRIKE_IRONCLAD"]),
    )
    assert (result["reason"], result["steps"]) == ("strategy_condition_failed", 1)
    assert [body["action"] for body in table.bridge.sent] == ["play_card"]
    assert "78 HP" in result["brief"]["why"]
    assert result["brief"]["strategy"]["id"] == "plan-1"


def test_an_expiry_ends_it_at_once(table: InProcess) -> None:
    result = play(table, here(table, expires_on=[{"kind": "enemy_count_at_most", "value": 5}]))
    assert (result["reason"], table.bridge.sent) == ("strategy_expired", [])


def test_intents_that_change_end_a_strategy_that_was_made_for_them(table: InProcess) -> None:
    signature = table.state()["facts"]["intents_signature"]
    expiry = {"kind": "intents_unchanged", "signature": signature}
    result = play(
        table, here(table, expires_on=[expiry], order=["DEFEND_IRONCLAD", "BASH", "STRIKE_IRONCLAD", "end_turn"])
    )
    assert result["reason"] == "strategy_expired"
    assert [action["option"] for action in result["actions"]].count("end_turn") == 1


def test_a_packet_for_another_state_is_refused(table: InProcess) -> None:
    result = play(table, packet())
    assert (result["ok"], result["error"]["code"]) == (False, "stale_state")
    assert table.bridge.sent == []


@pytest.mark.parametrize("hidden", ["player", "run", "battle"])
def test_a_piece_of_state_that_a_condition_needs_and_that_is_missing_fails_closed(
    table: InProcess, hidden: str
) -> None:
    needs = {
        "player": {"kind": "hp_at_least", "value": 1},
        "run": {"kind": "same_floor", "act": 1, "floor": 2},
        "battle": {"kind": "enemy_count_at_most", "value": 9},
    }
    state = table.game.state()
    del state[hidden]
    observation = parse_state(state)
    guide = Guide(strategy=read_packet(packet(conditions=[needs[hidden]])).strategy, source="packet")
    broken = guide.broken(observation, None)
    assert broken is not None
    assert (broken[0], broken[1].holds) == ("strategy_condition_failed", None)


# ---------------------------------------------------------------------- order


def test_the_first_entry_that_can_be_played_is_played(table: InProcess) -> None:
    result = play(table, here(table, order=["NO_SUCH_CARD", "DEFEND_IRONCLAD", "BASH"]), 1)
    assert result["actions"][0]["option"].startswith("play:DEFEND_IRONCLAD")
    assert result["strategy"] == {
        "id": "plan-1",
        "meaning": read_packet(here(table, order=["NO_SUCH_CARD", "DEFEND_IRONCLAD", "BASH"])).strategy.semantic_id,
        "source": "packet",
    }


@pytest.mark.parametrize("name", ["STRIKE_IRONCLAD", "Strike", "strike", "打击", "play:STRIKE_IRONCLAD:e1"])
def test_an_entry_is_matched_by_id_name_in_any_language_or_option(table: InProcess, name: str) -> None:
    result = play(table, here(table, order=[name]), 1)
    assert result["actions"][0]["option"] == "play:STRIKE_IRONCLAD:e1"


def test_nothing_that_matches_hands_over(table: InProcess) -> None:
    result = play(table, here(table, order=["NO_SUCH_CARD"]))
    assert (result["reason"], table.bridge.sent) == ("strategy_no_match", [])
    assert result["brief"]["best_lines"]


def test_what_dies_does_not_become_playable_by_being_named(table: InProcess) -> None:
    run = table.game.run
    run.fight = fight = run.new_fight(["NIBBIT"], "deadly")
    fight.player.hp = 5
    fight.hand = [Card("DEFEND_IRONCLAD"), Card("DEFEND_IRONCLAD"), Card("DEFEND_IRONCLAD"), Card("STRIKE_IRONCLAD")]
    table.refresh()
    # The Nibbit attacks for 12: two Defends survive with 5 HP, and three Strikes do not.
    result = play(table, here(table, order=["end_turn"]))
    assert (result["reason"], table.bridge.sent) == ("strategy_no_match", [])


def test_a_potion_is_used_only_when_it_is_named(table: InProcess) -> None:
    table.game.run.potions[0] = "FIRE_POTION"
    table.refresh()
    result = play(table, here(table, order=["Fire Potion"]), 1)
    assert result["actions"][0]["option"].startswith("potion:FIRE_POTION")
    other = play(table, here(table, order=["STRIKE_IRONCLAD", "DEFEND_IRONCLAD", "BASH"]), 1)
    assert not other["actions"][0]["option"].startswith("potion")


def test_renaming_a_strategy_does_not_make_a_repeated_state_new(table: InProcess) -> None:
    assert play(table, here(table, order=["NO_SUCH_CARD"]))["reason"] == "strategy_no_match"
    again = play(table, here(table, order=["NO_SUCH_CARD"], strategy_id="renamed", reason="a fresh look"))
    assert again["reason"] == "repeated_state"
    assert play(table, here(table, order=["STRIKE_IRONCLAD"]), 1)["outcome"] == "step_limit"


NAMES = st.sampled_from(
    ["BASH", "STRIKE_IRONCLAD", "Defend", "ANGER", "FIRE_POTION", "Block Potion", "end_turn", "play:BASH:e1", "nothing"]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    order=st.lists(NAMES, max_size=5),
    hand=st.lists(st.sampled_from(["BASH", "STRIKE_IRONCLAD", "DEFEND_IRONCLAD", "ANGER", "WOUND"]), max_size=6),
    hp=st.integers(1, 80),
    potions=st.lists(st.sampled_from(["FIRE_POTION", "BLOCK_POTION", None]), min_size=3, max_size=3),
)
def test_a_strategy_only_ever_takes_away(order: list[str], hand: list[str], hp: int, potions: list[str | None]) -> None:
    game = PracticeGame(seed="subset", delay=0)
    game.run.potions[:] = potions
    game.run.fight = Fight(deck=[], monsters=["NIBBIT", "NIBBIT"], hp=hp, max_hp=80, seed="s", potions=game.run.potions)
    game.run.fight.hand = [Card(card) for card in hand]
    observation = parse_state(render(game.run, "eng"))
    options = list_options(observation)
    found = candidates(observation, options, nodes=2_000, use_potions=True)
    guide = Guide(strategy=read_packet(packet(order=order)).strategy, source="packet")
    allowed = {one.option.id for one in guide.narrow(found, observation).survivors}
    assert allowed <= {one.option.id for one in found.survivors}
    assert allowed <= {option.id for option in options if option.trap is None and option.kind != "restricted"}


# ---------------------------------------------------------------------- saved


def test_a_saved_strategy_is_applied_to_its_run_and_listed_and_dropped(table: InProcess) -> None:
    saved = table.app.strategy_save(here(table, order=["DEFEND_IRONCLAD"]))
    assert (saved["outcome"], saved["run_id"]) == ("saved", "run-demo")
    listed = table.app.strategy_list()["strategies"]
    assert listed[0]["this_run"] is True  # type: ignore[index]  # pyright: ignore
    result = table.battle(max_steps=1)
    assert result["strategy"]["source"] == "saved"
    assert result["actions"][0]["option"].startswith("play:DEFEND_IRONCLAD")
    assert table.app.strategy_drop("plan-1")["outcome"] == "dropped"
    assert "strategy" not in table.battle(max_steps=1)


def test_another_runs_strategy_is_not_applied_and_the_change_is_a_boundary(table: InProcess) -> None:
    table.app.strategy_save(here(table, order=["DEFEND_IRONCLAD"]))
    table.battle(max_steps=1)
    table.game.run_id = "run-other"
    result = table.battle(max_steps=1)
    assert "strategy" not in result
    assert result["strategies_not_applied"] == [{"id": "plan-1", "why": "it was saved in another run"}]
    assert result["run_boundary"]["now"] == "run-other"
    assert "not known" in result["run_boundary"]["note"]


def test_a_run_that_cannot_be_told_gives_the_turn_back(table: InProcess) -> None:
    table.app.strategy_save(here(table, order=["DEFEND_IRONCLAD"]))
    table.game.run_id = None
    result = table.battle()
    assert (result["reason"], table.bridge.sent) == ("strategy_condition_failed", [])


def test_a_run_that_changes_during_the_call_gives_the_turn_back(table: InProcess) -> None:
    table.app.strategy_save(here(table, order=["STRIKE_IRONCLAD", "BASH", "DEFEND_IRONCLAD", "end_turn"]))

    def another() -> None:
        table.game.run_id = "run-other"

    table.bridge.on_send = another
    result = table.battle()
    assert (result["reason"], result["steps"]) == ("strategy_condition_failed", 1)
    assert "another run" in result["brief"]["why"]


def test_nothing_is_saved_without_a_run_identity(table: InProcess) -> None:
    table.game.run_id = None
    result = table.app.strategy_save(here(table))
    assert result["error"]["code"] == "no_run_identity"  # type: ignore[index]  # pyright: ignore


def test_a_saved_strategy_that_does_not_hold_waits_and_says_why(table: InProcess) -> None:
    table.app.strategy_save(here(table, conditions=[{"kind": "same_floor", "act": 1, "floor": 17}]))
    result = table.battle(max_steps=1)
    assert "strategy" not in result
    assert "floor 17 was named" in result["strategies_not_applied"][0]["why"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"strategy": {}}', '{"run_id": "run-demo", "saved_at": "now"}'])
def test_a_damaged_saved_strategy_is_not_used(table: InProcess, text: str) -> None:
    table.app.strategy_save(here(table, order=["DEFEND_IRONCLAD"]))
    path = next(table.app.controller.folder.strategies.glob("*.json"))
    path.write_text(text, encoding="utf-8")
    assert table.app.strategy_list()["strategies"] == []


def test_a_saved_strategy_has_to_name_the_intents_it_compares_with(table: InProcess) -> None:
    result = table.app.strategy_save(here(table, conditions=[{"kind": "intents_unchanged"}]))
    assert result["error"]["code"] == "invalid_packet"  # type: ignore[index]  # pyright: ignore


# ---------------------------------------------------------------------- checking, and somebody else's hand


def test_checking_says_each_value_in_words_and_sends_nothing(table: InProcess) -> None:
    given = here(
        table,
        conditions=[{"kind": "hp_at_least", "value": 10}],
        expires_on=[{"kind": "hp_at_most", "value": 5}],
        order=["STRIKE_IRONCLAD", "NO_SUCH_CARD"],
    )
    result = table.app.strategy_check(given)
    assert (result["outcome"], result["expected_state"]) == ("holds", True)
    assert result["conditions"] == [{"kind": "hp_at_least", "holds": True, "why": "80 HP, at least 10 wanted"}]
    assert result["expires_on"] == [{"kind": "hp_at_most", "fires": False, "why": "80 HP, at most 5 wanted"}]
    assert [len(entry["options"]) for entry in result["order"]] == [1, 0]  # type: ignore[index,attr-defined]  # pyright: ignore
    assert table.bridge.sent == []


def test_a_board_that_somebody_else_moved_between_calls_is_named_and_journaled(table: InProcess) -> None:
    table.battle(max_steps=1)
    table.fight.player.block += 3
    table.refresh()
    result = table.battle(max_steps=1)
    assert "somebody else" in result["moved_by_others"]["note"]
    kinds = [record["kind"] for record in table.app.journal(last=20)]
    assert "moved_by_others" in kinds


def test_a_board_that_nobody_moved_is_not_called_moved(table: InProcess) -> None:
    table.battle(max_steps=1)
    table.act("play:STRIKE")
    assert "moved_by_others" not in table.battle(max_steps=1)


def test_a_brief_names_what_a_packet_needs_and_stays_small(table: InProcess) -> None:
    result = play(table, here(table, order=["NO_SUCH_CARD"]))
    needs = result["brief"]["for_a_strategy"]
    assert needs["expected_state_id"] == result["state"]["state_id"]
    assert needs["intents_signature"] == result["state"]["facts"]["intents_signature"]
    # About 700 tokens at four characters each.
    assert len(json.dumps(result["brief"], ensure_ascii=False)) <= 2_800


# ---------------------------------------------------------------------- worked packets

_SILENT = {"poison-plan"}
_ENEMIES = {
    "vantom-opener": ["VANTOM"],
    "ceremonial-beast-opener": ["CEREMONIAL_BEAST"],
    "the-kin-opener": ["KIN_FOLLOWER", "KIN_FOLLOWER", "KIN_PRIEST"],
    "soul-fysh-opener": ["SOUL_FYSH"],
    "lagavulin-opener": ["LAGAVULIN_MATRIARCH"],
    "byrdonis-opener": ["BYRDONIS"],
    "bygone-effigy-opener": ["BYGONE_EFFIGY"],
    "phrog-parasite-opener": ["PHROG_PARASITE"],
    "gardeners-opener": ["PHANTASMAL_GARDENER"] * 4,
    "skulking-colony-opener": ["SKULKING_COLONY"],
    "terror-eel-opener": ["TERROR_EEL"],
}


@pytest.mark.parametrize("path", WORKED, ids=lambda path: path.stem)
def test_a_worked_packet_plays_at_least_one_card_of_its_fight(path: Path, tmp_path: Path) -> None:
    table = InProcess(tmp_path, seed="worked")
    run = table.game.run
    if path.stem in _SILENT:
        run.embark("SILENT")
        run.event, run.dialogue = None, 0
    if path.stem == "potion-plan":
        run.potions[0], run.hp = "BLOCK_POTION", 40
    run.fight = run.new_fight(_ENEMIES.get(path.stem, ["NIBBIT"]), "worked")
    run.screen, run.fight_kind = "fight", "monster"
    table.refresh()
    given = json.loads(path.read_text(encoding="utf-8"))
    given["expected_state_id"] = table.state()["state_id"]
    result = play(table, given, 6)
    assert result["ok"], result
    assert result["steps"] >= 1, result["brief"]
    assert result["outcome"] in {"step_limit", "handover", "combat_over"}
