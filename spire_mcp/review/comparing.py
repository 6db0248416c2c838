"""Fights of several policies on the same seeds, as a table of figures."""

from collections.abc import Sequence

from spire_mcp.review.fights import Fought
from spire_mcp.review.statistics import Result, interval, percentile, share_interval


def compare(fought: Sequence[Fought], policy: str, names: Sequence[str]) -> Result:
    """A pool's fights by policy, and what the policy does better or worse than each of the others."""
    by_policy = {name: [one for one in fought if one.policy == name] for name in names}
    own = by_policy[policy]
    lost = {one.seed for one in own if not one.won}
    own_loss = _mean(own)
    against: Result = {}
    for name in names[1:]:
        theirs = _mean(by_policy[name])
        against[name] = {
            "less_hp_lost": round(1 - own_loss / theirs, 3) if theirs else None,
            "won_by_it_alone": [one.seed for one in by_policy[name] if one.won and one.seed in lost],
        }
    return {"fights": len(own), "policies": {name: _row(ones) for name, ones in by_policy.items()}, "against": against}


def _row(ones: Sequence[Fought]) -> Result:
    """One policy's figures; `_range` is where the true value lies with 95 % confidence."""
    won = sum(one.won for one in ones)
    turns = sum(one.turns for one in ones)
    tokens = [count for one in ones for count in one.request_tokens]
    reasons = sorted({reason for one in ones for reason in one.handovers})
    return {
        "won": round(won / len(ones), 3),
        "won_range": share_interval(won, len(ones)),
        "hp_lost": round(_mean(ones), 2),
        "hp_lost_range": interval([one.hp_lost for one in ones]),
        "turns": round(turns / len(ones), 2),
        "requests_per_turn": round(len(tokens) / turns, 3) if turns else 0.0,
        "tokens_per_fight": round(sum(tokens) / len(ones), 1),
        "tokens_per_request_95": percentile(tokens, 0.95),
        "handovers_per_fight": {
            reason: round(sum(one.handovers.get(reason, 0) for one in ones) / len(ones), 3) for reason in reasons
        },
    }


def _mean(fought: Sequence[Fought]) -> float:
    return sum(one.hp_lost for one in fought) / len(fought)
