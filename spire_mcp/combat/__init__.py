"""Combat arithmetic: pure functions from an observation to what a card, a line or an enemy turn does."""
