"""Arithmetic worked by hand (combat-rules.md): each case is small enough to check on paper."""

from typing import Any

import pytest

from spire_mcp.combat import facts, forecast, preview, search, threat
from spire_mcp.combat.reading import Attack, read_label, text_numbers
from spire_mcp.game.expected import Expected
from spire_mcp.game.options import list_options
from spire_mcp.game.screens import Observation
from tests.boards import bash, card, defend, enemy, fight, powers, strike

Json = dict[str, Any]


def after(observation: Observation, option_id: str) -> Expected:
    option = next(option for option in list_options(observation) if option.id == option_id)
    expected = forecast(observation, option)
    assert expected is not None
    return expected


def hp_after(observation: Observation, option_id: str, combat_id: int = 1) -> int | None:
    return after(observation, option_id).enemies[combat_id].hp


# ---------------------------------------------------------------------- lethal or not


def test_three_strikes_and_a_bash_do_not_kill_nineteen_hp() -> None:
    # 3 x 6 = 18, or 8 + 9 = 17.
    board = fight([strike(), strike(), strike(), bash()], [enemy(19, "5")])
    assert facts(board)["lethal_for_them"] is False


def test_bash_and_a_strike_kill_seventeen_hp() -> None:
    board = fight([strike(), strike(), bash()], [enemy(17, "5")])
    assert facts(board)["lethal_for_them"] is True


def test_block_counts_against_a_kill() -> None:
    board = fight([strike(), strike(), strike()], [enemy(17, "5", block=2)])
    assert facts(board)["lethal_for_them"] is False


def test_a_minion_need_not_die_for_the_win() -> None:
    others = [enemy(6, "5"), enemy(50, "5", number=2, kind="EYE_WITH_TEETH", MINION=1)]
    assert facts(fight([strike()], others, energy=1))["lethal_for_them"] is True


def test_an_enemy_that_comes_back_is_no_certain_win() -> None:
    board = fight([strike()], [enemy(6, "5", ILLUSION=1)])
    assert facts(board)["lethal_for_them"] is False


# ---------------------------------------------------------------------- one card


@pytest.mark.parametrize(
    ("own", "target", "shown", "dealt"),
    [
        ({}, {}, 6, 6),
        ({}, {"VULNERABLE": 1}, 6, 9),
        ({"STRENGTH": 2}, {"VULNERABLE": 1}, 8, 12),
        ({"SHRINK": -1}, {}, 4, 4),  # 4.2
        ({"SHRINK": -1}, {"VULNERABLE": 1}, 4, 6),  # 6.3: the shown 4 x 1.5 would be 6 too
        ({"WEAK": 1}, {"VULNERABLE": 1}, 4, 6),  # 6.75
        ({"STRENGTH": 3, "WEAK": 1}, {"VULNERABLE": 1}, 6, 10),  # 10.125, though the shown 6 x 1.5 is 9
        ({"CRUELTY": 25}, {"VULNERABLE": 1}, 6, 10),  # 6 x 1.75 = 10.5
        ({"VIGOR": 4}, {}, 10, 10),
        ({}, {"INTANGIBLE": 1}, 6, 1),
        ({}, {"SLIPPERY": 2}, 6, 1),
        ({}, {"HARD_TO_KILL": 4}, 6, 4),
    ],
)
def test_a_strike_deals_what_both_sides_make_of_it(
    own: dict[str, Any], target: dict[str, Any], shown: int, dealt: int
) -> None:
    board = fight([strike(shown)], [enemy(40, "5", **target)], **own)
    assert hp_after(board, "play:STRIKE_IRONCLAD:e1") == 40 - dealt


def test_a_text_that_shows_another_number_is_not_computed() -> None:
    # A person who holds the card over a Vulnerable enemy makes the text show 9.
    board = fight([strike(9)], [enemy(40, "5")])
    option = next(option for option in list_options(board) if option.id == "play:STRIKE_IRONCLAD:e1")
    assert forecast(board, option) is None
    assert any("shows 9" in (line.position.stopped or "") for line in search(board).lines)


def test_several_hits_go_through_block_one_by_one() -> None:
    board = fight([card("TWIN_STRIKE", damage=5)], [enemy(20, "5", block=8)])
    # 5 into 8 block leaves 3; the second 5 takes 3 block and 2 HP.
    assert after(board, "play:TWIN_STRIKE:e1").enemies[1].hp == 18


def test_iron_wave_blocks_and_then_strikes() -> None:
    expected = after(fight([card("IRON_WAVE", damage=5, block=5)], [enemy(20, "5")]), "play:IRON_WAVE:e1")
    assert (expected.block, expected.enemies[1].hp, expected.energy) == (5, 15, 2)


