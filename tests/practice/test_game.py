"""The practice game as a bridge: its traps are those of the real one, and the same seed is the same game."""

import json
from random import Random
from typing import Any

import pytest

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import list_options
from spire_mcp.practice.content import table
from spire_mcp.practice.faults import parse_faults
from spire_mcp.practice.fight import Card
from spire_mcp.practice.game import PracticeGame
from spire_mcp.practice.render import render
from tests.captures import raw
from tests.clock import TestClock

Json = dict[str, Any]


def game(**options: Any) -> PracticeGame:
    defaults: Json = {"seed": "demo", "delay": 0, **options}
    return PracticeGame(**defaults)


def post(played: PracticeGame, action: str, **parameters: Any) -> Json:
    status, answer = played.post({"action": action, **parameters})
    assert status == 200
    played.state()
    return answer


def show(played: PracticeGame) -> Json:
    """The state after something was changed inside the game."""
    state = render(played.run, played.language)
    played._visible = state  # pyright: ignore[reportPrivateUsage]
    return state


@pytest.mark.parametrize("language", ["eng", "zhs"])
def test_a_fight_has_the_keys_of_a_real_one(language: str) -> None:
    real, ours = raw("monster-18"), game(language=language).state()
    assert set(ours) == set(real)
    assert set(ours["run"]) == set(real["run"])
    assert set(ours["player"]) == set(real["player"])
    assert set(ours["player"]["hand"][0]) == set(real["player"]["hand"][0])
    assert set(ours["player"]["draw_pile"][0]) == set(real["player"]["draw_pile"][0])
    assert set(ours["player"]["relics"][0]) == set(real["player"]["relics"][0])
    assert set(ours["battle"]) == set(real["battle"])
    assert set(ours["battle"]["enemies"][0]) == set(real["battle"]["enemies"][0])
    assert set(ours["battle"]["enemies"][0]["intents"][0]) == set(real["battle"]["enemies"][0]["intents"][0])


def test_the_map_has_the_keys_of_a_real_one() -> None:
    real, ours = raw("map-01")["map"], game(start="map").state()["map"]
    # The real map was recorded before its first visit, when it has no current position yet.
    assert set(ours) - set(real) <= {"current_position"}
    assert set(ours["next_options"][0]) == set(real["next_options"][0])
    assert {key for node in ours["nodes"] for key in node} <= {key for node in real["nodes"] for key in node}


def test_the_same_seed_and_actions_are_the_same_game_and_another_seed_is_not() -> None:
    def play(seed: str) -> list[Json]:
        played, dice, states = game(seed=seed), Random(1), list[Json]()
        for _ in range(60):
            state = played.state()
            states.append(state)
            options = [o for o in list_options(parse_state(state)) if o.kind != "restricted" and not o.trap]
            if not options:
                break
            played.post(dict(dice.choice(options).requests[0].body()))
        return states

    assert play("one") == play("one")
    assert play("one") != play("two")


def test_ok_means_queued_and_a_second_play_of_the_same_place_is_lost() -> None:
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic)
    before = played.state()
    assert played.post({"action": "play_card", "card_index": 0, "target": "1"})[1]["status"] == "ok"
    assert played.state() == before
    assert played.post({"action": "play_card", "card_index": 0, "target": "1"})[1]["status"] == "ok"
    clock.wait(0.5)
    half = played.state()
    assert len(half["player"]["hand"]) == 4
    assert half["battle"] == before["battle"]
    clock.wait(0.6)
    assert len(played.state()["player"]["hand"]) == 4


def test_an_end_of_turn_shows_the_enemies_then_a_partial_hand_then_the_turn() -> None:
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic)
    played.post({"action": "end_turn"})
    seen: list[tuple[str, bool, int]] = []
    for _ in range(40):
        clock.wait(0.1)
        battle = played.state()["battle"]
        entry = (battle["turn"], battle["is_play_phase"], len(played.state()["player"]["hand"]))
        if not seen or seen[-1] != entry:
            seen.append(entry)
    assert seen == [("player", True, 5), ("enemy", False, 0), ("player", False, 2), ("player", True, 5)]


def test_after_the_last_kill_there_is_no_battle_for_a_while() -> None:
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic)
    assert played.run.fight is not None
    played.run.fight.enemies[0].hp = 1
    played.run.fight.hand = [Card("STRIKE_IRONCLAD")]
    show(played)
    played.post({"action": "play_card", "card_index": 0, "target": "1"})
    clock.wait(0.6)
    ended = played.state()
    assert (ended["state_type"], "battle" in ended, "message" in ended) == ("monster", False, True)
    clock.wait(0.6)
    assert played.state()["state_type"] == "rewards"


def test_an_entity_id_moves_to_a_twin_and_a_combat_id_stays() -> None:
    played = game()
    played.run.fight = None
    played.run.start_fight("normal", "monster")
    fight = played.run.fight
    assert fight is not None
    fight.monsters.clear()
    for _ in range(2):
        fight.spawn("TWIG_SLIME_S")
    first, second = list(fight.enemies)
    assert [e["entity_id"] for e in show(played)["battle"]["enemies"]] == ["TWIG_SLIME_S_0", "TWIG_SLIME_S_1"]
    first.hp = 0
    enemies = show(played)["battle"]["enemies"]
    assert [(e["entity_id"], e["combat_id"]) for e in enemies] == [("TWIG_SLIME_S_0", second.combat_id)]


