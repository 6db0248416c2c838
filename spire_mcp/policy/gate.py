"""Whether an answer is clear enough to follow, and what decides where it is not.

A fixed floor for confidence misleads when the number of options varies, so the gate asks for a leading share and a
lead. Shares are averaged over the orders in which the options stood; where the orders disagree, the answer is about the
order and not about the lines, and that counts against it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spire_mcp.combat.evaluation import HP_POINT
from spire_mcp.policy.candidates import Candidate
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.policy.questions import NONE

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An answer through the gate. `leader` may be `none`; then it has not passed."""

    passed: bool
    leader: str
    share: float
    margin: float
    disagreement: float
    agreement: float
    shares: Mapping[str, float]
    why: str

    def to_dict(self) -> dict[str, object]:
        """The verdict for records and briefs."""
        return {
            "passed": self.passed,
            "leader": self.leader,
            "share": round(self.share, 3),
            "margin": round(self.margin, 3),
            "disagreement": round(self.disagreement, 3),
            "agreement": round(self.agreement, 3),
            "why": self.why,
        }


def judge(orders: Sequence[Mapping[str, float]], limits: AskingLimits) -> Verdict:
    """Average the orders and hold the leader against the thresholds."""
    shares = {key: sum(order[key] for order in orders) / len(orders) for key in orders[0]}
    ranked = sorted(shares, key=lambda key: shares[key], reverse=True)
    leader = ranked[0]
    runner_up = shares[ranked[1]] if len(ranked) > 1 else 0.0
    disagreement = sum(abs(order[leader] - shares[leader]) for order in orders) / len(orders)
    agreement = sum(order[leader] >= max(order.values()) - _ROUNDING for order in orders) / len(orders)
    margin = shares[leader] - runner_up
    why = _why_not(leader, shares[leader], margin - disagreement, agreement, limits)
    return Verdict(
        passed=not why,
        leader=leader,
        share=shares[leader],
        margin=margin,
        disagreement=disagreement,
        agreement=agreement,
        shares=shares,
        why=why or "a leading share, a lead, and the orders agree",
    )


def _why_not(leader: str, share: float, margin: float, agreement: float, limits: AskingLimits) -> str:
    if leader == NONE:
        return "the model finds none of the lines acceptable"
    if share < limits.share - _ROUNDING:
        return f"the leading share is {share:.2f}, below {limits.share:g}"
    if margin < limits.margin - _ROUNDING:
        return f"the lead less the orders' disagreement is {margin:.2f}, below {limits.margin:g}"
    if agreement < limits.agreement - _ROUNDING:
        return f"it leads in {agreement:.0%} of the orders only"
    return ""


def program_decides(menu: Sequence[Candidate], max_hp: int, danger: float, limits: AskingLimits) -> str | None:
    """Why the program's own best line may be played after an unclear answer; None when the planner has to look.

    Args:
        menu: the lines that were offered, the program's best first; all of them survive.
        max_hp: the player's maximum.
        danger: the model's danger level.
        limits: the thresholds.
    """
    best = menu[0]
    if len(menu) == 1 or best.evaluation.score - menu[1].evaluation.score >= HP_POINT * limits.clear_lead:
        return "the program's own line is clearly better than the others"
    if best.line.outcome.hp_lost <= 0:
        return "the program's own line loses nothing"
    if _hp_after(best) < limits.comfort * max_hp:
        return None
    if best.line.outcome.hp_lost <= limits.small_loss * max_hp:
        return "the program's own line costs little, and HP is comfortable"
    if danger >= limits.danger:
        return None
    # What is worth clearly less than the best line is no rival of it, however much less or more HP it costs.
    rivals = [one for one in menu if best.evaluation.score - one.evaluation.score < HP_POINT * limits.clear_lead]
    lost = [one.line.outcome.hp_lost for one in rivals]
    comfortable = all(_hp_after(one) >= limits.comfort * max_hp for one in rivals)
    if comfortable and max(lost) - min(lost) <= limits.alike:
        return "the lines in question survive comfortably and differ little"
    return None


def _hp_after(candidate: Candidate) -> int:
    return candidate.line.end.after.hp
