"""Which move a monster makes next, from a pattern written down as data."""

from random import Random
from typing import Any, cast


class Pattern:
    """A monster's moves: a chain of fixed or weighted steps, or a pool with limits."""

    def __init__(self, data: dict[str, Any], dice: Random, position: int, of: int) -> None:
        self._data = data
        self._dice = dice
        self._history: list[str] = []
        self._stunned = False
        self.move = self._first(position, of)

    @property
    def stunned(self) -> bool:
        """Whether the coming turn is lost."""
        return self._stunned

    def _first(self, position: int, of: int) -> str:
        first = self._data["first"]
        if isinstance(first, dict):
            roles = cast("dict[str, str]", first)
            if "by_place" in roles:
                places = cast("list[str]", roles["by_place"])
                return places[position % len(places)]
            if "odd" in roles:
                return roles["odd" if position % 2 == 0 else "even"]
            role = "alone" if of == 1 else "front" if position == 0 else "back" if position == of - 1 else "middle"
            return roles.get(role) or roles["back"]
        return self._pick(first)

    def _pick(self, choice: object) -> str:
        return choice if isinstance(choice, str) else self._dice.choice(cast("list[str]", choice))

    def advance(self) -> None:
        """The move has been made; roll the next one."""
        if self._stunned:
            self._stunned = False
            return
        self._history.append(self.move)
        if "pool" in self._data:
            allowed = [move for move in self._data["pool"] if self._allowed(move)]
            self.move = self._pick(allowed) if allowed else self._longest_unused()
        else:
            self.move = self._pick(self._data["chain"][self.move])

    def _longest_unused(self) -> str:
        """What comes when every move is on cooldown: the one that was made longest ago."""
        pool: list[str] = self._data["pool"]
        newest_first = self._history[::-1]
        return max(pool, key=lambda move: newest_first.index(move) if move in newest_first else len(newest_first))

    def _allowed(self, move: str) -> bool:
        history = self._history
        run = 0
        for earlier in reversed(history):
            if earlier != move:
                break
            run += 1
        data = self._data
        within = data.get("cooldown", {}).get(move)
        return (
            run < data.get("max_run", {}).get(move, 1)
            and history.count(move) < data.get("limit", {}).get(move, len(history) + 1)
            and (within is None or move not in history[-within:])
        )

    def stun(self) -> None:
        """Lose the coming turn; the move stays for the one after."""
        self._stunned = True

    def force(self, move: str) -> None:
        """Make this the coming move."""
        self.move = move
