"""The lines a turn offers, as candidates: survival first, best first, each tied to the option that begins it."""

from dataclasses import dataclass

from spire_mcp.combat import Evaluation, Line, Search, evaluate, search
from spire_mcp.game.options import Option, ascii_id, card_token
from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A line, how it was rated, and the option that its first step is."""

    line: Line
    evaluation: Evaluation
    option: Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Candidates, best first. `survivors` are those that surely survive the coming enemy turn."""

    ranked: tuple[Candidate, ...]
    complete: bool
    search: Search

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """Only the lines that surely do not die."""
        return tuple(candidate for candidate in self.ranked if candidate.line.outcome.dies == "no")

    @property
    def uncertain(self) -> tuple[Candidate, ...]:
        """The lines of which it is not known whether they die."""
        return tuple(candidate for candidate in self.ranked if candidate.line.outcome.dies == "unknown")


def candidates(
    observation: Observation, options: tuple[Option, ...], *, nodes: int, use_potions: bool = False
) -> Candidates:
    """All lines of this turn that begin with one of `options`, best first.

    Args:
        observation: a settled fight in the play phase.
        options: the options of that observation.
        nodes: how many positions the search may visit.
        use_potions: whether potions may be part of a line.
    """
    found: Search = search(observation, node_limit=nodes, use_potions=use_potions)
    by_id = {option.id: option for option in options}
    ranked: list[Candidate] = []
    for line in found.lines:
        option = by_id.get(first_option_id(line, observation))
        if option is not None and option.trap is None:
            ranked.append(Candidate(line=line, evaluation=evaluate(line, found), option=option))
    ranked.sort(key=lambda candidate: candidate.evaluation.score, reverse=True)
    return Candidates(ranked=tuple(ranked), complete=found.complete, search=found)


def target_name(target: int, observation: Observation) -> str:
    """An enemy's name in an option ID; arithmetic numbers those without a combat ID by their place, below zero."""
    return f"e{target}" if target >= 0 else ascii_id(observation.enemies[-1 - target].entity_id)


def first_option_id(line: Line, observation: Observation) -> str:
    """The ID of the option that a line begins with."""
    if not line.plays:
        return "end_turn"
    play = line.plays[0]
    target = "" if play.target is None else f":{target_name(play.target, observation)}"
    if play.potion_slot is not None:
        potion = (
            next(p for p in observation.player.potions if p.slot == play.potion_slot) if observation.player else None
        )
        return f"potion:{potion.id}{target}" if potion else ""
    assert play.hand_index is not None
    card = observation.hand[play.hand_index]
    return f"play:{card_token(card, observation.hand)}{target}"
