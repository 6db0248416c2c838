"""What only some builds of the bridge send, brought into one shape; what cannot be understood counts as not sent.

The contract (bridge-contract.md, section 5) says that these are there, and not how they look. So they are read with
tolerance, and never needed.
"""

from collections.abc import Mapping
from typing import Final, cast

Json = dict[str, object]

_LABELS: Final = ("label", "name", "title", "text")


def menu(state: Json) -> Json:
    """The menu with its options as objects: two screens send them as plain strings."""
    options = state.get("options")
    if not isinstance(options, list):
        return state
    named = [{"name": option} if isinstance(option, str) else option for option in cast("list[object]", options)]
    return {**state, "options": named}


def card_reward(payload: object) -> object:
    """The card reward with its named alternatives as objects, or without any."""
    if not isinstance(payload, dict):
        return payload
    reward = dict(cast("Json", payload))
    listed = reward.pop("alternatives", None)
    if isinstance(listed, list):
        read = [_alternative(entry, place) for place, entry in enumerate(cast("list[object]", listed))]
        if all(entry is not None for entry in read):
            reward["alternatives"] = read
    return reward


def _alternative(entry: object, place: int) -> Json | None:
    if isinstance(entry, str):
        return {"index": place, "label": entry}
    if not isinstance(entry, dict):
        return None
    fields = cast("Json", entry)
    label = next((fields[key] for key in _LABELS if isinstance(fields.get(key), str)), None)
    index = fields.get("index", place)
    whole = isinstance(index, int) and not isinstance(index, bool)
    return {"index": index, "label": label} if label is not None and whole else None


def player(payload: object, state: Mapping[str, object]) -> object:
    """The player with the permanent deck, wherever the build puts it, or without one."""
    if not isinstance(payload, dict):
        return payload
    fields = dict(cast("Json", payload))
    listed = fields.pop("deck", None)
    if listed is None:
        listed = state.get("deck")
    if isinstance(listed, list):
        cards = [_deck_card(card) for card in cast("list[object]", listed)]
        if cards and all(card is not None for card in cards):
            fields["deck"] = cards
    return fields


def _deck_card(card: object) -> Json | None:
    if not isinstance(card, dict):
        return None
    fields = cast("Json", card)
    read: Json = {key: fields[key] for key in ("id", "name") if isinstance(fields.get(key), str)}
    if not read:
        return None
    cost = fields.get("cost")
    if isinstance(cost, str | int) and not isinstance(cost, bool):
        read["cost"] = str(cost)
    return read
