"""The end of the player's turn and the enemies' turn, as far as it is certain (combat-rules.md, section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from spire_mcp.combat.board import Board, Foe, Setting, amount, changed, replace_foe, with_power
from spire_mcp.combat.hits import gain_block, lose_hp, wound
from spire_mcp.combat.orbs import passives

_SHELLS: Final = {"ORICHALCUM": 6, "FAKE_ORICHALCUM": 3}
"""Block of relics for a turn that ends without any."""

_SAVING: Final = frozenset({"hp", "block", "damage", "energy"})
"""Numbers that could save us, where they may be better than computed."""

Dies = Literal["yes", "no", "unknown"]

_LATE: Final = frozenset({"turn_end", "damage", "hit", "turn_start"})


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """What ending the turn on a board leads to. `after` is the next player turn as far as it is known.

    `incoming` is the displayed damage of all living enemies before block, by enemy and in all. `hp_lost` counts from
    the board on which the turn was ended; it is what is certain, and `unknown` says what could add to it.
    """

    after: Board
    incoming: int
    by_enemy: Mapping[int, int]
    hp_lost: int
    dies: Dies
    unknown: tuple[str, ...]
    lasting_block: int | None


def end_turn(position: Board, setting: Setting) -> TurnEnd:
    """End the turn on this board."""
    start = position
    unknown = list(position.unknown)
    unknown += [doubt for doubt in setting.doubts if setting.touches & _LATE and doubt not in unknown]
    unknown += _strangers(position, setting)
    position = _own_end(position, setting)
    if "turn_end" in setting.better:
        position = changed(position, better=position.better | setting.better["turn_end"])
    if position.stopped is not None and position.stopped != start.stopped:
        unknown.append(position.stopped)
        position = changed(position, stopped=start.stopped)
    by_enemy = {foe.id: sum(attack.damage * attack.hits for attack in foe.attacks) for foe in position.alive}
    position = _poison(position, setting)
    for foe in position.alive:
        if foe.intent_doubt:
            unknown.append(f"{setting.names[foe.id]}: {foe.intent_doubt}")
        if foe.danger:
            unknown.append(f"{setting.names[foe.id]}: {foe.danger}")
        position = _acts(position, setting, foe.id)
        if position.lost:
            break
    position = _next_start(position)
    unknown += position.unknown
    dies: Dies = "yes" if position.lost else "unknown" if unknown else "no"
    if dies == "yes" and position.better & _SAVING:
        dies = "unknown"
    return TurnEnd(
        after=position,
        incoming=sum(by_enemy.values()),
        by_enemy=by_enemy,
        hp_lost=start.hp - position.hp,
        dies=dies,
        unknown=tuple(dict.fromkeys(unknown)),
        lasting_block=position.block if amount(position.powers, "BARRICADE") else 0,
    )


def _own_end(position: Board, setting: Setting) -> Board:
    """Plating, Ethereal cards, cards that act in hand, Constrict, Regen: in this order."""
    kept = tuple(
        0 if kind.rule is not None and kind.rule.ethereal else count
        for count, kind in zip(position.hand, setting.kinds, strict=True)
    )
    shells = [block for relic, block in _SHELLS.items() if relic in setting.relics]
    gains = shells if position.block == 0 else []
    gains.append(amount(position.powers, "PLATING"))
    gains += [amount(position.powers, "FEEL_NO_PAIN")] * (sum(position.hand) - sum(kept))
    for gained in gains:
        position = gain_block(position, setting, gained)
    position = passives(position, setting)
    position = changed(position, hand=kept)
    for acting in _cards_that_act(position, setting):
        position = _card_acts(position, acting)
        if position.lost:
            return position
    constrict = amount(position.powers, "CONSTRICT")
    if constrict:
        position = lose_hp(position, blockable=constrict)
    regen = amount(position.powers, "REGEN")
    if regen and not position.lost:
        position = changed(position, hp=min(setting.max_hp, position.hp + regen))
    return position


def _strangers(position: Board, setting: Setting) -> list[str]:
    """Cards left in hand that the tables do not know and that may act there, as statuses and curses do."""
    return [
        f"{kind.card.title}: {kind.problem}"
        for count, kind in zip(position.hand, setting.kinds, strict=True)
        if count and kind.rule is None and kind.card.type in {"Status", "Curse"}
    ]


def _next_start(position: Board) -> Board:
    """Poison on the player, which acts when the next turn starts; Intangible has ticked by then."""
    poison = amount(position.powers, "POISON")
    if not poison or position.lost or position.won:
        return position
    if amount(position.powers, "INTANGIBLE"):
        position = changed(position, powers=with_power(position.powers, "INTANGIBLE_POWER", -1))
    return lose_hp(position, direct=poison)


def _cards_that_act(position: Board, setting: Setting) -> list[Mapping[str, Any]]:
    """What the cards left in hand do at the end of the turn, in hand order."""
    acting: list[tuple[int, Mapping[str, Any]]] = []
    for count, kind, places in zip(position.hand, setting.kinds, setting.indices, strict=True):
        if kind.rule is not None and kind.rule.end_of_turn:
            acting += [(place, kind.rule.end_of_turn) for place in places[:count]]
    return [effect for _, effect in sorted(acting, key=lambda entry: entry[0])]


def _card_acts(position: Board, effect: Mapping[str, Any]) -> Board:
    if "damage" in effect:
        return lose_hp(position, blockable=int(effect["damage"]))
    if "hp" in effect:
        return lose_hp(position, direct=int(effect["hp"]))
    if "hp_per_card" in effect:
        return lose_hp(position, direct=int(effect["hp_per_card"]) * sum(position.hand))
    return position


def _poison(position: Board, setting: Setting) -> Board:
    """All block of the enemies goes, then poison acts on each of them before any of them does."""
    for foe in position.alive:
        poison = amount(foe.powers, "POISON")
        foe = changed(foe, block=0)
        position = replace_foe(position, foe)
        if poison:
            foe = changed(foe, powers=with_power(foe.powers, "POISON_POWER", -1))
            position = wound(replace_foe(position, foe), setting, foe, poison)
    return position


def _acts(position: Board, setting: Setting, foe_id: int) -> Board:
    """One enemy's attacks: per hit block, HP, and what strikes back."""
    foe = _living(position, foe_id)
    for attack in foe.attacks if foe is not None else ():
        for _ in range(attack.hits):
            foe = _living(position, foe_id)
            if foe is None or position.lost:
                return position
            thorns = amount(position.powers, "THORNS")
            if thorns:
                position = _strikes_back(position, setting, foe, thorns)
                foe = _living(position, foe_id)
                if foe is None:
                    return position
            # A companion takes what block leaves of an attack; what it cannot take goes on to the player.
            taken = min(position.pet_hp, max(0, attack.damage - position.block))
            if taken:
                position = changed(position, pet_hp=position.pet_hp - taken)
            position = lose_hp(position, blockable=attack.damage - taken)
            barrier = amount(position.powers, "FLAME_BARRIER")
            if barrier and not position.lost:
                position = _strikes_back(position, setting, foe, barrier)
    return position


def _strikes_back(position: Board, setting: Setting, foe: Foe, damage: int) -> Board:
    """What an enemy's own hit costs it. One that also blocks may do so before or after: its intents do not say."""
    if foe.defends:
        foe = changed(foe, doubt=foe.doubt or "it may block before it attacks")
        position = replace_foe(position, foe)
    return wound(position, setting, foe, damage)


def _living(position: Board, foe_id: int) -> Foe | None:
    return next((foe for foe in position.alive if foe.id == foe_id), None)
