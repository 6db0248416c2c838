"""Which saved strategy a fight is played under, and what a packet comes to on the game as it is."""

from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from spire_mcp.play.brief import fight_brief
from spire_mcp.play.loop import hand_over
from spire_mcp.play.strategies import Strategies
from spire_mcp.policy.conditions import Situation, check, fires
from spire_mcp.policy.guide import Guide, matches
from spire_mcp.policy.packet import Packet, SameEnemies, SameFloor

_LISTED = 8


def choose_saved(
    strategies: Strategies, observation: Observation, run_id: str | None
) -> tuple[Guide | None, list[dict[str, object]]]:
    """The first saved strategy that is for this run and fight, and the others with the reason why they are not applied.

    Those of another run, of another fight, and those that have expired are passed over. One that is for this fight and
    does not hold, or that cannot be judged, gives the turn back: a planner that saved it counts on it.

    Raises:
        Stop: a handover, as a saved strategy cannot be judged.
        StorageError: they cannot be read.
    """
    damaged = strategies.damaged()
    if damaged:
        why = f"the saved strategy {damaged[0]} cannot be read, so it is not known what it is for; drop it"
        raise hand_over("strategy_condition_failed", fight_brief(why, observation=observation))
    live = [one for one in strategies.all() if one.expired is None]
    if live and run_id is None:
        names = ", ".join(one.strategy.strategy_id for one in live[:_LISTED])
        why = f"the bridge does not say which run this is, so it is not known whether {names} apply; drop them, or wait"
        raise hand_over("strategy_condition_failed", fight_brief(why, observation=observation))
    skipped: list[dict[str, object]] = []
    chosen: Guide | None = None
    for one in live:
        name = one.strategy.strategy_id
        if one.run_id != run_id:
            skipped.append({"id": name, "why": "it was saved in another run"})
            continue
        guide = Guide(strategy=one.strategy, source="saved", run_id=one.run_id).started(observation)
        elsewhere = _for_another_fight(guide, observation, run_id)
        if elsewhere is not None:
            skipped.append({"id": name, "why": elsewhere})
        elif chosen is not None:
            skipped.append({"id": name, "why": f"{chosen.strategy.strategy_id} is older and for this fight too"})
        else:
            chosen = guide
    return chosen, skipped


def _for_another_fight(guide: Guide, observation: Observation, run_id: str | None) -> str | None:
    """Why a strategy waits: it names a floor or enemies, and these are others."""
    now = guide.situation(observation, run_id)
    for condition in guide.strategy.conditions:
        checked = check(condition, now)
        if isinstance(condition, SameFloor | SameEnemies) and checked.holds is False:
            return f"{checked.kind}: {checked.why}"
    return None


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
