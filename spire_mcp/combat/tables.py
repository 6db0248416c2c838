"""The shape of the game-knowledge files: read strictly, so that a slip in one is named and never half believed."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from spire_mcp.errors import InternalError

Amount = int | tuple[int, int]
"""A number, or the numbers before and after the upgrade."""

Touch = Literal[
    "damage",
    "hit",
    "hit_back",
    "death",
    "play",
    "energy",
    "draw",
    "block",
    "turn_start",
    "turn_end",
    "next_block",
    "next_enemies",
]
"""Which numbers something can make wrong. The last two are our block and the enemies as the next turn begins: they do
not endanger anyone."""

Trigger = Literal[
    "card", "attack", "skill", "power", "exhaust", "kill", "hp_loss", "draw", "strength", "potion", "turn_end"
]
Better = Literal["hp", "block", "energy", "damage"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PerEntry(_Strict):
    """What an amount grows with: each of the counted things adds `each`."""

    count: Literal["exhaust_pile", "other_hand", "enemy_power"]
    each: Amount
    power: str | None = None


class EffectEntry(_Strict):
    """One effect of a card; which fields it needs depends on `effect`."""

    effect: Literal[
        "damage",
        "power",
        "block",
        "draw",
        "unknown",
        "energy",
        "stars",
        "channel",
        "lose_hp",
        "heal",
        "next_block",
        "add_card",
        "note",
        "double_power",
    ]
    amount: Amount | None = None
    hits: Amount | Literal["X"] | None = None
    hits_if: Mapping[str, Any] | str | None = None
    to: Literal["enemy", "all", "random", "self"] | None = None
    source: Literal["block", "text"] | None = None
    per: PerEntry | None = None
    power: str | None = None
    orb: Literal["LIGHTNING", "FROST", "DARK", "GLASS", "PLASMA"] | None = None
    card: str | None = None
    pile: Literal["draw", "discard", "hand"] | None = None
    what: str | None = None
    on_kill: tuple[Better, ...] = ()
    """numbers that it makes better when the card kills"""
    cards_only: bool = False


_NEEDS: Final = {
    "damage": ("hits", "to"),
    "power": ("amount", "power", "to"),
    "block": ("amount",),
    "draw": ("amount",),
    "energy": ("amount",),
    "stars": ("amount",),
    "heal": ("amount",),
    "channel": ("amount", "orb"),
    "lose_hp": ("amount",),
    "unknown": ("what",),
    "note": ("what",),
    "add_card": ("card", "pile"),
    "double_power": ("power",),
}


class CardEntry(_Strict):
    """One card's rule."""

    type: Literal["Attack", "Skill", "Power", "Status", "Curse", "Quest"]
    effects: tuple[Mapping[str, Any], ...]
    exhaust: tuple[bool, bool] = (False, False)
    ethereal: bool = False
    retain: bool = False
    end_of_turn: Mapping[str, int | str] = {}


class TouchEntry(_Strict):
    """One power or relic: written as a rule in code, or which numbers it can make wrong.

    `better` names, for what sets it off, the numbers that it can only make better for us than computed: those are not
    certain then, and surviving still is.
    """

    touches: tuple[Touch, ...]
    better: Mapping[Trigger, tuple[Better, ...]] = {}
    modelled: bool = False
    on_player: tuple[Touch, ...] | None = None
    """what it touches when the player has it, where that differs"""
    round: int | None = None
    """the only round in which it acts"""
    limits_plays: bool = False
    """whether it bounds how many cards can be played in a turn"""


class PotionEntry(_Strict):
    """One potion's rule."""

    effect: Literal["hurt", "gain_block", "energy", "power", "draw"]
    amount: int
    to: Literal["enemy", "all", "self"] | None = None
    power: str | None = None
    this_turn: str | None = None


class _File(_Strict):
    source: str
    game_version: str


class _Cards(_File):
    cards: dict[str, CardEntry]


class _Powers(_File):
    powers: dict[str, TouchEntry]


class _Relics(_File):
    relics: dict[str, TouchEntry]


class _Potions(_File):
    potions: dict[str, PotionEntry]
    unmodelled: tuple[str, ...] = ()


_SHAPES: Final[dict[str, type[_File]]] = {
    "cards": _Cards,
    "powers": _Powers,
    "relics": _Relics,
    "potions": _Potions,
}


def read_table(name: str, text: str) -> dict[str, Any]:
    """The entries of a knowledge file, by ID, as they are written there.

    Raises:
        InternalError: names the file and the first place in it that is wrong.
    """
    try:
        file = _SHAPES[name].model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in problem["loc"]) or "its beginning"
        raise InternalError(f"the table of {name} is damaged at {place}: {problem['msg']}") from None
    if isinstance(file, _Cards):
        _check_effects(file)
    return file.model_dump(exclude_unset=True)[name]


def _check_effects(file: _Cards) -> None:
    for card, entry in file.cards.items():
        for number, raw in enumerate(entry.effects):
            fields = {"source" if key == "from" else key: value for key, value in raw.items()}
            place = f"cards.{card}.effects.{number}"
            try:
                effect = EffectEntry.model_validate(fields)
            except ValidationError as error:
                problem = error.errors(include_url=False, include_input=False)[0]
                where = ".".join([place, *(str(part) for part in problem["loc"])])
                raise InternalError(f"the table of cards is damaged at {where}: {problem['msg']}") from None
            missing = [name for name in _NEEDS.get(effect.effect, ()) if getattr(effect, name) is None]
            if missing:
                raise InternalError(f"the table of cards is damaged at {place}: {missing[0]} is missing")


@cache
def table(name: str) -> dict[str, Any]:
    """A knowledge file of the product, read and checked once."""
    return read_table(name, _text(name))


def _text(name: str) -> str:
    return files("spire_mcp.combat").joinpath("data", f"{name}.json").read_text(encoding="utf-8")


@cache
def versions() -> dict[str, str]:
    """The game version of each knowledge file, as it says itself."""
    return {name: shape.model_validate_json(_text(name)).game_version for name, shape in _SHAPES.items()}


@cache
def unmodelled_potions() -> tuple[str, ...]:
    """Potions that are known by name and have no rule."""
    return _Potions.model_validate_json(_text("potions")).unmodelled
