"""The exchange between planner and program: strategies that end, runs that change, other hands, and what is told."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spire_mcp.bridge.parse import parse_state
from spire_mcp.console import journal_line
from spire_mcp.console import render as render_text
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import candidates
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.packet import read_packet
from spire_mcp.policy.solver import Decision, decide, menu
from spire_mcp.practice.content import cards
from spire_mcp.practice.content import table as practice_table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.game import PracticeGame
from spire_mcp.practice.render import render
from tests.combat import boards
from tests.models import Told, chooser
from tests.products import seat
from tests.strategy.packets import packet
from tests.tables import InProcess

Json = dict[str, Any]
ROUTINE = ["STRIKE_IRONCLAD", "BASH", "DEFEND_IRONCLAD", "end_turn"]


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    # This seed begins with a single Fuzzy Wurm Crawler: attack for 4, then Strength 7.
    return InProcess(tmp_path, seed="demo")


def hand(table: InProcess, *names: str) -> None:
    table.fight.hand = [Card(name) for name in names]
    table.refresh()


def play(table: InProcess, *order: str, steps: int = 60, **more: Any) -> Json:
    return table.battle(packet=packet(state_id=table.state()["state_id"], order=list(order), **more), max_steps=steps)


def save(table: InProcess, *order: str, **more: Any) -> None:
    assert table.app.strategy_save(packet(order=list(order), **more))["ok"]


def options(result: Json) -> list[str]:
    return [action["option"] for action in result["actions"]]


def handed_over(result: Json, reason: str) -> Json:
    assert (result["ok"], result["outcome"], result["reason"]) == (True, "handover", reason), result
    brief: Json = result["brief"]
    assert brief["why"]
    assert len(json.dumps(brief)) <= 4 * 700  # about 700 tokens
    return brief


# ---------------------------------------------------------------------- the order


@pytest.mark.parametrize("language", ["eng", "zhs"])
@pytest.mark.parametrize("match", ["FIRE_POTION", "Fire Potion", "火焰药水", "potion:FIRE_POTION:e1"])
def test_a_potion_is_named_in_any_language_and_no_other_is_used(tmp_path: Path, language: str, match: str) -> None:
    table = InProcess(tmp_path, seed="demo", language=language)
    table.game.run.potions[0:2] = ["BLOCK_POTION", "FIRE_POTION"]
    table.refresh()
    result = play(table, match, *ROUTINE)
    assert result["outcome"] == "combat_over"
    assert options(result)[0] == "potion:FIRE_POTION:e1"
    assert not any("BLOCK_POTION" in option for option in options(result))


def test_with_nothing_left_to_play_the_turn_is_ended_without_being_named(table: InProcess) -> None:
    hand(table, "STRIKE_IRONCLAD")
    assert options(play(table, "STRIKE_IRONCLAD", steps=2)) == ["play:STRIKE_IRONCLAD:e1", "end_turn"]


def test_the_model_is_asked_only_about_what_the_strategy_wants_first() -> None:
    observation = boards.fight(
        [boards.strike(), boards.bash(), boards.defend(), boards.twin_strike()],
        boards.enemy(60, "5"),
        boards.enemy(60, "5"),
    )
    strategy = read_packet(packet(order=["BASH", "TWIN_STRIKE"])).strategy
    model = Told()
    seat = chooser(model)
    seat.guide = Guide(strategy=strategy, source="packet").started(observation)
    chosen = seat.choose(observation)
    assert isinstance(chosen, Decision)
    assert chosen.option.id.startswith("play:BASH")
    assert len(model.asked) == 1
    assert chosen.found is None or all(one.option.id.startswith("play:BASH") for one in chosen.found.survivors)


def _random_fight(seed: int) -> Observation:
    """Any cards, monsters and potions, in either language."""
    dice = Random(seed)
    game = PracticeGame(seed=str(seed), delay=0, language=dice.choice(["eng", "zhs"]))
    encounters = practice_table("encounters")[dice.choice(["overgrowth", "underdocks"])]
    pool = encounters[dice.choice(["weak", "normal", "elite", "boss"])]
    for slot in range(dice.randint(0, 2)):
        game.run.potions[slot] = dice.choice(sorted(practice_table("potions")))
    game.run.fight = Fight(
        deck=[Card(dice.choice(sorted(cards())), dice.random() < 0.3) for _ in range(8)],
        monsters=dice.choice(dice.choice(list(pool.values()))),
        hp=dice.randint(3, 60),
        max_hp=80,
        seed=str(seed),
        potions=game.run.potions,
    )
    return parse_state(json.loads(json.dumps(render(game.run, game.language))))


def _wishes(observation: Observation) -> list[str]:
    """Everything that a planner might name here, and what is not there or not to be had."""
    potions = observation.player.potions if observation.player is not None else ()
    held = [*observation.hand, *potions]
    names = {one.id for one in held} | {one.title for one in held} | {o.id for o in list_options(observation)}
    return sorted(names | {"end_turn", "play:BASH:e99", "discard_potion:FIRE_POTION", "abandon_run", "*"})


@settings(max_examples=120)
@given(st.integers(0, 10_000), st.data())
def test_what_is_played_under_a_strategy_could_be_played_without(seed: int, data: st.DataObject) -> None:
    nodes = 3_000  # enough for hands of five: a search cut short would make two menus differ by chance
    observation = _random_fight(seed)
    order = data.draw(st.lists(st.sampled_from(_wishes(observation)), max_size=6, unique=True))
    guide = Guide(strategy=read_packet(packet(order=order)).strategy, source="packet")
    allowed = set(menu(decide(observation, nodes=nodes, guide=guide)))
    free = set(menu(decide(observation, nodes=nodes)))
    if guide.names_potion(observation):
        # Without a strategy potions are left to the planner; here the planner has named one.
        found = candidates(observation, list_options(observation), nodes=nodes, use_potions=True)
        free |= {one.option.id for one in found.survivors}
    assert allowed <= free
    assert allowed <= {o.id for o in list_options(observation) if o.kind == "combat" and o.trap is None}


# ---------------------------------------------------------------------- what cannot be known


@pytest.mark.parametrize("kind", ["conditions", "expires_on"])
@pytest.mark.parametrize("signature", [{"signature": "1=none"}, {}])
def test_intents_that_are_not_shown_are_never_unchanged(table: InProcess, kind: str, signature: Json) -> None:
    def alter(state: Json) -> Json:
        for enemy in state["battle"]["enemies"]:
            enemy.pop("intents")
        return state

    table.bridge.alter = alter
    wanted: Json = {kind: [{"kind": "intents_unchanged", **signature}]}
    result = play(table, *ROUTINE, **wanted)
    handed_over(result, {"conditions": "strategy_condition_failed", "expires_on": "strategy_expired"}[kind])
    assert table.bridge.sent == []


def test_intents_without_a_signature_are_those_of_the_call_and_last_for_its_turn(table: InProcess) -> None:
    result = play(table, *ROUTINE, expires_on=[{"kind": "intents_unchanged"}])
    handed_over(result, "strategy_expired")
    assert options(result).count("end_turn") == 1
    assert options(result)[-1] == "end_turn"


# ---------------------------------------------------------------------- saved strategies


def test_a_saved_strategy_of_this_fight_that_does_not_hold_is_handed_back_every_time(table: InProcess) -> None:
    save(table, *ROUTINE, conditions=[{"kind": "hp_at_least", "value": 999}])
    handed_over(table.battle(), "strategy_condition_failed")
    handed_over(table.battle(), "strategy_condition_failed")
    assert table.bridge.sent == []


def test_an_expired_saved_strategy_stays_expired(table: InProcess) -> None:
    save(table, "DEFEND_IRONCLAD", expires_on=[{"kind": "hp_at_most", "value": 79}])
    table.fight.player.hp = 79
    table.refresh()
    handed_over(table.battle(), "strategy_expired")
    table.fight.player.hp = 80
    hand(table, "STRIKE_IRONCLAD", "STRIKE_IRONCLAD")
    assert options(table.battle(max_steps=1)) == ["play:STRIKE_IRONCLAD:e1"]
    listed: Any = table.app.strategy_list()["strategies"]
    assert "hp_at_most" in listed[0]["expired"]


def test_an_identity_that_goes_missing_between_two_cards_stops_before_the_next(table: InProcess) -> None:
    save(table, *ROUTINE)

    def forget() -> None:
        table.game.run_id = None

    table.bridge.on_send = forget
    handed_over(table.battle(), "strategy_condition_failed")
    assert len(table.bridge.sent) == 1


def test_a_change_of_run_under_a_saved_strategy_is_told_as_a_boundary(table: InProcess) -> None:
    save(table, *ROUTINE)

    def another() -> None:
        table.game.run_id = "run-other"

    table.bridge.on_send = another
    brief = handed_over(table.battle(), "strategy_condition_failed")
    assert (brief["run_boundary"]["before"], brief["run_boundary"]["now"]) == ("run-demo", "run-other")
    assert "neither a victory nor a defeat" in brief["run_boundary"]["note"]
    assert [record["kind"] for record in table.records()][-2:] == ["run_boundary", "handover"]


def test_a_fight_that_is_gone_because_another_run_began_is_not_over(table: InProcess) -> None:
    def new_run(entry: Json) -> None:
        del entry
        table.game.run_id = "run-other"
        table.game.run.fight = None
        table.game.run.screen = "map"
        table.refresh()

    brief = handed_over(table.battle(progress=new_run), "left_room")
    assert brief["run_boundary"]["now"] == "run-other"


def test_strategies_are_saved_and_dropped_on_a_halted_port_too(table: InProcess) -> None:
    table.app.halt("stop")
    save(table, *ROUTINE)
    assert table.app.strategy_drop("plan-1")["ok"]
    assert table.battle()["error"]["code"] == "halted"


# ---------------------------------------------------------------------- what is told


def test_a_strategy_that_ends_comes_back_with_the_lines_of_the_turn(table: InProcess) -> None:
    brief = handed_over(
        play(table, *ROUTINE, conditions=[{"kind": "hp_at_least", "value": 999}]), "strategy_condition_failed"
    )
    assert brief["best_lines"]
    assert brief["certain"]
    assert brief["strategy"]["id"] == "plan-1"


def test_a_step_limit_comes_with_the_lines_of_the_turn_and_what_was_done(table: InProcess) -> None:
    hand(table, "STRIKE_IRONCLAD", "STRIKE_IRONCLAD", "DEFEND_IRONCLAD")
    result = table.battle(max_steps=1)
    assert result["brief"]["done"] == [result["actions"][0]["label"]]
    assert result["brief"]["best_lines"]


def test_somebody_else_moving_the_board_during_a_call_is_named_and_journaled(
    table: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = iter([60])

    def decide_while_somebody_plays(observation: Observation, **how: Any) -> Any:
        decided = decide(observation, **how)
        table.fight.player.hp = next(others, table.fight.player.hp)
        table.refresh()
        return decided

    monkeypatch.setattr("spire_mcp.policy.choosing.decide", decide_while_somebody_plays)
    result = table.battle(max_steps=1)
    assert result["steps"] == 1
    assert "somebody else moved the board" in result["brief"]["moved_meanwhile"]
    assert "moved_by_others" in [record["kind"] for record in table.records()]


def test_the_journal_tells_a_takeover_as_one_story(table: InProcess) -> None:
    hand(table, "STRIKE_IRONCLAD", "BASH", "DEFEND_IRONCLAD")
    handed_over(play(table, "NOTHING"), "strategy_no_match")
    table.act("play:BASH")
    play(table, "DEFEND_IRONCLAD", steps=1)
    table.game.run_id = None
    told = [
        (record["kind"], record.get("by"), record.get("reason"), record.get("option")) for record in table.records()
    ]
    assert told[:3] == [
        ("handover", None, "strategy_no_match", None),
        ("action", "planner", None, "play:BASH:e1"),
        ("action", "program", None, "play:DEFEND_IRONCLAD"),
    ]
    assert table.records()[2]["decision"]["strategy"]["id"] == "plan-1"


def test_a_handover_before_the_first_step_is_journaled_too(table: InProcess) -> None:
    save(table, *ROUTINE)
    table.game.run_id = None
    handed_over(table.battle(), "strategy_condition_failed")
    assert table.records()[-1]["reason"] == "strategy_condition_failed"


def test_the_fullest_brief_keeps_within_its_size_and_its_signature_whole(tmp_path: Path) -> None:
    table = InProcess(tmp_path, seed="demo", language="zhs")
    table.game.run.fight = table.game.run.new_fight(["PHANTASMAL_GARDENER"] * 4, "full")
    table.fight.player.hp = table.fight.player.max_hp = 999
    hand(table, *["STRIKE_IRONCLAD", "BASH", "THUNDERCLAP", "DEFEND_IRONCLAD"] * 2)
    result = play(table, "STRIKE_IRONCLAD", "DEFEND_IRONCLAD", "end_turn", steps=40)
    brief = result["brief"]
    assert result["steps"] >= 10
    assert len(json.dumps(brief)) <= 4 * 700
    assert brief["best_lines"]
    assert brief["for_a_strategy"]["intents_signature"] == result["state"]["facts"]["intents_signature"]


def test_what_strategies_say_is_readable_on_a_terminal_too(table: InProcess) -> None:
    given = packet(
        state_id=table.state()["state_id"], conditions=[{"kind": "hp_at_least", "value": 10}], order=["BASH"]
    )
    assert "80 HP, at least 10 wanted" in render_text(table.app.strategy_check(given))
    save(table, *ROUTINE)
    assert "plan-1" in render_text(table.app.strategy_list())
    assert "plan-1" in journal_line(table.records()[-1])


def test_an_action_of_ours_that_shows_late_is_not_called_another_hand(tmp_path: Path) -> None:
    # The second action is taken by the game and shows only after it was given up.
    with seat(tmp_path, delay=0.01, faults="ok_without_effect@2") as game:
        game.app.battle(max_steps=1)
        lost = game.act("end_turn")
        assert lost["outcome"] == "unknown"
        game.server.game.run.fight.player.block += 1  # type: ignore[union-attr]  # pyright: ignore
        state = game.state()
        assert game.do(game.app.clear_halt(state["state_id"]))["ok"]
        assert "moved_by_others" not in game.app.battle(max_steps=1)
