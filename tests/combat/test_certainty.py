"""What is not known is not computed, and what is printed says so."""

import pytest

from spire_mcp.combat import facts, forecast, intents_signature, preview
from spire_mcp.game.options import list_options
from tests.combat.boards import (
    bash,
    card,
    certain,
    defend,
    ending,
    enemy,
    fight,
    foe,
    foresee,
    intent,
    line,
    potion,
    strike,
)

STRIKE = "play:STRIKE_IRONCLAD:e1"
DEFEND = "play:DEFEND_IRONCLAD"
BASH = "play:BASH:e1"

# ---------------------------------------------------------------- what is not known is not computed


@pytest.mark.parametrize("shown", [5, 7, 9])
def test_a_hand_text_that_differs_from_the_table_leaves_the_card_uncomputed(shown: int) -> None:
    # 9 is also what a card held over a Vulnerable enemy shows.
    observation = fight([strike(shown)], enemy(50, has={"VULNERABLE": 1}))
    assert foresee(observation, STRIKE) is None
    step = line(observation, STRIKE)["steps"][0]
    assert step["predicted"] == {"player": {}, "enemies": []}
    assert str(shown) in step["unknown"][0]["why"]


def test_an_unknown_card_is_not_computed() -> None:
    assert foresee(fight([card("MOD_SLAP", "Deal 6 damage.")], enemy(50)), "play:MOD_SLAP:e1") is None


def test_an_unknown_potion_is_not_computed() -> None:
    assert foresee(fight([], enemy(50), potions=[potion("MOD_POTION")]), "potion:MOD_POTION") is None


def test_an_unknown_power_of_ours_leaves_nothing_certain() -> None:
    observation = fight([strike()], enemy(50, "5"), has={"MOD": 1})
    assert foresee(observation, STRIKE) is None
    assert certain(observation, "end_turn").hp is None
    assert ending(observation)["dies"] == "unknown"


def test_an_unknown_power_of_an_enemy_leaves_only_that_enemy_uncertain_now() -> None:
    observation = fight([strike(), strike()], enemy(50, "5", has={"MOD": 1}), enemy(40))
    expected = certain(observation, "play:STRIKE_IRONCLAD:e2")
    assert (1 in expected.enemies, expected.enemies[2].hp) == (False, 34)
    assert ending(observation)["dies"] == "unknown"


def test_an_unknown_relic_leaves_nothing_certain() -> None:
    observation = fight([strike()], enemy(50, "5"), relics=["MOD_RELIC"])
    assert foresee(observation, STRIKE) is None
    assert certain(observation, "end_turn").hp is None


def test_a_relic_that_changes_damage_leaves_damage_uncertain_and_block_certain() -> None:
    observation = fight([strike(), defend()], enemy(50, "5"), relics=["PEN_NIB"])
    assert not certain(observation, STRIKE).enemies
    assert certain(observation, DEFEND).block == 5


def test_a_power_of_ours_that_reacts_to_hits_leaves_own_hp_uncertain_and_damage_certain() -> None:
    expected = certain(fight([strike()], enemy(50, "5"), has={"REFLECT": 3}), STRIKE)
    assert (expected.hp, expected.enemies[1].hp) == (None, 44)


def test_the_starting_relic_leaves_everything_certain() -> None:
    assert foe(fight([strike()], enemy(50), relics=["BURNING_BLOOD"]), STRIKE).hp == 44


def test_a_fight_without_its_combat_object_is_not_predicted() -> None:
    observation = fight([strike()], enemy(50))
    option = next(option for option in list_options(observation) if option.id == STRIKE)
    from spire_mcp.bridge.parse import parse_state

    broken = parse_state({**observation.raw, "battle": {"error": "Combat state unavailable"}})
    assert forecast(broken, option) is None


# ---------------------------------------------------------------- what is printed


