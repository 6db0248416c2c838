"""What cards and potions do, worked out by hand; the sum stands beside each number."""

import pytest

from spire_mcp.combat import search
from tests.combat.boards import (
    BANE,
    bash,
    card,
    certain,
    defend,
    ending,
    enemy,
    fight,
    foe,
    foresee,
    last,
    line,
    potion,
    skill,
    status,
    strike,
    twin_strike,
    whirlwind,
)

STRIKE = "play:STRIKE_IRONCLAD:e1"
DEFEND = "play:DEFEND_IRONCLAD"
BASH = "play:BASH:e1"
TWIN = "play:TWIN_STRIKE:e1"

# ---------------------------------------------------------------- what can be killed


def _wins(hp: int) -> list[list[str]]:
    hand = [strike(), strike(), strike(), bash()]
    found = search(fight(hand, enemy(hp, "5"), energy=3))
    assert found.complete
    return [
        [found.setting.kinds[play.kind or 0].card.id for play in each.plays]
        for each in found.lines
        if each.outcome.wins
    ]


def test_three_strikes_and_a_bash_do_not_kill_19_hp_with_3_energy() -> None:
    # The most is 3 x 6 = 18; Bash and then a Strike on Vulnerable is 8 + 9 = 17.
    assert _wins(19) == []


def test_18_hp_fall_to_three_strikes_only() -> None:
    assert _wins(18) == [["STRIKE_IRONCLAD"] * 3]


def test_17_hp_fall_to_bash_and_then_strike_and_not_the_other_way_round() -> None:
    wins = _wins(17)
    assert ["BASH", "STRIKE_IRONCLAD"] in wins
    assert ["STRIKE_IRONCLAD", "BASH"] not in wins  # 6 + 8 = 14


def test_an_attack_that_kills_the_only_enemy_ends_the_fight() -> None:
    assert certain(fight([strike()], enemy(6, "5")), STRIKE).fight_over


# ---------------------------------------------------------------- factors and rounding (section 9)


@pytest.mark.parametrize(
    ("base", "upgraded", "shown", "own", "theirs", "dealt"),
    [
        (6, False, 6, {}, {}, 6),
        (6, False, 6, {}, {"VULNERABLE": 1}, 9),  # 6 x 1.5
        (6, False, 4, {"SHRINK": -1}, {}, 4),  # 6 x 0.7 = 4.2
        (6, False, 4, {"SHRINK": -1}, {"VULNERABLE": 2}, 6),  # 6 x 0.7 x 1.5 = 6.3, and 4 x 1.5 by chance too
        (6, False, 4, {"WEAK": 1}, {}, 4),  # 6 x 0.75 = 4.5
        (6, False, 6, {"CRUELTY": 25}, {"VULNERABLE": 1}, 10),  # 6 x 1.75 = 10.5
        (6, False, 6, {"CRUELTY": 50}, {"VULNERABLE": 1}, 12),  # 6 x 2
        (6, False, 6, {"CRUELTY": 50}, {}, 6),  # Cruelty acts on Vulnerable enemies only
        (9, True, 6, {"WEAK": 1}, {"VULNERABLE": 1}, 10),  # 9 x 1.125 = 10.1, where 6 x 1.5 would be 9
        (6, False, 8, {"STRENGTH": 2}, {"VULNERABLE": 1}, 12),  # (6 + 2) x 1.5
        (6, False, 6, {"STRENGTH": 3, "WEAK": 1}, {"VULNERABLE": 1}, 10),  # 9 x 1.125; shown 6.75
        (6, False, 3, {"WEAK": 1, "SHRINK": -1}, {}, 3),  # 6 x 0.525 = 3.15
        (6, False, 4, {"STRENGTH": -2}, {"VULNERABLE": 1}, 6),  # 4 x 1.5
        (6, False, 0, {"STRENGTH": -7}, {"VULNERABLE": 1}, 0),  # never below 0
    ],
)
def test_a_strike_is_rounded_once_at_the_end(
    base: int, upgraded: bool, shown: int, own: dict[str, int], theirs: dict[str, int], dealt: int
) -> None:
    del base
    observation = fight([strike(shown, upgraded=upgraded)], enemy(50, has=theirs), has=own)
    option = STRIKE.replace("IRONCLAD", "IRONCLAD+") if upgraded else STRIKE
    assert foe(observation, option).hp == 50 - dealt


