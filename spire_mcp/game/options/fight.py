"""Options inside a fight: cards, potions, the end of the turn, and choices among cards in hand."""

from collections.abc import Iterator
from typing import Final

from spire_mcp.game.options.model import Option, Request
from spire_mcp.game.options.tokens import ascii_id, card_token
from spire_mcp.game.parts import Battle, Card, Enemy, Player, Potion
from spire_mcp.game.screens import HandSelect
from spire_mcp.game.text import clean_text

_AIMED: Final = frozenset({"AnyEnemy"})
_UNAIMED: Final = frozenset({"None", "Self", "AllEnemies", "RandomEnemy", "Osty", "TargetedNoCreature"})


def turn_options(battle: Battle, player: Player) -> Iterator[Option]:
    """What can be done in the play phase."""
    hand = player.hand or ()
    for card in hand:
        if card.can_play:
            yield from _plays(card, card_token(card, hand), battle.living_enemies)
    for potion in player.potions:
        if potion.can_use_in_combat:
            yield from _uses(potion, battle.living_enemies)
    yield Option(
        id="end_turn",
        label="End turn",
        kind="combat",
        requests=(Request(action="end_turn"),),
        trap="the bridge says that the turn cannot be ended now" if battle.can_end_turn is False else None,
    )


def _plays(card: Card, token: str, enemies: tuple[Enemy, ...]) -> Iterator[Option]:
    if card.target_type in _AIMED:
        for enemy, target, suffix in _targets(enemies):
            parameters: dict[str, int | str] = {"card_index": card.index, "target": target}
            yield Option(
                id=f"play:{token}:{suffix}",
                label=f"{clean_text(card.title, 40)} → {enemy_label(enemy)}",
                kind="combat",
                requests=(Request(action="play_card", parameters=parameters),),
            )
        return
    known = card.target_type in _UNAIMED
    yield Option(
        id=f"play:{token}",
        label=clean_text(card.title, 40) + ("" if known else f" (target type {clean_text(card.target_type, 20)})"),
        kind="combat",
        requests=(Request(action="play_card", parameters={"card_index": card.index}),),
        trap=None if known else "how this card takes its target is not known; it has to be played in the game",
    )


def _uses(potion: Potion, enemies: tuple[Enemy, ...]) -> Iterator[Option]:
    name = clean_text(potion.title, 40)
    if potion.target_type in _AIMED:
        for enemy, target, suffix in _targets(enemies):
            parameters: dict[str, int | str] = {"slot": potion.slot, "target": target}
            yield Option(
                id=f"potion:{ascii_id(potion.id)}:{suffix}",
                label=f"Use {name} → {enemy_label(enemy)}",
                kind="combat",
                requests=(Request(action="use_potion", parameters=parameters),),
            )
        return
    yield use_potion(potion)


def use_potion(potion: Potion) -> Option:
    """Using a potion that needs no target."""
    return Option(
        id=f"potion:{ascii_id(potion.id)}",
        label=f"Use {clean_text(potion.title, 40)}",
        kind="combat",
        requests=(Request(action="use_potion", parameters={"slot": potion.slot}),),
    )


def discard_potion(potion: Potion) -> Option:
    """Throwing a potion away: something that the player owns is lost, so only the owner may permit it."""
    return Option(
        id=f"discard_potion:{ascii_id(potion.id)}",
        label=f"Discard {clean_text(potion.title, 40)}",
        kind="restricted",
        requests=(Request(action="discard_potion", parameters={"slot": potion.slot}),),
    )


def _targets(enemies: tuple[Enemy, ...]) -> Iterator[tuple[Enemy, str, str]]:
    """Each enemy with the target to send and its name in an option ID.

    The target is the combat ID as text, which stays with its enemy; an entity ID moves to a twin when one dies. It is
    only used where the bridge gives no combat ID and no twin lives.
    """
    for enemy in enemies:
        if enemy.combat_id is not None:
            yield enemy, str(enemy.combat_id), f"e{enemy.combat_id}"
        elif sum(other.monster_id == enemy.monster_id for other in enemies) == 1:
            yield enemy, enemy.entity_id, ascii_id(enemy.entity_id)


def enemy_label(enemy: Enemy) -> str:
    """An enemy as labels and briefs call it."""
    number = f" (e{enemy.combat_id})" if enemy.combat_id is not None else ""
    return f"{clean_text(enemy.title, 40)}{number}"


def hand_choices(select: HandSelect) -> Iterator[Option]:
    """Cards that a choice inside the fight can still take. Their indices are those of this list, not of the hand."""
    for card in select.cards:
        yield Option(
            id=f"pick:{card_token(card, select.cards)}",
            label=f"Choose {clean_text(card.title, 40)}",
            kind="combat",
            requests=(Request(action="combat_select_card", parameters={"card_index": card.index}),),
        )
    if select.can_confirm:
        yield Option(
            id="confirm",
            label="Confirm the choice",
            kind="combat",
            requests=(Request(action="combat_confirm_selection"),),
        )