def test_text_in_piles_is_what_the_card_last_showed() -> None:
    played = game()
    fight = played.run.fight
    assert fight is not None
    fight.hand = [Card("STRIKE_IRONCLAD")]
    fight.player.powers["STRENGTH_POWER"] = 3
    assert show(played)["player"]["hand"][0]["description"] == "Deal 9 damage."
    post(played, "play_card", card_index=0, target="1")
    fight.player.powers.clear()
    assert show(played)["player"]["discard_pile"][0]["description"] == "Deal 9 damage."


def rewards(played: PracticeGame, *items: Json) -> None:
    played.run.fight = None
    played.run.rewards = list(items)
    played.run.screen = "rewards"
    show(played)


def test_a_potion_with_a_full_belt_is_answered_ok_and_dropped() -> None:
    played = game()
    played.run.potions = ["FIRE_POTION"] * 3
    rewards(played, {"type": "potion", "potion": "BLOCK_POTION"}, {"type": "gold", "gold": 10})
    before = played.state()
    assert post(played, "claim_reward", index=0)["status"] == "ok"
    assert played.state() == before


def test_claims_renumber_and_proceed_loses_what_is_left() -> None:
    played = game()
    rewards(played, {"type": "gold", "gold": 10}, {"type": "potion", "potion": "BLOCK_POTION"})
    post(played, "claim_reward", index=0)
    assert [(i["index"], i["type"]) for i in played.state()["rewards"]["items"]] == [(0, "potion")]
    assert post(played, "proceed")["status"] == "ok"
    assert played.state()["state_type"] == "map"
    assert played.run.potions == [None] * 3


def test_a_grid_toggles_and_no_state_tells_what_is_selected() -> None:
    played = game()
    played.run.fight = None
    played.run.screen = "rest_site"
    show(played)
    post(played, "choose_rest_option", index=1)
    grid = played.state()["card_select"]
    assert (grid["screen_type"], grid["preview_showing"], grid["can_confirm"]) == ("upgrade", False, False)
    post(played, "select_card", index=0)
    assert played.state()["card_select"]["preview_showing"] is True
    post(played, "select_card", index=0)
    assert played.state()["card_select"]["preview_showing"] is False
    post(played, "select_card", index=0)
    post(played, "confirm_selection")
    assert played.run.deck[0].upgraded
    assert played.state()["rest_site"]["can_proceed"] is True


def test_looking_at_a_chest_opens_it_and_pays() -> None:
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic)
    played.run.fight = None
    played.run.screen = "treasure"
    played.run.chest = None
    show(played)
    gold = played.run.gold
    assert played.state()["treasure"] == {"message": "Opening chest..."}
    clock.wait(0.8)
    assert played.state()["treasure"] == {"can_proceed": False}
    clock.wait(0.8)
    assert played.state()["treasure"]["relics"]
    assert 42 <= played.run.gold - gold <= 52


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        ({"action": "fly"}, 200, "Unknown action"),
        ({"action": "play_card"}, 200, "Missing 'card_index'"),
        ({"action": "play_card", "card_index": 99}, 200, "out of range"),
        ({"action": "play_card", "card_index": "0"}, 500, "Action failed"),
        ({"action": "play_card", "card_index": 1.0}, 500, "Action failed"),
        ({"action": "play_card", "card_index": True}, 500, "Action failed"),
        ({"action": "use_potion", "slot": 0}, 200, "No potion"),
        ({"action": "claim_reward", "index": 0}, 200, "not open"),
        ({"action": "choose_map_node", "index": 0}, 200, "not open"),
        ({"action": "combat_confirm_selection"}, 200, "No in-combat card selection"),
        ({"action": "menu_select", "option": "quit"}, 200, "Not on a menu screen"),
    ],
)
def test_what_the_bridge_refuses_is_refused_as_it_does(body: Json, status: int, text: str) -> None:
    seen, answer = game().post(body)
    assert seen == status
    assert text in answer["error"]


def test_a_popup_blocks_every_action_until_it_is_answered() -> None:
    played = game()
    played.popup = True
    assert "player" not in played.state()
    assert "Blocking popup" in played.post({"action": "end_turn"})[1]["error"]
    played.post({"action": "menu_select", "option": "ok"})
    assert played.state()["state_type"] == "monster"


@pytest.mark.parametrize("spec", ["explode", "hang@zero", "hang@0", "hang@-1", "hang@1.5", "late_effect@@2"])
def test_a_fault_that_cannot_be_read_is_named(spec: str) -> None:
    with pytest.raises(ValueError, match=spec.split("@", maxsplit=1)[0]):
        parse_faults(spec)


def test_every_act_map_follows_the_rules_of_rows_and_neighbours() -> None:
    for seed in range(30):
        nodes = game(seed=f"map{seed}").run.map
        kinds = {row: {node.type for node in nodes.values() if node.row == row} for row in range(1, 16)}
        assert kinds[1] == {"Monster"}
        assert kinds[9] == {"Treasure"}
        assert kinds[15] == {"RestSite"}
        for node in nodes.values():
            assert not (node.row < 6 and node.type in {"Elite", "RestSite"})
            for child in node.children:
                twin = nodes[child].type == node.type
                assert not (twin and node.type in {"Elite", "RestSite", "Shop"})


def test_names_are_shown_in_both_languages_with_the_same_ids() -> None:
    english, chinese = game().state(), game(language="zhs").state()
    assert [c["id"] for c in english["player"]["hand"]] == [c["id"] for c in chinese["player"]["hand"]]
    assert "造成6点伤害。" in json.dumps(chinese, ensure_ascii=False)
    assert not json.dumps(chinese["battle"]["enemies"][0]["name"], ensure_ascii=False).isascii()
    assert all(
        set(entry["names"]) == {"eng", "zhs"} for name in ("powers", "potions") for entry in table(name).values()
    )
