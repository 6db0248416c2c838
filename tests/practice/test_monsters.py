"""Every monster of the practice game makes the moves that are known of it, in their order, with their numbers."""

from itertools import pairwise
from random import Random

import pytest

from spire_mcp.practice.content import monsters
from spire_mcp.practice.fight import Fight
from spire_mcp.practice.moves import Pattern

ROLLS = 30
SEEDS = range(40)

# Monsters without dice: what comes once, what comes in a circle (act1.md, sections 2 and 3).
CYCLES = {
    "NIBBIT": ("", "BUTT SLICE HISS"),
    "SHRINKER_BEETLE": ("SHRINKER", "CHOMP STOMP"),
    "FUZZY_WURM_CRAWLER": ("", "FIRST_ACID_GOOP INHALE ACID_GOOP"),
    "TWIG_SLIME_S": ("", "BUTT"),
    "LEAF_SLIME_M": ("", "STICKY_SHOT CLUMP_SHOT"),
    "CUBEX_CONSTRUCT": ("CHARGE_UP", "REPEATER REPEATER_2 EXPEL_BLAST"),
    "EYE_WITH_TEETH": ("", "DISTRACT"),
    "AXE_RUBY_RAIDER": ("", "SWING_1 SWING_2 BIG_SWING"),
    "ASSASSIN_RUBY_RAIDER": ("", "KILLSHOT"),
    "BRUTE_RUBY_RAIDER": ("", "BEAT ROAR"),
    "CROSSBOW_RUBY_RAIDER": ("", "RELOAD FIRE"),
    "TRACKER_RUBY_RAIDER": ("TRACK", "HOUNDS"),
    "SNAPPING_JAXFRUIT": ("", "ENERGY_ORB"),
    "VINE_SHAMBLER": ("", "SWIPE GRASPING_VINES CHOMP"),
    "BYGONE_EFFIGY": ("INITIAL_SLEEP WAKE", "SLASHES"),
    "BYRDONIS": ("", "SWOOP PECK"),
    "PHROG_PARASITE": ("", "INFECT LASH"),
    "WRIGGLER": ("", "NASTY_BITE WRIGGLE"),
    "CEREMONIAL_BEAST": ("STAMP", "PLOW"),
    "KIN_PRIEST": ("", "ORB_OF_FRAILTY ORB_OF_WEAKNESS BEAM RITUAL"),
    "KIN_FOLLOWER": ("", "QUICK_SLASH BOOMERANG POWER_DANCE"),
    "VANTOM": ("", "INK_BLOT INKY_LANCE DISMEMBER PREPARE"),
    "SEAPUNK": ("", "SEA_KICK SPINNING_KICK BUBBLE_BURP"),
    "TOADPOLE": ("", "WHIRL SPIKEN SPIKE_SPIT"),
    "CALCIFIED_CULTIST": ("INCANTATION", "DARK_STRIKE"),
    "DAMP_CULTIST": ("INCANTATION", "DARK_STRIKE"),
    "HAUNTED_SHIP": ("HAUNT", "SWIPE STOMP"),
    "PUNCH_CONSTRUCT": ("", "READY FAST_PUNCH STRONG_PUNCH"),
    "SEWER_CLAM": ("", "JET PRESSURIZE"),
    "PHANTASMAL_GARDENER": ("", "FLAIL ENLARGE BITE LASH"),
    "SKULKING_COLONY": ("", "ZOOM ZOOM_2 INERTIA PIERCING_STABS"),
    "TERROR_EEL": ("", "CRASH THRASH"),
    "LAGAVULIN_MATRIARCH": ("", "SLEEP"),
    "SOUL_FYSH": ("", "BECKON DE_GAS GAZE FADE SCREAM"),
}
WITH_DICE = {
    "LEAF_SLIME_S",
    "TWIG_SLIME_M",
    "INKLET",
    "MAWLER",
    "FLYCONID",
    "FOGMOG",
    "SLITHERING_STRANGLER",
    "CORPSE_SLUG",
    "SLUDGE_SPINNER",
    "FOSSIL_STALKER",
}
# Attack damage and hits of a move at ascension 0.
DAMAGE = {
    "FOSSIL_STALKER": {"LATCH": (12, 1), "TACKLE": (9, 1), "LASH": (3, 2)},
    "PHANTASMAL_GARDENER": {"BITE": (5, 1), "LASH": (7, 1), "FLAIL": (1, 3)},
    "SKULKING_COLONY": {"ZOOM": (14, 1), "ZOOM_2": (14, 1), "INERTIA": (9, 1), "PIERCING_STABS": (7, 2)},
    "TERROR_EEL": {"CRASH": (16, 1), "THRASH": (3, 3)},
    "LAGAVULIN_MATRIARCH": {"SLASH": (19, 1), "DISEMBOWEL": (9, 2), "SLASH2": (12, 1)},
    "SOUL_FYSH": {"DE_GAS": (16, 1), "GAZE": (7, 1), "SCREAM": (13, 1)},
    "NIBBIT": {"BUTT": (12, 1), "SLICE": (6, 1)},
    "SHRINKER_BEETLE": {"CHOMP": (7, 1), "STOMP": (13, 1)},
    "FUZZY_WURM_CRAWLER": {"FIRST_ACID_GOOP": (4, 1), "ACID_GOOP": (4, 1)},
    "LEAF_SLIME_S": {"BUTT": (3, 1)},
    "TWIG_SLIME_S": {"BUTT": (4, 1)},
    "LEAF_SLIME_M": {"CLUMP_SHOT": (8, 1)},
    "TWIG_SLIME_M": {"CLUMP_SHOT": (11, 1)},
    "INKLET": {"JAB": (3, 1), "WHIRLWIND": (2, 3), "PIERCING_GAZE": (10, 1)},
    "MAWLER": {"CLAW": (4, 2), "RIP_AND_TEAR": (14, 1)},
    "CUBEX_CONSTRUCT": {"REPEATER": (7, 1), "REPEATER_2": (7, 1), "EXPEL_BLAST": (5, 2)},
    "FLYCONID": {"FRAIL_SPORES": (8, 1), "SMASH": (11, 1)},
    "FOGMOG": {"SWIPE": (8, 1), "SWIPE_RANDOM": (8, 1), "HEADBUTT": (14, 1)},
    "EYE_WITH_TEETH": {},
    "AXE_RUBY_RAIDER": {"SWING_1": (5, 1), "SWING_2": (5, 1), "BIG_SWING": (12, 1)},
    "ASSASSIN_RUBY_RAIDER": {"KILLSHOT": (10, 1)},
    "BRUTE_RUBY_RAIDER": {"BEAT": (7, 1)},
    "CROSSBOW_RUBY_RAIDER": {"FIRE": (14, 1)},
    "TRACKER_RUBY_RAIDER": {"HOUNDS": (1, 8)},
    "SLITHERING_STRANGLER": {"THWACK": (7, 1), "LASH": (12, 1)},
    "SNAPPING_JAXFRUIT": {"ENERGY_ORB": (3, 1)},
    "VINE_SHAMBLER": {"SWIPE": (6, 2), "GRASPING_VINES": (8, 1), "CHOMP": (16, 1)},
    "BYGONE_EFFIGY": {"SLASHES": (13, 1)},
    "BYRDONIS": {"SWOOP": (17, 1), "PECK": (3, 3)},
    "PHROG_PARASITE": {"LASH": (4, 4)},
    "WRIGGLER": {"NASTY_BITE": (6, 1)},
    "CEREMONIAL_BEAST": {"PLOW": (18, 1), "STOMP": (15, 1), "CRUSH": (17, 1)},
    "KIN_PRIEST": {"ORB_OF_FRAILTY": (8, 1), "ORB_OF_WEAKNESS": (8, 1), "BEAM": (3, 3)},
    "KIN_FOLLOWER": {"QUICK_SLASH": (5, 1), "BOOMERANG": (2, 2)},
    "VANTOM": {"INK_BLOT": (7, 1), "INKY_LANCE": (6, 2), "DISMEMBER": (26, 1)},
    "CORPSE_SLUG": {"WHIP_SLAP": (3, 2), "GLOMP": (8, 1)},
    "SEAPUNK": {"SEA_KICK": (11, 1), "SPINNING_KICK": (2, 4)},
    "SLUDGE_SPINNER": {"OIL_SPRAY": (8, 1), "SLAM": (11, 1), "RAGE": (6, 1)},
    "TOADPOLE": {"SPIKE_SPIT": (3, 3), "WHIRL": (7, 1)},
    "CALCIFIED_CULTIST": {"DARK_STRIKE": (9, 1)},
    "DAMP_CULTIST": {"DARK_STRIKE": (1, 1)},
    "HAUNTED_SHIP": {"SWIPE": (13, 1), "STOMP": (4, 3)},
    "PUNCH_CONSTRUCT": {"FAST_PUNCH": (5, 2), "STRONG_PUNCH": (14, 1)},
    "SEWER_CLAM": {"JET": (10, 1)},
}


