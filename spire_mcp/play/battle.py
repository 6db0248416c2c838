"""The fight loop: settle, decide, one verified action, look again; until it is over or a decision is the planner's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spire_mcp.game.options import list_options
from spire_mcp.game.screens import CardSelect, Combat, GameOver, Menu, Observation, Overlay, Unknown
from spire_mcp.play.brief import decision_brief, fight_brief
from spire_mcp.play.loop import Ending, Loop, Stop, hand_over
from spire_mcp.play.memory import Memory
from spire_mcp.policy.solver import Handover, decide
from spire_mcp.settings import BattleSettings

Where = Literal["fight", "choice", "over", "left", "elsewhere"]
_NO_STRATEGY = "-"


@dataclass(slots=True, kw_only=True)
class Battle:
    """One call of `battle`."""

    loop: Loop
    settings: BattleSettings
    run_id: Callable[[Observation], str | None]
    max_steps: int

    def play(self) -> Ending:
        """Play until an ending. Raises Stop and SpireError for `loop.run` to turn into one."""
        start = self.loop.settle()
        where = _where(start, start)
        if where not in {"fight", "choice"}:
            raise hand_over("wrong_screen", decision_brief(start, f"no fight is running: {start.state_type}"))
        run_id = self.run_id(start)
        self.loop.run_id = run_id
        memory = Memory.load(self.loop.controller.folder, start, run_id)
        self.loop.decks.see(start, run_id)
        observation = start
        while True:
            where = _where(start, observation)
            if where != "fight":
                return self._ending(where, observation)
            if len(self.loop.actions) >= self.max_steps:
                return Ending(outcome="step_limit", brief={"why": f"{self.max_steps} steps are done"})
            self._check_repeated(memory, observation)
            self._check_hp(memory, start, observation)
            self._step(memory, observation)
            observation = self.loop.settle()

    def _step(self, memory: Memory, observation: Observation) -> None:
        chosen = decide(observation, nodes=self.settings.search_nodes)
        if isinstance(chosen, Handover):
            raise self._handed_over(memory, observation, chosen)
        memory.acting_on(observation.state_id, _NO_STRATEGY)
        self.loop.act(chosen.option.id, by="program", decision=chosen.record, why=chosen.why)

    def _handed_over(self, memory: Memory, observation: Observation, found: Handover) -> Stop:
        memory.handing_over(observation.state_id, found.reason)
        more: dict[str, object] = {"lethal": found.lethal} if found.lethal is not None else {}
        return hand_over(
            found.reason,
            fight_brief(
                found.why,
                found=found.found,
                certain=found.danger.certain,
                uncertain=found.danger.uncertain,
                done=len(self.loop.actions),
                **more,
            ),
        )

    def _check_repeated(self, memory: Memory, observation: Observation) -> None:
        if memory.has_acted_on(observation.state_id, _NO_STRATEGY):
            why = "this very state was acted on before in this fight, so going on would go in circles"
            raise hand_over("repeated_state", fight_brief(why, done=len(self.loop.actions)))

    def _check_hp(self, memory: Memory, start: Observation, observation: Observation) -> None:
        """Hand over once when HP falls below the set share during this call; a planner that goes on has decided."""
        if start.player is None or observation.player is None:
            return
        player = observation.player
        line = self.settings.low_hp * player.max_hp
        if not player.hp < line <= start.player.hp or memory.handed_over_before(observation.state_id, "low_hp"):
            return
        memory.handing_over(observation.state_id, "low_hp")
        why = f"HP fell to {player.hp} of {player.max_hp}, below the set share of {self.settings.low_hp:.0%}"
        raise hand_over("low_hp", fight_brief(why, done=len(self.loop.actions)))

    def _ending(self, where: Where, observation: Observation) -> Ending:
        match where:
            case "choice":
                why = "a card choice inside the fight"
                return Ending(outcome="handover", reason="card_choice", brief=decision_brief(observation, why))
            case "over":
                return Ending(outcome="combat_over", reason=observation.state_type)
            case "left":
                why = "the fight's room was left by something other than this call"
                return Ending(outcome="handover", reason="left_room", brief=decision_brief(observation, why))
            case "elsewhere" | "fight":
                labels = [option.label for option in list_options(observation)[:6]]
                why = f"{observation.state_type} covers the fight"
                return Ending(outcome="handover", reason="wrong_screen", brief={"why": why, "choices": labels})


def _where(start: Observation, now: Observation) -> Where:
    """Where the game is, seen from a fight that was running at `start`."""
    if isinstance(now.screen, GameOver):
        return "over"
    if isinstance(now.screen, Menu):
        return "left" if now.screen.menu_screen == "main" else "elsewhere"
    if (
        start.run is not None
        and now.run is not None
        and (start.run.act, start.run.floor) != (now.run.act, now.run.floor)
    ):
        return "left"
    if isinstance(now.screen, Combat):
        if now.screen.hand_select is not None:
            return "choice"
        return "fight" if now.battle is not None else "elsewhere"
    if isinstance(now.screen, Overlay | Unknown):
        return "elsewhere"
    fighting = now.player is not None and now.player.hand is not None
    if isinstance(now.screen, CardSelect) and fighting:
        return "choice"
    return "elsewhere" if fighting or now is start else "over"