def test_bash_shrunk_on_a_vulnerable_enemy_is_8_though_5_is_shown() -> None:
    # 8 x 0.7 x 1.5 = 8.4; from the shown 5 it would be 7.
    assert foe(fight([bash(5)], enemy(50, has={"VULNERABLE": 1}), has={"SHRINK": -1}), BASH).hp == 42


def test_20_shrunk_on_a_vulnerable_enemy_is_exactly_21() -> None:
    # 20 x 0.7 x 1.5 = 21: binary fractions would give 20.
    played = card("HEMOKINESIS", "Lose 2 HP. Deal 14 damage.", upgraded=True)
    observation = fight([played], enemy(50, has={"VULNERABLE": 1}), has={"SHRINK": -1})
    assert foe(observation, "play:HEMOKINESIS+:e1").hp == 29


@pytest.mark.parametrize(
    ("shown", "own", "block"),
    [
        (5, {}, 5),
        (3, {"FRAIL": 1}, 3),  # 5 x 0.75 = 3.75
        (7, {"DEXTERITY": 2}, 7),
        (5, {"FRAIL": 2, "DEXTERITY": 2}, 5),  # 7 x 0.75 = 5.25
        (0, {"DEXTERITY": -6}, 0),  # never below 0
    ],
)
def test_block_takes_dexterity_and_then_frail(shown: int, own: dict[str, int], block: int) -> None:
    assert certain(fight([defend(shown)], enemy(50), has=own), DEFEND).block == block


def test_strength_gained_in_a_line_counts_for_what_follows() -> None:
    inflame = skill("INFLAME", "Gain 2 Strength.", kind="Power")
    assert last(fight([inflame, strike()], enemy(50)), "play:INFLAME", STRIKE)[1]["hp"] == 42


def test_vulnerable_put_on_in_a_line_counts_from_the_next_card_on() -> None:
    observation = fight([bash(), strike()], enemy(50))
    assert foe(observation, BASH).hp == 42  # 8: its own Vulnerable comes after its hit
    assert last(observation, BASH, STRIKE)[1]["hp"] == 33  # 9 more


def test_vigor_counts_for_every_hit_of_one_attack_and_is_spent_by_it() -> None:
    observation = fight([twin_strike(13), strike(14)], enemy(60), has={"VIGOR": 8})
    assert last(observation, TWIN)[1]["hp"] == 34  # 2 x (5 + 8)
    assert last(observation, TWIN, STRIKE)[1]["hp"] == 28  # 6


def test_temporary_strength_counts_in_the_turn_it_is_given() -> None:
    setup = card("SETUP_STRIKE", "Deal 7 damage. Gain 2 Strength this turn.")
    assert last(fight([setup, strike()], enemy(50)), "play:SETUP_STRIKE:e1", STRIKE)[1]["hp"] == 35  # 7 + 8


# ---------------------------------------------------------------- several hits, block


def test_each_hit_of_an_x_attack_meets_the_block_that_the_last_one_left() -> None:
    # 5 x 3 into 8 block and 10 HP: 5 blocked, 3 blocked and 2 through, 5 through.
    expected = certain(fight([whirlwind()], enemy(10, block=8), energy=3), "play:WHIRLWIND")
    assert (expected.enemies[1].hp, expected.enemies[1].block, expected.energy) == (3, 0, 0)