def test_frail_and_dexterity_make_block() -> None:
    board = fight([defend(5)], [enemy(20, "5")], FRAIL=1, DEXTERITY=2)
    assert after(board, "play:DEFEND_IRONCLAD").block == 5  # (5 + 2) x 0.75 = 5.25


def test_thorns_strike_back_for_each_hit_and_can_kill() -> None:
    board = fight([card("TWIN_STRIKE", damage=5)], [enemy(20, "5", THORNS=2)], block=1)
    assert after(board, "play:TWIN_STRIKE:e1").hp == 80 - 3
    deadly = search(fight([card("TWIN_STRIKE", damage=5)], [enemy(20, "5", THORNS=2)], hp=2))
    assert all(line.outcome.dies == "yes" for line in deadly.lines if line.plays)


def test_x_spends_all_energy() -> None:
    expected = after(fight([card("WHIRLWIND", damage=5)], [enemy(40, "5"), enemy(9, "5", number=2)]), "play:WHIRLWIND")
    assert (expected.energy, expected.enemies[1].hp, expected.enemies[2].hp) == (0, 25, 0)


def test_body_slam_deals_the_block() -> None:
    assert hp_after(fight([card("BODY_SLAM", damage=12)], [enemy(40, "5")], block=12), "play:BODY_SLAM:e1") == 28


def test_dismantle_hits_a_vulnerable_enemy_twice() -> None:
    board = fight([card("DISMANTLE", damage=8)], [enemy(40, "5", VULNERABLE=1)])
    assert hp_after(board, "play:DISMANTLE:e1") == 40 - 24


def test_hp_is_lost_past_block() -> None:
    expected = after(fight([card("HEMOKINESIS", damage=15)], [enemy(40, "5")], block=20), "play:HEMOKINESIS:e1")
    assert (expected.hp, expected.block) == (78, 20)


def test_rage_blocks_for_an_attack() -> None:
    assert after(fight([strike()], [enemy(40, "5")], RAGE=3), "play:STRIKE_IRONCLAD:e1").block == 3


def test_molten_fist_doubles_vulnerable() -> None:
    board = fight([card("MOLTEN_FIST", damage=10)], [enemy(60, "5", VULNERABLE=2)])
    line = next(line for line in search(board).lines if line.plays)
    assert dict(line.position.foes[0].powers)["VULNERABLE_POWER"] == 4
    assert line.position.foes[0].hp == 45


def test_artifact_eats_one_debuff() -> None:
    line = next(line for line in search(fight([bash()], [enemy(60, "5", ARTIFACT=1)])).lines if line.plays)
    assert dict(line.position.foes[0].powers) == {}


def test_energy_gained_is_counted() -> None:
    expected = after(fight([card("BLOODLETTING")], [enemy(60, "5")], energy=0), "play:BLOODLETTING")
    assert (expected.energy, expected.hp) == (2, 77)


def test_a_draw_leaves_the_numbers_certain_and_stops_the_line() -> None:
    board = fight([card("POMMEL_STRIKE", damage=9), strike()], [enemy(40, "5")])
    assert hp_after(board, "play:POMMEL_STRIKE:e1") == 31
    assert all(len(line.plays) <= 2 for line in search(board).lines)
    drawn = [line for line in search(board).lines if line.outcome.draws]
    assert drawn
    assert all(line.plays[-1].hand_index == 0 for line in drawn)


def test_random_targets_are_not_computed_unless_there_is_only_one() -> None:
    boomerang = card("SWORD_BOOMERANG", damage=3)
    assert hp_after(fight([boomerang], [enemy(40, "5")]), "play:SWORD_BOOMERANG") == 31
    board = fight([boomerang], [enemy(40, "5"), enemy(40, "5", number=2)])
    assert forecast(board, next(o for o in list_options(board) if o.action == "play_card")) is None


def test_an_upgraded_card_has_its_own_numbers() -> None:
    board = fight([card("STRIKE_IRONCLAD+", damage=9)], [enemy(40, "5")])
    assert hp_after(board, "play:STRIKE_IRONCLAD+:e1") == 31


def test_chinese_text_is_read() -> None:
    held = {**strike(), "description": "造成6点伤害。"}
    assert hp_after(fight([held], [enemy(40, "5")]), "play:STRIKE_IRONCLAD:e1") == 34


def test_any_other_language_is_held_against_the_numbers_in_its_text() -> None:
    held = {**strike(), "description": "Inflige 6 points de dégâts."}
    assert hp_after(fight([held], [enemy(40, "5")]), "play:STRIKE_IRONCLAD:e1") == 34


