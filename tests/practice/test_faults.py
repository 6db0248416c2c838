"""Each fault of the practice server does over real HTTP what its name says, to the request that it is for."""

import http.client
import json
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from spire_mcp.practice.faults import GET_FAULTS, LASTING, POST_FAULTS, parse_faults
from spire_mcp.practice.server import PracticeServer
from tests.clock import TestClock

Json = dict[str, Any]
PATH = "/api/v1/singleplayer"
LONGEST = 20.0
"""more than any answer on loopback takes, and less than the test's own limit"""


@contextmanager
def serving(faults: str = "", **options: Any) -> Generator[PracticeServer, None, None]:
    with PracticeServer(seed="faults", delay=0, faults=faults, **options) as server:
        yield server


def ask(server: PracticeServer, method: str, path: str = PATH, data: bytes | None = None) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)) as connection:
        connection.request(method, path, data)
        answer = connection.getresponse()
        return answer.status, answer.read()


def send(server: PracticeServer, action: str = "end_turn", **parameters: Any) -> tuple[int, Json]:
    status, data = ask(server, "POST", data=json.dumps({"action": action, **parameters}).encode())
    return status, json.loads(data)


def look(server: PracticeServer) -> Json:
    status, data = ask(server, "GET")
    assert status == 200
    return json.loads(data)


def rounds(server: PracticeServer) -> int:
    """How many turns have begun: one more when the end of the turn has taken effect."""
    assert server.game.run.fight is not None
    return server.game.run.fight.round


@pytest.mark.parametrize(
    ("fault", "status", "word", "happened"),
    [
        ("", 200, "ok", True),
        ("error_500_after_effect", 500, None, True),
        ("error_500_before_effect", 500, None, False),
        ("ok_without_effect", 200, "ok", False),
        ("error_with_effect", 200, "error", True),
        ("error_without_effect", 200, "error", False),
        ("popup", 200, "ok", True),
    ],
)
def test_an_answer_and_an_effect_go_their_own_ways(fault: str, status: int, word: str | None, happened: bool) -> None:
    with serving(fault) as server:
        seen, answer = send(server)
        assert (seen, answer.get("status")) == (status, word)
        assert (rounds(server) == 2) is happened
        # The second action meets no fault any more; a popup only stands before it.
        seen, answer = send(server)
        assert (seen, answer["status"]) == (200, "error" if fault == "popup" else "ok")
        assert [request["fault"] for request in server.requests] == [fault or None, None]


@pytest.mark.parametrize(
    ("fault", "happened"), [("reply_lost_after_effect", True), ("reply_lost_before_effect", False)]
)
def test_a_lost_reply_is_a_closed_connection(fault: str, happened: bool) -> None:
    with serving(fault) as server:
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            send(server)
        assert (rounds(server) == 2) is happened


def test_half_a_reply_breaks_off_and_the_effect_is_there() -> None:
    with serving("half_reply") as server:
        with pytest.raises(http.client.IncompleteRead):
            send(server)
        assert rounds(server) == 2


def in_background(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except (OSError, http.client.HTTPException) as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, failures


@pytest.mark.parametrize(("fault", "happened"), [("hang", False), ("hang_with_effect", True)])
def test_a_hanging_answer_holds_nothing_else_up_and_stop_lets_it_go(fault: str, happened: bool) -> None:
    with serving(fault) as server:
        thread, failures = in_background(lambda: send(server))
        assert server.arrived.wait(LONGEST)
        assert (look(server)["battle"]["round"] == 2) is happened
        assert thread.is_alive()
        server.stop()
        thread.join(LONGEST)
        assert not thread.is_alive()
        assert len(failures) == 1


def test_a_hanging_read_is_let_go_by_stop() -> None:
    looked = threading.Event()
    clock = TestClock()

    def time() -> float:
        looked.set()
        return clock.now

    with serving("get_hang", clock=time) as server:
        looked.clear()
        thread, failures = in_background(lambda: look(server))
        assert looked.wait(LONGEST)
        assert look(server)["state_type"] == "monster"
        assert thread.is_alive()
        server.stop()
        thread.join(LONGEST)
        assert not thread.is_alive()
        assert len(failures) == 1


def test_a_late_effect_shows_after_three_seconds() -> None:
    clock = TestClock()
    with serving("late_effect", clock=clock.monotonic) as server:
        assert send(server)[1]["status"] == "ok"
        clock.wait(2.9)
        assert look(server)["battle"]["round"] == 1
        clock.wait(0.2)
        assert look(server)["battle"]["round"] == 2


def test_a_popup_hides_the_state_until_it_is_answered() -> None:
    with serving("popup") as server:
        send(server)
        state = look(server)
        assert (state["state_type"], state["menu_screen"]) == ("menu", "popup")
        assert not {"player", "run", "battle"} & set(state)
        assert send(server, "menu_select", option="ok")[1]["status"] == "ok"
        assert look(server)["battle"]["round"] == 2


def test_a_mod_too_old_for_the_game_answers_500_with_the_missing_method() -> None:
    with serving("get_500_missing_method") as server:
        status, data = ask(server, "GET")
        answer = json.loads(data)
        assert status == 500
        assert set(answer) == {"error", "exception_type", "stack_trace"}
        assert answer["exception_type"] == "System.MissingMethodException"
        assert look(server)["state_type"] == "monster"


def test_a_multiplayer_run_is_a_409() -> None:
    with serving("multiplayer@*") as server:
        assert [ask(server, "GET")[0] for _ in range(3)] == [409] * 3


def test_garbage_is_no_json() -> None:
    with serving("get_garbage") as server:
        status, data = ask(server, "GET")
        assert status == 200
        with pytest.raises(ValueError, match="Expecting value"):
            json.loads(data)


def test_a_huge_answer_announces_fifty_megabytes() -> None:
    with (
        serving("get_huge") as server,
        closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)) as connection,
    ):
        connection.request("GET", PATH)
        answer = connection.getresponse()
        assert answer.getheader("Content-Length") == str(50 * 1024 * 1024)
        assert answer.read(1000) == b" " * 1000


