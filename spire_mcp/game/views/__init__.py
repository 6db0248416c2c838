"""What a planner reads of a screen: small, with the game's names and stable IDs, and nothing it could not use."""

from spire_mcp.game.views.compact import compact
from spire_mcp.game.views.full import full

__all__ = ["compact", "full"]
