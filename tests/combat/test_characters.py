"""Hand-worked cases of each character's own mechanics, and of relics and powers that act in the middle of a turn.

Numbers are those of combat-rules.md (sections 1, 2, 3 and 5) and of the card tables; each case is worked beside it.
"""

from typing import Any

import pytest

from spire_mcp.combat import search
from spire_mcp.game.expected import Expected
from tests.combat.boards import (
    Raw,
    attack,
    card,
    certain,
    defend,
    ending,
    enemy,
    fight,
    foe,
    foresee,
    last,
    neutralize,
    skill,
    strike,
)

STRIKE = "play:STRIKE_IRONCLAD:e1"


def orb(kind: str, passive: int, evoke: int) -> Raw:
    return {"id": kind, "name": kind.title(), "passive_val": passive, "evoke_val": evoke, "keywords": []}


def defect(hand: list[Raw], *enemies: Raw, orbs: list[Raw], slots: int = 3, **more: Any) -> Any:
    return fight(hand, *enemies, more={"orbs": orbs, "orb_slots": slots}, **more)


# ---------------------------------------------------------------------- Ironclad


def test_ashen_strike_counts_the_exhaust_pile() -> None:
    # 6 + 3 x 4 = 18.
    held = card("ASHEN_STRIKE", "Deal 18 damage. Deals 3 additional damage for each card in your Exhaust Pile.")
    board = fight([held], enemy(50, "5"), more={"exhaust_pile_count": 4})
    assert foe(board, "play:ASHEN_STRIKE:e1").hp == 32


def test_ashen_strike_counts_what_this_line_exhausts() -> None:
    # Tremble exhausts: 6 + 3 x 1 = 9, on Vulnerable 13 (13.5 cut off).
    held = card("ASHEN_STRIKE", "Deal 6 damage. Deals 3 additional damage for each card in your Exhaust Pile.")
    tremble = skill("TREMBLE", "Apply 3 Vulnerable. Exhaust.", target="AnyEnemy")
    board = fight([tremble, held], enemy(50, "5"))
    assert last(board, "play:TREMBLE:e1", "play:ASHEN_STRIKE:e1")[1]["hp"] == 37


def test_bully_counts_the_targets_vulnerable_which_its_text_cannot_hold() -> None:
    # (4 + 2 x 3) x 1.5 = 15 on Vulnerable 3; 4 on the other.
    bully = card("BULLY", "Deal 4 damage. Deals 2 additional damage for each Vulnerable on the enemy.", cost="0")
    board = fight([bully], enemy(50, "5", has={"VULNERABLE": 3}), enemy(50, "5"))
    assert foe(board, "play:BULLY:e1").hp == 35
    assert foe(board, "play:BULLY:e2", 2).hp == 46


def test_rupture_makes_a_card_that_costs_hp_stronger_before_its_damage() -> None:
    # Hemokinesis: 2 HP first, so Strength 1 counts: 15 + 1.
    held = card("HEMOKINESIS", "Lose 2 HP. Deal 15 damage.")
    board = fight([held], enemy(50, "5"), has={"RUPTURE": 1})
    assert (certain(board, "play:HEMOKINESIS:e1").hp, foe(board, "play:HEMOKINESIS:e1").hp) == (78, 34)


def test_not_yet_heals_no_further_than_the_maximum() -> None:
    held = skill("NOT_YET", "Heal 10 HP. Exhaust.", cost="2")
    assert certain(fight([held], enemy(50, "5"), hp=75), "play:NOT_YET").hp == 80


# ---------------------------------------------------------------------- Silent


def test_poison_ignores_block_and_acts_before_the_enemy() -> None:
    # 5 Poison kills 5 HP behind 20 block, so its 12 never come.
    held = skill("DEADLY_POISON", "Apply 5 Poison.", target="AnyEnemy")
    board = fight([held], enemy(5, "12", block=20))
    assert ending(board, "play:DEADLY_POISON:e1")["hp_lost"] == 0


def test_envenom_poisons_only_where_block_is_broken() -> None:
    behind = fight([strike()], enemy(7, "9", block=10), has={"ENVENOM": 1})
    # 6 into 10 block: nothing lost, no poison, the 7 HP stay.
    assert ending(behind, STRIKE)["hp_lost"] == 9
    # 6 into no block leaves 1 HP, and 1 Poison takes it before it acts.
    open_to_it = fight([strike()], enemy(7, "9"), has={"ENVENOM": 1})
    assert ending(open_to_it, STRIKE)["hp_lost"] == 0


