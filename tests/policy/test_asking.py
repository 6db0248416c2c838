"""The model's chair: asked once for a line, never about what is certain, followed only while the line comes true."""

import json
from typing import Any

from spire_mcp.game.screens import Observation
from spire_mcp.policy.solver import Decision, Handover
from spire_mcp.practice.scripted_model import Script
from tests.boards import bash, defend, enemy, fight, strike
from tests.models import Told, chooser


def open_fight(**more: Any) -> Observation:
    return fight([strike(), strike(), bash(), defend(), defend()], [enemy(60, "11")], **more)


def decision(chosen: Decision | Handover) -> Decision:
    assert isinstance(chosen, Decision)
    return chosen


def handover(chosen: Decision | Handover) -> Handover:
    assert isinstance(chosen, Handover)
    return chosen


def test_the_model_is_never_asked_whether_a_hand_is_lethal() -> None:
    # 3 Strikes: 18. Bash and a Strike on Vulnerable: 8 + 9 = 17. 19 HP are out of reach, and the program says so.
    model = Told()
    sat = chooser(model)
    chosen = decision(sat.choose(fight([strike(), strike(), strike(), bash()], [enemy(19, "9")])))
    record = json.dumps(chosen.record)
    assert '"wins": true' not in record
    assert '"kills"' not in record
    for body in model.asked:
        assert "lethal" not in json.dumps(body).lower()
        assert all("Kills: nobody" in text for text in _texts(body))


def _texts(body: dict[str, Any]) -> list[str]:
    return [text for key, text in body["questions"]["line1"]["criteria"].items() if key != "none"]


def test_a_certain_win_is_not_asked_about() -> None:
    model = Told(Script(behaviour="none"))
    chosen = decision(chooser(model).choose(fight([strike(), strike(), defend()], [enemy(12, "30")], hp=3)))
    assert (chosen.by, chosen.option.id, model.asked) == ("program", "play:STRIKE_IRONCLAD:e1", [])


def test_a_single_line_is_not_asked_about() -> None:
    model = Told()
    assert decision(chooser(model).choose(fight([strike()], [enemy(40, "9")]))).by == "program"
    assert model.asked == []


def test_one_request_serves_a_whole_line() -> None:
    model = Told()
    sat = chooser(model)
    first = decision(sat.choose(open_fight()))
    assert (first.by, len(model.asked)) == ("model", 1)
    assert first.record["gate"]["passed"] is True  # type: ignore[index]
    # Looking again before the step was performed is no new question.
    again = decision(sat.choose(open_fight()))
    assert (again.option.id, len(model.asked)) == (first.option.id, 1)


def after_bash(*, enemy_hp: int, vulnerable: int = 2) -> Observation:
    hand = [strike(), strike(), defend(), defend()]
    return fight(hand, [enemy(enemy_hp, "11", VULNERABLE=vulnerable)], energy=1)


def bash_first(model: Told, **more: Any) -> Any:
    """A chair whose line begins with Bash, and Bash is played."""
    sat = chooser(model, **more)
    started = decision(sat.choose(fight([strike(), strike(), bash(), defend(), defend()], [enemy(60, "11")])))
    assert started.option.id == "play:BASH:e1"
    sat.acted()
    return sat


def bash_key(body: dict[str, Any]) -> str:
    criteria = body["questions"]["line1"]["criteria"]
    return next(key for key, text in criteria.items() if text.startswith("Play: Bash on"))


class Basher(Told):
    """Wants the line that begins with Bash."""

    def ask(self, state: Any, questions: Any) -> Any:
        key = bash_key({"questions": questions})
        self.script = Script(answers=({"prefer": key},))
        return super().ask(state, questions)


def test_a_line_that_comes_true_goes_on_without_another_request() -> None:
    notes: list[Any] = []
    model = Basher()
    sat = bash_first(model, notes=notes)
    # Bash has dealt 8 of 60.
    chosen = decision(sat.choose(after_bash(enemy_hp=52)))
    assert (chosen.by, chosen.record["line_step"], len(model.asked), notes) == ("model", 2, 1, [])
    assert chosen.option.id in {"play:STRIKE_IRONCLAD:e1", "play:DEFEND_IRONCLAD"}


def test_a_line_that_does_not_come_true_is_dropped_journaled_with_both_sides_and_chosen_anew() -> None:
    notes: list[Any] = []
    model = Told()
    sat = bash_first(Basher(), notes=notes)
    sat.consultant.model = model
    decision(sat.choose(after_bash(enemy_hp=55)))
    assert [note["kind"] for note in notes] == ["misprediction"]
    assert "enemy 1 hp 52 predicted, 55 seen" in notes[0]["differences"]
    assert len(model.asked) == 1


