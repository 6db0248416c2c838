"""The options of any screen: what the contract makes certain, each identity once."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, assert_never

from spire_mcp.game.identity import digest
from spire_mcp.game.options import fight, menus, rooms
from spire_mcp.game.options.grids import several
from spire_mcp.game.options.model import Option
from spire_mcp.game.readiness import readiness
from spire_mcp.game.screens import (
    BundleSelect,
    CardReward,
    CardSelect,
    Combat,
    CrystalSphere,
    Event,
    FakeMerchant,
    GameOver,
    MapScreen,
    Menu,
    Observation,
    Overlay,
    RelicSelect,
    RestSite,
    Rewards,
    Shop,
    Treasure,
    Unknown,
)

_LONGEST_ID: Final = 64


def list_options(observation: Observation) -> tuple[Option, ...]:
    """What can be done on this screen; nothing while it cannot be acted on.

    Two things that no rule can tell apart are one option; two that differ and would have one name get a suffix each.
    """
    if not readiness(observation).ready:
        return ()
    options = [*_screen(observation), *_potions(observation)]
    meanings: dict[str, set[str]] = {}
    for option in options:
        meanings.setdefault(option.id, set()).add(option.label + option.detail)
    listed: dict[str, Option] = {}
    for option in options:
        identity = option.id
        if len(meanings[identity]) > 1:
            identity += f"~{digest(option.label + option.detail, 4)}"
        if len(identity) > _LONGEST_ID:
            identity = f"{identity[: _LONGEST_ID - 8]}~{digest(identity)}"
        listed.setdefault(identity, replace(option, id=identity))
    return tuple(listed.values())


def find_option(observation: Observation, option_id: str) -> Option | None:
    """The option of this screen with this ID: a listed one, or several cards of a grid chosen together."""
    listed = next((option for option in list_options(observation) if option.id == option_id), None)
    if listed is not None or not readiness(observation).ready:
        return listed
    return several(observation, option_id)


def _screen(observation: Observation) -> Iterable[Option]:  # noqa: C901 - one line for each screen
    player = observation.player
    match observation.screen:
        case Combat(battle=battle, hand_select=select):
            if select is not None:
                return fight.hand_choices(select)
            return fight.turn_options(battle, player) if battle is not None and player is not None else ()
        case Rewards() as screen:
            return rooms.reward_options(screen, player)
        case CardReward() as screen:
            return rooms.card_reward_options(screen)
        case CardSelect() as screen:
            return rooms.card_select_options(screen)
        case BundleSelect() as screen:
            return rooms.bundle_options(screen)
        case RelicSelect() as screen:
            return rooms.relic_options(screen)
        case MapScreen() as screen:
            return rooms.map_options(screen)
        case Event() as screen:
            return rooms.event_options(screen)
        case RestSite() as screen:
            return rooms.rest_options(screen)
        case Shop() as screen:
            return rooms.shop_options(screen, player)
        case FakeMerchant(shop=shop):
            return rooms.shop_options(shop, player)
        case Treasure() as screen:
            return rooms.treasure_options(screen)
        case CrystalSphere() as screen:
            return rooms.sphere_options(screen)
        case GameOver() as screen:
            return menus.game_over_options(screen)
        case Menu() as screen:
            return menus.menu_options(screen)
        case Overlay() | Unknown():
            return ()
        case _ as never:
            assert_never(never)


def _potions(observation: Observation) -> Iterator[Option]:
    """Throwing a potion away is possible on every screen of a run but menus and the end of it."""
    if observation.player is None or isinstance(observation.screen, Menu | GameOver):
        return
    for potion in observation.player.potions:
        yield fight.discard_potion(potion)
