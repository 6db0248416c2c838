"""What arithmetic got wrong in this fight: from then on it is unmodelled, until the fight is over.

A prediction that did not come true says that a rule is not understood: a patch, a mod, an interaction nobody wrote
down. The next prediction from the same rule would be believed on no better grounds. So the card, the potion or the
enemy is kept on disk, bound to the fight, and every reading of that fight carries it along.
"""

from dataclasses import dataclass, replace
from typing import Final, Protocol, cast

from spire_mcp.control import Act
from spire_mcp.control.storage import PortFolder, UnreadableRecord, read_record, write_record
from spire_mcp.game.expected import enemy_of
from spire_mcp.game.screens import Observation

END_OF_TURN: Final = "end_turn"
_MOST: Final = 100


class Reads(Protocol):
    """Reads the game."""

    def read_state(self) -> Observation:
        """One reading."""
        ...


@dataclass(frozen=True, slots=True)
class DoubtingReader:
    """A reader whose readings carry the doubts of the fight they show."""

    inner: Reads
    doubts: "Doubts"

    def read_state(self) -> Observation:
        """One reading, with what is doubted in it."""
        observation = self.inner.read_state()
        doubted = self.doubts.of(observation)
        return replace(observation, doubted=doubted) if doubted else observation


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubts of one port. Writing needs the writer lock, reading does not."""

    folder: PortFolder

    def of(self, observation: Observation) -> frozenset[str]:
        """What is doubted in the fight that this reading shows; nothing for another fight."""
        battle, run = observation.battle, observation.run
        if battle is None or run is None:
            return frozenset()
        record = read_record(self.folder.doubts)
        if record is None or isinstance(record, UnreadableRecord):
            return frozenset()
        known = record.get("round")
        same = (record.get("act"), record.get("floor")) == (run.act, run.floor)
        # A round that runs backwards is another fight on a floor of the same number.
        if not same or not isinstance(known, int) or battle.round < known:
            return frozenset()
        names = record.get("doubted")
        listed = cast("list[object]", names) if isinstance(names, list) else []
        return frozenset(name for name in listed if isinstance(name, str))

    def learn(self, act: Act) -> None:
        """Remember what an action showed to be computed wrongly."""
        before = act.before
        if not act.mispredictions or before.battle is None or before.run is None:
            return
        doubted = sorted(self.of(before) | _wrong(act))[:_MOST]
        run = before.run
        write_record(
            self.folder.doubts,
            {"act": run.act, "floor": run.floor, "round": before.battle.round, "doubted": doubted},
        )


def _wrong(act: Act) -> frozenset[str]:
    """The card, the potion, or for a turn the enemies whose numbers differed; where it was our own HP, the turn."""
    index, slot = act.option.parameter("card_index"), act.option.parameter("slot")
    if act.option.action == "play_card":
        return frozenset(card.id for card in act.before.hand if card.index == index)
    if act.option.action == "use_potion":
        potions = act.before.player.potions if act.before.player else ()
        return frozenset(potion.id for potion in potions if potion.slot == slot)
    kinds = {enemy.combat_id: enemy.monster_id for enemy in act.before.enemies}
    return frozenset(kinds.get(enemy_of(text), END_OF_TURN) for text in act.mispredictions)
