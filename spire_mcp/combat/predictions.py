"""Certain predictions for one action, and for a planner's own line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spire_mcp.combat.board import Board, Setting, amount
from spire_mcp.combat.enemy_turn import TurnEnd, end_turn
from spire_mcp.combat.lines import Line
from spire_mcp.combat.opening import board
from spire_mcp.combat.plays import affordable, play_card
from spire_mcp.combat.potions import use_potion
from spire_mcp.game.expected import Expected, ExpectedEnemy
from spire_mcp.game.options import Option, card_token
from spire_mcp.game.screens import Observation


def forecast(observation: Observation, option: Option) -> Expected | None:
    """The certain numbers right after an option of this observation; None when nothing is certain."""
    if observation.battle is None or observation.battle.error or observation.player is None:
        return None
    position, setting = board(observation)
    match option.action:
        case "play_card" | "use_potion":
            after = _after_option(observation, option, position, setting)
            return None if after is None else _expected_now(after, setting, position)
        case "end_turn":
            return _expected_next_turn(end_turn(position, setting), setting)
        case _:
            return None


def _after_option(observation: Observation, option: Option, position: Board, setting: Setting) -> Board | None:
    target = _target(option, observation)
    if option.action == "use_potion":
        slot = option.parameter("slot")
        potions = observation.player.potions if observation.player else ()
        potion = next((potion for potion in potions if potion.slot == slot), None)
        return None if potion is None else use_potion(position, setting, potion, target)
    index = option.parameter("card_index")
    kind = next((kind for kind, places in enumerate(setting.indices) if index in places), None)
    return None if kind is None else play_card(position, setting, kind, target)


def _target(option: Option, observation: Observation) -> int | None:
    """The enemy that an option is aimed at, as arithmetic numbers it: a combat ID, or a place below zero."""
    target = option.parameter("target")
    if not isinstance(target, str):
        return None
    if target.isdigit():
        return int(target)
    places = (-1 - place for place, enemy in enumerate(observation.enemies) if enemy.entity_id == target)
    return next(places, None)


def _expected_now(after: Board, setting: Setting, before: Board) -> Expected | None:
    if after.won and not after.unknown and after.stopped is None:
        return Expected(fight_over=not any(foe.doubt for foe in after.foes))
    if after.stopped is not None and not after.cards_only:
        return None
    if after.lost:
        return Expected(hp=0, fight_over=True)
    before_certain = {foe.id for foe in before.foes if not foe.doubt}
    certain_damage = not setting.touches & {"damage", "play"} and "damage" not in after.better
    enemies = {
        foe.id: ExpectedEnemy(hp=foe.hp, block=foe.block if foe.hp and not foe.doubt else None)
        for foe in after.foes
        if (not foe.doubt or foe.id in before_certain) and certain_damage and foe.id >= 0
    }
    certain_block = not setting.touches & {"block", "play"} and "block" not in after.better
    certain_energy = not setting.touches & {"energy", "play"} and "energy" not in after.better
    return Expected(
        hp=after.hp if "hit" not in setting.touches and "hp" not in after.better else None,
        block=after.block if certain_block else None,
        energy=after.energy if certain_energy else None,
        enemies=enemies,
    )


def _expected_next_turn(end: TurnEnd, setting: Setting) -> Expected | None:
    if end.after.lost:
        return None
    late = setting.touches & {"turn_end", "turn_start", "damage", "hit"}
    better = end.after.better
    hp = end.after.hp if not late and not end.unknown and not better & {"hp", "block", "damage"} else None
    enemies: dict[int, ExpectedEnemy] = {}
    shaken = setting.touches | better
    for foe in end.after.foes:
        if foe.doubt or foe.next_doubt or foe.id < 0 or late or end.unknown or shaken & {"next_enemies", "damage"}:
            continue
        # Plating falls by one when the enemies' turn starts, except in the first round, and is block when it ends.
        block = None if foe.acts_otherwise else max(0, amount(foe.powers, "PLATING") - (setting.round > 1))
        revives = amount(foe.powers, "ILLUSION") and not foe.hp
        heals = amount(foe.powers, "REGEN")
        if not revives and not heals:
            enemies[foe.id] = ExpectedEnemy(hp=foe.hp, block=block if foe.hp else None)
    unsure = bool(late or end.unknown) and amount(end.after.powers, "BARRICADE") > 0
    keeps = unsure or bool(shaken & {"next_block", "turn_start"})
    return Expected(hp=hp, block=None if keeps else end.lasting_block, enemies=enemies)


def describe(line: Line, setting: Setting) -> dict[str, object]:
    """A line's outcome in plain facts, the same for every line."""
    outcome = line.outcome
    names = setting.names
    facts: dict[str, object] = {
        "plays": [play_name(play.kind, play.potion_slot, play.target, setting) for play in line.plays] or ["end turn"],
        "damage": {names[foe]: damage for foe, damage in outcome.damage.items()},
        "kills": [names[foe] for foe in outcome.kills],
        "block": outcome.block,
        "hp_lost": outcome.hp_lost,
        "dies": outcome.dies,
        "energy_left": outcome.energy_left,
    }
    if outcome.wins:
        facts["wins"] = True
    if outcome.unknown:
        facts["unknown"] = list(outcome.unknown[:3])
    return {key: value for key, value in facts.items() if value not in ({}, [])}


