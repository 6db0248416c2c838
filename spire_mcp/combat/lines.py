"""Whole lines of a turn: every order of play, merged where boards meet, up to the first thing that cannot be known."""

from collections.abc import Callable
from dataclasses import dataclass

from spire_mcp.combat.board import Board, Setting
from spire_mcp.combat.enemy_turn import Dies, TurnEnd, end_turn
from spire_mcp.combat.opening import board
from spire_mcp.combat.plays import Play, affordable, play_card, targets_of
from spire_mcp.combat.potions import use_potion
from spire_mcp.game.parts import Potion
from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a line comes to when its turn is ended.

    `hp_lost` is what the line and the enemies' turn cost as far as it is certain; `dies` says whether that is all.
    """

    damage: dict[int, int]
    kills: tuple[int, ...]
    block: int
    hp_lost: int
    dies: Dies
    energy_left: int
    wins: bool
    unknown: tuple[str, ...]
    draws: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: its steps, the board they lead to, and what ending the turn there brings."""

    plays: tuple[Play, ...]
    position: Board
    end: TurnEnd
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Search:
    """The lines of a turn. `complete` is False when a bound on time or positions cut the search short."""

    lines: tuple[Line, ...]
    complete: bool
    visited: int
    start: Board
    setting: Setting


def never() -> bool:
    """No bound on time."""
    return False


def search(
    observation: Observation,
    *,
    node_limit: int = 20_000,
    deadline: Callable[[], bool] = never,
    use_potions: bool = False,
) -> Search:
    """All lines of the rest of this turn, one for each board that play can reach.

    Args:
        observation: a fight in the play phase.
        node_limit: how many boards may be visited.
        deadline: says when time is out.
        use_potions: whether potions may be part of a line.
    """
    start, setting = board(observation)
    potions = observation.player.potions if use_potions and observation.player else ()
    # Boards are visited in order of the number of plays, so a board keeps the shortest line that reaches it.
    reached: dict[Board, tuple[Play, ...]] = {start: ()}
    frontier = [start]
    complete = True
    while frontier:
        following: list[Board] = []
        for position in frontier:
            if len(reached) >= node_limit or deadline():
                complete = False
                break
            for play, after in _steps(position, setting, potions):
                if after not in reached:
                    reached[after] = (*reached[position], play)
                    following.append(after)
        frontier = [] if not complete else following
    lines = [_line(start, setting, position, plays) for position, plays in reached.items()]
    return Search(lines=tuple(lines), complete=complete, visited=len(reached), start=start, setting=setting)


def _steps(position: Board, setting: Setting, potions: tuple[Potion, ...]) -> list[tuple[Play, Board]]:
    if position.stopped or position.lost or position.won:
        return []
    found: list[tuple[Play, Board]] = []
    for kind, count in enumerate(position.hand):
        holding = setting.kinds[kind]
        if not count or not _playable(setting, kind, position):
            continue
        places = setting.indices[kind]
        place = places[len(places) - count]
        for target in targets_of(holding, position):
            play = Play(hand_index=place, target=target, kind=kind)
            found.append((play, play_card(position, setting, kind, target)))
    for potion in potions:
        if potion.slot in position.potions and potion.can_use_in_combat:
            aimed = potion.target_type == "AnyEnemy"
            for target in tuple(foe.id for foe in position.alive) if aimed else (None,):
                play = Play(potion_slot=potion.slot, target=target)
                found.append((play, use_potion(position, setting, potion, target)))
    return found


def _playable(setting: Setting, kind: int, position: Board) -> bool:
    """Whether a card can be played on this board: the bridge's word for now, energy for later."""
    holding = setting.kinds[kind]
    first = position.cards_played == 0
    # EnergyCostTooHigh was recorded; the word for stars was not.
    too_dear = (holding.card.unplayable_reason or "").endswith("CostTooHigh")
    if not holding.card.can_play and (first or not too_dear):
        return False
    # How many cards were played before this line, no state tells: under a limit only the first play is certain.
    held = {kind.card.id for kind, count in zip(setting.kinds, position.hand, strict=True) if count}
    ringing = any(name == "RINGING_POWER" for name, _ in position.powers)
    limited = setting.limits_plays or "NORMALITY" in held or ringing
    return affordable(holding, position) and (first or not limited)


def _line(start: Board, setting: Setting, position: Board, plays: tuple[Play, ...]) -> Line:
    end = _end(position, setting)
    unknown = end.unknown if position.stopped is None else (position.stopped, *end.unknown)
    before = {foe.id: foe.hp for foe in start.foes}
    damage = {foe.id: before[foe.id] - foe.hp for foe in position.foes if foe.hp < before[foe.id]}
    kills = tuple(foe.id for foe in position.foes if foe.hp == 0 and before[foe.id] > 0)
    doubtful = any(foe.doubt for foe in position.foes if foe.hp == 0) or bool(position.unknown)
    won = position.won and not doubtful
    draws = position.cards_only and position.stopped is not None and " draws " in position.stopped
    outcome = Outcome(
        damage=damage,
        kills=kills,
        block=position.block,
        hp_lost=start.hp - end.after.hp,
        dies=_dies(position, end, won=won),
        energy_left=position.energy,
        wins=won,
        unknown=unknown,
        draws=draws,
    )
    return Line(plays=plays, position=position, end=end, outcome=outcome)


def _end(position: Board, setting: Setting) -> TurnEnd:
    """Ending the turn here; a board on which the fight is decided has no enemies' turn."""
    if position.lost or position.won:
        return TurnEnd(
            after=position,
            incoming=0,
            by_enemy={},
            hp_lost=0,
            dies="yes" if position.lost else "no",
            unknown=position.unknown,
            lasting_block=None,
        )
    return end_turn(position, setting)


def _dies(position: Board, end: TurnEnd, *, won: bool) -> Dies:
    """Whether the line ends in death.

    A line that stops at a draw or a choice of cards can still be ended at once, and cards do not take block away, so
    surviving is certain when ending the turn there is; statuses that act in hand could be among them, which the next
    look at the board will show in time. Dying is not certain there, nor after a card that cannot be computed: what
    is not known could still save the turn.
    """
    if position.lost or won:
        return "yes" if position.lost else "no"
    if position.stopped is None or (position.cards_only and end.dies == "no"):
        return end.dies
    return "unknown"
