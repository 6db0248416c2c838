"""What a fight's piles tell of the deck: cards by name, with where that comes from and how far it can be trusted.

The bridge shows no deck outside fights. Inside one, hand and piles together are the deck and whatever the fight has
added, by displayed name and cost, without IDs. That is evidence and no more: it is worth something until the deck can
have changed, and then it is dropped rather than guessed at.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from spire_mcp.game.card_facts import type_of
from spire_mcp.game.screens import CardReward, Combat, Observation, Rewards
from spire_mcp.game.text import clean_text

HARMLESS: Final = frozenset({"use_potion", "discard_potion"})
"""Actions outside fights that cannot change the deck. A skip is none of them: it presses a button without a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckEvidence:
    """Cards by name and cost, as one reading of a fight showed them, or as a build lists the deck itself."""

    cards: Mapping[str, int]
    """`name [cost]` to how many"""
    listed: bool = False
    """whether the bridge listed the deck itself, which holds as long as the reading does"""
    run_id: str | None
    act: int
    floor: int
    round: int

    def to_dict(self) -> dict[str, object]:
        """As it is kept on disk."""
        return {
            "cards": dict(self.cards),
            "run_id": self.run_id,
            "act": self.act,
            "floor": self.floor,
            "round": self.round,
        }


def read_evidence(observation: Observation, run_id: str | None) -> DeckEvidence | None:
    """The deck that a fight in the play phase shows; None where there is no fight or no run."""
    player, run = observation.player, observation.run
    screen = observation.screen
    if not isinstance(screen, Combat) or screen.battle is None or player is None or player.hand is None or run is None:
        return None
    names = [(card.name, card.cost) for card in player.hand]
    for pile in (player.draw_pile, player.discard_pile, player.exhaust_pile):
        names += [(card.name, card.cost) for card in pile]
    counted = (player.draw_pile_count or 0) + (player.discard_pile_count or 0) + (player.exhaust_pile_count or 0)
    if counted + len(player.hand) != len(names):
        return None  # a build that does not list its piles tells nothing of the deck
    cards = Counter(_line(name, cost) for name, cost in names)
    return DeckEvidence(
        cards=dict(sorted(cards.items())), run_id=run_id, act=run.act, floor=run.floor, round=screen.battle.round
    )


def listed_deck(observation: Observation, run_id: str | None) -> DeckEvidence | None:
    """The permanent deck, where this build lists it; most do not, and then nothing is guessed."""
    player, run = observation.player, observation.run
    if player is None or player.deck is None or run is None:
        return None
    cards = Counter(_line(card.name or card.id, card.cost) for card in player.deck)
    return DeckEvidence(
        cards=dict(sorted(cards.items())), listed=True, run_id=run_id, act=run.act, floor=run.floor, round=0
    )


def _line(name: str | None, cost: str | None) -> str:
    return f"{clean_text(name, 40) or '?'} [{clean_text(cost, 3) or '-'}]"


def parse_evidence(record: Mapping[str, object]) -> DeckEvidence | None:
    """Evidence as it was kept; None for anything that is not whole."""
    cards, run_id = record.get("cards"), record.get("run_id")
    numbers = [record.get(key) for key in ("act", "floor", "round")]
    if not isinstance(cards, dict) or not all(isinstance(number, int) for number in numbers):
        return None
    if not (run_id is None or isinstance(run_id, str)):
        return None
    act, floor, fight_round = cast("list[int]", numbers)
    named = {str(name): count for name, count in cast("dict[object, object]", cards).items() if isinstance(count, int)}
    return DeckEvidence(cards=named, run_id=run_id, act=act, floor=floor, round=fight_round)


def holds(evidence: DeckEvidence, observation: Observation, run_id: str | None) -> bool:
    """Whether the deck cannot have changed since: the rewards right after the very fight, in the same known run."""
    run = observation.run
    return (
        isinstance(observation.screen, Rewards | CardReward)
        and run is not None
        and run_id is not None
        and (evidence.run_id, evidence.act, evidence.floor) == (run_id, run.act, run.floor)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What the evidence counts: cards in all, by name, by type and by cost. A type nobody knows is `unknown`."""

    number: int
    by_name: Mapping[str, int]
    by_type: Mapping[str, int]
    by_cost: Mapping[str, int]

    @property
    def average_cost(self) -> float | None:
        """The mean energy cost of the cards that have one; X and unplayable cards have none."""
        priced = {int(cost): count for cost, count in self.by_cost.items() if cost.isascii() and cost.isdigit()}
        number = sum(priced.values())
        return sum(cost * count for cost, count in priced.items()) / number if number else None


def composition(evidence: DeckEvidence) -> Composition:
    """Counts of the cards that the evidence names."""
    names: Counter[str] = Counter()
    types: Counter[str] = Counter()
    costs: Counter[str] = Counter()
    for line, count in evidence.cards.items():
        name, _, cost = line.rpartition(" [")
        kind = type_of(name) or "unknown"
        names[name] += count
        types[kind] += count
        # A curse or status says 0 and cannot be paid for.
        costs["-" if kind in {"Curse", "Status"} else cost.rstrip("]")] += count
    return Composition(
        number=sum(names.values()),
        by_name=names,
        by_type=dict(sorted(types.items())),
        by_cost=dict(sorted(costs.items())),
    )


def deck_view(evidence: DeckEvidence) -> dict[str, object]:
    """The deck for a planner: composition and cost curve, with its provenance, and no verdict."""
    counted = composition(evidence)
    listed = ", ".join(f"{count}× {name}" if count > 1 else name for name, count in evidence.cards.items())
    source = f"this floor's fight, round {evidence.round}; what the fight added counts too"
    return {
        "cards": clean_text(listed, 700),
        "number": counted.number,
        "by_type": counted.by_type,
        "by_cost": counted.by_cost,
        "from": "the deck as this build of the bridge lists it" if evidence.listed else source,
    }