def rolls(name: str, seed: object = 0, position: int = 0, of: int = 1) -> list[str]:
    pattern = Pattern(monsters()[name], Random(f"{name}{seed}"), position, of)
    made = [pattern.move]
    for _ in range(ROLLS):
        pattern.advance()
        made.append(pattern.move)
    return made


def test_every_monster_of_the_tables_is_tested_here() -> None:
    assert set(CYCLES) | WITH_DICE == set(monsters()) == set(DAMAGE)


@pytest.mark.parametrize("name", sorted(CYCLES))
def test_a_monster_without_dice_makes_its_moves_in_a_circle(name: str) -> None:
    once, circle = (part.split() for part in CYCLES[name])
    expected = [*once, *circle * (ROLLS + 1)][: ROLLS + 1]
    assert {tuple(rolls(name, seed)) for seed in SEEDS} == {tuple(expected)}


@pytest.mark.parametrize(
    ("name", "of", "firsts"),
    [
        ("NIBBIT", 2, ["SLICE", "HISS"]),
        ("INKLET", 3, ["JAB", "WHIRLWIND", "JAB"]),
        ("TOADPOLE", 2, ["SPIKEN", "WHIRL"]),
        # Two followers stand before the priest.
        ("KIN_FOLLOWER", 3, ["POWER_DANCE", "QUICK_SLASH"]),
        ("WRIGGLER", 4, ["NASTY_BITE", "WRIGGLE", "NASTY_BITE", "WRIGGLE"]),
    ],
)
def test_the_place_in_the_row_decides_the_first_move(name: str, of: int, firsts: list[str]) -> None:
    assert [rolls(name, position=place, of=of)[0] for place in range(len(firsts))] == firsts


