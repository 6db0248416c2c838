"""The traps of the bridge that a client falls into: each is there, and works as the contract has it."""

from typing import Any

import pytest

from spire_mcp.practice.actions import resolve
from spire_mcp.practice.fight import Card
from spire_mcp.practice.game import PracticeGame
from tests.clock import TestClock
from tests.practice.boards import game, post, set_fight, set_room, show

Json = dict[str, Any]


def slow() -> tuple[PracticeGame, TestClock]:
    """A game in which an action takes a second."""
    clock = TestClock()
    return game(delay=1.0, clock=clock.monotonic), clock


def error(played: PracticeGame, action: str, **parameters: Any) -> str:
    answer = post(played, action, **parameters)
    assert answer["status"] == "error"
    assert "message" not in answer
    return answer["error"]


def test_an_entity_id_is_the_twins_after_a_death_and_digits_name_the_same_monster_still() -> None:
    played = game()
    fight = set_fight(played, "STRIKE_IRONCLAD", "STRIKE_IRONCLAD", monsters=("TWIG_SLIME_S", "TWIG_SLIME_S"))
    first, second = fight.enemies
    first.hp, second.hp = 6, 20
    post(played, "play_card", card_index=0, target="TWIG_SLIME_S_0")
    assert not first.alive
    enemies = played.state()["battle"]["enemies"]
    assert [(e["entity_id"], e["combat_id"]) for e in enemies] == [("TWIG_SLIME_S_0", 2)]
    # The old ID silently hits the other one.
    post(played, "play_card", card_index=0, target="TWIG_SLIME_S_0")
    assert second.hp == 14


@pytest.mark.parametrize("target", ["1", "NIBBIT_0", "2", "FLYCONID_0"])
def test_a_target_is_an_entity_id_or_a_combat_id_in_digits(target: str) -> None:
    played = game()
    fight = set_fight(played, "STRIKE_IRONCLAD", monsters=("NIBBIT", "FLYCONID"))
    found = resolve(fight, target)
    assert found is not None
    assert found.id == ("NIBBIT" if target in {"1", "NIBBIT_0"} else "FLYCONID")


@pytest.mark.parametrize("target", ["", "9", "NIBBIT", "NIBBIT_1", "nibbit_0", "²", "１", "-1", "unknown_0"])
def test_a_target_that_is_nobody_is_refused_and_nothing_is_played(target: str) -> None:
    played = game()
    set_fight(played, "STRIKE_IRONCLAD")
    before = played.state()
    assert "not found" in error(played, "play_card", card_index=0, target=target)
    assert played.state() == before


def test_null_as_a_target_is_an_empty_name_and_a_number_is_a_crash() -> None:
    played = game()
    set_fight(played, "STRIKE_IRONCLAD")
    assert "not found" in error(played, "play_card", card_index=0, target=None)
    assert "requires a target" in error(played, "play_card", card_index=0)
    status, answer = played.post({"action": "play_card", "card_index": 0, "target": 1})
    assert (status, set(answer)) == (500, {"error"})


@pytest.mark.parametrize("value", ["0", 0.0, 1.5, None, True, [], {}, 2**31, -(2**31) - 1])
def test_an_index_that_is_no_whole_number_of_32_bits_crashes_the_handler(value: object) -> None:
    played = game()
    before = played.state()
    status, answer = played.post({"action": "play_card", "card_index": value, "target": "1"})
    assert status == 500
    assert answer["error"].startswith("Action failed: ")
    assert "status" not in answer
    assert played.state() == before


def test_refusals_come_in_the_order_of_the_checks() -> None:
    menu = game(start="menu")
    # Without a run even an unknown name gets the answer of the gate; a popup stands before every action's own check.
    assert error(menu, "fly") == "No run in progress"
    played = game()
    assert error(played, "fly") == "Unknown action: fly"
    assert error(played, "") == "Unknown action: "
    played.popup = True
    assert error(played, "fly").startswith("Blocking popup active.")
    post(played, "menu_select", option="ok")
    set_fight(played, "BLUDGEON", "DAZED", "STRIKE_IRONCLAD")
    assert error(played, "play_card") == "Missing 'card_index'"
    assert "out of range (hand has 3 cards)" in error(played, "play_card", card_index=3)
    assert "out of range" in error(played, "play_card", card_index=-1)
    # Whether the card can be played is asked before its target is.
    assert "HasUnplayableKeyword" in error(played, "play_card", card_index=1, target="nobody")
    fight = played.run.fight
    assert fight is not None
    fight.energy = 2
    assert "EnergyCostTooHigh" in error(played, "play_card", card_index=0, target="nobody")
    set_room(played, "map")
    assert error(played, "play_card") == "Not in combat"
    assert error(played, "end_turn") == "Not in combat"
    # A rest choice misses its index before it misses its room, and so does a grid.
    assert error(played, "choose_rest_option") == "Missing 'index'"
    assert error(played, "choose_rest_option", index=0) == "Rest site room is not open"
    assert error(played, "select_card") == "Missing 'index'"
    assert error(played, "select_card", index=0) == "No card selection screen is open"