def test_a_card_that_no_table_knows_is_unmodelled() -> None:
    held = {**strike(), "id": "MADE_UP"}
    board = fight([held], [enemy(40, "5")])
    assert forecast(board, next(o for o in list_options(board) if o.action == "play_card")) is None


@pytest.mark.parametrize("relics", [("MADE_UP_RELIC",), ("PEN_NIB",)])
def test_a_relic_that_could_act_makes_numbers_uncertain(relics: tuple[str, ...]) -> None:
    board = fight([strike()], [enemy(40, "5")], relics=relics)
    option = next(option for option in list_options(board) if option.action == "play_card")
    expected = forecast(board, option)
    assert expected is None or not expected.enemies


def test_a_fire_potion_is_unpowered() -> None:
    board = fight([], [enemy(40, "5", VULNERABLE=1)], potions=("FIRE_POTION",), STRENGTH=5)
    assert hp_after(board, "potion:FIRE_POTION:e1") == 20


# ---------------------------------------------------------------------- the enemies' turn


def test_hits_meet_block_one_by_one() -> None:
    assert threat(fight([], [enemy(40, "7x2")], block=10)).hp_lost == 4


@pytest.mark.parametrize("label", ["7x2", "7×2", "7 x 2", "７×２", "7X2"])
def test_labels_are_read_in_every_spelling(label: str) -> None:
    assert read_label(label) == Attack(7, 2)


@pytest.mark.parametrize("label", ["", None, "many", "7x", "x2", "-3", "7.5", "7x2x3", "12 (34)", "1e3"])
def test_what_is_no_plain_label_is_not_guessed(label: str | None) -> None:
    assert read_label(label) is None


def test_icons_are_no_numbers() -> None:
    assert text_numbers("Gain [energy_2_icon.png]. Draw 1 card.") == [1]


def test_a_number_of_status_cards_is_no_damage() -> None:
    assert threat(fight([], [enemy(40, {"type": "StatusCard", "label": "3"})])).incoming == 0


@pytest.mark.parametrize("kind", ["Mystery", "Hidden", "Unknown"])
def test_an_unknown_intent_is_never_harmless(kind: str) -> None:
    danger = threat(fight([], [enemy(40, {"type": kind, "label": ""})]))
    assert danger.dies == "unknown"
    assert danger.uncertain_intents


def test_weak_put_on_an_enemy_lowers_the_attack_that_it_shows() -> None:
    board = fight([card("UPPERCUT", damage=13)], [enemy(40, "10")])
    line = next(line for line in search(board).lines if line.plays)
    assert line.outcome.hp_lost == 7  # 10 x 0.75 = 7.5


def test_weak_on_a_label_that_was_truncated_already_takes_the_worse_case_and_says_so() -> None:
    # The player is Vulnerable: a shown 16 is 16 to 16.99, three quarters of which are 12; of a 17 they are 12 or 13.
    sure = fight([card("UPPERCUT", damage=13)], [enemy(40, "16")], VULNERABLE=2)
    assert next(line for line in search(sure).lines if line.plays).outcome.dies == "no"
    unsure = fight([card("UPPERCUT", damage=13)], [enemy(40, "17")], VULNERABLE=2)
    line = next(line for line in search(unsure).lines if line.plays)
    assert line.outcome.hp_lost == 13
    assert line.outcome.unknown


def test_killing_an_enemy_cancels_its_attack() -> None:
    board = fight([strike()], [enemy(6, "20"), enemy(40, "3", number=2)])
    killed = next(line for line in search(board).lines if line.outcome.kills)
    assert killed.outcome.hp_lost == 3


def test_an_eaten_slug_stuns_the_other() -> None:
    slugs = [
        enemy(6, "8", kind="CORPSE_SLUG", RAVENOUS=4),
        enemy(20, "8", kind="CORPSE_SLUG", number=2, RAVENOUS=4),
    ]
    killed = next(line for line in search(fight([strike()], slugs, energy=1)).lines if line.outcome.kills == (1,))
    assert killed.outcome.hp_lost == 0
    assert dict(killed.position.foes[1].powers)["STRENGTH_POWER"] == 4


def test_plating_blocks_before_cards_that_act_in_hand_and_those_before_the_enemies() -> None:
    board = fight([card("BURN"), card("BURN")], [enemy(40, "10")], PLATING=5)
    # 5 block, 2 + 2 burnt away, 1 left: 10 - 1 = 9.
    assert threat(board).hp_lost == 9


def test_beckon_costs_hp_past_block() -> None:
    assert threat(fight([card("BECKON")], [enemy(40)], block=30)).hp_lost == 6


def test_constrict_eats_block_before_the_enemies_do() -> None:
    assert threat(fight([], [enemy(40, "5")], block=4, CONSTRICT=3)).hp_lost == 4


