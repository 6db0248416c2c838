"""What an action is predicted to lead to, as far as it is certain, and how a reading differs from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from spire_mcp.game.screens import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedEnemy:
    """An enemy as it must stand afterwards; `hp` 0 means that it is gone. None: not known."""

    hp: int | None = None
    block: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The certain part of a prediction. A field that is None, or an enemy that is not named, is not predicted.

    `fight_over`: the action ends the fight, so that no later fight state will show the rest.
    """

    hp: int | None = None
    block: int | None = None
    energy: int | None = None
    enemies: Mapping[int, ExpectedEnemy] = field(default_factory=dict[int, ExpectedEnemy])
    fight_over: bool = False

    def differences(self, after: Observation) -> tuple[str, ...]:
        """Each predicted number that `after` does not show, in words; empty when all of them came true."""
        if self.fight_over:
            return () if not after.enemies else ("the fight was to be over",)
        if after.player is None or after.battle is None:
            return ()
        found: list[str] = []
        for name in ("hp", "block", "energy"):
            wanted: int | None = getattr(self, name)
            seen: int | None = getattr(after.player, name)
            if wanted is not None and seen != wanted:
                found.append(f"own {name} {wanted} predicted, {seen} seen")
        living = {enemy.combat_id: enemy for enemy in after.enemies}
        for combat_id, enemy in self.enemies.items():
            found.extend(_enemy_differences(combat_id, enemy, living))
        return tuple(found)


_OF_ENEMY: Final = re.compile(r"enemy (-?\d+) ")


def enemy_of(difference: str) -> int | None:
    """The combat ID of the enemy that a difference is about; None where it is about the player or the whole fight."""
    found = _OF_ENEMY.match(difference)
    return int(found.group(1)) if found is not None else None


def _enemy_differences(combat_id: int, wanted: ExpectedEnemy, living: Mapping[int | None, object]) -> list[str]:
    seen = living.get(combat_id)
    if wanted.hp == 0:
        return [] if seen is None else [f"enemy {combat_id} was to die"]
    if seen is None:
        return [f"enemy {combat_id} is gone"]
    found: list[str] = []
    for name in ("hp", "block"):
        number: int | None = getattr(wanted, name)
        shown: int | None = getattr(seen, name)
        if number is not None and shown != number:
            found.append(f"enemy {combat_id} {name} {number} predicted, {shown} seen")
    return found
