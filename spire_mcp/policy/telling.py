"""A checked answer as records and briefs tell it: the lines offered, the shares, what the gate made of them."""

from dataclasses import dataclass
from typing import Final

from spire_mcp.combat import describe
from spire_mcp.policy.answers import Answer, NotBelievedError
from spire_mcp.policy.candidates import Candidates
from spire_mcp.policy.gate import Verdict
from spire_mcp.policy.questions import NONE, Asked

_IN_BRIEF: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A checked answer with what became of it at the gate."""

    asked: Asked
    answer: Answer
    verdict: Verdict
    place: str | None

    def ranked(self) -> list[str]:
        """The keys of the lines, by their shares."""
        return sorted(self.asked.lines, key=lambda key: self.verdict.shares[key], reverse=True)


def unavailable_brief(error: NotBelievedError) -> dict[str, object]:
    """What a brief says of an answer that is not believed."""
    written = {"transcript": error.transcript} if error.transcript is not None else {}
    return {"what_now": error.fix, **written}


def decision_record(said: Said, found: Candidates, why: str) -> dict[str, object]:
    """The decision for the journal: the lines as they were offered, the answer, and what the gate made of it."""
    shares, lines = said.verdict.shares, said.asked.lines
    return {
        "why": why,
        "model": said.answer.model,
        "prompt": said.asked.version,
        "transcript": said.place,
        "gate": said.verdict.to_dict(),
        "danger": said.answer.danger,
        "potion": said.answer.potion,
        "none": round(shares[NONE], 3),
        "candidates": [
            {
                "key": key,
                "share": round(shares[key], 3),
                "option": lines[key].option.id,
                "score": lines[key].evaluation.score,
                **describe(lines[key].line, found.search.setting),
            }
            for key in said.ranked()
        ],
        "search_complete": found.complete,
    }


def distribution(said: Said, found: Candidates) -> dict[str, object]:
    """What the model said, small enough for a brief."""
    shares, lines = said.verdict.shares, said.asked.lines
    shown = [
        {
            "share": round(shares[key], 3),
            "first_option": lines[key].option.id,
            "plays": describe(lines[key].line, found.search.setting)["plays"],
        }
        for key in said.ranked()[:_IN_BRIEF]
    ]
    return {
        "distribution": shown,
        "none_of_these": round(shares[NONE], 3),
        "gate": said.verdict.to_dict(),
        "danger": said.answer.danger,
        "transcript": said.place,
    }