def test_half_a_state_breaks_off() -> None:
    with serving("get_half") as server:
        with pytest.raises(http.client.IncompleteRead):
            ask(server, "GET")
        assert look(server)["state_type"] == "monster"


def test_lasting_faults_change_every_state() -> None:
    with serving("leak_draw_order,costs_as_numbers") as server:
        for _ in range(2):
            player = look(server)["player"]
            assert len(player["draw_pile_ordered"]) == player["draw_pile_count"]
            assert all(isinstance(card["cost"], int) for card in player["hand"])


def test_a_number_names_the_request_and_a_star_every_one() -> None:
    with serving("ok_without_effect@2") as server:
        for effect in (2, 2, 3):
            send(server)
            assert rounds(server) == effect
    with serving("error_without_effect@*") as server:
        assert {send(server)[1]["status"] for _ in range(3)} == {"error"}
    # Reads and actions are counted apart.
    with serving("get_garbage@2,error_500_before_effect@1") as server:
        assert look(server)["state_type"] == "monster"
        assert send(server)[0] == 500
        assert ask(server, "GET")[1].startswith(b"<html>")


def test_every_kind_can_be_named_and_stands_in_one_group() -> None:
    groups = (POST_FAULTS, GET_FAULTS, LASTING)
    assert sum(map(len, groups)) == len(frozenset[str]().union(*groups))
    for kind in frozenset[str]().union(*groups):
        assert [fault.kind for fault in parse_faults(f" {kind}@3 ,")] == [kind]
    assert parse_faults("") == ()
    assert [(f.kind, f.number) for f in parse_faults("hang,popup@7,late_effect@*")] == [
        ("hang", 1),
        ("popup", 7),
        ("late_effect", None),
    ]


@pytest.mark.parametrize("token", ["explode", "hang@x", "popup@0", "popup@-1", "popup@1.5", "hang@²", "Hang"])
def test_a_token_that_cannot_be_read_is_named_among_good_ones(token: str) -> None:
    with pytest.raises(ValueError, match="fault") as caught:
        parse_faults(f"ok_without_effect,{token},popup")
    assert repr(token) in str(caught.value)


def test_asking_twice_to_start_or_stop_is_harmless() -> None:
    server = PracticeServer(delay=0)
    server.start()
    server.start()
    assert look(server)["state_type"] == "monster"
    server.stop()
    with pytest.raises(ConnectionError):
        ask(server, "GET")


@pytest.mark.parametrize(
    ("method", "path", "data", "status", "error"),
    [
        ("POST", PATH, b"", 400, "Invalid JSON"),
        ("POST", PATH, b"{", 400, "Invalid JSON"),
        ("POST", PATH, b"[]", 400, "Invalid JSON"),
        ("POST", PATH, b"5", 400, "Invalid JSON"),
        ("POST", PATH, b"\xff", 400, "Invalid JSON"),
        ("POST", PATH, b"null", 400, "Missing 'action' field"),
        ("POST", PATH, b"{}", 400, "Missing 'action' field"),
        ("POST", PATH, b'{"action": 5}', 500, "Internal error"),
        ("POST", PATH, b'{"action": null}', 200, "Unknown action: "),
        ("POST", PATH + "/", b"{}", 404, "Not found"),
        ("GET", PATH + "/", None, 404, "Not found"),
        ("PUT", PATH, None, 405, "Method not allowed"),
        ("DELETE", PATH, None, 405, "Method not allowed"),
        ("GET", "/api/v1/multiplayer", None, 409, "multiplayer"),
    ],
)
def test_transport_refusals_have_their_status_and_shape(
    method: str, path: str, data: bytes | None, status: int, error: str
) -> None:
    with serving() as server:
        seen, answer = ask(server, method, path, data)
        assert seen == status
        assert error in json.loads(answer)["error"]
        assert ("status" in json.loads(answer)) is (status == 200)


def test_answers_are_utf_8_open_to_every_origin_and_nulls_are_sent() -> None:
    with (
        serving(language="zhs") as server,
        closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)) as connection,
    ):
        connection.request("GET", PATH)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8")
        assert answer.getheader("Content-Type") == "application/json; charset=utf-8"
        assert answer.getheader("Access-Control-Allow-Origin") == "*"
        assert "打击" in text
        assert '"star_cost": null' in text
        connection.request("OPTIONS", PATH)
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (204, b"")