def test_a_choice_in_hand_holds_up_plays_potions_and_the_end_of_the_turn() -> None:
    played = game()
    played.run.potions = ["BLOCK_POTION", None, None]
    set_fight(played, "ARMAMENTS", "STRIKE_IRONCLAD", "BASH")
    post(played, "play_card", card_index=0)
    assert "disabled" in error(played, "play_card", card_index=0, target="1")
    assert "disabled" in error(played, "use_potion", slot=0)
    assert "Cannot end turn while" in error(played, "end_turn")
    assert "not enabled" in error(played, "combat_confirm_selection")
    assert error(played, "confirm_selection") == "No card selection screen is open"


def test_every_higher_place_in_the_hand_renumbers_after_a_play() -> None:
    played = game()
    set_fight(played, "DEFEND_IRONCLAD", "STRIKE_IRONCLAD", "BASH")
    post(played, "play_card", card_index=0)
    hand = played.state()["player"]["hand"]
    assert [(card["index"], card["id"]) for card in hand] == [(0, "STRIKE_IRONCLAD"), (1, "BASH")]


def test_a_queued_play_keeps_its_card_in_hand_and_a_second_acceptance_is_lost() -> None:
    played, clock = slow()
    fight = set_fight(played, "STRIKE_IRONCLAD", "STRIKE_IRONCLAD", "DEFEND_IRONCLAD")
    hp = fight.enemies[0].hp
    body = {"action": "play_card", "card_index": 0, "target": "1"}
    assert [played.post(dict(body))[1]["status"] for _ in range(2)] == ["ok", "ok"]
    queued = played.state()
    assert (len(queued["player"]["hand"]), queued["player"]["energy"]) == (3, 3)
    clock.wait(1.1)
    after = played.state()
    assert (len(after["player"]["hand"]), after["player"]["energy"]) == (2, 2)
    assert after["battle"]["enemies"][0]["hp"] == hp - 6


def test_in_the_enemies_turn_nothing_is_played() -> None:
    played, clock = slow()
    played.post({"action": "end_turn"})
    # The end of a turn takes three delays, in three pieces.
    clock.wait(1.1)
    assert played.state()["battle"]["turn"] == "enemy"
    assert played.post({"action": "play_card", "card_index": 0})[1]["error"] == "Not in play phase"
    assert played.post({"action": "end_turn"})[1]["error"] == "Not in play phase"


def test_the_draw_pile_is_shown_by_rarity_and_id_whatever_its_order() -> None:
    played = game()
    fight = set_fight(played)
    cards = ["SLIMED", "OFFERING", "INFLAME", "ANGER", "STRIKE_IRONCLAD", "BASH", "BLUDGEON", "ARMAMENTS"]
    shown: list[list[str]] = []
    for order in (cards, cards[::-1]):
        fight.draw_pile = [Card(card) for card in order]
        pile = show(played)["player"]["draw_pile"]
        assert all(set(card) == {"name", "cost", "star_cost", "description"} for card in pile)
        shown.append([card["name"] for card in pile])
    # Basic, Common, Uncommon, Rare, Status; by ID within each.
    assert shown[0] == ["Bash", "Strike", "Anger", "Armaments", "Bludgeon", "Inflame", "Offering", "Slimed"]
    assert shown[1] == shown[0]


def test_a_pile_keeps_the_text_of_an_earlier_turn() -> None:
    played = game()
    fight = set_fight(played, "STRIKE_IRONCLAD", "DEFEND_IRONCLAD")
    fight.player.add("WEAK_POWER", 1)
    fight.player.add("FRAIL_POWER", 1)
    # Weak makes 6 read 4 (4.5), Frail makes 5 read 3 (3.75).
    assert [c["description"] for c in show(played)["player"]["hand"]] == ["Deal 4 damage.", "Gain 3 Block."]
    fight.discard_pile, fight.hand = fight.hand, []
    fight.player.powers.clear()
    stale = show(played)["player"]["discard_pile"]
    assert [c["description"] for c in stale] == ["Deal 4 damage.", "Gain 3 Block."]


def test_a_hand_text_never_holds_what_is_the_targets() -> None:
    played = game()
    fight = set_fight(played, "STRIKE_IRONCLAD")
    fight.enemies[0].add("VULNERABLE_POWER", 2)
    assert show(played)["player"]["hand"][0]["description"] == "Deal 6 damage."


def test_proceed_in_a_treasure_room_leaves_the_relic_behind() -> None:
    played = game()
    set_room(played, "treasure")
    played.state()
    assert played.state()["treasure"]["relics"]
    relics = list(played.run.relics)
    assert post(played, "proceed")["status"] == "ok"
    assert (played.run.screen, played.run.relics) == ("map", relics)


def test_a_chest_nobody_has_looked_at_cannot_be_left_or_emptied() -> None:
    played = game()
    set_room(played, "treasure")
    assert played.post({"action": "proceed"})[1]["error"] == "No proceed button available or enabled"
    assert "not visible" in played.post({"action": "claim_treasure_relic", "index": 0})[1]["error"]