def test_afterimage_blocks_for_each_card_played() -> None:
    board = fight([strike(), defend()], enemy(50, "9"), has={"AFTERIMAGE": 1})
    # 5 from Defend and 1 for each of two cards.
    assert last(board, STRIKE, "play:DEFEND_IRONCLAD")["block"] == 7


def test_a_shiv_counts_accuracy_and_its_text_shows_it() -> None:
    shiv = card("SHIV", "Deal 8 damage. Exhaust.", cost="0")
    assert foe(fight([shiv], enemy(50, "5"), has={"ACCURACY": 4}), "play:SHIV:e1").hp == 42


def test_precise_cut_falls_with_the_rest_of_the_hand() -> None:
    # 13 - 2 x 2 other cards = 9; after a Strike there is one other: 11.
    cut = card("PRECISE_CUT", "Deal 9 damage. Deals 2 less damage for each other card in your Hand.", cost="0")
    board = fight([cut, strike(), defend()], enemy(50, "5"))
    assert foe(board, "play:PRECISE_CUT:e1").hp == 41
    assert last(board, STRIKE, "play:PRECISE_CUT:e1")[1]["hp"] == 33


def test_strangle_takes_hp_past_block_with_every_later_card() -> None:
    held = card("STRANGLE", "Deal 8 damage. Whenever you play a card this turn, the enemy loses 2 HP.")
    board = fight([held, defend()], enemy(50, "5", block=20))
    # 8 into 20 block; then Defend: 2 HP past the 12 that are left.
    after = last(board, "play:STRANGLE:e1", "play:DEFEND_IRONCLAD")[1]
    assert (after["hp"], after["block"]) == (48, 12)


def test_tracking_doubles_attacks_on_the_weak() -> None:
    board = fight([strike()], enemy(50, "5", has={"WEAK": 1}), has={"TRACKING": 2})
    assert foe(board, STRIKE).hp == 38


def test_piercing_wail_lowers_every_label() -> None:
    held = skill("PIERCING_WAIL", "ALL enemies lose 6 Strength this turn. Exhaust.", target="AllEnemies")
    board = fight([held], enemy(50, "9"), enemy(50, attack("4x3")))
    # 9 - 6 = 3, and 4 - 6 is nothing three times.
    assert ending(board, "play:PIERCING_WAIL")["hp_lost"] == 3


def test_wraith_form_makes_every_hit_one() -> None:
    held = skill(
        "WRAITH_FORM", "Gain 2 Intangible. At the start of your turn, lose 1 Dexterity.", cost="3", kind="Power"
    )
    assert ending(fight([held], enemy(50, attack("15x2"))), "play:WRAITH_FORM")["hp_lost"] == 2


# ---------------------------------------------------------------------- Defect


def test_frost_blocks_at_the_end_of_the_turn() -> None:
    board = defect([strike()], enemy(50, "9"), orbs=[orb("FROST", 2, 5), orb("FROST", 2, 5)])
    assert ending(board)["hp_lost"] == 5


def test_lightning_on_one_enemy_is_certain_and_can_save_the_turn() -> None:
    board = defect([strike()], enemy(3, "9"), orbs=[orb("LIGHTNING", 3, 8)])
    assert ending(board)["hp_lost"] == 0


def test_lightning_among_several_leaves_their_hp_uncertain_and_surviving_certain() -> None:
    board = defect([strike()], enemy(30, "9"), enemy(30, "4"), orbs=[orb("LIGHTNING", 3, 8)])
    end = certain(board, "end_turn")
    assert (end.hp, dict(end.enemies)) == (None, {})
    assert ending(board)["dies"] == "no"


def test_a_lightning_that_could_kill_the_attacker_leaves_dying_unknown() -> None:
    board = defect([strike()], enemy(3, "9"), enemy(30), orbs=[orb("LIGHTNING", 3, 8)], hp=9)
    assert ending(board)["dies"] == "unknown"


def test_channelling_with_full_slots_evokes_the_first_orb() -> None:
    held = card("COLD_SNAP", "Deal 6 damage. Channel 1 Frost.")
    board = defect([held], enemy(50, "20"), orbs=[orb("FROST", 2, 5), orb("FROST", 2, 5)], slots=2)
    # The first Frost is evoked for 5, and two Frosts block 2 each.
    assert certain(board, "play:COLD_SNAP:e1").block == 5
    assert ending(board, "play:COLD_SNAP:e1")["hp_lost"] == 11


def test_focus_counts_for_orbs_that_are_there_and_for_new_ones() -> None:
    held = skill("DEFRAGMENT", "Gain 1 Focus.", kind="Power")
    snap = card("COLD_SNAP", "Deal 6 damage. Channel 1 Frost.")
    board = defect([held, snap], enemy(50, "20"), orbs=[orb("FROST", 2, 5)])
    # 3 from the old Frost and 3 from the new one.
    assert ending(board, "play:DEFRAGMENT", "play:COLD_SNAP:e1")["hp_lost"] == 14


