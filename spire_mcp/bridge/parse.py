"""From the bridge's bytes to an observation: strict about types, tolerant of what is missing or new."""

import json
from functools import cache
from typing import Final, NoReturn, cast

from pydantic import TypeAdapter, ValidationError

from spire_mcp.bridge import builds
from spire_mcp.errors import BridgeError
from spire_mcp.game import parts, screens
from spire_mcp.game.identity import LEAKS, state_id
from spire_mcp.game.screens import COMBAT_TYPES, Observation, Screen

MAX_DEPTH: Final = 60
"""Real answers nest 7 deep."""

Json = dict[str, object]


def decode(body: bytes) -> Json:
    """The JSON object in an answer's body.

    Raises:
        BridgeError: it is not UTF-8, not JSON, not an object, nested too deep, or holds what JSON has no word for.
    """
    try:
        value = cast("object", json.loads(body.decode("utf-8"), parse_constant=_refuse_constant))
    except UnicodeDecodeError:
        raise BridgeError("the bridge's answer is not UTF-8") from None
    except RecursionError:
        raise BridgeError(f"the bridge's answer is nested more than {MAX_DEPTH} deep") from None
    except ValueError as error:
        reason = str(error) if isinstance(error, _NotANumberError) else "the bridge's answer is not JSON"
        raise BridgeError(reason) from None
    if not isinstance(value, dict):
        raise BridgeError("the bridge's answer is no JSON object")
    return cast("Json", _checked(cast("object", value), 0))


class _NotANumberError(ValueError):
    """JSON has no NaN and no Infinity, and arithmetic on them proves anything."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NotANumberError(f"the bridge's answer holds {name}, which is no number")


def _checked(value: object, depth: int) -> object:
    """The value without lone surrogates and within the depth that a state can have."""
    if depth > MAX_DEPTH:
        raise BridgeError(f"the bridge's answer is nested more than {MAX_DEPTH} deep")
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        case dict():
            items = cast("Json", value).items()
            return {cast("str", _checked(key, depth)): _checked(item, depth + 1) for key, item in items}
        case list():
            return [_checked(item, depth + 1) for item in cast("list[object]", value)]
        case float() if value in (float("inf"), float("-inf")):
            raise BridgeError("the bridge's answer holds a number beyond all bounds")
        case _:
            return value


def sanitise(raw: Json) -> Json:
    """The state without what a player cannot see: some builds add the true order of the draw pile."""
    clean = {key: value for key, value in raw.items() if key not in LEAKS}
    for key in ("player", "battle"):
        inner = clean.get(key)
        if isinstance(inner, dict):
            clean[key] = {name: value for name, value in cast("Json", inner).items() if name not in LEAKS}
    player = clean.get("player")
    if isinstance(player, dict):
        pile = cast("Json", player).get("draw_pile")
        if isinstance(pile, list):
            cards = sorted(cast("list[object]", pile), key=lambda card: json.dumps(card, sort_keys=True))
            cast("Json", player)["draw_pile"] = cards
    return clean


_SCREENS: Final[dict[str, tuple[type, str]]] = {
    "rewards": (screens.Rewards, "rewards"),
    "card_reward": (screens.CardReward, "card_reward"),
    "card_select": (screens.CardSelect, "card_select"),
    "bundle_select": (screens.BundleSelect, "bundle_select"),
    "relic_select": (screens.RelicSelect, "relic_select"),
    "map": (screens.MapScreen, "map"),
    "event": (screens.Event, "event"),
    "rest_site": (screens.RestSite, "rest_site"),
    "shop": (screens.Shop, "shop"),
    "fake_merchant": (screens.FakeMerchant, "fake_merchant"),
    "treasure": (screens.Treasure, "treasure"),
    "crystal_sphere": (screens.CrystalSphere, "crystal_sphere"),
    "game_over": (screens.GameOver, "game_over"),
    "overlay": (screens.Overlay, "overlay"),
}
"""The type of each screen and the key that holds it (bridge-contract-detail.md, section 8)."""


@cache
def _adapter(kind: type) -> TypeAdapter[object]:
    return TypeAdapter(kind)


def _read(kind: type, value: object, path: str) -> object:
    """Read a value into a frozen type; null stands for what is absent.

    Raises:
        BridgeError: names the place and what was expected there.
    """
    try:
        return _adapter(kind).validate_python(_without_nulls(value))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(filter(None, [path, *(str(part) for part in problem["loc"])])) or "state"
        raise BridgeError(f"the bridge's state cannot be read at {place[:120]}: {problem['msg'][:120]}") from None


def _without_nulls(value: object) -> object:
    """Null and absent are the same to every field that has a default."""
    match value:
        case dict():
            return {key: _without_nulls(item) for key, item in cast("Json", value).items() if item is not None}
        case list():
            return [_without_nulls(item) for item in cast("list[object]", value)]
        case _:
            return value


def parse_state(raw: Json) -> Observation:
    """An observation from a decoded state answer.

    An unknown state type with a `battle` is a fight; any other one is `Unknown`, which is a value and not a failure.

    Raises:
        BridgeError: there is no state type, or a known field has a value of the wrong type.
    """
    state_type = raw.get("state_type")
    if not isinstance(state_type, str):
        raise BridgeError("the bridge's state has no state_type")
    clean = sanitise(raw)
    run, player = clean.get("run"), builds.player(clean.get("player"), clean)
    return Observation(
        state_type=state_type,
        screen=_screen(state_type, clean),
        raw=clean,
        state_id=state_id(clean),
        run=cast("parts.Run", _read(parts.Run, run, "run")) if run is not None else None,
        player=cast("parts.Player", _read(parts.Player, player, "player")) if player is not None else None,
    )


def _screen(state_type: str, state: Json) -> Screen:
    known = _SCREENS.get(state_type)
    if known is not None:
        kind, key = known
        payload = state.get(key)
        if key == "card_reward":
            payload = builds.card_reward(payload)
        return cast("Screen", _read(kind, payload if payload is not None else {}, key))
    if state_type in COMBAT_TYPES or "battle" in state:
        present = {key: state[key] for key in ("battle", "hand_select") if state.get(key) is not None}
        return cast("Screen", _read(screens.Combat, present, ""))
    if state_type == "menu":
        return cast("Screen", _read(screens.Menu, builds.menu(state), ""))
    return cast("Screen", _read(screens.Unknown, {"room_type": state.get("room_type")}, ""))