def test_an_x_attack_hits_all_enemies_once_for_each_energy_left() -> None:
    observation = fight([strike(), whirlwind(8, upgraded=True)], enemy(50), enemy(40), energy=3)
    after = last(observation, STRIKE, "play:WHIRLWIND+")
    assert (after[1]["hp"], after[2]["hp"], after["energy"]) == (50 - 6 - 16, 40 - 16, 0)


def test_an_x_attack_without_energy_does_nothing() -> None:
    assert foe(fight([whirlwind()], enemy(10), energy=0), "play:WHIRLWIND").hp == 10


def test_7_twice_into_10_block_costs_4() -> None:
    observation = fight([], enemy(50, "7x2"), block=10)
    assert ending(observation) == {"incoming": 14, "hp_lost": 4, "dies": "no", "unknown": []}
    assert certain(observation, "end_turn").hp == 76


def test_an_attack_on_a_blocking_enemy_takes_its_block_first() -> None:
    after = foe(fight([strike()], enemy(20, block=4)), STRIKE)
    assert (after.hp, after.block) == (18, 0)


def test_body_slam_deals_the_block_there_is_when_it_is_played() -> None:
    slam = card("BODY_SLAM", "Deal 7 damage.")
    observation = fight([slam, defend()], enemy(50), block=7)
    assert foe(observation, "play:BODY_SLAM:e1").hp == 43
    assert last(observation, DEFEND, "play:BODY_SLAM:e1")[1]["hp"] == 38  # 7 + 5


def test_perfected_strike_deals_what_its_text_shows() -> None:
    perfected = card("PERFECTED_STRIKE", "Deal 16 damage. Deals 2 additional damage for ALL your Strikes.", cost="2")
    observation = fight([perfected], enemy(50, has={"VULNERABLE": 1}))
    assert foe(observation, "play:PERFECTED_STRIKE:e1").hp == 26  # 16 x 1.5


def test_perfected_strike_is_not_computed_later_in_a_line() -> None:
    # Its text is the only source of its number, and what was played before may have changed it.
    perfected = card("PERFECTED_STRIKE", "Deal 16 damage. Deals 2 additional damage for ALL your Strikes.", cost="2")
    assert last(fight([perfected, strike()], enemy(50)), STRIKE, "play:PERFECTED_STRIKE:e1") == {}


# ---------------------------------------------------------------- enemies that answer or resist


def test_thorns_strike_back_for_each_hit_and_meet_block() -> None:
    expected = certain(fight([twin_strike()], enemy(50, has={"THORNS": 3}), block=4), TWIN)
    assert (expected.hp, expected.block, expected.enemies[1].hp) == (78, 0, 40)  # 4 of 6 blocked


def test_thorns_strike_back_at_hits_that_are_blocked_or_kill() -> None:
    two = [enemy(6, has={"THORNS": 3}), enemy(50)]
    assert certain(fight([strike()], *two), STRIKE).hp == 77
    assert certain(fight([strike()], enemy(50, has={"THORNS": 3}, block=20)), STRIKE).hp == 77


def test_an_attack_on_all_is_answered_by_each_enemy_with_thorns() -> None:
    clap = card("THUNDERCLAP", "Deal 4 damage and apply 1 Vulnerable to ALL enemies.", target="AllEnemies")
    observation = fight([clap], enemy(50, has={"THORNS": 2}), enemy(50), enemy(50, has={"THORNS": 3}))
    expected = certain(observation, "play:THUNDERCLAP")
    assert (expected.hp, [expected.enemies[number].hp for number in (1, 2, 3)]) == (75, [46, 46, 46])


def test_thorns_can_kill_the_player_before_the_attack_is_done() -> None:
    observation = fight([twin_strike()], enemy(8, "1", has={"THORNS": 3}), hp=3)
    expected = certain(observation, TWIN)
    assert (expected.hp, expected.fight_over) == (0, True)
    deadly = next(each for each in search(observation).lines if each.plays)
    assert (deadly.outcome.dies, deadly.outcome.wins) == ("yes", False)


