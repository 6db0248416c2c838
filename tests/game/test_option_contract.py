"""For every recorded and every practice screen, the options are exactly those the contract allows on it."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from tests.captures import runs, single_states
from tests.game.contract import Request, allowed, thing

Json = dict[str, Any]


def recorded() -> Iterator[tuple[str, Json]]:
    for path in single_states():
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))
    for path in runs():
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            yield f"{path.stem} step {record['step']}", record["state"]


def offered(observation: Observation) -> set[Request]:
    """The requests of the options that are not refused; a choice of several requests counts by its first."""
    return {
        (option.requests[0].action, tuple(sorted(option.requests[0].parameters.items())))
        for option in list_options(observation)
        if option.trap is None
    }


def check(state: Json) -> None:
    """Nothing is offered that the contract does not allow, and nothing is left out but the twins of what is offered."""
    listed, wanted = offered(parse_state(copy.deepcopy(state))), allowed(state)
    assert listed <= wanted
    missing = [
        request
        for request in wanted - listed
        if not any(
            other[0] == request[0]
            and thing(state, request) is not None
            and thing(state, other) == thing(state, request)
            for other in listed
        )
    ]
    assert not missing


@pytest.mark.parametrize(("name", "state"), list(recorded()), ids=lambda value: value if isinstance(value, str) else "")
def test_a_recorded_screen_offers_exactly_what_the_contract_allows(name: str, state: Json) -> None:
    del name
    check(state)


def test_practice_screens_offer_exactly_what_the_contract_allows(tmp_path: Path) -> None:
    from tests.play.test_acts import play
    from tests.tables import InProcess

    table = InProcess(tmp_path, seed="contract", start="menu", permissions=frozenset({"menu"}))
    seen: dict[str, Json] = {}
    read = table.app.client.read_state

    def noting() -> Observation:
        observation = read()
        seen.setdefault(observation.state_id, copy.deepcopy(observation.raw))
        return observation

    table.app.client.read_state = noting  # type: ignore[method-assign]
    play(table, Random(5))
    kinds = {state["state_type"] for state in seen.values()}
    assert {"menu", "event", "map", "monster", "rewards", "card_reward"} <= kinds
    for state in seen.values():
        check(state)