def test_poison_acts_before_the_enemy_and_can_stop_it() -> None:
    assert threat(fight([], [enemy(4, "20", POISON=4)])).hp_lost == 0


def test_our_thorns_can_kill_an_attacker_before_its_hit() -> None:
    assert threat(fight([], [enemy(3, "20")], THORNS=3)).hp_lost == 0


def test_a_flame_barrier_strikes_back_after_each_hit() -> None:
    danger = threat(fight([], [enemy(4, "6x3")], FLAME_BARRIER=4))
    assert danger.hp_lost == 6  # the first hit lands, then the barrier kills


def test_buffer_takes_one_hit_whole() -> None:
    assert threat(fight([], [enemy(40, "9x2")], BUFFER=1)).hp_lost == 9


def test_what_is_blockable_depends_on_energy() -> None:
    assert facts(fight([defend(), defend()], [enemy(40, "10")]))["blockable"] is True
    assert facts(fight([defend(), defend()], [enemy(40, "10")], energy=1))["blockable"] is False


def test_ending_the_turn_is_lethal_when_the_attacks_are() -> None:
    assert facts(fight([defend()], [enemy(40, "12")], hp=12))["lethal_for_us"] is True
    assert facts(fight([defend()], [enemy(40, "11")], hp=12))["lethal_for_us"] is False


def test_orichalcum_blocks_where_there_is_no_block() -> None:
    board = fight([], [enemy(40, "10")], relics=("ORICHALCUM",))
    assert threat(board).hp_lost == 4


# ---------------------------------------------------------------------- preview


def test_a_preview_shows_each_step_and_the_end_of_the_turn() -> None:
    board = fight([bash(), strike(), defend()], [enemy(40, "10")])
    shown = preview(board, ["play:BASH:e1", "play:STRIKE_IRONCLAD:e1"])
    steps: Any = shown["steps"]
    assert [step["predicted"]["enemies"] for step in steps] == [
        [{"combat_id": 1, "hp": 32, "block": 0}],
        [{"combat_id": 1, "hp": 23, "block": 0}],
    ]
    assert steps[1]["predicted"]["player"] == {"hp": 80, "block": 0, "energy": 0}
    assert shown["end_of_turn"] == {"incoming": 10, "hp_lost": 10, "dies": "no", "unknown": []}


def test_a_preview_of_the_end_of_the_turn_is_the_next_turns_beginning() -> None:
    shown: Any = preview(fight([defend()], [enemy(40, "10")]), ["play:DEFEND_IRONCLAD", "end_turn"])
    assert shown["steps"][1]["predicted"] == {
        "player": {"hp": 75, "block": 0},
        "enemies": [{"combat_id": 1, "hp": 40, "block": 0}],
    }


@pytest.mark.parametrize(
    "steps",
    [
        ["play:BASH:e1", "play:BASH:e1"],
        ["play:STRIKE_IRONCLAD:e7"],
        ["end_turn", "play:STRIKE_IRONCLAD:e1"],
        ["play:NOTHING"],
        [""],
        ["proceed"],
    ],
)
def test_a_line_that_cannot_be_is_refused_by_its_step(steps: list[str]) -> None:
    with pytest.raises(ValueError, match="step "):
        preview(fight([bash(), strike()], [enemy(40, "10")]), steps)


# ---------------------------------------------------------------------- search


def test_equal_boards_reached_in_different_orders_are_one() -> None:
    found = search(fight([strike(), strike(), defend(), defend()], [enemy(60, "10")]))
    # 0 to 3 plays of two kinds, at most two of each: 1 + 2 + 3 + 2 boards.
    assert len(found.lines) == 8
    assert found.complete


def test_a_bound_on_boards_is_honest() -> None:
    hand = [strike(), strike(), defend(), bash(), card("TWIN_STRIKE", damage=5), card("INFLAME")]
    found = search(fight(hand, [enemy(60, "10"), enemy(60, "5", number=2)]), node_limit=5)
    assert not found.complete


def test_a_ten_card_hand_visits_a_fraction_of_its_orders() -> None:
    hand = [strike() for _ in range(4)] + [defend() for _ in range(3)] + [bash(), card("RAGE"), card("INFLAME")]
    found = search(fight(hand, [enemy(60, "10")], energy=5))
    # Ordered choices of up to five of ten cards are more than 30,000.
    assert found.visited * 50 < 10 * 9 * 8 * 7 * 6
    assert found.complete


def test_powers_written_by_the_builder_are_those_of_the_bridge() -> None:
    assert powers(WEAK=1)[0]["id"] == "WEAK_POWER"