def play_name(kind: int | None, potion_slot: int | None, target: int | None, setting: Setting) -> str:
    """A step of a line as people say it."""
    what = setting.kinds[kind].card.title if kind is not None else setting.potions.get(potion_slot or 0, "a potion")
    return what if target is None else f"{what} → {setting.names.get(target, target)}"


@dataclass(frozen=True, slots=True)
class _Step:
    option: str
    label: str
    after: Board | TurnEnd


def preview(observation: Observation, steps: Sequence[str]) -> dict[str, object]:
    """What a line of option IDs would do, step by step, and ending the turn after it.

    Raises:
        ValueError: a step is no play that can follow; says which.
    """
    position, setting = board(observation)
    shown: list[dict[str, object]] = []
    ended: TurnEnd | None = None
    for number, option_id in enumerate(steps, start=1):
        if ended is not None:
            raise ValueError(f"step {number} comes after the end of the turn, where the hand is not known")
        if option_id == "end_turn":
            ended = end_turn(position, setting)
            shown.append(_shown_end(position, ended, setting))
            continue
        before, position = position, _preview_step(observation, position, setting, option_id, number)
        expected = _expected_now(position, setting, before)
        shown.append(_shown(position, expected, option_id, _label(observation, setting, option_id)))
    end = ended or end_turn(position, setting)
    unknown = [] if position.stopped is None else [position.stopped]
    return {
        "steps": shown,
        "end_of_turn": {
            "incoming": end.incoming,
            "hp_lost": end.hp_lost,
            "dies": end.dies if not unknown or position.lost else "unknown",
            "unknown": [*unknown, *end.unknown],
        },
    }


def _preview_step(observation: Observation, position: Board, setting: Setting, option_id: str, number: int) -> Board:
    """One play of a line. Only a draw leaves the cards that were in hand as they were, so that a line can go on."""
    drawn = position.stopped if position.cards_only and " draws " in (position.stopped or "") else None
    going_on = replace(position, stopped=position.stopped if drawn is None else None, cards_only=False)
    after = _preview_play(observation, going_on, setting, option_id, number)
    if drawn is None or after.stopped is not None:
        return after
    return replace(after, stopped=drawn, cards_only=True)