def test_fusion_into_full_slots_gives_the_energy_of_an_evoked_plasma() -> None:
    held = skill("FUSION", "Channel 1 Plasma. Exhaust.")
    board = defect([held], enemy(50, "5"), orbs=[orb("PLASMA", 1, 2)], slots=1)
    assert certain(board, "play:FUSION").energy == 4


def test_dark_goes_to_the_enemy_with_the_least_hp() -> None:
    held = skill("GLACIER", "Gain 6 Block. Channel 2 Frost.", cost="2")
    board = defect([held], enemy(40, "5"), enemy(20, "5"), orbs=[orb("DARK", 6, 12)], slots=2)
    assert foe(board, "play:GLACIER", 2).hp == 8


def test_an_orb_of_another_version_makes_numbers_uncertain_and_nothing_worse() -> None:
    board = defect([strike()], enemy(50, "9"), orbs=[orb("VOID_ORB", 1, 2)])
    assert certain(board, "end_turn").hp is None
    assert ending(board)["dies"] == "no"


# ---------------------------------------------------------------------- Regent


def star_card(identity: str, text: str, stars: int, cost: str = "1", **more: Any) -> Raw:
    return {**card(identity, text, cost=cost, **more), "star_cost": str(stars)}


def test_two_cards_cannot_be_paid_with_the_stars_of_one() -> None:
    hand = [star_card("FALLING_STAR", "Deal 7 damage. Apply 1 Weak. Apply 1 Vulnerable.", 2, "0") for _ in range(2)]
    board = fight(hand, enemy(50, "5"), more={"stars": 3})
    assert max(len(line.plays) for line in search(board).lines) == 1


def test_stars_that_a_card_gives_pay_for_the_next() -> None:
    hand = [
        skill("VENERATE", "Gain 2 stars."),
        star_card("DYING_STAR", "Deal 9 damage to ALL enemies. ALL enemies lose 9 Strength.", 3, target="AllEnemies"),
    ]
    hand[1] |= {"can_play": False, "unplayable_reason": "StarCostTooHigh"}
    board = fight(hand, enemy(50, "12"), more={"stars": 1})
    plays = [len(line.plays) for line in search(board).lines]
    # The bridge says why it cannot be played now; stars are as good a reason as energy.
    assert max(plays) == 2


def test_vigor_from_terraforming_is_spent_by_one_attack() -> None:
    held = skill("TERRAFORMING", "Gain 6 Vigor.")
    board = fight([held, strike(), strike()], enemy(50, "5"))
    # 6 + 6, then 6.
    assert last(board, "play:TERRAFORMING", STRIKE, STRIKE)[1]["hp"] == 32


# ---------------------------------------------------------------------- Necrobinder


def osty(hp: int, **more: Any) -> dict[str, Any]:
    return {"pets": [{"id": "OSTY", "name": "Osty", "alive": True, "hp": hp, "max_hp": hp, "block": 0, **more}]}


@pytest.mark.parametrize(
    ("hp", "lost"),
    # 14 against 5 block leaves 9: Osty takes what he has, the rest goes on.
    [(1, 8), (5, 4), (9, 0), (30, 0)],
)
def test_osty_takes_what_block_leaves_and_the_rest_goes_on(hp: int, lost: int) -> None:
    board = fight([strike()], enemy(50, "14"), block=5, more=osty(hp))
    assert ending(board)["hp_lost"] == lost


def test_osty_takes_the_hits_one_after_the_other() -> None:
    # 4 x 3 with 10 HP: 4 and 4, then 2 and 2 for the player.
    assert ending(fight([strike()], enemy(50, attack("4x3")), more=osty(10)))["hp_lost"] == 2


def test_osty_does_not_stand_before_what_is_no_attack() -> None:
    board = fight([strike()], enemy(50), has={"CONSTRICT": 3}, more=osty(10))
    assert ending(board)["hp_lost"] == 3


def test_ostys_own_block_leaves_hp_uncertain_and_surviving_certain() -> None:
    board = fight([strike()], enemy(50, "14"), more=osty(5, block=3))
    assert certain(board, "end_turn").hp is None
    assert ending(board)["dies"] == "no"


# ---------------------------------------------------------------------- relics and powers of any character


def with_relic(relic: str, *hand: Raw, foes: list[Raw] | None = None, **more: Any) -> Any:
    return fight(list(hand), *(foes or [enemy(50, "9")]), relics=[relic], **more)


