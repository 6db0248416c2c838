"""What can be done on a screen, each thing named by identity and never by a bare index."""

from spire_mcp.game.options.model import Kind, Option, Request

__all__ = ["Kind", "Option", "Request"]
