"""Packets for tests: one that is right, and ways to change it."""

import copy
from typing import Any

Json = dict[str, Any]

STATE = "s1-aaaaaaaaaaaaaaaa"


def packet(
    *,
    state_id: str = STATE,
    conditions: list[Json] | None = None,
    expires_on: list[Json] | None = None,
    order: list[str] | None = None,
    **more: Any,
) -> Json:
    """A packet; conditions, expiries and the order as given."""
    strategy: Json = {
        "strategy_id": "plan-1",
        "reason": "because",
        "conditions": conditions or [],
        "expires_on": expires_on or [],
        "order": [{"match": match, "why": "so"} for match in order or []],
        **more,
    }
    return copy.deepcopy({"expected_state_id": state_id, "strategy": strategy})
