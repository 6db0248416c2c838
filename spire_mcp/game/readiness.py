"""Whether a screen can be acted on now, or the game is still moving (bridge-contract-detail.md, section 4)."""

from dataclasses import dataclass
from typing import assert_never

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """`ready`, or what is still being waited for."""

    ready: bool
    waiting_for: str = ""


_READY = Readiness(ready=True)


def _wait(what: str) -> Readiness:
    return Readiness(ready=False, waiting_for=what)


def readiness(observation: Observation) -> Readiness:
    """Whether someone can act on this screen now. Being at rest (two equal reads) is judged elsewhere."""
    match observation.screen:
        case Combat() as combat:
            return _combat(combat)
        case MapScreen(next_options=options):
            if observation.player is not None and observation.player.hand is not None:
                return _wait("the map that was opened over a fight to be closed")
            return _READY if options else _wait("the map to offer a node")
        case Event(options=options, in_dialogue=in_dialogue):
            return _READY if options or in_dialogue else _wait("the event's options")
        case RestSite(options=options, can_proceed=can_proceed):
            return _READY if options or can_proceed else _wait("the rest to finish")
        case Treasure(relics=relics, can_proceed=can_proceed):
            return _READY if relics or can_proceed else _wait("the chest to open")
        case Shop(error=error) | FakeMerchant(shop=Shop(error=error)):
            return _wait("the merchant's inventory") if error else _READY
        case Overlay() | Unknown():
            return _wait(f"the screen {observation.state_type!r} to pass")
        case CardReward(cards=cards, can_skip=can_skip):
            return _READY if cards or can_skip else _wait("the cards of the reward")
        case Rewards() | CardSelect() | BundleSelect() | RelicSelect() | CrystalSphere() | GameOver() | Menu():
            return _READY
        case _ as never:
            assert_never(never)


def _combat(combat: Combat) -> Readiness:
    battle = combat.battle
    if battle is None or battle.error:
        return _wait("the fight to be set up, or its rewards")
    if combat.hand_select is not None:
        return _READY if combat.hand_select.cards or combat.hand_select.can_confirm else _wait("the hand to be shown")
    if battle.turn != "player":
        return _wait("the enemies' turn to end")
    if not battle.is_play_phase or battle.player_actions_disabled:
        return _wait("the play phase")
    if not battle.living_enemies:
        return _wait("the fight to end")
    return _READY