def test_a_shop_says_that_one_cannot_proceed_and_lets_one() -> None:
    played = game()
    set_room(played, "shop")
    assert played.state()["shop"]["can_proceed"] is False
    assert post(played, "proceed")["status"] == "ok"
    assert played.state()["state_type"] == "map"


def test_a_potion_bought_with_a_full_belt_is_answered_ok_and_neither_comes_nor_costs() -> None:
    played = game()
    run = set_room(played, "shop")
    run.gold = 500
    run.potions[:] = ["FIRE_POTION"] * 3
    before = show(played)
    place = next(item["index"] for item in before["shop"]["items"] if item["category"] == "potion")
    assert post(played, "shop_purchase", index=place)["status"] == "ok"
    assert played.state() == before


def test_a_sold_item_keeps_its_place_and_loses_its_details() -> None:
    played = game()
    run = set_room(played, "shop")
    run.gold = 500
    before = show(played)["shop"]["items"]
    post(played, "shop_purchase", index=0)
    after = played.state()["shop"]["items"]
    assert len(after) == len(before)
    assert (after[0]["is_stocked"], "card_id" in after[0]) == (False, False)
    assert "sold out" in error(played, "shop_purchase", index=0)
    run.gold = 0
    assert "Not enough gold" in error(played, "shop_purchase", index=1)


def test_backing_out_of_a_card_removal_costs_nothing() -> None:
    played = game()
    run = set_room(played, "shop")
    run.gold = 500
    show(played)
    post(played, "shop_purchase", index=len(run.shop) - 1)
    post(played, "select_card", index=0)
    assert post(played, "cancel_selection")["message"] == "Cancelling preview"
    assert played.state()["card_select"]["preview_showing"] is False
    post(played, "cancel_selection")
    assert (played.run.screen, played.run.gold, len(played.run.deck)) == ("shop", 500, 10)


def test_a_skipped_card_reward_is_gone_and_the_rest_stays() -> None:
    played = game()
    run = set_room(played, "rewards")
    run._roll_rewards()
    show(played)
    place = len(run.rewards) - 1
    post(played, "claim_reward", index=place)
    assert played.state()["state_type"] == "card_reward"
    post(played, "skip_card_reward")
    assert "card" not in {item["type"] for item in played.state()["rewards"]["items"]}
    assert len(run.deck) == 10


def test_smithing_with_nothing_to_upgrade_is_disabled() -> None:
    played = game()
    run = set_room(played, "rest_site")
    for card in run.deck:
        card.upgraded = True
    assert [option["is_enabled"] for option in show(played)["rest_site"]["options"]] == [True, False]
    assert "is disabled" in error(played, "choose_rest_option", index=1)


def arrive(kind: str) -> tuple[PracticeGame, TestClock]:
    """A room of a kind, entered from the map a moment ago and just become visible."""
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic, start="map")
    nodes = played.run.next_nodes()
    played.run.map[nodes[0]].type = kind
    assert played.post({"action": "choose_map_node", "index": 0})[1]["status"] == "ok"
    assert played.state()["state_type"] == "map"
    # One delay until the room shows, another one until its buttons work.
    clock.wait(1.1)
    return played, clock


def test_a_rest_site_refuses_for_a_moment_and_takes_the_same_request_later() -> None:
    played, clock = arrive("RestSite")
    assert played.state()["rest_site"]["options"]
    body = {"action": "choose_rest_option", "index": 0}
    assert played.post(dict(body))[1] == {"status": "error", "error": "Rest site room is not open"}
    assert played.post({"action": "choose_rest_option"})[1]["error"] == "Missing 'index'"
    clock.wait(1.0)
    assert played.post(dict(body))[1]["status"] == "ok"


@pytest.mark.parametrize("kind", ["Shop", "Treasure"])
def test_the_first_proceed_in_a_fresh_room_is_refused_and_the_same_later_is_not(kind: str) -> None:
    played, clock = arrive(kind)
    body = {"action": "proceed"}
    assert played.post(dict(body))[1] == {"status": "error", "error": "No proceed button available or enabled"}
    for _ in range(3):
        played.state()
        clock.wait(1.0)
    played.state()
    assert played.post(dict(body))[1]["status"] == "ok"


def test_without_a_delay_no_room_refuses() -> None:
    played = game(start="map")
    played.run.map[played.run.next_nodes()[0]].type = "RestSite"
    post(played, "choose_map_node", index=0)
    assert post(played, "choose_rest_option", index=0)["status"] == "ok"
    assert post(played, "proceed")["status"] == "ok"


def test_the_ancient_talks_line_by_line_before_there_is_anything_to_choose() -> None:
    played = game(start="menu")
    for option in ("singleplayer", "standard", "ironclad", "confirm"):
        assert post(played, "menu_select", option=option)["status"] == "ok"
    lines = 0
    while played.state()["event"]["in_dialogue"]:
        assert played.state()["event"]["options"] == []
        assert error(played, "choose_event_option", index=0) == "No event options available"
        post(played, "advance_dialogue")
        lines += 1
        assert lines < 10
    assert lines > 0
    assert played.state()["event"]["is_ancient"] is True
    assert error(played, "advance_dialogue") == "No ancient dialogue active"