def test_a_preview_has_the_keys_of_the_interface() -> None:
    observation = fight([bash(), strike()], enemy(50, "7"), enemy(9, "3"), block=2)
    shown = preview(observation, [BASH, "play:STRIKE_IRONCLAD:e1", "end_turn"])
    assert shown == {
        "steps": [
            {
                "option": BASH,
                "label": "Bash → Nibbit",
                "predicted": {
                    "player": {"hp": 80, "block": 2, "energy": 1},
                    "enemies": [{"combat_id": 1, "hp": 42, "block": 0}, {"combat_id": 2, "hp": 9, "block": 0}],
                },
                "unknown": [],
            },
            {
                "option": STRIKE,
                "label": "Strike_Ironclad → Nibbit",
                "predicted": {
                    "player": {"hp": 80, "block": 2, "energy": 0},
                    "enemies": [{"combat_id": 1, "hp": 33, "block": 0}, {"combat_id": 2, "hp": 9, "block": 0}],
                },
                "unknown": [],
            },
            {
                "option": "end_turn",
                "label": "End turn",
                "predicted": {
                    "player": {"hp": 72, "block": 0},
                    "enemies": [{"combat_id": 1, "hp": 33, "block": 0}, {"combat_id": 2, "hp": 9, "block": 0}],
                },
                "unknown": [],
            },
        ],
        "end_of_turn": {"incoming": 10, "hp_lost": 8, "dies": "no", "unknown": []},
    }


def test_an_enemy_that_dies_is_shown_with_0_hp() -> None:
    observation = fight([strike()], enemy(6, "7"), enemy(9, "3"))
    assert line(observation, STRIKE)["steps"][0]["predicted"]["enemies"][0] == {"combat_id": 1, "hp": 0}
    assert line(fight([strike()], enemy(6, "7")), STRIKE)["steps"][0]["predicted"] == {
        "player": {"hp": 80},
        "enemies": [{"combat_id": 1, "hp": 0}],
    }


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (["end_turn", STRIKE], "after the end of the turn"),
        ([BASH, BASH], "no play of this hand"),
        ([BASH, STRIKE, STRIKE], "not enough energy"),
        (["play:STRIKE_IRONCLAD:e9"], "living enemy"),
        (["play:STRIKE_IRONCLAD"], "living enemy"),
        (["potion:FIRE_POTION:e1"], "no play of this hand"),
        (["proceed"], "no play of this hand"),
    ],
)
def test_a_step_that_cannot_follow_is_named(steps: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        preview(fight([bash(), strike(), strike()], enemy(50, "5")), steps)


def test_the_facts_have_the_keys_of_the_interface() -> None:
    observation = fight([defend()], enemy(50, "7x2"), enemy(20, intent("Buff")), hp=9, block=3)
    assert facts(observation) == {
        "incoming": 14,
        "block": 3,
        "hp": 9,
        "blockable": False,  # 3 + 5 of 14
        "lethal_for_us": True,  # 11 through, 9 HP
        "lethal_for_them": False,
        "intents_signature": "1=Attack7x2;2=Buff",
    }


def test_a_turn_is_blockable_when_some_line_loses_nothing() -> None:
    assert facts(fight([defend(), strike()], enemy(50, "5")))["blockable"] is True
    assert facts(fight([strike()], enemy(6, "5")))["blockable"] is True  # by killing it
    assert facts(fight([strike()], enemy(7, "5")))["blockable"] is False


def test_a_search_that_was_cut_short_leaves_the_kill_unknown() -> None:
    observation = fight([strike(), strike()], enemy(12, "5"))
    assert facts(observation)["lethal_for_them"] is True
    assert facts(observation, boards=1)["lethal_for_them"] == "unknown"


def test_the_signature_of_intents_names_what_is_not_shown() -> None:
    assert intents_signature(fight([], enemy(50, "5", intent("Debuff")), enemy(9, no_intents=True))) == (
        "1=Attack5+Debuff;2=none"
    )
