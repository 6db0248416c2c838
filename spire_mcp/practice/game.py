"""The practice game as the bridge shows it: actions are taken at once, and become visible piece by piece."""

import time
from collections import deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from spire_mcp.practice.actions import ActionCrashed, ActionRefused, act
from spire_mcp.practice.render import render
from spire_mcp.practice.rooms import open_chest
from spire_mcp.practice.run import PracticeRun

Json = dict[str, Any]
Answer = tuple[int, Json]

_FIGHTS = ("monster", "elite", "boss", "hand_select")
_ROOMS = ("rest_site", "shop", "treasure")


class PracticeGame:
    """A run and what is visible of it at a moment.

    An accepted action changes the run at once, and the states between before and after are laid out in time. While some
    of them are still to come, an action that the visible screen would allow is accepted and silently lost, as it is by
    the game's queue. A room that was just entered is shown before its buttons work: for one `delay` more the choices of
    a rest site and the way out are refused.
    """

    def __init__(
        self,
        *,
        seed: str = "practice",
        language: str = "eng",
        delay: float = 0.15,
        start: str = "fight",
        clock: Callable[[], float] = time.monotonic,
        run_id: str | None = None,
        act: str = "overgrowth",
        character: str = "IRONCLAD",
    ) -> None:
        self.run = PracticeRun(seed, start=start, act=act, character=character)
        self.language = language
        self.delay = delay
        self.run_id = run_id
        self.popup = False
        self._clock = clock
        self._frames: deque[tuple[float, Json]] = deque()
        self._ready = float("-inf")
        self._visible = render(self.run, language)

    def state(self) -> Json:
        """What GET shows now. Looking at a closed chest opens it."""
        self._advance()
        if self.popup:
            options = [{"name": "ok", "enabled": True}]
            return {"state_type": "menu", "menu_screen": "popup", "message": "Popup.", "body": None, "options": options}
        if not self._frames and self.run.screen == "treasure" and self.run.chest is None:
            before = self._visible
            open_chest(self.run)
            self._lay_out([before, {**before, "treasure": {"can_proceed": False}}])
            self._advance()
        return deepcopy(self._visible)

    def settle(self) -> None:
        """Let everything that is laid out in time have happened."""
        while self._frames:
            self._visible = self._frames.popleft()[1]

    def _advance(self) -> None:
        now = self._clock()
        while self._frames and self._frames[0][0] <= now:
            self._visible = self._frames.popleft()[1]

    def post(self, body: Json, *, extra_delay: float = 0.0) -> Answer:
        """Take an action; returns the HTTP status and the answer."""
        self._advance()
        action = body.get("action")
        if self.popup:
            if action == "menu_select" and body.get("option") == "ok":
                self.popup = False
                return 200, {"status": "ok", "message": "Selected popup option: ok"}
            return 200, {"status": "error", "error": "Blocking popup active. Use menu_select."}
        if self._frames:
            return self._while_moving(body)
        before = self._visible
        if self._clock() < self._ready and self.run.screen in _ROOMS:
            if action == "choose_rest_option" and "index" in body:
                return 200, {"status": "error", "error": "Rest site room is not open"}
            if action == "proceed":
                return 200, {"status": "error", "error": "No proceed button available or enabled"}
        try:
            message = act(self.run, body)
        except ActionRefused as refusal:
            return 200, {"status": "error", "error": str(refusal)}
        except ActionCrashed as crash:
            return 500, {"error": f"Action failed: {crash}"}
        self._lay_out(_pieces(before, render(self.run, self.language), str(action)), extra_delay)
        if action == "choose_map_node":
            self._ready = self._frames[-1][0] + self.delay
        return 200, {"status": "ok", "message": message}

    def _while_moving(self, body: Json) -> Answer:
        """An action in the middle of another one: judged by what is visible, and lost when it is accepted."""
        battle = self._visible.get("battle")
        action = body.get("action")
        if battle is not None and action in {"play_card", "end_turn"} and not battle["is_play_phase"]:
            return 200, {"status": "error", "error": "Not in play phase"}
        hand = self._visible.get("player", {}).get("hand", [])
        index = body.get("card_index")
        playable = action == "play_card" and isinstance(index, int) and 0 <= index < len(hand)
        if playable or action in {"choose_map_node", "claim_reward"}:
            return 200, {"status": "ok", "message": "Queued"}
        return 200, {"status": "error", "error": "Player actions are currently disabled"}

    def _lay_out(self, between: list[Json], extra_delay: float = 0.0) -> None:
        """Make the states between visible one after the other, and then the run as it is."""
        states = [*between, render(self.run, self.language)]
        slow = 3.0 if any(state.get("battle", {}).get("turn") == "enemy" for state in between) else 1.0
        step = self.delay * slow / len(states)
        now = self._clock() + extra_delay
        for number, state in enumerate(states, start=1):
            self._frames.append((now + step * number, state))


def _pieces(before: Json, after: Json, action: str) -> list[Json]:
    """The states on the way from one to another, as the game shows them."""
    if before["state_type"] not in _FIGHTS:
        return [before, *_arriving(before, after)]
    if action == "end_turn":
        return _end_turn_pieces(before, after)
    if after["state_type"] in _FIGHTS:
        return [_card_gone_first(before, after)]
    if after["state_type"] == "card_select":
        return []
    return [_fight_ended(before)]


def _arriving(before: Json, after: Json) -> list[Json]:
    """A room that is shown before it is ready.

    A fight without its battle, a shop without its shelves, an event whose options come after its name.
    """
    kind = after["state_type"]
    common = {key: after[key] for key in ("run", "player") if key in after}
    if kind in {"monster", "elite", "boss"}:
        return [_fight_ended(after)]
    if kind == "shop" and before["state_type"] == "map":
        return [{"state_type": kind, "shop": {"items": [], "can_proceed": False, "error": "Not ready"}, **common}]
    if kind == "event" and not after["event"]["in_dialogue"]:
        old: list[Json] = before["event"]["options"] if before["state_type"] == "event" else []
        return [{"state_type": kind, "event": {**after["event"], "options": old}, **common}]
    return []


def _card_gone_first(before: Json, after: Json) -> Json:
    """The card has left the hand and is paid for; damage, block and powers are still to come."""
    half = deepcopy(after)
    half["battle"] = deepcopy(before["battle"])
    for key in ("hp", "block", "status"):
        half["player"][key] = before["player"][key]
    return half


def _end_turn_pieces(before: Json, after: Json) -> list[Json]:
    enemies = deepcopy(before)
    enemies["state_type"] = enemies["state_type"] if enemies["state_type"] != "hand_select" else "monster"
    enemies["battle"] |= {"turn": "enemy", "is_play_phase": False}
    enemies["player"]["hand"] = []
    if after["state_type"] not in _FIGHTS:
        return [enemies, _fight_ended(before)]
    drawing = deepcopy(after)
    drawing["battle"]["is_play_phase"] = False
    drawing["player"]["hand"] = drawing["player"]["hand"][:2]
    return [enemies, drawing]


def _fight_ended(before: Json) -> Json:
    """Just after the last kill: the fight's screen without a fight."""
    kind = before["state_type"] if before["state_type"] in {"elite", "boss"} else "monster"
    ended = {key: deepcopy(before[key]) for key in ("run", "player")}
    for key in ("energy", "max_energy", "hand"):
        ended["player"].pop(key, None)
    for pile in ("draw", "discard", "exhaust"):
        ended["player"].pop(f"{pile}_pile", None)
        ended["player"].pop(f"{pile}_pile_count", None)
    return {"state_type": kind, "message": "Combat ended. Waiting for rewards...", **ended}
