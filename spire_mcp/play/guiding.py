"""Which saved strategy a fight is played under, and what a packet comes to on the game as it is."""

from collections.abc import Sequence

from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.play.brief import fight_brief
from spire_mcp.play.loop import hand_over
from spire_mcp.play.strategies import Saved
from spire_mcp.policy.conditions import Situation, check, fires
from spire_mcp.policy.guide import Guide, matches
from spire_mcp.policy.packet import Packet

_LISTED = 8


def choose_saved(
    saved: Sequence[Saved], observation: Observation, run_id: str | None
) -> tuple[Guide | None, list[dict[str, object]]]:
    """The first saved strategy of this run that holds now, and the others with the reason why they are not applied.

    Those of another run are passed over. One that does not hold waits for its moment; one of which nobody can tell
    gives the turn back, and so does a run that has no identity: nothing is assumed.

    Raises:
        Stop: a handover, as a saved strategy cannot be judged.
    """
    if run_id is None:
        names = ", ".join(one.strategy.strategy_id for one in saved[:_LISTED])
        why = f"the bridge does not say which run this is, so it is not known whether {names} apply; drop them, or wait"
        raise hand_over("strategy_condition_failed", fight_brief(why, observation=observation))
    skipped: list[dict[str, object]] = []
    for one in saved:
        name = one.strategy.strategy_id
        if one.run_id != run_id:
            skipped.append({"id": name, "why": "it was saved in another run"})
            continue
        guide = Guide(strategy=one.strategy, source="saved", run_id=one.run_id).started(observation)
        broken = guide.broken(observation, run_id)
        if broken is None:
            return guide, skipped
        reason, failed = broken
        if reason == "strategy_condition_failed" and failed.holds is None:
            why = f"{name} cannot be judged: {failed.kind}: {failed.why}"
            raise hand_over(reason, fight_brief(why, observation=observation, strategy=guide.to_dict()))
        skipped.append({"id": name, "why": f"{failed.kind}: {failed.why}"})
    return None, skipped


def explain(packet: Packet, observation: Observation, run_id: str | None) -> dict[str, object]:
    """A packet held against the game as it is: each condition's value in words, and what each entry would allow."""
    strategy = packet.strategy
    guide = Guide(strategy=strategy, source="packet")
    if observation.battle is not None:
        guide = guide.started(observation)
    now: Situation = guide.situation(observation, run_id)
    same_state = packet.expected_state_id == observation.state_id
    holds = same_state and guide.broken(observation, run_id) is None
    options = [option for option in list_options(observation) if option.trap is None]
    return {
        "ok": True,
        "outcome": "holds" if holds else "does_not_hold",
        "strategy_id": strategy.strategy_id,
        "meaning": strategy.semantic_id,
        "state_id": observation.state_id,
        "expected_state": same_state,
        "conditions": [check(condition, now).to_dict() for condition in strategy.conditions],
        "expires_on": [
            {"kind": found.kind, "fires": found.holds, "why": found.why}
            for found in (fires(expiry, now) for expiry in strategy.expires_on)
        ],
        "order": [
            {
                "match": entry.match,
                "options": [option.id for option in options if matches(entry.match, option, observation)][:_LISTED],
            }
            for entry in strategy.order
        ],
    }
