"""How long the controller waits for what, in seconds; every number can be set in the settings file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlLimits:
    """Waiting times in seconds. Sources: bridge-contract.md, section 6; bridge-contract-detail.md, section 4."""

    settle: float = 15.0
    """until a screen has come to rest: an enemy turn takes 3.6 to 4.7 s, room loading longer"""
    steady: float = 0.15
    """how long all reads must be equal before a screen counts as at rest: a hand fills card by card"""
    play: float = 10.0
    """until a played card or potion shows its effect: 0.6 to 1.4 s is usual"""
    end_turn: float = 30.0
    """until the next player turn: 25 s has been seen"""
    travel: float = 20.0
    """until a new room is there"""
    screen: float = 10.0
    """until a click on any other screen shows its effect"""
    unchanged: float = 6.0
    """how long a game at rest may stay exactly as it was before an action is taken to have had no effect"""
    effects: float = 3.0
    """how much longer predicted numbers are waited for once the card has left the hand"""
    refused: float = 0.8
    """how long the game must stay unchanged before a refusal is believed"""
    lock: float = 2.0
    """how long another controller is waited for"""
    poll_first: float = 0.05
    """the first pause between two reads; it grows by half each time"""
    poll_longest: float = 0.3
    """the longest pause between two reads"""

    def for_action(self, kind: str) -> float:
        """The limit for an action of the kind that `game/effects` names."""
        return {"play": self.play, "end_turn": self.end_turn, "travel": self.travel}.get(kind, self.screen)
