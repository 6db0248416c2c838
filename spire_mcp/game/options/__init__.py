"""What can be done on a screen, each thing named by identity and never by a bare index."""

from spire_mcp.game.options.listing import find_option, list_options
from spire_mcp.game.options.model import Kind, Option, Request
from spire_mcp.game.options.tokens import ascii_id, card_identity, card_token

__all__ = ["Kind", "Option", "Request", "ascii_id", "card_identity", "card_token", "find_option", "list_options"]