def test_strike_dummy_is_in_the_text_and_counted_once() -> None:
    # 6 + 3, on Vulnerable 13 (13.5 cut off).
    board = with_relic("STRIKE_DUMMY", strike(9), foes=[enemy(50, "5", has={"VULNERABLE": 1})])
    assert foe(board, STRIKE).hp == 37


def test_a_strike_that_does_not_show_its_relic_is_not_computed() -> None:
    assert foresee(with_relic("STRIKE_DUMMY", strike(6)), STRIKE) is None


def test_paper_phrog_makes_vulnerable_three_quarters_more() -> None:
    # combat-rules.md, section 1, step 6: 6 x 1.75 = 10.5, seen as 10.
    board = with_relic("PAPER_PHROG", strike(), foes=[enemy(50, "5", has={"VULNERABLE": 1})])
    assert foe(board, STRIKE).hp == 40


def test_paper_krane_makes_the_weak_weaker() -> None:
    # 10 x 0.6 = 6.
    board = with_relic("PAPER_KRANE", neutralize(), foes=[enemy(50, "10")])
    assert ending(board, "play:NEUTRALIZE:e1")["hp_lost"] == 6


def test_the_boot_makes_small_unblocked_damage_five() -> None:
    assert foe(with_relic("THE_BOOT", strike(), foes=[enemy(50, "5", block=4)]), STRIKE).hp == 45
    assert foe(with_relic("THE_BOOT", strike(), foes=[enemy(50, "5", block=6)]), STRIKE).hp == 50


def test_tungsten_rod_takes_one_off_each_loss() -> None:
    assert ending(with_relic("TUNGSTEN_ROD", strike(), foes=[enemy(50, attack("4x3"))]))["hp_lost"] == 9


@pytest.mark.parametrize(
    ("relic", "uncertain"),
    [
        ("NUNCHAKU", {"energy"}),
        ("ORNAMENTAL_FAN", {"block"}),
        ("PEN_NIB", {"enemies"}),
        ("HAPPY_FLOWER", set()),
        ("POCKETWATCH", set()),
    ],
)
def test_a_relic_leaves_uncertain_only_what_it_can_make_better(relic: str, uncertain: set[str]) -> None:
    expected = certain(with_relic(relic, strike()), STRIKE)
    assert _unknown(expected) == uncertain


def _unknown(expected: Expected) -> set[str]:
    numbers = {"hp": expected.hp, "block": expected.block, "energy": expected.energy}
    return {name for name, value in numbers.items() if value is None} | ({"enemies"} if not expected.enemies else set())


def test_a_relic_that_only_helps_does_not_make_surviving_unknown() -> None:
    board = with_relic("NUNCHAKU", strike(), defend(), hp=10)
    assert ending(board, STRIKE)["dies"] == "no"


def test_a_relic_that_might_save_the_turn_makes_dying_unknown() -> None:
    assert ending(with_relic("ORNAMENTAL_FAN", strike(), hp=9), STRIKE)["dies"] == "unknown"


def test_block_that_comes_with_the_next_turn_is_not_predicted_as_none() -> None:
    assert certain(with_relic("HORN_CLEAT", strike()), "end_turn").block is None
    assert certain(with_relic("HAPPY_FLOWER", strike()), "end_turn").block == 0


def test_doom_on_an_enemy_leaves_its_hp_open_and_our_own_certain() -> None:
    board = fight([strike()], enemy(50, "9", has={"DOOM": 60}))
    end = certain(board, "end_turn")
    assert (end.hp, dict(end.enemies)) == (71, {})


def test_doom_on_the_player_is_dangerous() -> None:
    assert ending(fight([strike()], enemy(50, "9"), has={"DOOM": 3}))["dies"] == "unknown"


def test_a_power_card_of_unknown_effect_stops_the_line_and_a_harmless_one_does_not() -> None:
    unknown = skill("INFERNO", "At the start of your turn, lose 1 HP.", kind="Power")
    harmless = skill("NOXIOUS_FUMES", "At the start of your turn, apply 2 Poison to ALL enemies.", kind="Power")
    assert foresee(fight([unknown, strike()], enemy(50, "5")), "play:INFERNO") is None
    board = fight([harmless, strike()], enemy(50, "5"))
    assert last(board, "play:NOXIOUS_FUMES", STRIKE)[1]["hp"] == 44


def test_a_power_of_the_next_turn_leaves_this_turn_certain() -> None:
    board = fight([strike()], enemy(50, "9"), has={"NOXIOUS_FUMES": 2})
    assert certain(board, "end_turn").hp == 71
