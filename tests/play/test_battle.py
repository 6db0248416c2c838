"""The fight loop: it plays to the end, and each reason hands over exactly when it should, with a brief."""

import json
from pathlib import Path
from typing import Any

import pytest

from spire_mcp.practice.fight import Card, Choice
from tests.tables import InProcess, Json


@pytest.fixture
def table(tmp_path: Path) -> InProcess:
    # This seed begins with a single Fuzzy Wurm Crawler: attack for 4, then Strength 7.
    return InProcess(tmp_path, seed="demo")


def hand(table: InProcess, *cards: str) -> None:
    """Replace the hand."""
    table.fight.hand = [Card(card) for card in cards]
    table.refresh()


def attack_of(table: InProcess, damage: int) -> None:
    """Let the first enemy's coming attack have this base damage."""
    monster = table.fight.enemies[0]
    assert monster.pattern is not None
    monster.powers["STRENGTH_POWER"] = damage - 4
    table.refresh()


def handed_over(result: Json, reason: str) -> Json:
    assert (result["ok"], result["outcome"], result["reason"]) == (True, "handover", reason)
    brief: Json = result["brief"]
    assert brief["why"]
    assert len(json.dumps(brief)) <= 4 * 700  # about 700 tokens
    return brief


def test_a_fight_is_played_to_its_rewards_and_each_action_is_journaled(table: InProcess) -> None:
    result = table.battle()
    assert (result["outcome"], result["reason"]) == ("combat_over", "rewards")
    records = table.records()
    actions = [record for record in records if record["kind"] == "action"]
    assert [record["option"] for record in actions] == [action["option"] for action in result["actions"]]
    assert all(record["decision"]["candidates"] for record in actions)
    assert records[-1]["kind"] == "stop"


def test_every_line_dying_is_lethal_and_says_by_how_much(table: InProcess) -> None:
    table.fight.player.hp = 5
    hand(table, "STRIKE_IRONCLAD", "DEFEND_IRONCLAD")
    attack_of(table, 30)
    brief = handed_over(table.battle(), "lethal")
    # 30 come in; Defend blocks 5; 25 are more than 5 HP.
    assert brief["lethal"] == {"incoming": 30, "block": 0, "hp": 5, "blockable": False, "certainty": "yes"}
    assert table.bridge.sent == []


def test_a_draw_that_might_still_help_makes_lethal_potential(table: InProcess) -> None:
    table.fight.player.hp = 5
    hand(table, "POMMEL_STRIKE")
    attack_of(table, 30)
    brief = handed_over(table.battle(), "lethal")
    assert brief["lethal"]["certainty"] == "potential"


def test_a_line_that_survives_is_played_even_when_another_deals_more(table: InProcess) -> None:
    table.fight.player.hp = 5
    hand(table, "BASH", "DEFEND_IRONCLAD", "STRIKE_IRONCLAD", "STRIKE_IRONCLAD")
    attack_of(table, 9)
    result = table.battle(max_steps=3)
    # 9 come in and 5 HP are there: Defend is the only way to live.
    assert "play:DEFEND_IRONCLAD" in [action["option"] for action in result["actions"]]


def test_a_certain_win_is_taken_whatever_threatens(table: InProcess) -> None:
    table.fight.player.hp = 1
    table.fight.enemies[0].hp = 12
    hand(table, "DEFEND_IRONCLAD", "STRIKE_IRONCLAD", "STRIKE_IRONCLAD")
    attack_of(table, 40)
    result = table.battle()
    assert result["outcome"] == "combat_over"
    assert [action["option"] for action in result["actions"]] == ["play:STRIKE_IRONCLAD:e1"] * 2


def test_a_potion_that_would_save_the_turn_is_the_planners_to_spend(table: InProcess) -> None:
    table.fight.player.hp = 5
    table.game.run.potions[1] = "BLOCK_POTION"
    hand(table, "STRIKE_IRONCLAD")
    attack_of(table, 14)
    brief = handed_over(table.battle(), "potion_decision")
    # 14 - 12 block = 2 HP lost of 5.
    assert any(line["first_option"] == "potion:BLOCK_POTION" for line in brief["best_lines"])
    assert brief["lethal"]["certainty"] == "yes"


@pytest.mark.parametrize("intents", [None, [{"type": "Mystery", "label": ""}], [{"type": "Attack", "label": "many"}]])
def test_an_intent_that_cannot_be_read_is_never_taken_as_harmless(table: InProcess, intents: Any) -> None:
    def alter(state: Json) -> Json:
        for enemy in state["battle"]["enemies"]:
            if intents is None:
                enemy.pop("intents")
            else:
                enemy["intents"] = intents
        return state

    table.bridge.alter = alter
    brief = handed_over(table.battle(), "unknown_intent")
    assert brief["lethal"]["certainty"] == "potential"
    assert table.bridge.sent == []


