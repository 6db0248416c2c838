"""A strategy at work: checked before every step, and a constraint on the menu that never adds anything to it."""

from dataclasses import dataclass, replace
from typing import Literal

from spire_mcp.combat import intents_signature
from spire_mcp.game.card_facts import names_of
from spire_mcp.game.options import Option
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, Candidates
from spire_mcp.policy.conditions import Checked, Situation, check, fires
from spire_mcp.policy.packet import Strategy

Source = Literal["packet", "saved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A strategy for one call of `battle`.

    Args:
        strategy: what the planner wants.
        source: whether it came with the call or was saved for the run.
        run_id: the run that a saved one is bound to; None for one that came with the call.
        first_intents: the intents when the call began.
    """

    strategy: Strategy
    source: Source
    run_id: str | None = None
    first_intents: str | None = None

    @property
    def identity(self) -> str:
        """What it means, so that renaming a strategy does not make a repeated state new."""
        return self.strategy.semantic_id

    def to_dict(self) -> dict[str, object]:
        """For results and records."""
        return {"id": self.strategy.strategy_id, "meaning": self.identity, "source": self.source}

    def started(self, observation: Observation) -> "Guide":
        """The guide with the intents that it began on."""
        return replace(self, first_intents=intents_signature(observation))

    def situation(self, observation: Observation, run_id: str | None) -> Situation:
        """What its conditions are held against."""
        return Situation(observation=observation, run_id=run_id, first_intents=self.first_intents)

    def broken(self, observation: Observation, run_id: str | None) -> tuple[str, Checked] | None:
        """The reason to give the turn back, with what failed; None while the strategy holds."""
        if self.run_id is not None and self.run_id != run_id:
            why = "the bridge does not say which run this is" if run_id is None else "this is another run"
            return "strategy_condition_failed", Checked(kind="same_run", holds=False if run_id else None, why=why)
        now = self.situation(observation, run_id)
        for condition in self.strategy.conditions:
            checked = check(condition, now)
            if checked.holds is not True:
                return "strategy_condition_failed", checked
        for expiry in self.strategy.expires_on:
            checked = fires(expiry, now)
            if checked.holds:
                return "strategy_expired", checked
        return None

    @property
    def ranks(self) -> bool:
        """Whether it says what to play at all."""
        return bool(self.strategy.order)

    def narrow(self, found: Candidates, observation: Observation) -> Candidates:
        """The surviving lines that begin with the first entry for which there are any.

        Nothing is added: the result is a part of what would be allowed without a strategy.
        """
        if not self.ranks:
            return found
        allowed = [one for one in found.survivors if self._potions_named(one, observation)]
        for entry in self.strategy.order:
            matching = tuple(one for one in allowed if matches(entry.match, one.option, observation))
            if matching:
                return replace(found, ranked=matching)
        return replace(found, ranked=())

    def allows(self, option: Option, observation: Observation) -> bool:
        """Whether a step that a chosen line wants next is named at all."""
        return not self.ranks or any(matches(entry.match, option, observation) for entry in self.strategy.order)

    def names_potion(self, observation: Observation) -> bool:
        """Whether an entry names a potion in the belt; without that, lines hold none."""
        potions = observation.player.potions if observation.player is not None else ()
        order = self.strategy.order
        return any(matches_potion(entry.match, potion.slot, observation) for entry in order for potion in potions)

    def _potions_named(self, candidate: Candidate, observation: Observation) -> bool:
        slots = [play.potion_slot for play in candidate.line.plays if play.potion_slot is not None]
        return all(
            any(matches_potion(entry.match, slot, observation) for entry in self.strategy.order) for slot in slots
        )


def matches(name: str, option: Option, observation: Observation) -> bool:
    """Whether an entry names this option: by its ID, or by the ID or a displayed name of its card or potion."""
    if name == option.id:
        return True
    index, slot = option.parameter("card_index"), option.parameter("slot")
    if isinstance(slot, int):
        return matches_potion(name, slot, observation)
    card = next((card for card in observation.hand if card.index == index), None)
    return card is not None and _same(name, {card.id, card.title, card.title.rstrip("+"), *names_of(card.id)})


def matches_potion(name: str, slot: int, observation: Observation) -> bool:
    """Whether an entry names the potion in this slot."""
    potions = observation.player.potions if observation.player is not None else ()
    potion = next((potion for potion in potions if potion.slot == slot), None)
    if potion is None:
        return False
    return _same(name, {potion.id, potion.title}) or name.split(":")[:2] == ["potion", potion.id]


def _same(name: str, names: set[str]) -> bool:
    return name.strip().casefold() in {known.strip().casefold() for known in names}