def test_a_small_leaf_slime_begins_with_either_and_alternates() -> None:
    seen = [rolls("LEAF_SLIME_S", seed) for seed in SEEDS]
    assert {made[0] for made in seen} == {"BUTT", "GOOP"}
    assert all(a != b for made in seen for a, b in pairwise(made))


def test_a_medium_twig_slime_never_sticks_twice_and_pounces_at_most_twice() -> None:
    for seed in SEEDS:
        made = rolls("TWIG_SLIME_M", seed)
        assert made[0] == "STICKY_SHOT"
        text = " ".join(made)
        assert "STICKY_SHOT STICKY_SHOT" not in text
        assert "CLUMP_SHOT CLUMP_SHOT CLUMP_SHOT" not in text
    assert any("CLUMP_SHOT CLUMP_SHOT" in " ".join(rolls("TWIG_SLIME_M", seed)) for seed in SEEDS)


def test_an_inklet_jabs_every_other_time_and_rolls_between() -> None:
    between = set[str]()
    for seed in SEEDS:
        made = rolls("INKLET", seed)
        assert set(made[::2]) == {"JAB"}
        between |= set(made[1::2])
    assert between == {"PIERCING_GAZE", "WHIRLWIND"}


def test_a_mawler_claws_first_never_repeats_itself_and_roars_once() -> None:
    for seed in SEEDS:
        made = rolls("MAWLER", seed)
        assert made[0] == "CLAW"
        assert made.count("ROAR") <= 1
        assert all(a != b for a, b in pairwise(made))
    assert any("ROAR" in rolls("MAWLER", seed) for seed in SEEDS)


def test_a_flyconid_keeps_its_spores_back_for_their_time() -> None:
    firsts = set[str]()
    for seed in SEEDS:
        made = rolls("FLYCONID", seed)
        firsts.add(made[0])
        for place, move in enumerate(made):
            before = made[max(0, place - 3) : place]
            # After these three everything is on cooldown, and the move made longest ago comes.
            stuck = before == ["VULNERABLE_SPORES", "FRAIL_SPORES", "SMASH"]
            assert not (move == "VULNERABLE_SPORES" and move in before and not stuck)
            assert not stuck or move == "VULNERABLE_SPORES"
            assert not (move == "FRAIL_SPORES" and move in before[-2:])
            assert not before or move != before[-1]
    assert firsts == {"FRAIL_SPORES", "SMASH"}


