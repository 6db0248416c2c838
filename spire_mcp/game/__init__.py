"""Meaning, pure: what a screen says, its state ID, its options and the effect each action must have."""
