"""Asking the model once, and keeping account: what it has cost, what may still be spent, and what was said."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from spire_mcp.policy.answers import Answer, DecisionModel, NotBelievedError, Reply, check
from spire_mcp.policy.limits import AskingLimits
from spire_mcp.policy.questions import Asked

Write = Callable[[Mapping[str, object]], str | None]


@dataclass(slots=True)
class Usage:
    """What the model has cost in one call of `battle`."""

    name: str | None = None
    requests: int = 0
    input_tokens: int = 0
    seconds: float = 0.0


def _no_transcript(_entry: Mapping[str, object]) -> None:
    return None


@dataclass(slots=True, kw_only=True)
class Consultant:
    """One model for one call of `battle`.

    Args:
        model: who is asked.
        limits: budgets and the price.
        write: adds an exchange to the transcript and says where it stands.
        when: the time of day, for records.
        seconds: a clock that never runs backwards.
    """

    model: DecisionModel
    limits: AskingLimits
    write: Write = _no_transcript
    when: Callable[[], str] = str
    seconds: Callable[[], float] = time.monotonic
    used: Usage = field(default_factory=Usage)

    def usage(self) -> dict[str, object]:
        """The `model` object of the result."""
        used = self.used
        cost = used.input_tokens * self.limits.price / 1_000_000
        return {
            "name": used.name,
            "requests": used.requests,
            "input_tokens": used.input_tokens,
            "cost_usd": round(cost, 8),
            "seconds": round(used.seconds, 3),
        }

    def over_budget(self, asked: Asked) -> str | None:
        """Why another request does not fit into the budget; None while it does."""
        used, most = self.used.input_tokens, self.limits.battle_tokens
        if used + asked.estimate <= most:
            return None
        return f"{used} of {most} input tokens are used, and another request of about {asked.estimate} does not fit"

    def consult(self, state_id: str, asked: Asked) -> tuple[Answer, str | None]:
        """One request and its checked answer, counted and written down whatever becomes of it.

        Raises:
            NotBelievedError: there is no answer that can be followed.
            StorageError: the transcript could not be written.
        """
        began = self.seconds()
        reply: Reply | None = None
        answer: Answer | None = None
        error: NotBelievedError | None = None
        self.used.requests += 1
        try:
            reply = self.model.ask(asked.state, asked.questions)
            answer = check(asked, reply)
        except NotBelievedError as refused:
            error = refused
        seconds = self.seconds() - began
        self.used.seconds += seconds
        # What an answer that is not believed has cost is not known; the estimate is on the safe side of the budget.
        self.used.input_tokens += answer.input_tokens if answer is not None else asked.estimate
        if answer is not None:
            self.used.name = answer.model
        entry = {
            "when": self.when(),
            "seconds": round(seconds, 3),
            "state_id": state_id,
            "prompt": asked.version,
            "model": self.model.asked_for,
            "request": {"state": asked.state, "questions": asked.questions},
            "estimate": asked.estimate,
            "answer": asdict(reply) if reply is not None else None,
            "not_believed": error.why if error is not None else None,
        }
        place = self.write(entry)
        if answer is None:
            refusal = error or NotBelievedError("the model gave no answer")
            refusal.transcript = place
            raise refusal
        return answer, place