def test_a_fogmog_summons_once_and_swipes_again_two_times_in_five() -> None:
    again = total = 0
    for seed in SEEDS:
        made = rolls("FOGMOG", seed)
        assert made[:2] == ["ILLUSION", "SWIPE"]
        assert made.count("ILLUSION") == 1
        for a, b in pairwise(made[1:]):
            assert (a, b) in {
                ("SWIPE", "SWIPE_RANDOM"),
                ("SWIPE", "HEADBUTT"),
                ("SWIPE_RANDOM", "HEADBUTT"),
                ("HEADBUTT", "SWIPE"),
            }
            if a == "SWIPE":
                total += 1
                again += b == "SWIPE_RANDOM"
    # About 500 throws at 40 %: six standard deviations are 13 points.
    assert 0.27 < again / total < 0.53


def test_a_strangler_constricts_every_other_time() -> None:
    between = set[str]()
    for seed in SEEDS:
        made = rolls("SLITHERING_STRANGLER", seed)
        assert set(made[::2]) == {"CONSTRICT"}
        between |= set(made[1::2])
    assert between == {"THWACK", "LASH"}


def test_a_slug_begins_anywhere_in_its_circle() -> None:
    circle = ["WHIP_SLAP", "GLOMP", "GOOP"]
    firsts = set[str]()
    for seed in SEEDS:
        made = rolls("CORPSE_SLUG", seed)
        firsts.add(made[0])
        assert all(circle.index(b) == (circle.index(a) + 1) % 3 for a, b in pairwise(made))
    assert firsts == set(circle)


def test_a_sludge_spinner_sprays_first_and_never_repeats_itself() -> None:
    for seed in SEEDS:
        made = rolls("SLUDGE_SPINNER", seed)
        assert made[0] == "OIL_SPRAY"
        assert all(a != b for a, b in pairwise(made))
    assert {move for seed in SEEDS for move in rolls("SLUDGE_SPINNER", seed)} == {"OIL_SPRAY", "SLAM", "RAGE"}


@pytest.mark.parametrize("name", sorted(DAMAGE))
def test_attacks_hit_as_hard_and_as_often_as_known(name: str) -> None:
    table = {
        move: (intent["damage"], intent["hits"])
        for move, data in monsters()[name]["moves"].items()
        for intent in data["intents"]
        if intent["type"] == "Attack"
    }
    assert table == DAMAGE[name]


def test_a_ceremonial_beast_below_its_plow_loses_strength_and_a_turn_and_goes_on_to_its_other_circle() -> None:
    fight = Fight(deck=[], monsters=["CEREMONIAL_BEAST"], hp=999, max_hp=999, seed="beast")
    beast = fight.enemies[0]
    fight.end_turn()
    assert beast.amount("PLOW") == 150
    fight.end_turn()
    assert beast.amount("STRENGTH") == 2
    fight.hurt_monster(beast, 252 - 150)
    assert (beast.amount("PLOW"), beast.amount("STRENGTH")) == (0, 0)
    made: list[str] = []
    for _ in range(7):
        assert beast.pattern is not None
        made.append(beast.pattern.move)
        fight.end_turn()
    assert made == ["STUN", "BEAST_CRY", "STOMP", "CRUSH", "BEAST_CRY", "STOMP", "CRUSH"]


def test_wrigglers_come_out_of_a_dying_parasite_and_lose_their_first_turn() -> None:
    fight = Fight(deck=[], monsters=["PHROG_PARASITE"], hp=80, max_hp=80, seed="phrog")
    fight.hurt_monster(fight.enemies[0], 999)
    assert [enemy.id for enemy in fight.enemies] == ["WRIGGLER"] * 4
    assert fight.over is None
    fight.end_turn()
    assert fight.player.hp == 80
    fight.end_turn()
    # The first and the third bite for 6.
    assert fight.player.hp == 80 - 12


def test_an_illusion_that_was_killed_stands_up_again() -> None:
    fight = Fight(deck=[], monsters=["FOGMOG"], hp=999, max_hp=999, seed="fog")
    fight.end_turn()
    eye = next(enemy for enemy in fight.enemies if enemy.id == "EYE_WITH_TEETH")
    fight.hurt_monster(eye, 6)
    assert not eye.alive
    assert fight.over is None
    fight.end_turn()
    assert eye.hp == 6


