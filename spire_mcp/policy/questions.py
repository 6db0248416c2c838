"""The question to the decision model: the state, the lines under neutral keys, in several orders, in one request.

The wording is versioned: figures measured with one version say nothing about another. Arithmetic is never asked; every
number stands in the text, computed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from spire_mcp.combat import Play
from spire_mcp.combat.board import Board, Foe, Setting
from spire_mcp.game.identity import digest
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, Candidates
from spire_mcp.policy.english import card_name, foe_name, power_name, project, words

PROMPT_VERSION: Final = "1"

NONE: Final = "none"
"""the key of the answer that no line is acceptable"""
DANGER: Final = "danger"
POTION: Final = "potion"
_KEYS: Final = "ABCDEFGHIJKL"
_ALL_ORDERS: Final = 3

_CHOOSE: Final = (
    "Choose the line of play for this turn that best serves winning this fight with the most HP left. "
    "All numbers in the lines are computed and exact."
)
_NONE: Final = "None of these lines is acceptable; a person should look at this turn."
_HOW_DANGEROUS: Final = "What is the player's situation in this fight?"
DANGER_LEVELS: Final = (
    "The fight is under control: little gets through, or the enemies are nearly dead.",
    "An open exchange: HP is traded, and the player has enough of it.",
    "The player is being worn down: HP is low for what the enemies do.",
    "The player is about to die: the coming attacks are likely to be fatal.",
)
_IS_POTION_NEEDED: Final = "Is using up a potion needed on this turn?"
_POTION: Final = {
    "true": "There is a potion, and without it this turn or the next is a disaster.",
    "false": "The lines offered are good enough, or there is no potion; potions are kept for real danger.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request: what is sent, and what its keys stand for. `orders` names the questions that ask for the line."""

    version: str
    state: Mapping[str, object]
    questions: Mapping[str, Mapping[str, object]]
    lines: Mapping[str, Candidate]
    orders: tuple[str, ...]

    @property
    def estimate(self) -> int:
        """Input tokens, estimated at four characters each."""
        return -(-len(json.dumps({"state": self.state, "questions": self.questions})) // 4)


def ask(observation: Observation, found: Candidates, menu: Sequence[Candidate], *, most_tokens: int) -> Asked:
    """The request for a choice among `menu`, best first; the last lines are left out while it is too large."""
    asked = _ask(observation, found, menu)
    while asked.estimate > most_tokens and len(menu) > 2:
        menu = menu[:-1]
        asked = _ask(observation, found, menu)
    return asked


def _ask(observation: Observation, found: Candidates, menu: Sequence[Candidate]) -> Asked:
    search = found.search
    potions = {potion.slot: words(potion.id) for potion in (observation.player.potions if observation.player else ())}
    described = {line_text(candidate, search.start, search.setting, potions): candidate for candidate in menu}
    # Keys follow a digest of the text: neither they nor the first order tell how the program ranks the lines.
    texts = sorted(described, key=lambda text: digest(f"{observation.state_id} {text}", 16))
    lines = dict(zip(_KEYS, (described[text] for text in texts), strict=False))
    text_of = dict(zip(_KEYS, texts, strict=False))
    questions: dict[str, Mapping[str, object]] = {}
    for number, order in enumerate(orders(tuple(lines)), start=1):
        criteria = {key: text_of[key] for key in order} | {NONE: _NONE}
        questions[f"line{number}"] = {"type": "choice", "instructions": _CHOOSE, "criteria": criteria}
    names = tuple(questions)
    questions[DANGER] = {"type": "score", "instructions": _HOW_DANGEROUS, "criteria": list(DANGER_LEVELS)}
    questions[POTION] = {"type": "noul", "instructions": _IS_POTION_NEEDED, "criteria": _POTION}
    state = project(observation, search.start)
    return Asked(version=PROMPT_VERSION, state=state, questions=questions, lines=lines, orders=names)


def orders(keys: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """All orders of up to three options; above, four in which each option stands in the middle on average.

    An order and its reverse balance each other: what comes first in one comes last in the other.
    """
    if len(keys) <= _ALL_ORDERS:
        return tuple(permutations(keys))
    middle = len(keys) // 2
    turned = keys[middle:] + keys[:middle]
    return keys, keys[::-1], turned, turned[::-1]


def line_text(candidate: Candidate, start: Board, setting: Setting, potions: Mapping[int, str]) -> str:
    """A line by what it brings, the same fields in the same order for every line; `potions` names those in the belt."""
    line = candidate.line
    position, outcome = line.position, line.outcome
    before = {foe.id: foe for foe in start.foes}
    steps = [_step(play, setting, before, potions) for play in line.plays] or ["nothing"]
    kills = [foe_name(before[foe]) for foe in outcome.kills]
    dealt = [
        f"{before[foe.id].hp - foe.hp} to {foe_name(foe)} ({foe.hp} HP left)"
        for foe in position.foes
        if foe.hp and foe.hp < before[foe.id].hp
    ]
    fields = {
        "Play": ", then ".join(steps),
        "Kills": ", ".join(kills) or "nobody",
        "Damage to the living": ", ".join(dealt) or "none",
        "Own HP": _hp(candidate, start),
        "Block": _block(candidate),
        "Effects": ", ".join(_effects(position, start)) or "none",
        "Energy left": str(outcome.energy_left),
        "Then": "draws cards and goes on" if outcome.draws else "goes on" if position.stopped else "ends the turn",
        "Unknown": "part of it" if outcome.unknown else "nothing",
    }
    return " ".join(f"{name}: {text}." for name, text in fields.items())


def _step(play: Play, setting: Setting, foes: Mapping[int, Foe], potions: Mapping[int, str]) -> str:
    if play.kind is not None:
        what = card_name(setting.kinds[play.kind].card)
    else:
        what = f"use up {potions.get(play.potion_slot or 0, 'a potion')}"
    return what if play.target is None else f"{what} on {foe_name(foes[play.target])}"


def _hp(candidate: Candidate, start: Board) -> str:
    lost, left = candidate.line.outcome.hp_lost, candidate.line.end.after.hp
    if lost < 0:
        return f"gains {-lost}, {left} left"
    return f"loses {lost}, {left} left" if lost else f"loses none, {start.hp} left"


def _block(candidate: Candidate) -> str:
    end = candidate.line.end
    if not end.incoming:
        return "nothing comes in"
    if end.hp_lost <= 0:
        return f"blocks everything of {end.incoming}"
    block = candidate.line.outcome.block
    return f"{block} against {end.incoming}" if block else f"none against {end.incoming}"


def _effects(position: Board, start: Board) -> list[str]:
    before = {foe.id: dict(foe.powers) for foe in start.foes}
    found = _gained(dict(start.powers), dict(position.powers))
    for foe in position.alive:
        found += [f"{text} on {foe_name(foe)}" for text in _gained(before[foe.id], dict(foe.powers))]
    return found


def _gained(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    gained = [power_name(power, n - before.get(power, 0)) for power, n in after.items() if n > before.get(power, 0)]
    lost = [f"no more {words(power.removesuffix('_POWER'))}" for power in before if power not in after]
    return gained + lost
