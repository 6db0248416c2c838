"""What actions inside a fight must change."""

from collections import Counter

from spire_mcp.game.effects.change import Change, names_in_piles, same_cards
from spire_mcp.game.parts import Card, Player
from spire_mcp.game.screens import CardSelect, Combat, HandSelect


def card_left_hand(change: Change) -> str | None:
    """One card less of this kind in hand; or as many, where the play drew another one and the piles have moved."""
    card, players = change.card, change.players
    if card is None or players is None or players[0].hand is None or players[1].hand is None:
        return None
    before, after = players
    if same_cards(after.hand or (), card) < same_cards(before.hand or (), card):
        return f"{card.id} left the hand"
    return f"{card.id} was played and drawn again" if _drew_its_like(before, after) else None


def _drew_its_like(before: Player, after: Player) -> bool:
    """Whether cards came to the hand and none left it, while the piles changed: a draw, perhaps with a shuffle.

    A card of another kind that is missing was played in its place, which proves nothing about this one.
    """
    held = Counter((card.id, card.is_upgraded) for card in before.hand or ())
    holds = Counter((card.id, card.is_upgraded) for card in after.hand or ())
    return not held - holds and _piles(before) != _piles(after)


def _piles(player: Player) -> tuple[int | None, int | None, int | None]:
    return player.draw_pile_count, player.discard_pile_count, player.exhaust_pile_count


def cost_paid(change: Change) -> str | None:
    """Energy fell by the cost, or to what arithmetic is certain of; an unmodelled card must at least lie in a pile."""
    card, players = change.card, change.players
    if card is None or players is None:
        return None
    before, after = players
    if before.energy is None or after.energy is None or not _stars_paid(card, before, after):
        return None
    seen = f"energy {before.energy} to {after.energy}"
    certain = change.expected.energy if change.expected is not None else None
    if certain is not None:
        return seen if after.energy == certain else None
    cost = before.energy if card.is_x_cost else card.energy_cost
    if cost is None or after.energy == before.energy - cost:
        return seen
    more = names_in_piles(after)[card.name] > names_in_piles(before)[card.name]
    gained = after.energy > before.energy - cost
    return (
        f"{seen}; what the card does to energy is not modelled" if gained and (more or card.type == "Power") else None
    )


def _stars_paid(card: Card, before: Player, after: Player) -> bool:
    text = (card.star_cost or "").strip()
    if not text.isdigit() or before.stars is None or after.stars is None or int(text) == 0:
        return True
    return after.stars < before.stars


def no_other_card_left(change: Change) -> str | None:
    """No card of another kind is missing from the hand, so that it is clear which one was paid for."""
    card, players = change.card, change.players
    if card is None or players is None:
        return None
    held = Counter((other.id, other.is_upgraded) for other in players[0].hand or ())
    holds = Counter((other.id, other.is_upgraded) for other in players[1].hand or ())
    missing = held - holds
    del missing[card.id, card.is_upgraded]
    return None if missing else "no other card left the hand"


def round_changed(change: Change) -> str | None:
    """Another round of the fight is running."""
    before, after = change.before.battle, change.after.battle
    if before is None or after is None or before.round == after.round:
        return None
    return f"round {before.round} to {after.round}"


def fight_over(change: Change) -> str | None:
    """The fight gave way to a screen that comes after it."""
    return f"the fight is over: {change.after.state_type}" if change.fight_is_over else None


def round_advanced(change: Change) -> str | None:
    """The next round has begun and it is the player's turn."""
    before, after = change.before.battle, change.after.battle
    if before is None or after is None or after.turn != "player":
        return None
    return f"round {before.round} to {after.round}" if after.round == before.round + 1 else None


def selection_opened(change: Change) -> str | None:
    """A choice of cards is asked for that was not asked for before."""
    return f"a choice opened: {change.after.state_type}" if change.selection_is_open else None


def potion_gone(change: Change) -> str | None:
    """The potion is no longer in its slot, and the others are."""
    potion, players = change.potion, change.players
    if potion is None or players is None:
        return None
    before = {(other.slot, other.id) for other in players[0].potions}
    after = {(other.slot, other.id) for other in players[1].potions}
    fewer = len(players[1].potions) < len(players[0].potions)
    gone = before - after == {(potion.slot, potion.id)}
    return f"{potion.id} left slot {potion.slot}" if gone and fewer else None


def potion_replaced(change: Change) -> str | None:
    """Another potion lies in the slot: one that fills the belt fills its own place too."""
    potion, players = change.potion, change.players
    if potion is None or players is None:
        return None
    now = next((other for other in players[1].potions if other.slot == potion.slot), None)
    filled = now is not None and now.id != potion.id and len(players[1].potions) >= len(players[0].potions)
    return f"{potion.id} gave way to {now.id} in slot {potion.slot}" if filled and now is not None else None


def card_picked(change: Change) -> str | None:
    """The card is no longer selectable and is listed as picked, or the choice has ended."""
    before, after = _hand_select(change.before.screen), _hand_select(change.after.screen)
    if before is None:
        return None
    if after is None:
        return "the choice has ended" if _goes_on(change) else None
    index = change.number("card_index")
    card = next((card for card in before.cards if card.index == index), None)
    if card is None or same_cards(after.cards, card) >= same_cards(before.cards, card):
        return None
    return f"{card.id} is picked" if len(after.selected_cards) > len(before.selected_cards) else None


def choice_ended(change: Change) -> str | None:
    """The choice among cards in hand is gone, or another one has taken its place."""
    before, after = _hand_select(change.before.screen), _hand_select(change.after.screen)
    if before is None:
        return None
    if after is None:
        return "the choice has ended" if _goes_on(change) else None
    return "another choice has taken its place" if (after.prompt, after.mode) != (before.prompt, before.mode) else None


def _goes_on(change: Change) -> bool:
    """Whether the fight visibly goes on in the player's turn, asks for other cards, or is over.

    A popup, a map over the fight or a transition hides the choice and proves nothing about it.
    """
    battle = change.after.battle
    if battle is not None:
        return battle.error is None and battle.turn == "player"
    return isinstance(change.after.screen, CardSelect) or change.fight_is_over


def _hand_select(screen: object) -> HandSelect | None:
    return screen.hand_select if isinstance(screen, Combat) else None