def alone(name: str, *, hp: int = 999) -> Fight:
    return Fight(deck=[], monsters=[name], hp=hp, max_hp=hp, seed="alone")


def moves_of(fight: Fight, turns: int) -> list[str]:
    made: list[str] = []
    for _ in range(turns):
        pattern = fight.enemies[0].pattern
        assert pattern is not None
        made.append("STUNNED" if pattern.stunned else pattern.move)
        fight.end_turn()
    return made


def test_a_fossil_stalker_latches_first_and_makes_no_move_thrice_running() -> None:
    for seed in SEEDS:
        made = rolls("FOSSIL_STALKER", seed)
        assert made[0] == "LATCH"
        assert all(len({a, b, c}) > 1 for a, b, c in zip(made, made[1:], made[2:], strict=False))


def test_a_fossil_stalker_grows_by_each_attack_that_drew_blood() -> None:
    fight = alone("FOSSIL_STALKER")
    fight.end_turn()
    assert fight.enemies[0].amount("STRENGTH") == 3
    blocked = alone("FOSSIL_STALKER")
    blocked.player.block = 12
    blocked.end_turn()
    assert blocked.enemies[0].amount("STRENGTH") == 0


def test_gardeners_start_by_their_place() -> None:
    fight = Fight(deck=[], monsters=["PHANTASMAL_GARDENER"] * 4, hp=99, max_hp=99, seed="garden")
    firsts = [enemy.pattern.move for enemy in fight.enemies if enemy.pattern is not None]
    assert firsts == ["FLAIL", "BITE", "LASH", "ENLARGE"]


def test_a_colony_loses_no_more_than_twenty_hp_in_a_turn() -> None:
    fight = alone("SKULKING_COLONY")
    colony = fight.enemies[0]
    fight.hurt_monster(colony, 15)
    fight.hurt_monster(colony, 15)
    assert colony.hp == 75 - 20
    fight.end_turn()
    fight.hurt_monster(colony, 15)
    assert colony.hp == 75 - 35


def test_an_eel_at_half_its_hp_is_stunned_then_terrifies_then_crashes() -> None:
    fight = alone("TERROR_EEL")
    fight.hurt_monster(fight.enemies[0], 70)
    assert moves_of(fight, 4) == ["STUN", "TERROR", "CRASH", "THRASH"]
    assert fight.player.amount("VULNERABLE") > 90


def test_an_eels_thrash_makes_its_next_crash_stronger() -> None:
    # Vigor 6 is spent by one attack: 16, 3 x 3, 16 + 6, 3 x 3.
    fight = alone("TERROR_EEL")
    lost: list[int] = []
    for _ in range(4):
        before = fight.player.hp
        fight.end_turn()
        lost.append(before - fight.player.hp)
    assert lost == [16, 9, 22, 9]


def test_a_matriarch_sleeps_three_turns() -> None:
    assert moves_of(alone("LAGAVULIN_MATRIARCH"), 5) == ["SLEEP", "SLEEP", "SLEEP", "SLASH", "DISEMBOWEL"]


def test_a_matriarch_that_is_hurt_wakes_and_loses_a_turn() -> None:
    fight = alone("LAGAVULIN_MATRIARCH")
    fight.hurt_monster(fight.enemies[0], 12)
    assert fight.enemies[0].amount("ASLEEP") == 3  # the 12 block took all of it
    fight.hurt_monster(fight.enemies[0], 1)
    assert fight.enemies[0].amount("ASLEEP") == 0
    assert moves_of(fight, 3) == ["STUNNED", "SLASH", "DISEMBOWEL"]


def test_a_soul_fysh_puts_beckons_into_both_piles_and_fades() -> None:
    fight = Fight(deck=[], monsters=["SOUL_FYSH"], hp=999, max_hp=999, seed="fysh")
    fight.end_turn()
    held = [card.id for card in (*fight.hand, *fight.draw_pile, *fight.discard_pile)]
    assert held.count("BECKON") == 2
    for _ in range(3):
        fight.end_turn()
    # Faded in its own turn with 2, one of which is gone at its end.
    assert fight.enemies[0].amount("INTANGIBLE") == 1
