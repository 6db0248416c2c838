"""The end of the turn and the enemies' turn, worked out by hand, in the order of the combat rules."""

import pytest

from spire_mcp.combat import facts, threat
from spire_mcp.combat.reading import Attack, read_label
from tests.combat.boards import (
    BANE,
    BECKON,
    BURN,
    INFECTION,
    REGRET,
    card,
    certain,
    defend,
    ending,
    enemy,
    fight,
    foe,
    intent,
    last,
    neutralize,
    skill,
    status,
    strike,
)

# ---------------------------------------------------------------- the end of the turn, in order (section 3)


def test_plating_then_burn_then_the_enemies() -> None:
    # Plating 3 gives 3 block, Burn takes 2 of it, 1 is left for the attack of 3.
    assert ending(fight([BURN], enemy(50, "3"), has={"PLATING": 3}))["hp_lost"] == 2


def test_cards_that_act_in_hand_use_up_block_before_the_enemies_do() -> None:
    # 4 block: Burn takes 2, Infection takes 2 and 1 HP, Beckon 6 HP past block, then 5 from the enemy.
    observation = fight([BURN, INFECTION, BECKON], enemy(50, "5"), block=4)
    assert ending(observation)["hp_lost"] == 12
    assert certain(observation, "end_turn").hp == 68


def test_each_copy_of_a_burn_acts() -> None:
    assert ending(fight([BURN, BURN, BURN], enemy(50), block=1))["hp_lost"] == 5


def test_a_card_that_acts_in_hand_does_not_act_when_it_is_played() -> None:
    played = {**BECKON, "description": "At the end of your turn, lose 6 HP. Exhaust."}
    assert ending(fight([played], enemy(50)), "play:BECKON")["hp_lost"] == 0


def test_cards_that_act_do_so_in_the_order_of_the_hand() -> None:
    # Buffer takes what comes first: the 2 of Burn or the 6 of Beckon.
    assert ending(fight([BURN, BECKON], enemy(50), has={"BUFFER": 1}))["hp_lost"] == 6
    assert ending(fight([BECKON, BURN], enemy(50), has={"BUFFER": 1}))["hp_lost"] == 2


def test_status_cards_alone_can_kill() -> None:
    observation = fight([BECKON], enemy(50), hp=6, energy=0)
    assert ending(observation)["dies"] == "yes"
    assert facts(observation)["lethal_for_us"] is True


def test_constrict_eats_block_before_the_enemies_do() -> None:
    # 5 block: Constrict takes 3, 2 are left for the attack of 5.
    assert ending(fight([], enemy(50, "5"), block=5, has={"CONSTRICT": 3}))["hp_lost"] == 3


def test_regret_counts_the_cards_that_are_left_when_ethereal_ones_are_gone() -> None:
    assert ending(fight([REGRET, strike(), defend()], enemy(50)))["hp_lost"] == 3
    assert ending(fight([REGRET, strike(), BANE], enemy(50)))["hp_lost"] == 2


def test_regen_heals_up_to_the_maximum() -> None:
    assert certain(fight([], enemy(50), hp=70, has={"REGEN": 4}), "end_turn").hp == 74
    assert certain(fight([], enemy(50), hp=79, has={"REGEN": 4}), "end_turn").hp == 80


def test_an_enemy_that_heals_is_not_predicted_over_the_turn() -> None:
    assert 1 not in certain(fight([], enemy(50, "4", has={"REGEN": 3})), "end_turn").enemies


def test_poison_kills_before_the_enemy_acts() -> None:
    observation = fight([], enemy(5, "12", has={"POISON": 6}), enemy(30, "4"))
    assert ending(observation)["hp_lost"] == 4


def test_poison_goes_past_block_and_block_is_gone_next_turn() -> None:
    after = foe(fight([], enemy(20, "4", block=9, has={"POISON": 3})), "end_turn")
    assert (after.hp, after.block) == (17, 0)


def test_poison_on_us_is_part_of_the_next_turns_hp() -> None:
    observation = fight([], enemy(50, "4"), block=9, has={"POISON": 3})
    assert certain(observation, "end_turn").hp == 77
    assert ending(fight([], enemy(50), hp=3, has={"POISON": 3}))["dies"] == "yes"


def test_block_is_gone_next_turn_unless_barricade_keeps_it() -> None:
    assert certain(fight([], enemy(50, "4"), block=10), "end_turn").block == 0
    assert certain(fight([], enemy(50, "4"), block=10, has={"BARRICADE": 1}), "end_turn").block == 6


