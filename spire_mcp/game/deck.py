"""What a fight's piles tell of the deck: cards by name, with where that comes from and how far it can be trusted.

The bridge shows no deck outside fights. Inside one, hand and piles together are the deck and whatever the fight has
added, by displayed name and cost, without IDs. That is evidence and no more: it is worth something until the deck can
have changed, and then it is dropped rather than guessed at.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from spire_mcp.game.screens import CardReward, Combat, Observation, Rewards
from spire_mcp.game.text import clean_text

HARMLESS: Final = frozenset({"skip_card_reward", "use_potion", "discard_potion"})
"""Actions outside fights that cannot change the deck, whatever they do else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckEvidence:
    """Cards by name and cost, as one reading of a fight showed them."""

    cards: Mapping[str, int]
    """`name [cost]` to how many"""
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
    cards = Counter(f"{clean_text(name, 40) or '?'} [{clean_text(cost, 3) or '-'}]" for name, cost in names)
    return DeckEvidence(
        cards=dict(sorted(cards.items())), run_id=run_id, act=run.act, floor=run.floor, round=screen.battle.round
    )


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


def deck_view(evidence: DeckEvidence) -> dict[str, object]:
    """The deck for a planner: composition and cost curve, with its provenance, and no verdict."""
    curve: Counter[str] = Counter()
    for name, count in evidence.cards.items():
        curve[name.rpartition("[")[2].rstrip("]")] += count
    listed = ", ".join(f"{count}× {name}" if count > 1 else name for name, count in evidence.cards.items())
    return {
        "cards": clean_text(listed, 700),
        "number": sum(evidence.cards.values()),
        "by_cost": dict(sorted(curve.items())),
        "from": f"hand and piles of this floor's fight, round {evidence.round}; cards that the fight added count too",
    }