def test_block_from_the_same_card_comes_before_its_hit() -> None:
    wave = card("IRON_WAVE", "Gain 5 Block. Deal 5 damage.")
    expected = certain(fight([wave], enemy(50, has={"THORNS": 3})), "play:IRON_WAVE:e1")
    assert (expected.hp, expected.block, expected.enemies[1].hp) == (80, 2, 45)


def test_slippery_lets_one_hp_through_for_each_stack() -> None:
    observation = fight([twin_strike(), strike(), strike()], enemy(50, has={"SLIPPERY": 3}))
    assert foe(observation, TWIN).hp == 48
    assert last(observation, TWIN, STRIKE, STRIKE)[1]["hp"] == 41  # 1 + 1, 1, 6


def test_a_fully_blocked_hit_uses_no_slippery() -> None:
    observation = fight([strike(), strike(), strike()], enemy(50, has={"SLIPPERY": 1}, block=6))
    assert last(observation, STRIKE, STRIKE, STRIKE)[1]["hp"] == 43  # 0, 1, 6


def test_intangible_caps_each_hit_before_block() -> None:
    after = foe(fight([twin_strike()], enemy(50, has={"INTANGIBLE": 1}, block=1)), TWIN)
    assert (after.hp, after.block) == (49, 0)


def test_hard_to_kill_caps_each_hit() -> None:
    bludgeon = card("BLUDGEON", "Deal 32 damage.", cost="3")
    assert foe(fight([bludgeon], enemy(50, has={"HARD_TO_KILL": 9})), "play:BLUDGEON:e1").hp == 41


def test_artifact_eats_a_debuff() -> None:
    observation = fight([bash(), strike()], enemy(50, has={"ARTIFACT": 1}))
    assert last(observation, BASH, STRIKE)[1]["hp"] == 36  # 8 + 6


def test_artifact_eats_the_debuffs_of_one_card_in_the_order_of_its_text() -> None:
    uppercut = card("UPPERCUT", "Deal 13 damage. Apply 1 Weak. Apply 1 Vulnerable.", cost="2")
    observation = fight([uppercut, strike()], enemy(50, "12", has={"ARTIFACT": 1}))
    assert last(observation, "play:UPPERCUT:e1", STRIKE)[1]["hp"] == 28  # 13, then 9: Vulnerable got through
    assert ending(observation, "play:UPPERCUT:e1")["hp_lost"] == 12  # Weak did not


def test_a_ravenous_enemy_is_stunned_by_the_death_of_another() -> None:
    slugs = [enemy(6, "8", has={"RAVENOUS": 4}), enemy(25, "8", has={"RAVENOUS": 4})]
    observation = fight([strike()], *slugs)
    assert ending(observation)["hp_lost"] == 16
    assert ending(observation, STRIKE)["hp_lost"] == 0


def test_a_skittish_enemys_block_is_not_predicted_after_its_first_hit() -> None:
    # Whether it gained its block in this turn already, no state tells.
    observation = fight([strike(), strike()], enemy(30, "5", has={"SKITTISH": 6}))
    after = foe(observation, STRIKE)
    assert (after.hp, after.block) == (24, None)
    assert 1 not in last(observation, STRIKE, STRIKE)


def test_a_skittish_enemy_that_was_not_hit_keeps_its_certain_numbers() -> None:
    observation = fight([strike()], enemy(30, "5", has={"SKITTISH": 6}, block=2), enemy(30, "5"))
    untouched = foe(observation, "play:STRIKE_IRONCLAD:e2", 1)
    assert (untouched.hp, untouched.block) == (30, 2)


def test_skittish_block_is_gained_once_in_a_turn() -> None:
    # 6 damage, 6 block; the second Strike meets that block, and no more comes.
    found = search(fight([strike(), strike()], enemy(30, "5", has={"SKITTISH": 6})))
    twice = next(each.position.foes[0] for each in found.lines if len(each.plays) == 2)
    assert (twice.hp, twice.block) == (24, 0)