def test_an_enemys_plating_is_its_block_next_turn_and_falls_from_the_second_round_on() -> None:
    plated = enemy(50, "4", has={"PLATING": 6})
    assert foe(fight([], plated, round_number=1), "end_turn").block == 6
    assert foe(fight([], plated, round_number=2), "end_turn").block == 5
    assert last(fight([], plated, round_number=2), "end_turn")[1]["block"] == 5


def test_flame_barrier_burns_an_attacker_for_each_hit() -> None:
    barrier = skill(
        "FLAME_BARRIER", "Gain 12 Block. Whenever you are attacked this turn, deal 4 damage back.", cost="2"
    )
    observation = fight([barrier], enemy(50, "3x3"))
    assert last(observation, "play:FLAME_BARRIER", "end_turn")[1]["hp"] == 38
    assert ending(observation, "play:FLAME_BARRIER")["hp_lost"] == 0


def test_our_thorns_can_kill_an_attacker_in_the_middle_of_its_attack() -> None:
    # Thorns act before the hit: 5 - 3 = 2 HP, hit for 4; 2 - 3 kills it before its second hit.
    observation = fight([], enemy(5, "4x3"), enemy(30), has={"THORNS": 3})
    assert ending(observation) == {"incoming": 12, "hp_lost": 4, "dies": "no", "unknown": []}


def test_an_attacker_that_also_blocks_is_not_certain_to_be_hurt_by_our_thorns() -> None:
    # Whether it blocks before or after it attacks, its intents do not say.
    observation = fight([], enemy(30, "4", intent("Defend")), has={"THORNS": 3})
    expected = certain(observation, "end_turn")
    assert (expected.hp, 1 in expected.enemies) == (76, False)


def test_an_attacker_that_also_blocks_is_not_certain_to_die_by_our_thorns() -> None:
    observation = fight([], enemy(3, "4", intent("Defend")), has={"THORNS": 3})
    assert certain(observation, "end_turn").hp is None
    assert ending(observation)["unknown"]


def test_an_enemys_attacks_stop_when_we_are_dead() -> None:
    observation = fight([], enemy(50, "6"), enemy(50, "6x9"), hp=5)
    assert ending(observation)["dies"] == "yes"
    assert ending(observation)["hp_lost"] == 5


def test_buffer_takes_one_unblocked_hit() -> None:
    assert ending(fight([], enemy(50, "7x2"), has={"BUFFER": 1}))["hp_lost"] == 7
    assert ending(fight([], enemy(50, "7x2"), block=7, has={"BUFFER": 1}))["hp_lost"] == 0


def test_intangible_on_us_lets_one_through_for_each_hit() -> None:
    assert ending(fight([], enemy(50, "12x3"), has={"INTANGIBLE": 1}))["hp_lost"] == 3


def test_intangible_on_us_spares_block_too() -> None:
    # Burn costs 1 of the 3 block, the capped hits cost 1 each: 2 of 3 are blocked.
    assert ending(fight([BURN], enemy(50, "12x3"), block=3, has={"INTANGIBLE": 1}))["hp_lost"] == 1


def test_a_label_that_was_capped_cannot_be_weakened_with_certainty() -> None:
    observation = fight([neutralize()], enemy(50, "1x3"), has={"INTANGIBLE": 1})
    found = ending(observation, "play:NEUTRALIZE:e1")
    assert found["hp_lost"] == 3
    assert found["unknown"]


def test_an_unknown_curse_left_in_hand_may_act() -> None:
    observation = fight([status("MOD_CURSE", "Something.", kind="Curse")], enemy(50, "5"))
    assert ending(observation)["dies"] == "unknown"
    assert certain(observation, "end_turn").hp is None


def test_barricade_keeps_an_uncertain_block_when_an_intent_is_unknown() -> None:
    observation = fight([], enemy(50, intent("Mystery")), block=10, has={"BARRICADE": 1})
    assert certain(observation, "end_turn").block is None
    assert certain(fight([], enemy(50, intent("Mystery")), block=10), "end_turn").block == 0


def test_an_infested_enemy_that_poison_kills_leaves_the_turn_uncertain() -> None:
    observation = fight([], enemy(3, "4", has={"POISON": 3, "INFESTED": 4}), enemy(30, "4"))
    assert ending(observation)["unknown"]
    assert certain(observation, "end_turn").hp is None


# ---------------------------------------------------------------- intents and labels