def _preview_play(observation: Observation, position: Board, setting: Setting, option_id: str, number: int) -> Board:
    parts = option_id.split(":")
    target = _named_target(parts, observation)
    if parts[0] == "potion" and len(parts) > 1 and observation.player is not None:
        potion = next((p for p in observation.player.potions if p.id == parts[1] and p.slot in position.potions), None)
        if potion is not None:
            return use_potion(position, setting, potion, target)
    if parts[0] == "play" and len(parts) > 1:
        kind = _kind_of(observation, setting, position, parts[1])
        if kind is not None:
            holding = setting.kinds[kind]
            aimed = holding.card.target_type == "AnyEnemy"
            if not affordable(holding, position):
                raise ValueError(f"step {number}, {option_id!r:.60}: there is not enough energy left for it")
            if aimed and target not in {foe.id for foe in position.alive}:
                raise ValueError(f"step {number}, {option_id!r:.60}: it needs a living enemy as its target")
            return play_card(position, setting, kind, target)
    raise ValueError(f"step {number}, {option_id!r:.60}, is no play of this hand")


def _kind_of(observation: Observation, setting: Setting, position: Board, token: str) -> int | None:
    hand = observation.hand
    for kind, count in enumerate(position.hand):
        if count and any(card_token(hand[place], hand) == token for place in setting.indices[kind]):
            return kind
    return None


def _named_target(parts: Sequence[str], observation: Observation) -> int | None:
    """The enemy that an option ID names in its third part: `e` and a combat ID, or an entity ID."""
    if len(parts) < 3:
        return None
    if parts[2].startswith("e") and parts[2][1:].isdigit():
        return int(parts[2][1:])
    places = (-1 - place for place, enemy in enumerate(observation.enemies) if enemy.entity_id == parts[2])
    return next(places, None)


def _label(observation: Observation, setting: Setting, option_id: str) -> str:
    """The step in the game's own names."""
    parts = option_id.split(":")
    target = _named_target(parts, observation)
    hand = observation.hand
    potions = observation.player.potions if observation.player else ()
    titles = {card_token(card, hand): card.title for card in hand} | {potion.id: potion.title for potion in potions}
    name = titles.get(parts[1], parts[1]) if len(parts) > 1 else option_id
    return name if target is None else f"{name} → {setting.names.get(target, target)}"


def _shown(position: Board, expected: Expected | None, option_id: str, label: str) -> dict[str, object]:
    unknown = [{"what": "the rest of the line", "why": position.stopped}] if position.stopped else []
    unknown += [{"what": "what follows", "why": why} for why in position.unknown]
    player: dict[str, object] = {}
    enemies: list[dict[str, object]] = []
    if expected is not None and not expected.fight_over:
        numbers = {"hp": expected.hp, "block": expected.block, "energy": expected.energy}
        player = {key: value for key, value in numbers.items() if value is not None}
        enemies = [_enemy(foe, wanted) for foe, wanted in expected.enemies.items()]
    elif expected is not None:
        player = {"hp": position.hp}
        enemies = [{"combat_id": foe.id, "hp": 0} for foe in position.foes if foe.hp == 0]
    elif not unknown:
        unknown = [{"what": "every number", "why": "nothing about this step is certain"}]
    return {
        "option": option_id,
        "label": label,
        "predicted": {"player": player, "enemies": enemies},
        "unknown": unknown,
    }


def _enemy(combat_id: int, wanted: ExpectedEnemy) -> dict[str, object]:
    entry: dict[str, object] = {"combat_id": combat_id}
    if wanted.hp is not None:
        entry["hp"] = wanted.hp
    if wanted.block is not None:
        entry["block"] = wanted.block
    return entry


def _shown_end(position: Board, end: TurnEnd, setting: Setting) -> dict[str, object]:
    expected = _expected_next_turn(end, setting) if position.stopped is None else None
    player: dict[str, object] = {}
    enemies: list[dict[str, object]] = []
    if expected is not None:
        numbers = {"hp": expected.hp, "block": expected.block}
        player = {key: value for key, value in numbers.items() if value is not None}
        enemies = [_enemy(foe, wanted) for foe, wanted in expected.enemies.items()]
    unknown = [*([] if position.stopped is None else [position.stopped]), *end.unknown]
    return {
        "option": "end_turn",
        "label": "End turn",
        "predicted": {"player": player, "enemies": enemies},
        "unknown": [{"what": "the next turn", "why": why} for why in unknown],
    }
