"""Strategy packets: read strictly, so that whatever is not exactly understood is refused with its place named."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NoReturn, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from spire_mcp.errors import InvalidPacketError

MOST_BYTES: Final = 64 * 1024
_MOST_DEPTH: Final = 12

StrategyId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Text = Annotated[str, StringConstraints(max_length=500)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Count = Annotated[int, Field(ge=0, le=100_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class HpAtLeast(_Strict):
    """Our HP are at least this many."""

    kind: Literal["hp_at_least"]
    value: Count


class HpAtMost(_Strict):
    """Our HP are at most this many."""

    kind: Literal["hp_at_most"]
    value: Count


class SameFloor(_Strict):
    """The run stands on this floor of this act."""

    kind: Literal["same_floor"]
    act: Count
    floor: Count


class SameRun(_Strict):
    """The bridge reports this run identity."""

    kind: Literal["same_run"]
    run_id: Name


class EnemyCountAtMost(_Strict):
    """At most so many enemies live."""

    kind: Literal["enemy_count_at_most"]
    value: Count


class SameEnemies(_Strict):
    """Just these enemies live, by entity ID."""

    kind: Literal["same_enemies"]
    entity_ids: Annotated[tuple[Name, ...], Field(min_length=1, max_length=20, strict=False)]


class IntentsUnchanged(_Strict):
    """The enemies' intents are those of the signature; without one, those at the beginning of the call."""

    kind: Literal["intents_unchanged"]
    signature: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None


Condition = Annotated[
    HpAtLeast | HpAtMost | SameFloor | SameRun | EnemyCountAtMost | SameEnemies | IntentsUnchanged,
    Field(discriminator="kind"),
]


class Entry(_Strict):
    """One thing to play: a card or potion by ID or displayed name in any language, or an option by its ID."""

    match: Name
    why: Text


class Strategy(_Strict):
    """What a planner wants of a fight: when it holds, when it ends, and what may be played in which order."""

    strategy_id: StrategyId
    reason: Text
    conditions: Annotated[tuple[Condition, ...], Field(max_length=20, strict=False)]
    expires_on: Annotated[tuple[Condition, ...], Field(max_length=20, strict=False)]
    order: Annotated[tuple[Entry, ...], Field(max_length=40, strict=False)]

    @property
    def semantic_id(self) -> str:
        """What the strategy means, as a digest: names, reasons and explanations are left out of it."""
        meaning = {
            "conditions": [condition.model_dump() for condition in self.conditions],
            "expires_on": [condition.model_dump() for condition in self.expires_on],
            "order": [entry.match for entry in self.order],
        }
        text = json.dumps(meaning, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return f"p1-{hashlib.sha256(text.encode('ascii')).hexdigest()[:12]}"


class Packet(_Strict):
    """A strategy for one call of `battle`, and the state that it was written on."""

    expected_state_id: Annotated[str, StringConstraints(pattern=r"^s[0-9]+-[a-z2-7]{1,16}$")]
    strategy: Strategy


def packet_schema() -> dict[str, Any]:
    """The JSON Schema of a packet, as it is published in `strategies/`."""
    schema = Packet.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "spire-mcp strategy packet", **schema}


def parse_packet(data: bytes) -> Packet:
    """A packet from the bytes of a file.

    Raises:
        InvalidPacketError: names the place and what is wrong there.
    """
    if len(data) > MOST_BYTES:
        _refuse("the packet", f"larger than {MOST_BYTES} bytes")
    try:
        value = cast("object", json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number))
    except InvalidPacketError:
        raise
    except UnicodeDecodeError:
        _refuse("the packet", "not UTF-8")
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        _refuse("the packet", f"not JSON{where}")
    return read_packet(value)


def read_packet(value: object) -> Packet:
    """A packet from decoded JSON.

    Raises:
        InvalidPacketError: names the place and what is wrong there.
    """
    _check_depth(value, 0)
    try:
        return Packet.model_validate(value)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        kinds = {"hp_at_least", "hp_at_most", "same_floor", "same_run", "same_enemies", "enemy_count_at_most"}
        path = [str(part) for part in problem["loc"] if part not in {*kinds, "intents_unchanged"}]
        _refuse(".".join(path) or "the packet", _plain(problem["type"], problem["msg"]))


def _plain(kind: str, message: str) -> str:
    """What is wrong, without the library's own words where they would puzzle."""
    match kind:
        case "missing":
            return "it is missing (write [] for an empty list)"
        case "extra_forbidden":
            return "no such key"
        case "union_tag_invalid" | "union_tag_not_found":
            return "an unknown kind; known are " + ", ".join(KINDS)
        case _:
            return message[:160]


KINDS: Final = (
    "hp_at_least",
    "hp_at_most",
    "same_floor",
    "same_run",
    "enemy_count_at_most",
    "same_enemies",
    "intents_unchanged",
)


def _refuse(place: str, why: str) -> NoReturn:
    raise InvalidPacketError(f"{place}: {why}")


def _once(pairs: list[tuple[str, object]]) -> Mapping[str, object]:
    seen: dict[str, object] = {}
    for key, value in pairs:
        if key in seen:
            _refuse(key[:60], "the key stands there twice")
        seen[key] = value
    return seen


def _no_number(name: str) -> NoReturn:
    _refuse("the packet", f"{name} is no number")


def _check_depth(value: object, depth: int) -> None:
    if depth > _MOST_DEPTH:
        _refuse("the packet", f"nested more than {_MOST_DEPTH} deep")
    if isinstance(value, dict):
        children = list(cast("dict[object, object]", value).values())
    elif isinstance(value, list):
        children = cast("list[object]", value)
    else:
        return
    for child in children:
        _check_depth(child, depth + 1)
