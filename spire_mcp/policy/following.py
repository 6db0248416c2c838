"""A chosen line, step by step: before each step the world is held against what the line said it would be.

A line that is as predicted needs no new choice. One that is not is over: what it promised was computed from a board
that does not exist.
"""

from collections import Counter
from dataclasses import dataclass, replace

from spire_mcp.combat import Play
from spire_mcp.combat.board import Board, Foe, Powers, Setting, changed
from spire_mcp.combat.opening import board
from spire_mcp.combat.plays import play_card
from spire_mcp.game.options import Option, card_token, list_options
from spire_mcp.game.parts import Card
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, Candidates, target_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """What is left of a line, and the board on which its next step begins."""

    setting: Setting
    predicted: Board
    plays: tuple[Play, ...]
    ends_turn: bool
    done: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return not self.plays and not self.ends_turn

    def stepped(self) -> "Following":
        """The line after its next step was performed."""
        if not self.plays:
            return replace(self, ends_turn=False, done=self.done + 1)
        play = self.plays[0]
        assert play.kind is not None
        after = play_card(self.predicted, self.setting, play.kind, play.target)
        return replace(self, predicted=after, plays=self.plays[1:], done=self.done + 1)

    def resumed(self, observation: Observation) -> "Following | tuple[str, ...]":
        """The line on the world as it is, or in what that is not as predicted.

        What the line left open may have come out either way, and the line goes on from there.
        """
        if observation.player is None or observation.battle is None:
            return ("no fight is shown",)
        seen, _ = board(observation)
        predicted = _agreed(self.predicted, seen)
        return _differing(predicted, seen, self.setting, observation.hand) or replace(self, predicted=predicted)

    def option(self, observation: Observation) -> Option | None:
        """The next step as an option of this observation; None when it cannot be taken."""
        wanted = self._option_id(observation)
        option = next((option for option in list_options(observation) if option.id == wanted), None)
        return None if option is None or option.trap is not None else option

    def _option_id(self, observation: Observation) -> str | None:
        if not self.plays:
            return "end_turn"
        play = self.plays[0]
        assert play.kind is not None
        card = _same_card(self.setting.kinds[play.kind].card, observation.hand)
        if card is None:
            return None
        target = "" if play.target is None else f":{target_name(play.target, observation)}"
        return f"play:{card_token(card, observation.hand)}{target}"


def follow(candidate: Candidate, found: Candidates) -> Following | None:
    """The line to follow; None for one that cannot be followed, as it uses more than cards."""
    line = candidate.line
    if any(play.kind is None for play in line.plays):
        return None
    ends_turn = line.position.stopped is None
    return Following(setting=found.search.setting, predicted=found.search.start, plays=line.plays, ends_turn=ends_turn)


def _same_card(wanted: Card, hand: tuple[Card, ...]) -> Card | None:
    """The card in hand now. Its text and cost may have changed with the board: they only tell twins apart."""
    twins = [card for card in hand if (card.id, card.is_upgraded) == (wanted.id, wanted.is_upgraded)]
    alike = [card for card in twins if card.cost == wanted.cost and card.keywords == wanted.keywords]
    same = [card for card in alike if card.description == wanted.description]
    return next(iter(same or alike or twins), None)


def _agreed(predicted: Board, seen: Board) -> Board:
    """The prediction with what it left open as it came out: numbers that may be better, and those of doubtful enemies.

    That such an enemy dies was still part of the line: one that was to be dead and is not makes another board.
    """
    better = predicted.better
    now = {foe.id: foe for foe in seen.foes}
    foes = tuple(_open(foe, now.get(foe.id), damage="damage" in better) for foe in predicted.foes)
    return changed(
        predicted,
        hp=max(predicted.hp, seen.hp) if "hp" in better else predicted.hp,
        block=max(predicted.block, seen.block) if "block" in better else predicted.block,
        energy=max(predicted.energy, seen.energy) if "energy" in better else predicted.energy,
        foes=foes,
    )


def _open(foe: Foe, seen: Foe | None, *, damage: bool) -> Foe:
    if not foe.hp:
        return foe
    if seen is None:
        return changed(foe, hp=0) if damage or foe.doubt else foe
    if foe.doubt:
        return changed(foe, hp=seen.hp, block=seen.block, powers=seen.powers)
    return changed(foe, hp=min(foe.hp, seen.hp)) if damage else foe


def _differing(predicted: Board, seen: Board, setting: Setting, hand: tuple[Card, ...]) -> tuple[str, ...]:
    """In what a board differs from the predicted one, in words with both sides."""
    found = [
        f"own {name} {getattr(predicted, name)} predicted, {getattr(seen, name)} seen"
        for name in ("hp", "block", "energy", "stars", "pet_hp")
        if getattr(predicted, name) != getattr(seen, name)
    ]
    if predicted.orbs != seen.orbs:
        found.append("the orbs differ")
    found += _powers("own powers", predicted.powers, seen.powers)
    foes = {foe.id: foe for foe in seen.foes}
    for foe in predicted.alive:
        found += _foe(foe, foes.pop(foe.id, None))
    found += [f"enemy {foe} is there and was not predicted" for foe in foes]
    return (*found, *_hand(predicted, setting, hand))


def _foe(predicted: Foe, seen: Foe | None) -> list[str]:
    if seen is None:
        return [f"enemy {predicted.id} is gone"]
    found = [
        f"enemy {predicted.id} {name} {getattr(predicted, name)} predicted, {getattr(seen, name)} seen"
        for name in ("hp", "block")
        if getattr(predicted, name) != getattr(seen, name)
    ]
    return found + _powers(f"enemy {predicted.id} powers", predicted.powers, seen.powers)


def _powers(what: str, predicted: Powers, seen: Powers) -> list[str]:
    if predicted == seen:
        return []
    differ = sorted(set(predicted) ^ set(seen))
    names = ", ".join(dict.fromkeys(power for power, _ in differ))
    return [f"{what} differ: {names}"]


def _hand(predicted: Board, setting: Setting, hand: tuple[Card, ...]) -> list[str]:
    wanted: Counter[tuple[str, bool]] = Counter()
    for kind, count in enumerate(predicted.hand):
        card = setting.kinds[kind].card
        wanted[card.id, card.is_upgraded] += count
    shown = Counter((card.id, card.is_upgraded) for card in hand)
    differ = (wanted - shown) + (shown - wanted)
    return [f"the hand differs: {', '.join(sorted(card for card, _ in differ))}"] if differ else []