@pytest.mark.parametrize("threshold", ["PLOW", "SHRIEK"])
def test_reaching_its_threshold_stuns_an_enemy(threshold: str) -> None:
    assert ending(fight([strike()], enemy(156, "18", has={threshold: 150})), STRIKE)["hp_lost"] == 0
    assert ending(fight([strike()], enemy(157, "18", has={threshold: 150})), STRIKE)["hp_lost"] == 18


def test_a_fully_blocked_hit_reaches_no_threshold() -> None:
    assert ending(fight([strike()], enemy(150, "18", has={"PLOW": 150}, block=6)), STRIKE)["hp_lost"] == 18


def test_killing_the_leader_wins_while_minions_live_and_killing_minions_does_not() -> None:
    board = [enemy(6, "5"), enemy(20, "2", has={"MINION": 1})]
    assert certain(fight([strike()], *board), STRIKE).fight_over
    board = [enemy(20, "5"), enemy(6, "2", has={"MINION": 1})]
    expected = certain(fight([strike()], *board), "play:STRIKE_IRONCLAD:e2")
    assert (expected.fight_over, expected.enemies[2].hp) == (False, 0)


def test_a_kill_cancels_an_intent() -> None:
    observation = fight([strike()], enemy(6, "12"), enemy(30, "5"))
    assert ending(observation) == {"incoming": 17, "hp_lost": 17, "dies": "no", "unknown": []}
    assert ending(observation, STRIKE) == {"incoming": 5, "hp_lost": 5, "dies": "no", "unknown": []}


@pytest.mark.parametrize(("kind", "power"), [("SLITHERING_STRANGLER", "CONSTRICT")])
def test_what_a_dead_enemy_held_us_with_goes_with_it(kind: str, power: str) -> None:
    observation = fight([strike()], enemy(6, kind=kind), enemy(30), has={power: 3})
    assert ending(observation)["hp_lost"] == 3
    assert ending(observation, STRIKE)["hp_lost"] == 0


def test_the_shrinker_beetles_death_frees_us_of_shrink() -> None:
    observation = fight([strike(4), strike(4)], enemy(4, kind="SHRINKER_BEETLE"), enemy(30), has={"SHRINK": -1})
    assert last(observation, STRIKE, "play:STRIKE_IRONCLAD:e2")[2]["hp"] == 24


@pytest.mark.parametrize("power", ["INFESTED", "ILLUSION"])
def test_a_death_that_is_not_the_end_is_no_certain_victory(power: str) -> None:
    observation = fight([strike()], enemy(6, "5", has={power: 4}))
    assert not any(each.outcome.wins for each in search(observation).lines)
    assert not certain(observation, STRIKE).fight_over


# ---------------------------------------------------------------- own powers that watch


def test_juggernaut_strikes_the_only_enemy_for_a_gain_of_block() -> None:
    expected = certain(fight([defend()], enemy(50, has={"VULNERABLE": 1}), has={"JUGGERNAUT": 6}), DEFEND)
    assert (expected.block, expected.enemies[1].hp) == (5, 44)  # unpowered: Vulnerable does not count


def test_juggernaut_chooses_among_several_enemies_at_random() -> None:
    assert foresee(fight([defend()], enemy(50), enemy(50), has={"JUGGERNAUT": 6}), DEFEND) is None


def test_juggernaut_does_nothing_when_no_block_is_gained() -> None:
    assert foe(fight([defend(0)], enemy(50), has={"JUGGERNAUT": 6, "DEXTERITY": -5}), DEFEND).hp == 50