def test_an_unmodelled_power_that_may_hurt_leaves_the_turn_to_the_planner(table: InProcess) -> None:
    def alter(state: Json) -> Json:
        power = {"id": "MADE_UP_POWER", "name": "?", "amount": 1, "type": "Buff"}
        state["battle"]["enemies"][0]["status"].append(power)
        return state

    table.bridge.alter = alter
    brief = handed_over(table.battle(), "unmodelled")
    assert "MADE_UP_POWER" in brief["why"]


def test_hp_that_falls_below_the_share_hands_over_once(table: InProcess) -> None:
    table.fight.player.hp = 21
    hand(table, "STRIKE_IRONCLAD")
    attack_of(table, 6)
    result = table.battle()
    handed_over(result, "low_hp")  # 21 - 6 = 15 of 80 is below a quarter
    again = table.battle(max_steps=1)
    assert again["outcome"] == "step_limit"


def test_a_choice_of_cards_is_the_planners_and_the_fight_goes_on_after_it(table: InProcess) -> None:
    hand(table, "TRUE_GRIT", "STRIKE_IRONCLAD", "BASH", "DEFEND_IRONCLAD")
    table.fight.hand[0].upgraded = True
    table.refresh()
    played = table.act("play:TRUE_GRIT+")
    assert played["outcome"] == "verified"
    assert played["state"]["screen"] == "hand_select"
    assert played["state"]["route"]["owner"] == "planner"
    handed_over(table.battle(), "card_choice")
    assert table.act("pick:STRIKE_IRONCLAD")["outcome"] == "verified"
    done = table.act("confirm")
    assert done["outcome"] == "verified"
    assert done["state"]["screen"] == "monster"
    assert [card.id for card in table.fight.exhaust_pile] == ["STRIKE_IRONCLAD"]


def test_somebody_else_leaving_the_room_is_named(table: InProcess) -> None:
    def leave() -> None:
        table.game.run.fight = None
        table.game.run.travel(table.game.run.next_nodes()[0])
        table.refresh()

    table.bridge.alter = _after_the_first_look(leave)
    handed_over(table.battle(), "left_room")


def _after_the_first_look(event: Any) -> Any:
    """An alteration that lets something happen between the decision, after four reads, and its action."""
    reads = 0

    def alter(state: Json) -> Json:
        nonlocal reads
        reads += 1
        if reads == 6:
            event()
        return state

    return alter


def test_a_state_that_was_acted_on_before_is_not_acted_on_again_across_calls(table: InProcess) -> None:
    table.battle(max_steps=1)
    other = InProcess(table.app.settings.state_dir, seed="demo")
    brief = handed_over(other.battle(), "repeated_state")
    assert "before" in brief["why"]
    assert other.bridge.sent == []


def test_another_run_does_not_inherit_the_memory(table: InProcess) -> None:
    table.battle(max_steps=1)
    other = InProcess(table.app.settings.state_dir, seed="demo")
    other.game.run_id = "another run"
    assert other.battle(max_steps=1)["outcome"] == "step_limit"


def test_a_battle_is_cancelled_between_two_actions(table: InProcess) -> None:
    steps: list[Json] = []
    result = table.battle(progress=steps.append, cancelled=lambda: len(steps) >= 2)
    handed_over(result, "cancelled")
    assert result["steps"] == len(table.bridge.sent) == 2
    assert not table.app.controller.folder.inflight.exists()


def test_an_emergency_stop_is_seen_before_the_next_action(table: InProcess) -> None:
    def stop(entry: Json) -> None:
        if entry["seq"] == 2:
            assert table.app.halt("stop now")["ok"]

    result = table.battle(progress=stop)
    assert (result["outcome"], result["error"]["code"]) == ("halted", "halted")
    assert result["steps"] == len(table.bridge.sent) == 2
    assert result["error"]["may_have_acted"] is False


def test_a_popup_over_the_fight_hands_over(table: InProcess) -> None:
    table.game.popup = True
    handed_over(table.battle(), "wrong_screen")


def test_a_game_that_never_rests_is_handed_back(table: InProcess) -> None:
    counter = iter(range(10_000))

    def flicker(state: Json) -> Json:
        state["player"]["gold"] = next(counter)
        return state

    table.bridge.alter = flicker
    handed_over(table.battle(), "not_settled")


def test_the_enemies_turn_and_animations_are_waited_out(tmp_path: Path) -> None:
    # Each end of turn takes 6 s of the game's time: an enemy turn, a partial hand, and a hand that fills.
    table = InProcess(tmp_path, seed="demo", delay=2.0)
    result = table.battle()
    assert result["outcome"] == "combat_over"
    assert not any("mispredictions" in action for action in result["actions"])


def test_a_choice_left_open_by_somebody_else_is_seen_at_once(table: InProcess) -> None:
    table.fight.choice = Choice(where="hand", then="exhaust")
    table.refresh()
    handed_over(table.battle(), "card_choice")
