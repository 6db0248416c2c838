"""Traps of the contract that need the HTTP face or a moving game, as docs/practice.md lists them."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from spire_mcp.practice import events, rooms
from spire_mcp.practice.content import table
from spire_mcp.practice.server import PracticeServer
from tests.clock import TestClock
from tests.practice.boards import game, post, set_fight, set_room, show

Json = dict[str, Any]


@pytest.fixture
def server() -> Iterator[PracticeServer]:
    with PracticeServer(delay=0) as serving:
        yield serving


def ask(server: PracticeServer, method: str, path: str, body: Json | None = None) -> tuple[int, Json]:
    with httpx2.Client(trust_env=False, timeout=10) as client:
        answer = client.request(method, server.url + path, json=body)
        return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/nowhere", 404),
        ("DELETE", "/api/v1/singleplayer/", 404),
        ("PUT", "/api/v1/singleplayer", 405),
        ("DELETE", "/api/v1/wiki", 405),
        ("POST", "/api/v1/compendium", 405),
        ("POST", "/api/v1/wiki?query=x", 405),
        ("POST", "/nowhere", 404),
        ("POST", "/api/v1/multiplayer", 409),
        ("GET", "/api/v1/multiplayer", 409),
        ("GET", "/api/v1/wiki", 400),
        ("GET", "/api/v1/wiki?query=%20", 400),
        ("POST", "/", 200),
    ],
)
def test_paths_and_methods_answer_as_the_contract_says(
    server: PracticeServer, method: str, path: str, status: int
) -> None:
    # bridge-contract-detail.md, section 1.2.
    assert ask(server, method, path, {} if method == "POST" else None)[0] == status


def test_the_wiki_finds_by_id_and_by_part_of_a_name_and_shows_the_upgrade(server: PracticeServer) -> None:
    found = ask(server, "GET", "/api/v1/wiki?query=bash")[1]["results"]
    assert (found[0]["id"], found[0]["score"]) == ("BASH", 1000)
    assert "8 damage" in found[0]["base"]["description"]
    assert "10 damage" in found[0]["upgraded"]["description"]
    assert len(ask(server, "GET", "/api/v1/wiki?query=strike&limit=3")[1]["results"]) == 3
    assert ask(server, "GET", "/api/v1/wiki?query=anchor&type=card")[1]["results"] == []


@pytest.mark.parametrize(
    ("fault", "missing"),
    [("compendium_parse_error", "run_id"), ("compendium_without_run_id", "run_id")],
)
def test_a_compendium_that_cannot_say_has_no_run_identity(fault: str, missing: str) -> None:
    with PracticeServer(delay=0, faults=fault) as server:
        current = ask(server, "GET", "/api/v1/compendium")[1]["current_run"]
    assert missing not in current


def test_a_build_without_a_compendium_answers_404() -> None:
    with PracticeServer(delay=0, faults="compendium_missing") as server:
        assert ask(server, "GET", "/api/v1/compendium")[0] == 404


def test_a_map_that_was_opened_over_a_fight_shows_the_hand_and_no_way() -> None:
    with PracticeServer(delay=0, faults="map_over_fight@1") as server:
        state = ask(server, "GET", "/api/v1/singleplayer")[1]
        assert (state["state_type"], state["map"]["next_options"]) == ("map", [])
        assert state["player"]["hand"]
        assert ask(server, "GET", "/api/v1/singleplayer")[1]["state_type"] == "monster"


def test_a_power_can_be_missing_from_one_read() -> None:
    with PracticeServer(delay=0, faults="power_missing@1") as server:
        fight = server.game.run.fight
        assert fight is not None
        fight.player.add("STRENGTH_POWER", 2)
        show(server.game)
        first, second = (ask(server, "GET", "/api/v1/singleplayer")[1] for _ in range(2))
    assert first["player"]["status"] == []
    assert [power["id"] for power in second["player"]["status"]] == ["STRENGTH_POWER"]


def test_an_action_can_be_carried_out_twice() -> None:
    with PracticeServer(delay=0, faults="duplicate_effect@1") as server:
        set_fight(server.game, "DEFEND_IRONCLAD", "DEFEND_IRONCLAD", "DEFEND_IRONCLAD")
        ask(server, "POST", "/api/v1/singleplayer", {"action": "play_card", "card_index": 0})
        state = ask(server, "GET", "/api/v1/singleplayer")[1]
    assert (state["player"]["block"], len(state["player"]["hand"])) == (10, 1)


def test_an_enchantment_can_be_confirmed_for_ever() -> None:
    with PracticeServer(delay=0, faults="stuck_enchant") as server:
        played = server.game
        run = set_room(played, "event")
        events.begin(run, table("events")["SELF_HELP_BOOK"])
        show(played)
        for body in ({"action": "choose_event_option", "index": 0}, {"action": "select_card", "index": 0}):
            assert ask(server, "POST", "/api/v1/singleplayer", body)[1]["status"] == "ok"
        for _ in range(2):
            answer = ask(server, "POST", "/api/v1/singleplayer", {"action": "confirm_selection"})[1]
            assert answer["status"] == "ok"
        state = ask(server, "GET", "/api/v1/singleplayer")[1]
    assert state["card_select"]["screen_type"] == "NDeckEnchantSelectScreen"
    assert not any(card.enchantment for card in run.deck)


def moving(screen: str) -> tuple[Json, Json]:
    """What a room that is being entered shows half-way, and at its end."""
    clock = TestClock()
    played = game(delay=1.0, clock=clock.monotonic, start="map")
    run = played.run
    node = run.next_nodes()[0]
    run.map[node].type = {"shop": "Shop", "event": "Event", "monster": "Monster"}[screen]
    show(played)
    assert played.post({"action": "choose_map_node", "index": 0})[0] == 200
    # Two states lie between the map and the room: the map still, and the room before it is ready.
    clock.now += 0.7
    half = played.state()
    clock.now += 1.0
    return half, played.state()


def test_a_shop_is_entered_before_its_shelves_can_be_read() -> None:
    half, whole = moving("shop")
    assert (half["state_type"], half["shop"]["items"], "error" in half["shop"]) == ("shop", [], True)
    assert whole["shop"]["items"]


def test_an_event_has_its_name_before_its_options() -> None:
    half, whole = moving("event")
    assert half["state_type"] == whole["state_type"] == "event" or whole["state_type"] == "fake_merchant"
    if whole["state_type"] == "event":
        assert half["event"]["event_id"] == whole["event"]["event_id"]
        assert half["event"]["options"] == []


def test_a_fight_is_shown_without_its_battle_before_it_is_set_up() -> None:
    half, whole = moving("monster")
    assert half["state_type"] == "monster"
    assert "battle" not in half
    assert whole["battle"]["enemies"]


def test_a_choose_a_card_overlay_takes_its_card_at_once() -> None:
    played = game()
    run = set_room(played, "event")
    rooms.offer_cards(run, run.card_choice(3))
    show(played)
    assert played.post({"action": "confirm_selection"})[1]["error"] == "This screen requires no confirmation"
    deck = len(run.deck)
    post(played, "select_card", index=1)
    assert len(run.deck) == deck + 1


def test_a_grid_for_two_looks_the_same_after_the_first_card() -> None:
    played = game()
    run = set_room(played, "event")
    rooms.open_grid(run, "remove", count=2)
    before = show(played)["card_select"]
    post(played, "select_card", index=0)
    assert played.state()["card_select"] == before
    post(played, "select_card", index=1)
    assert played.state()["card_select"]["preview_showing"] is True


def test_a_locked_choice_keeps_its_place_and_refuses() -> None:
    played = game()
    run = set_room(played, "event")
    run.gold = 10
    events.begin(run, table("events")["LUMINOUS_CHOIR"])
    options = show(played)["event"]["options"]
    assert [option["is_locked"] for option in options] == [False, True]
    answer = played.post({"action": "choose_event_option", "index": 1})[1]
    assert answer["error"] == "Event option 1 is locked"


def test_a_bundle_is_only_looked_at_until_it_is_confirmed() -> None:
    played = game()
    run = set_room(played, "event")
    run.event = table("events")["BYRDONIS_NEST"]
    run.bundles, run.screen = [run.card_choice(3), run.card_choice(3)], "bundle_select"
    show(played)
    deck = len(run.deck)
    post(played, "select_bundle", index=1)
    assert played.post({"action": "select_bundle", "index": 0})[1]["error"] == "A bundle preview is already open"
    assert len(run.deck) == deck
    post(played, "confirm_bundle_selection")
    assert len(run.deck) == deck + 3


def test_a_tool_that_is_active_can_be_taken_again_and_changes_nothing() -> None:
    played = game()
    run = set_room(played, "event")
    run.event = table("events")["CRYSTAL_SPHERE"]
    post(played, "choose_event_option", index=1)
    before = played.state()["crystal_sphere"]
    post(played, "crystal_sphere_set_tool", tool=before["tool"])
    assert played.state()["crystal_sphere"] == before
    assert played.post({"action": "crystal_sphere_proceed"})[1]["status"] == "error"