def test_juggernaut_acts_on_every_gain_of_block() -> None:
    # Rage gives 3 block after the Strike, which is a gain too: 6 + 5.
    assert foe(fight([strike()], enemy(50), has={"RAGE": 3, "JUGGERNAUT": 5}), STRIKE).hp == 39
    tremble = card("TREMBLE", "Apply 3 Vulnerable. Exhaust.", kind="Skill")
    assert foe(fight([tremble], enemy(50), has={"FEEL_NO_PAIN": 3, "JUGGERNAUT": 5}), "play:TREMBLE:e1").hp == 45
    drink = potion("BLOCK_POTION")
    assert foe(fight([], enemy(50), has={"JUGGERNAUT": 5}, potions=[drink]), "potion:BLOCK_POTION").hp == 45


def test_juggernaut_makes_block_at_the_end_of_the_turn_uncertain() -> None:
    observation = fight([], enemy(50, "4"), has={"PLATING": 3, "JUGGERNAUT": 5})
    expected = certain(observation, "end_turn")
    assert 1 not in expected.enemies or expected.enemies[1].hp == 45


def test_feel_no_pain_blocks_for_a_card_that_exhausts() -> None:
    tremble = card("TREMBLE", "Apply 3 Vulnerable. Exhaust.", kind="Skill")
    assert certain(fight([tremble], enemy(50), has={"FEEL_NO_PAIN": 3}), "play:TREMBLE:e1").block == 3
    assert certain(fight([defend()], enemy(50), has={"FEEL_NO_PAIN": 3}), DEFEND).block == 5


def test_feel_no_pain_blocks_for_ethereal_cards_at_the_end_of_the_turn() -> None:
    assert ending(fight([BANE, BANE], enemy(50, "7"), has={"FEEL_NO_PAIN": 3}))["hp_lost"] == 1


def test_feel_no_pain_makes_block_uncertain_when_a_card_of_the_hand_exhausts() -> None:
    grit = skill("TRUE_GRIT", "Gain 7 Block. Exhaust 1 card at random.")
    assert certain(fight([grit, strike()], enemy(50)), "play:TRUE_GRIT").block == 7
    expected = foresee(fight([grit, strike()], enemy(50), has={"FEEL_NO_PAIN": 3}), "play:TRUE_GRIT")
    assert expected is None or expected.block is None


def test_rage_blocks_for_attacks_and_not_for_skills() -> None:
    rage = skill("RAGE", "Whenever you play an Attack this turn, gain 3 Block.", cost="0")
    observation = fight([rage, strike(), twin_strike(), defend()], enemy(50))
    assert last(observation, "play:RAGE", STRIKE, TWIN)["block"] == 6
    assert last(observation, "play:RAGE", DEFEND)["block"] == 5


def test_hp_paid_by_a_card_is_paid_before_its_hit() -> None:
    hemokinesis = card("HEMOKINESIS", "Lose 2 HP. Deal 15 damage.")
    expected = certain(fight([hemokinesis], enemy(50), block=9), "play:HEMOKINESIS:e1")
    assert (expected.hp, expected.block, expected.enemies[1].hp) == (78, 9, 35)
    deadly = search(fight([hemokinesis], enemy(15, "5"), hp=2))
    assert not any(each.outcome.wins for each in deadly.lines)


def test_energy_gained_in_a_line_pays_for_cards_that_were_too_dear() -> None:
    bloodletting = skill("BLOODLETTING", "Lose 3 HP. Gain [energy][energy].", cost="0")
    hand = [bloodletting, bash(reason="EnergyCostTooHigh")]
    after = last(fight(hand, enemy(50), energy=0), "play:BLOODLETTING", BASH)
    assert (after["energy"], after["hp"], after[1]["hp"]) == (0, 77, 42)
    assert any(len(each.plays) == 2 for each in search(fight(hand, enemy(50), energy=0)).lines)


def test_a_card_that_cannot_be_played_for_another_reason_is_in_no_line() -> None:
    hand = [strike(reason="BlockedByHook"), status("WOUND", "Unplayable."), defend()]
    found = search(fight(hand, enemy(6, "5")))
    assert {play.hand_index for each in found.lines for play in each.plays} == {2}


