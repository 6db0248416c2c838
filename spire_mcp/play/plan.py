"""A planner's own line: computed beforehand by `preview`, performed step by step by `plan`."""

from collections.abc import Sequence

from spire_mcp.combat import preview as compute
from spire_mcp.control.executor import bounded
from spire_mcp.control.settle import Reading
from spire_mcp.errors import NotSettledError, StaleStateError, UnknownOptionError, WrongScreenError
from spire_mcp.game.options import find_option
from spire_mcp.play.loop import Ending, Loop, Stop
from spire_mcp.play.results import has_running_fight


def preview(reading: Reading, state_id: str, steps: Sequence[str]) -> dict[str, object]:
    """What a line of option IDs would do to the state named by `state_id`.

    Raises:
        NotSettledError: the game did not come to rest.
        StaleStateError: it is in another state.
        WrongScreenError: there is no fight to compute.
        UnknownOptionError: a step names no option that such a line could contain.
    """
    if not reading.settled:
        raise NotSettledError(f"the game did not come to rest; waiting for {reading.waiting_for}")
    observation = reading.observation
    if observation.state_id != state_id:
        raise StaleStateError(f"the game is in state {observation.state_id}, not {bounded(state_id)}")
    if not has_running_fight(observation):
        raise WrongScreenError(f"a line can be computed in a fight only; this is {observation.state_type}")
    try:
        computed = compute(observation, list(steps))
    except ValueError as error:
        raise UnknownOptionError(str(error)) from None
    return {"ok": True, "outcome": "preview", "state_id": observation.state_id, **computed}


def plan(loop: Loop, state_id: str, steps: Sequence[str]) -> Ending:
    """Perform the steps in order, each on the state that the one before led to.

    The line stops at the first deviation: a step that is no longer an option, or a result that is not what was
    computed for it.
    """
    observation = loop.settle()
    if observation.state_id != state_id:
        raise StaleStateError(f"the game is in state {observation.state_id}, not {bounded(state_id)}")
    for position, option_id in enumerate(steps):
        if position:
            observation = loop.settle()
        if find_option(observation, option_id) is None:
            return _unknown_step(loop, position, option_id)
        act = loop.act(option_id, by="planner", decision={"plan": list(steps), "position": position})
        if act is None:
            why = f"something else moved the board before step {position + 1}"
            return Ending(
                outcome="deviation", reason="stale_state", brief={"why": why, "steps_done": len(loop.actions)}
            )
        if act.mispredictions and position + 1 < len(steps):
            brief: dict[str, object] = {
                "why": f"step {position + 1} happened, and not as computed",
                "differences": list(act.mispredictions),
            }
            raise Stop(Ending(outcome="deviation", reason="misprediction", brief=brief))
    return Ending(outcome="done")


def _unknown_step(loop: Loop, position: int, option_id: str) -> Ending:
    message = f"step {position + 1} names no option of the state it was reached in: {bounded(option_id)!r}"
    if position == 0:
        raise UnknownOptionError(message)
    brief: dict[str, object] = {"why": message, "steps_done": len(loop.actions)}
    return Ending(outcome="deviation", reason="option_gone", brief=brief)