def test_a_power_that_did_not_land_is_a_misprediction_too() -> None:
    notes: list[Any] = []
    sat = bash_first(Basher(), notes=notes)
    sat.consultant.model = Told()
    sat.choose(after_bash(enemy_hp=52, vulnerable=0))
    assert "VULNERABLE_POWER" in notes[0]["differences"][0]


def test_an_unclear_answer_leaves_a_routine_turn_to_the_program_and_strict_hands_it_over() -> None:
    easy = fight([strike(), strike(), bash(), defend(), defend()], [enemy(60, "5")])
    assert decision(chooser(Told(Script(behaviour="uniform"))).choose(easy)).by == "program"
    strict = handover(chooser(Told(Script(behaviour="uniform")), strict=True).choose(easy))
    assert strict.reason == "low_confidence"
    shares = [entry["share"] for entry in strict.more["distribution"]]  # type: ignore[attr-defined]
    assert sum(shares) + strict.more["none_of_these"] > 0.7  # type: ignore[operator]


def test_none_of_these_is_an_unclear_answer() -> None:
    strict = handover(chooser(Told(Script(behaviour="none")), strict=True).choose(open_fight()))
    assert strict.reason == "low_confidence"
    assert strict.more["gate"]["leader"] == "none"  # type: ignore[index]


def test_the_budget_is_looked_at_before_a_request() -> None:
    model = Told()
    chosen = handover(chooser(model, battle_tokens=100).choose(open_fight()))
    assert (chosen.reason, model.asked) == ("token_budget", [])


def test_an_answer_that_is_not_believed_is_counted_and_hands_over() -> None:
    def alien(said: dict[str, Any]) -> dict[str, Any]:
        said["answers"]["line1"]["choice"] = "all of them"
        return said

    model = Told(change=alien)
    sat = chooser(model)
    assert handover(sat.choose(open_fight())).reason == "model_unavailable"
    used = sat.usage()
    assert (used["requests"], len(model.asked), used["name"]) == (1, 1, None)
    assert isinstance(used["input_tokens"], int)
    assert used["input_tokens"] > 0


def potion_wanted(said: dict[str, Any]) -> dict[str, Any]:
    said["answers"]["potion"]["noul"] = 0.95
    said["answers"]["danger"] |= {"score": 3.0, "probabilities": {"0": 0.0, "1": 0.0, "2": 0.0, "3": 1.0}}
    return said


def test_a_potion_that_is_needed_is_the_planners_and_only_where_it_saves_something() -> None:
    hard = fight([strike(), bash(), defend()], [enemy(60, "30")], hp=40, potions=("BLOCK_POTION",))
    found = handover(chooser(Told(change=potion_wanted)).choose(hard))
    assert found.reason == "potion_decision"
    assert all(any(play.potion_slot is not None for play in one.line.plays) for one in found.found.ranked)
    ordinary = fight([strike(), bash(), defend()], [enemy(60, "6")], hp=40, potions=("BLOCK_POTION",))
    assert decision(chooser(Told(change=potion_wanted)).choose(ordinary))


def test_the_identity_changes_with_what_decides_and_with_nothing_else() -> None:
    plain = chooser(Told()).identity
    assert chooser(Told(), deadline=9, price=1, battle_tokens=5).identity == plain
    assert len({plain, chooser(Told(), strict=True).identity, chooser(Told(), share=0.5).identity}) == 3


def test_a_number_that_was_never_certain_is_no_misprediction() -> None:
    # What a power that nobody has modelled does to damage is not known, so no line has promised it.
    strange = {"id": "SLOW_POWER", "name": "Slow", "amount": 0, "type": "Debuff"}

    def on(hand: list[Any], hp: int, energy: int) -> Observation:
        monster = enemy(hp, "6")
        monster["status"].append(strange)
        return fight(hand, [monster], energy=energy)

    notes: list[Any] = []
    sat = chooser(Told(Script(behaviour="uniform")), notes=notes)
    first = decision(sat.choose(on([strike(), strike(), strike(), defend(), defend()], 60, 3)))
    sat.acted()
    left = (
        [strike(), strike(), strike(), defend()]
        if "DEFEND" in first.option.id
        else [strike(), strike(), defend(), defend()]
    )
    decision(sat.choose(on(left, 60 if "DEFEND" in first.option.id else 53, 2)))
    assert notes == []
