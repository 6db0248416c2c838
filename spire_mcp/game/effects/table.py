"""The required effect of every action of the contract, as data: what must change, what may, and in what time."""

from dataclasses import dataclass
from typing import Final, Literal

from spire_mcp.game.effects import fight_checks as fight
from spire_mcp.game.effects import room_checks as room
from spire_mcp.game.effects.change import Check

Limit = Literal["play", "end_turn", "travel", "screen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way in which an action can show that it happened: all of its checks hold.

    `unique`: whatever shows these could only have come from this action, so they prove it even when the reply was lost.
    `only_if_certain`: unique only when arithmetic predicted it (a fight that ends).
    """

    checks: tuple[Check, ...]
    unique: bool = False
    only_if_certain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an action must change (one of `ways`), and in words what may change and what must not."""

    ways: tuple[Way, ...]
    may: str
    must_not: str
    limit: Limit = "screen"
    forbids: tuple[Check, ...] = ()
    """the part of `must_not` that a reading can show: any of these holding means that something else happened"""


def _all(*checks: Check, unique: bool = False) -> Way:
    return Way(checks=checks, unique=unique)


_FIGHT_OVER: Final = Way(checks=(fight.fight_over,), only_if_certain=True)

EFFECTS: Final[dict[str, Effect]] = {
    "play_card": Effect(
        ways=(
            _all(fight.card_left_hand, fight.cost_paid, fight.no_other_card_left, unique=True),
            _all(fight.card_left_hand, fight.cost_paid),
            _FIGHT_OVER,
        ),
        may="HP, block, powers, piles, energy beyond the cost, a choice of cards, the end of the fight",
        must_not="another card leaving in its place, the round, the floor",
        limit="play",
        forbids=(fight.round_changed, room.floor_changed),
    ),
    "use_potion": Effect(
        ways=(
            _all(fight.potion_gone, unique=True),
            _all(fight.potion_replaced),
            _all(fight.selection_opened),
        ),
        may="HP, block, powers, piles, energy, a choice of cards, the end of the fight",
        must_not="another potion leaving in its place, the round, the floor",
        limit="play",
        forbids=(fight.round_changed, room.floor_changed),
    ),
    "discard_potion": Effect(
        ways=(_all(fight.potion_gone, unique=True),),
        may="nothing else",
        must_not="another potion leaving in its place",
        forbids=(fight.round_changed, room.floor_changed),
    ),
    "end_turn": Effect(
        ways=(_all(fight.round_advanced, unique=True), _all(fight.selection_opened), _FIGHT_OVER),
        may="everything that the enemies' turn and the next draw change",
        must_not="more than one round, the floor",
        forbids=(room.floor_changed,),
        limit="end_turn",
    ),
    "combat_select_card": Effect(
        ways=(_all(fight.card_picked),),
        may="the confirm button, the end of the choice and all that follows from it",
        must_not="another card picked in its place, the floor",
        limit="play",
        forbids=(room.floor_changed,),
    ),
    "combat_confirm_selection": Effect(
        ways=(_all(fight.choice_ended), _FIGHT_OVER),
        may="everything that the chosen cards' effect changes",
        must_not="the floor",
        limit="play",
        forbids=(room.floor_changed,),
    ),
    "claim_reward": Effect(
        ways=(
            _all(room.gold_rose, room.reward_gone, unique=True),
            _all(room.potion_gained, room.reward_gone, unique=True),
            _all(room.reward_is("relic"), room.relic_gained, room.reward_gone),
            _all(room.reward_is("relic"), room.grid_opened),
            _all(room.reward_is("card"), room.card_choice_opened),
            _all(room.other_reward, room.reward_gone),
            _all(room.other_reward, room.card_choice_opened),
        ),
        may="the order and numbers of the other rewards",
        must_not="another reward leaving in its place, the floor",
        forbids=(room.floor_changed,),
    ),
    "select_card_reward": Effect(
        ways=(_all(room.cards_changed),), may="the screen that follows", must_not="gold, HP, potions"
    ),
    "skip_card_reward": Effect(
        ways=(_all(room.cards_changed),), may="the screen that follows", must_not="gold, potions"
    ),
    "select_reward_alternative": Effect(
        ways=(_all(room.cards_changed),), may="whatever the alternative says", must_not="nothing is known"
    ),
    "proceed": Effect(
        ways=(_all(room.map_opened), _all(room.screen_left)),
        may="the screen that follows",
        must_not="HP, gold, the floor",
        forbids=(room.floor_changed,),
    ),
    "choose_map_node": Effect(
        ways=(_all(room.stands_there, unique=True), _all(room.travelled)),
        may="everything that the new room shows",
        must_not="travelling further than one node",
        limit="travel",
    ),
    "choose_event_option": Effect(
        ways=(_all(room.event_moved_on), _all(room.event_paid)),
        may="whatever the option says",
        must_not="nothing is known",
        limit="travel",
    ),
    "advance_dialogue": Effect(ways=(_all(room.event_moved_on),), may="the options", must_not="HP, gold"),
    "choose_rest_option": Effect(
        ways=(_all(room.rest_taken),), may="HP, the deck, the way out", must_not="gold, the floor"
    ),
    "shop_purchase": Effect(
        ways=(_all(room.bought, unique=True), _all(room.sold, room.relic_gained), _all(room.removal_opened)),
        may="the belt, relics, the deck, what else can be afforded",
        must_not="gold by another amount than the price",
    ),
    "claim_treasure_relic": Effect(
        ways=(_all(room.treasure_relic_taken, unique=True),), may="what the relic does", must_not="the floor"
    ),
    "select_card": Effect(ways=(_all(room.grid_reacted),), may="the preview, the buttons", must_not="HP, gold"),
    "confirm_selection": Effect(
        ways=(_all(room.selection_confirmed),), may="the deck and the screen that follows", must_not="the floor"
    ),
    "cancel_selection": Effect(
        ways=(_all(room.selection_cancelled),), may="the screen that follows", must_not="the deck, HP, gold"
    ),
    "select_bundle": Effect(ways=(_all(room.bundle_reacted),), may="the preview", must_not="the deck"),
    "confirm_bundle_selection": Effect(ways=(_all(room.bundle_taken),), may="the deck", must_not="the floor"),
    "cancel_bundle_selection": Effect(ways=(_all(room.bundle_reacted),), may="the preview", must_not="the deck"),
    "select_relic": Effect(
        ways=(_all(room.relic_picked, room.relic_gained), _all(room.relic_picked)),
        may="what the relic does",
        must_not="the floor",
    ),
    "skip_relic_selection": Effect(ways=(_all(room.relic_picked),), may="the screen that follows", must_not="relics"),
    "crystal_sphere_set_tool": Effect(
        ways=(_all(room.tool_active, unique=True),), may="what is highlighted", must_not="cells, divinations"
    ),
    "crystal_sphere_click_cell": Effect(
        ways=(_all(room.cell_uncovered, unique=True),), may="other cells, rewards", must_not="the floor"
    ),
    "crystal_sphere_proceed": Effect(ways=(_all(room.screen_left),), may="the screen that follows", must_not="HP"),
    "menu_select": Effect(
        ways=(_all(room.menu_moved),),
        may="everything that the entry leads to",
        must_not="nothing is known",
        limit="travel",
    ),
}