def test_ringing_allows_one_card_a_turn() -> None:
    found = search(fight([strike(), defend()], enemy(30, "5"), has={"RINGING": 1}))
    assert max(len(each.plays) for each in found.lines) == 1


def test_a_card_that_draws_leaves_only_the_cards_unknown() -> None:
    pommel = card("POMMEL_STRIKE", "Deal 9 damage. Draw 1 card.")
    observation = fight([pommel, strike()], enemy(50))
    assert last(observation, "play:POMMEL_STRIKE:e1")[1]["hp"] == 41
    assert line(observation, "play:POMMEL_STRIKE:e1")["steps"][0]["unknown"]
    assert not line(fight([pommel], enemy(50), has={"NO_DRAW": 1}), "play:POMMEL_STRIKE:e1")["steps"][0]["unknown"]


def test_a_line_goes_on_after_a_draw_and_keeps_saying_that_cards_are_unknown() -> None:
    pommel = card("POMMEL_STRIKE", "Deal 9 damage. Draw 1 card.")
    wave = card("IRON_WAVE", "Gain 5 Block. Deal 5 damage.")
    observation = fight([pommel, wave], enemy(50, "7"))
    played = ["play:POMMEL_STRIKE:e1", "play:IRON_WAVE:e1"]
    after = last(observation, *played)
    assert (after["block"], after[1]["hp"]) == (5, 36)  # 9 + 5
    assert line(observation, *played)["steps"][1]["unknown"]
    # A status that was drawn may act when the turn ends.
    assert line(observation, *played, "end_turn")["steps"][2]["predicted"] == {"player": {}, "enemies": []}
    assert ending(observation, *played)["dies"] == "unknown"


def test_nothing_is_certain_after_a_choice_among_the_cards_in_hand() -> None:
    # The Strike may be the card that Armaments upgrades.
    armaments = skill("ARMAMENTS", "Gain 5 Block. Upgrade a card in your Hand.")
    observation = fight([armaments, strike()], enemy(50))
    assert last(observation, "play:ARMAMENTS")["block"] == 5
    assert last(observation, "play:ARMAMENTS", STRIKE) == {}


def test_nothing_is_certain_after_a_card_that_is_not_computed() -> None:
    observation = fight([card("MOD_SLAP", "Deal 6 damage."), strike(), defend()], enemy(50, "99"))
    played = ["play:MOD_SLAP:e1", STRIKE]
    assert last(observation, *played) == {}
    assert last(observation, *played, "end_turn") == {}
    assert ending(observation, *played)["dies"] == "unknown"


# ---------------------------------------------------------------- upgrades, enchantments, languages, potions


def test_upgraded_cards_have_their_own_numbers() -> None:
    observation = fight([strike(9, upgraded=True), bash(10, 3, upgraded=True), defend(8, upgraded=True)], enemy(50))
    assert foe(observation, "play:STRIKE_IRONCLAD+:e1").hp == 41
    assert certain(observation, "play:DEFEND_IRONCLAD+").block == 8
    assert last(observation, "play:BASH+:e1", "play:STRIKE_IRONCLAD+:e1")[1]["hp"] == 27  # 10, then 13.5


@pytest.mark.parametrize("name", ["Sharp", "锋利"])
def test_sharp_adds_to_the_base_before_the_targets_factor(name: str) -> None:
    sharp = bash(10, keywords={name: "+2"})
    assert foe(fight([sharp], enemy(50, has={"VULNERABLE": 1})), BASH).hp == 35  # (8 + 2) x 1.5


def test_nimble_adds_to_block() -> None:
    assert certain(fight([defend(7, keywords={"Nimble": "+2"})], enemy(50)), DEFEND).block == 7


def test_an_enchantment_that_is_not_modelled_leaves_the_card_uncomputed() -> None:
    assert foresee(fight([strike(9, keywords={"Corrupted": "50% more damage."})], enemy(50)), STRIKE) is None


