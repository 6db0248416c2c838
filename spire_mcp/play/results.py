"""The result objects that every face prints (interface, section 3)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from spire_mcp.combat import facts
from spire_mcp.control import Act
from spire_mcp.errors import NotSettledError, SpireError
from spire_mcp.game.deck import DeckEvidence, deck_view
from spire_mcp.game.offers import offer_facts
from spire_mcp.game.options import list_options
from spire_mcp.game.readiness import readiness
from spire_mcp.game.screens import Combat, Observation
from spire_mcp.game.views import compact, full
from spire_mcp.policy.route import Owner, route

View = Literal["compact", "full", "raw"]


def has_running_fight(observation: Observation) -> bool:
    """Whether the screen shows a fight with numbers to compute."""
    return (
        isinstance(observation.screen, Combat)
        and observation.battle is not None
        and observation.battle.error is None
        and observation.player is not None
    )


def state_result(
    observation: Observation,
    *,
    fight_owner: Owner,
    halted: Mapping[str, object] | None,
    run_id: str | None = None,
    view: View = "compact",
    deck: DeckEvidence | None = None,
) -> dict[str, object]:
    """What `state` prints for a reading, settled or not."""
    options = list_options(observation) if readiness(observation).ready else ()
    numbers = facts(observation) if has_running_fight(observation) else None
    run = observation.run
    result: dict[str, object] = {
        "ok": True,
        "outcome": "state",
        "state_id": observation.state_id,
        "screen": observation.state_type,
        "run": {
            "act": run.act if run else None,
            "floor": run.floor if run else None,
            "ascension": run.ascension if run else None,
            "run_id": run_id,
        },
        "route": route(observation, options, fight_owner).to_dict(),
        "view": _view(observation, view, numbers, deck),
        "options": [option.to_dict() for option in options],
        "halted": dict(halted) if halted else None,
    }
    if numbers is not None:
        result["facts"] = numbers
    return result


def _view(
    observation: Observation, view: View, numbers: dict[str, object] | None, deck: DeckEvidence | None
) -> dict[str, object]:
    match view:
        case "compact":
            shown = compact(observation, facts=numbers)
            known = {} if deck is None else {"deck": deck_view(deck)}
            return {**shown, **known, **offer_facts(observation, deck)}
        case "full":
            return full(observation)
        case "raw":
            return observation.raw


def unsettled(result: dict[str, object], waiting_for: str, seconds: float) -> dict[str, object]:
    """The state result of a game that did not come to rest: what was read is shown, and it is an error."""
    error = NotSettledError(f"the game did not come to rest in {seconds:g} s; waiting for {waiting_for}")
    return {**result, "ok": False, "outcome": "not_settled", "error": error.to_dict()}


def act_result(act: Act, state: dict[str, object] | None) -> dict[str, object]:
    """What `act` prints about an action that was sent, or could not be."""
    outcome = "refused" if act.outcome == "not_sent" else act.outcome
    result: dict[str, object] = {
        "ok": act.error is None,
        "outcome": outcome,
        "seq": act.seq,
        "state_id_before": act.before.state_id,
        "option": act.option.to_dict(),
        "evidence": list(act.evidence),
        "state": state,
    }
    if act.mispredictions:
        result["mispredictions"] = list(act.mispredictions)
    if act.error is not None:
        result["error"] = act.error.to_dict()
    return result


def refusal(error: SpireError, state_id: str, option_id: str, state: dict[str, object] | None) -> dict[str, object]:
    """What `act` prints when nothing was sent."""
    return {
        "ok": False,
        "outcome": "refused",
        "seq": None,
        "state_id_before": state_id,
        "option": {"id": option_id},
        "evidence": [],
        "state": state,
        "error": error.to_dict(),
    }


def failure(error: SpireError) -> dict[str, object]:
    """The result of a command that could not do its work."""
    return {"ok": False, "outcome": "error", "error": error.to_dict()}


def step(act: Act, by: str) -> dict[str, object]:
    """One entry of a loop's `actions`, with its first proof: a planner reads many, and the journal has them all."""
    entry: dict[str, object] = {
        "seq": act.seq,
        "option": act.option.id,
        "label": act.option.label,
        "by": by,
        "evidence": list(act.evidence[:1]),
    }
    if act.mispredictions:
        entry["mispredictions"] = list(act.mispredictions)
    return entry


def loop_result(
    *,
    outcome: str,
    reason: str | None,
    actions: Sequence[dict[str, object]],
    brief: dict[str, object] | None,
    state: dict[str, object] | None,
    error: SpireError | None = None,
) -> dict[str, object]:
    """What `battle`, `advance` and `plan` print; `battle` adds `model`."""
    result: dict[str, object] = {
        "ok": error is None,
        "outcome": outcome,
        "reason": reason,
        "steps": len(actions),
        "actions": list(actions),
        "brief": brief,
        "state": state,
    }
    if error is not None:
        result["error"] = error.to_dict()
    return result
