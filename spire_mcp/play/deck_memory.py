"""Keeps what a fight showed of the deck until the deck can have changed."""

from dataclasses import dataclass

from spire_mcp.control.storage import PortFolder, UnreadableRecord, read_record, remove_record, write_record
from spire_mcp.game.deck import HARMLESS, DeckEvidence, holds, listed_deck, parse_evidence, read_evidence
from spire_mcp.game.options import Option
from spire_mcp.game.screens import Combat, Observation


@dataclass(frozen=True, slots=True)
class DeckMemory:
    """The evidence of one port. Writing needs the writer lock, reading does not."""

    folder: PortFolder

    def see(self, observation: Observation, run_id: str | None) -> None:
        """Remember a fight's piles. The first reading of a fight is the best: later ones hold what the fight added."""
        evidence = read_evidence(observation, run_id)
        if evidence is None:
            return
        known = self._load()
        same = known is not None and (known.run_id, known.act, known.floor) == (run_id, evidence.act, evidence.floor)
        if not same:
            write_record(self.folder.deck, evidence.to_dict())

    def acted(self, before: Observation, option: Option) -> None:
        """Forget the evidence after an action outside fights that could change the deck."""
        if isinstance(before.screen, Combat) or option.action in HARMLESS:
            return
        mechanical = option.kind == "mechanical" and option.action == "claim_reward"
        if not mechanical and option.id != "claim:card":
            remove_record(self.folder.deck)

    def view_of(self, observation: Observation, run_id: str | None) -> DeckEvidence | None:
        """The deck as this build lists it, or the evidence of a fight where that still holds on this screen."""
        listed = listed_deck(observation, run_id)
        if listed is not None:
            return listed
        known = self._load()
        return known if known is not None and holds(known, observation, run_id) else None

    def _load(self) -> DeckEvidence | None:
        record = read_record(self.folder.deck)
        return None if record is None or isinstance(record, UnreadableRecord) else parse_evidence(record)
