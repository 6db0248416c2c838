"""Names for things inside option IDs: ASCII, easy to type in any shell, made of identities."""

from collections.abc import Sequence

from spire_mcp.game.identity import digest
from spire_mcp.game.parts import Card

_LONGEST_SLUG = 32


def card_identity(card: Card) -> tuple[object, ...]:
    """Everything about a card that a rule could depend on; its place in the list is not part of it."""
    return (
        card.id,
        card.is_upgraded,
        card.type,
        card.cost,
        card.star_cost,
        card.description,
        card.target_type,
        card.can_play,
        tuple((keyword.name, keyword.description) for keyword in card.keywords),
    )


def card_token(card: Card, cards: Sequence[Card]) -> str:
    """The card's name in an option ID: its ID, `+` when upgraded, and `~xxxx` where twins in `cards` differ.

    Cards that no rule can tell apart have the same token.
    """
    plain = f"{ascii_id(card.id)}{'+' if card.is_upgraded else ''}"
    twins = {card_identity(other) for other in cards if (other.id, other.is_upgraded) == (card.id, card.is_upgraded)}
    return plain if len(twins) <= 1 else f"{plain}~{digest(repr(card_identity(card)), 4)}"


def ascii_id(identity: str) -> str:
    """An ID as it may stand in an option ID: the bridge's own where it is plain, else a digest."""
    plain = identity.isascii() and bool(identity) and all(char.isalnum() or char in "_-." for char in identity)
    return identity if plain and len(identity) <= _LONGEST_SLUG + 16 else f"x{digest(identity)}"


def slug(text: str | None) -> str:
    """A name for something that the bridge gives no ID: upper snake case of plain text, else a digest of it."""
    if not text:
        return "unnamed"
    words = "".join(char if char.isalnum() else " " for char in text).split()
    if not text.isascii() or not words:
        return f"x{digest(text)}"
    name = "_".join(words).upper()
    return name if len(name) <= _LONGEST_SLUG else f"{name[: _LONGEST_SLUG - 7]}_{digest(text)}"