def test_chinese_texts_are_read() -> None:
    hand = [card("STRIKE_IRONCLAD", "造成６点伤害。"), skill("DEFEND_IRONCLAD", "获得5点格挡。")]
    observation = fight(hand, enemy(50, "１２×２"))
    assert foe(observation, STRIKE).hp == 44
    assert certain(observation, DEFEND).block == 5
    assert ending(observation, DEFEND)["hp_lost"] == 19
    assert foresee(fight([card("STRIKE_IRONCLAD", "造成9点伤害。")], enemy(50)), STRIKE) is None


def test_texts_of_other_languages_are_verified_by_their_numbers() -> None:
    assert foe(fight([card("STRIKE_IRONCLAD", "Inflige 6 points de dégâts.")], enemy(50)), STRIKE).hp == 44
    assert foresee(fight([card("STRIKE_IRONCLAD", "Inflige 9 points de dégâts.")], enemy(50)), STRIKE) is None


def test_potions_know_no_strength_weak_vulnerable_or_frail() -> None:
    drinks = [potion("FIRE_POTION", "AnyEnemy"), potion("BLOCK_POTION"), potion("EXPLOSIVE_AMPOULE", "AllEnemies")]
    observation = fight(
        [],
        enemy(50, has={"VULNERABLE": 2}, block=5),
        enemy(30),
        has={"STRENGTH": 3, "WEAK": 1, "FRAIL": 2},
        potions=drinks,
    )
    assert foe(observation, "potion:FIRE_POTION:e1").hp == 35  # 20, 5 of it blocked
    assert certain(observation, "potion:BLOCK_POTION").block == 12
    expected = certain(observation, "potion:EXPLOSIVE_AMPOULE")
    assert [expected.enemies[number].hp for number in (1, 2)] == [45, 20]


def test_caps_hold_for_potions_too() -> None:
    drink = potion("FIRE_POTION", "AnyEnemy")
    assert foe(fight([], enemy(50, has={"HARD_TO_KILL": 9}), potions=[drink]), "potion:FIRE_POTION:e1").hp == 41
    assert foe(fight([], enemy(50, has={"INTANGIBLE": 1}), potions=[drink]), "potion:FIRE_POTION:e1").hp == 49
    thorny = fight([], enemy(50, has={"THORNS": 5}), potions=[drink])
    assert certain(thorny, "potion:FIRE_POTION:e1").hp == 80  # no powered damage: Thorns stay quiet


def test_potions_change_what_follows_in_a_line() -> None:
    drinks = [potion("STRENGTH_POTION"), potion("ENERGY_POTION"), potion("WEAK_POTION", "AnyEnemy")]
    observation = fight(
        [strike(), strike(), defend(reason="EnergyCostTooHigh")], enemy(50, "12"), energy=0, potions=drinks
    )
    after = last(observation, "potion:STRENGTH_POTION", "potion:ENERGY_POTION", STRIKE, STRIKE)
    assert (after[1]["hp"], after["energy"]) == (34, 0)  # 2 x (6 + 2)
    assert ending(observation, "potion:WEAK_POTION:e1")["hp_lost"] == 9


def test_a_potion_that_draws_leaves_only_the_cards_unknown() -> None:
    observation = fight([strike()], enemy(50), block=4, potions=[potion("SWIFT_POTION")])
    assert certain(observation, "potion:SWIFT_POTION").block == 4
    assert line(observation, "potion:SWIFT_POTION", STRIKE)["steps"][1]["predicted"]["enemies"][0]["hp"] == 44


def test_potions_are_part_of_lines_only_when_they_are_asked_for() -> None:
    observation = fight([strike()], enemy(26, "5"), potions=[potion("FIRE_POTION", "AnyEnemy")])
    assert not any(each.outcome.wins for each in search(observation).lines)
    assert any(each.outcome.wins for each in search(observation, use_potions=True).lines)