@pytest.mark.parametrize(("label", "lost"), [("12", 9), ("13", 9), ("5x3", 9), ("1", 0)])  # floor of 3/4, per hit
def test_weak_applied_now_lowers_a_label_exactly(label: str, lost: int) -> None:
    observation = fight([neutralize()], enemy(50, label))
    assert ending(observation, "play:NEUTRALIZE:e1") | {"incoming": 0} == {
        "incoming": 0,
        "hp_lost": lost,
        "dies": "no",
        "unknown": [],
    }


def test_weak_applied_now_to_a_label_with_another_factor_can_be_doubtful() -> None:
    # We are Vulnerable: a label of 10 was truncated from up to 10.99, so three quarters are 7 or 8. The worse counts.
    doubtful = ending(fight([neutralize()], enemy(50, "10"), has={"VULNERABLE": 2}), "play:NEUTRALIZE:e1")
    assert (doubtful["hp_lost"], doubtful["dies"]) == (8, "unknown")
    # From 8 to 8.99, three quarters are 6 either way.
    exact = ending(fight([neutralize()], enemy(50, "8"), has={"VULNERABLE": 2}), "play:NEUTRALIZE:e1")
    assert (exact["hp_lost"], exact["dies"], exact["unknown"]) == (6, "no", [])


def test_weak_applied_now_to_a_shrunk_enemys_label_can_be_doubtful() -> None:
    # The label of a shrunk enemy was truncated as well: 10 to 10.99, three quarters of which are 7 or 8.
    found = ending(fight([neutralize()], enemy(50, "10", has={"SHRINK": -1})), "play:NEUTRALIZE:e1")
    assert (found["hp_lost"], found["dies"]) == (8, "unknown")


def test_weak_on_a_weak_enemy_lowers_nothing_more() -> None:
    observation = fight([neutralize()], enemy(50, "9", has={"WEAK": 1}))
    assert ending(observation, "play:NEUTRALIZE:e1")["hp_lost"] == 9


def test_strength_taken_from_an_enemy_lowers_each_hit() -> None:
    mangle = card("MANGLE", "Deal 15 damage. Enemy loses 10 Strength this turn.", cost="3")
    assert ending(fight([mangle], enemy(50, "12x2")), "play:MANGLE:e1")["hp_lost"] == 4
    assert ending(fight([mangle], enemy(50, "8x2")), "play:MANGLE:e1")["hp_lost"] == 0
    assert ending(fight([mangle], enemy(50, "12x2", has={"ARTIFACT": 1})), "play:MANGLE:e1")["hp_lost"] == 24


def test_the_label_of_status_cards_is_no_damage() -> None:
    observation = fight([], enemy(50, intent("StatusCard", "15")), hp=10)
    assert ending(observation) == {"incoming": 0, "hp_lost": 0, "dies": "no", "unknown": []}


def test_all_attacks_of_an_enemy_count() -> None:
    assert ending(fight([], enemy(50, "4", intent("DeathBlow", "20"), intent("Debuff"))))["incoming"] == 24


@pytest.mark.parametrize("kind", ["Mystery", "Unknown", "Hidden", "", "attack"])
def test_an_unknown_intent_is_never_harmless(kind: str) -> None:
    observation = fight([defend()], enemy(50, intent(kind, "3")))
    assert ending(observation)["dies"] == "unknown"
    assert certain(observation, "end_turn").hp is None
    assert facts(observation)["lethal_for_us"] == "potential"
    assert threat(observation).uncertain_intents


def test_an_enemy_without_intents_is_never_harmless() -> None:
    observation = fight([], enemy(50, no_intents=True))
    assert ending(observation)["dies"] == "unknown"
    assert facts(observation)["blockable"] == "unknown"


@pytest.mark.parametrize("label", ["?", "??x2", "lots", "", "-5", "12x", "x3", "1e3", "12 x two", "9999999999"])
def test_an_attack_whose_label_cannot_be_read_is_never_harmless(label: str) -> None:
    assert read_label(label) is None
    assert ending(fight([], enemy(50, label)))["dies"] == "unknown"


@pytest.mark.parametrize(
    ("label", "attack"),
    [
        ("12", Attack(12, 1)),
        ("12x2", Attack(12, 2)),
        ("12×2", Attack(12, 2)),
        ("12 x 2", Attack(12, 2)),
        (" 7 ", Attack(7, 1)),
        ("１２", Attack(12, 1)),
        ("１２×２", Attack(12, 2)),
        ("１２ｘ２", Attack(12, 2)),
        ("0", Attack(0, 1)),
        ("3*4", Attack(3, 4)),
        (None, None),
    ],
)
def test_labels_are_read_in_every_writing(label: str | None, attack: Attack | None) -> None:
    assert read_label(label) == attack
