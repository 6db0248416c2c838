"""The program's own decision in a fight: a proved candidate, or the reason why the turn is the planner's."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from spire_mcp.combat import Threat, describe, threat
from spire_mcp.game.options import Option, list_options
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, Candidates, candidates
from spire_mcp.policy.guide import Guide

_RECORDED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is played, what it was chosen from, and who chose; `found` and `danger` where a choice was computed."""

    option: Option
    why: str
    record: dict[str, object]
    by: Literal["program", "model"] = "program"
    found: Candidates | None = None
    danger: Threat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """Why the turn is the planner's. `soft`: once the planner lets `battle` go on, the program can decide."""

    reason: str
    why: str
    found: Candidates
    danger: Threat
    soft: bool = False
    lethal: dict[str, object] | None = None
    more: Mapping[str, object] = field(default_factory=dict[str, object])
    """what else belongs into the brief"""


def decide(observation: Observation, *, nodes: int, guide: Guide | None = None) -> Decision | Handover:
    """Choose among the turn's lines, survival first; under a strategy, among those that it names.

    A line that surely survives is always preferred to one that may not, whatever it brings; a certain win is taken.
    When no line surely survives, the decision is the planner's, with the reason that fits.
    """
    options = list_options(observation)
    potions = guide is not None and guide.names_potion(observation)
    found = candidates(observation, options, nodes=nodes, use_potions=potions)
    danger = threat(observation, found.search)
    if not found.ranked:
        return _no_line(observation, options, found, danger)
    if found.survivors:
        menu = found if guide is None else guide.narrow(found, observation)
        if menu.survivors:
            return _decision(menu.survivors[0], menu, danger)
        why = "no line that surely survives begins with anything that the strategy names"
        survivors = replace(found, ranked=found.survivors)
        return Handover(reason="strategy_no_match", why=why, found=survivors, danger=danger)
    if danger.uncertain_intents and not all(c.line.outcome.dies == "yes" for c in found.ranked):
        return Handover(
            reason="unknown_intent",
            why="no line is certain to survive, since an enemy's intent cannot be read: "
            + "; ".join(danger.uncertain_intents),
            found=found,
            danger=danger,
            lethal=lethal(danger, "potential"),
        )
    return _not_certain_to_survive(observation, options, found, danger, nodes)


def menu(chosen: Decision | Handover) -> tuple[str, ...]:
    """The option IDs that a choice was made among, best first; none where the turn is the planner's."""
    if isinstance(chosen, Handover):
        return ()
    survivors = chosen.found.survivors if chosen.found is not None else ()
    return tuple(dict.fromkeys(one.option.id for one in survivors)) or (chosen.option.id,)


def still_wanted(option: Option, observation: Observation, *, nodes: int, guide: Guide | None) -> bool:
    """Whether a step that was decided before is on the menu of a strategy, whose order is asked before every card."""
    return guide is None or not guide.ranks or option.id in menu(decide(observation, nodes=nodes, guide=guide))


def _not_certain_to_survive(
    observation: Observation, options: tuple[Option, ...], found: Candidates, danger: Threat, nodes: int
) -> Handover:
    with_potions = candidates(observation, options, nodes=nodes, use_potions=True)
    if with_potions.survivors:
        return Handover(
            reason="potion_decision",
            why="no line without a potion is certain to survive this turn, and one with a potion is",
            found=replace(with_potions, ranked=with_potions.survivors),
            danger=danger,
            lethal=lethal(danger, "yes" if not found.uncertain else "potential"),
        )
    if found.uncertain and all(candidate.line.position.cards_only for candidate in found.uncertain):
        return Handover(
            reason="lethal",
            why="every line that is known to its end dies; cards that would be drawn or chosen might still help",
            found=found,
            danger=danger,
            lethal=lethal(danger, "potential"),
        )
    if found.uncertain:
        unknown = "; ".join(found.uncertain[0].line.outcome.unknown[:3]) or "parts of the turn are not modelled"
        return Handover(
            reason="unmodelled",
            why=f"no line is certain to survive: {unknown}",
            found=found,
            danger=danger,
            lethal=lethal(danger, "potential"),
        )
    return Handover(
        reason="lethal",
        why="every line of this turn dies",
        found=found,
        danger=danger,
        lethal=lethal(danger, "yes"),
    )


def _no_line(
    observation: Observation, options: tuple[Option, ...], found: Candidates, danger: Threat
) -> Decision | Handover:
    """Nothing could be computed: with nothing to play, ending the turn is no choice; otherwise the planner looks."""
    end_turn = next((option for option in options if option.action == "end_turn" and option.trap is None), None)
    plays = [option for option in options if option.action in {"play_card", "use_potion"}]
    if end_turn is not None and not plays:
        return Decision(option=end_turn, why="nothing can be played", record={"why": "nothing can be played"})
    del observation
    return Handover(reason="unmodelled", why="no line of this turn could be computed", found=found, danger=danger)


def _decision(best: Candidate, found: Candidates, danger: Threat) -> Decision:
    why = "; ".join(best.evaluation.reasons[:3]) or "the best line found"
    if best.line.outcome.wins:
        why = f"a certain win; {why}"
    record: dict[str, object] = {
        "why": why,
        "incoming": danger.incoming,
        "candidates": [
            {
                "option": candidate.option.id,
                "score": candidate.evaluation.score,
                **describe(candidate.line, found.search.setting),
            }
            for candidate in found.ranked[:_RECORDED]
        ],
        "search_complete": found.complete,
    }
    return Decision(option=best.option, why=why, record=record, found=found, danger=danger)


def lethal(danger: Threat, certainty: str) -> dict[str, object]:
    """The `brief.lethal` object."""
    return {
        "incoming": danger.incoming,
        "block": danger.block,
        "hp": danger.hp,
        "blockable": danger.blockable,
        "certainty": certainty,
    }
