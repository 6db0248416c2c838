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
}
# Attack damage and hits of a move at ascension 0.
DAMAGE = {
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
