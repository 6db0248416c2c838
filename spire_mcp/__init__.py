"""spire-mcp: the safe game controller between a language-model planner and Slay the Spire 2."""

__version__ = "0.1.0"
