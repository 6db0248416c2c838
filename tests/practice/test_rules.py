"""The practice game's own reading of the rules, held against hand-worked numbers (combat-rules.md)."""

from fractions import Fraction
from itertools import pairwise

import pytest

from spire_mcp.practice import rules
from spire_mcp.practice.content import cards, monsters, table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.rules import Creature


def creature(**powers: int) -> Creature:
    return Creature(hp=50, max_hp=50, powers={f"{name}_POWER": amount for name, amount in powers.items()})


@pytest.mark.parametrize(
    ("base", "dealer", "target", "damage"),
    [
        (6, {}, {}, 6),
        (6, {}, {"VULNERABLE": 1}, 9),
        (8, {}, {"VULNERABLE": 1}, 12),
        (6, {"SHRINK": -1}, {}, 4),  # 4.2
        (6, {"SHRINK": -1}, {"VULNERABLE": 1}, 6),  # 6 x 0.7 x 1.5 = 6.3, truncated once
        (8, {"SHRINK": -1}, {"VULNERABLE": 1}, 8),  # 8.4
        (6, {"WEAK": 1}, {}, 4),  # 4.5
        (9, {"WEAK": 1}, {"VULNERABLE": 1}, 10),  # 10.125, though 6 is shown
        (20, {"SHRINK": -1}, {"VULNERABLE": 1}, 21),  # binary fractions would give 20
        (6, {"STRENGTH": 2, "VIGOR": 3}, {}, 11),
        (3, {"STRENGTH": -5}, {}, 0),
        (30, {}, {"INTANGIBLE": 1}, 1),
    ],
)
def test_damage_is_truncated_once_at_the_end(
    base: int, dealer: dict[str, int], target: dict[str, int], damage: int
) -> None:
    assert rules.against(rules.own_damage(base, creature(**dealer)), creature(**target)) == damage


def test_slow_adds_a_tenth_for_each_card_played() -> None:
    assert rules.against(Fraction(10), creature(SLOW=1), cards_played=3) == 13


@pytest.mark.parametrize(
    ("base", "powers", "block"),
    [(5, {}, 5), (5, {"FRAIL": 1}, 3), (5, {"FRAIL": 1, "DEXTERITY": 2}, 5), (5, {"DEXTERITY": -9}, 0)],
)
def test_block_counts_dexterity_and_frail(base: int, powers: dict[str, int], block: int) -> None:
    assert rules.own_block(base, creature(**powers)) == block


def test_artifact_eats_one_debuff_a_stack_and_negative_strength_is_one() -> None:
    owner = creature(ARTIFACT=2)
    owner.add("WEAK_POWER", 2)
    owner.add("STRENGTH_POWER", -3)
    assert owner.powers == {}
    owner.add("WEAK_POWER", 2)
    assert owner.powers == {"WEAK_POWER": 2}


def test_a_debuff_new_on_the_player_skips_its_first_tick_and_one_on_an_enemy_does_not() -> None:
    player, enemy = creature(), creature()
    player.add("FRAIL_POWER", 1, grace=True)
    enemy.add("VULNERABLE_POWER", 1)
    player.tick()
    enemy.tick()
    assert player.amount("FRAIL") == 1
    assert enemy.amount("VULNERABLE") == 0
    player.add("FRAIL_POWER", 2, grace=True)  # adding to one that is there has no grace: 1 + 2 - 1
    player.tick()
    assert player.amount("FRAIL") == 2


def fight(*hand: str, monsters: tuple[str, ...] = ("NIBBIT",), **options: int) -> Fight:
    built = Fight(
        deck=[Card("STRIKE_IRONCLAD")] * 8,
        monsters=monsters,
        hp=options.get("hp", 80),
        max_hp=80,
        seed="rules",
        energy=options.get("energy", 3),
    )
    built.hand = [Card(card) for card in hand]
    return built


def test_cards_that_act_in_hand_use_up_block_before_the_enemies_hit() -> None:
    table = fight("BURN", "INFECTION")
    table.player.block = 7
    table.end_turn()
    # 7 - 2 - 3 = 2 block are left for an attack of 12.
    assert table.player.hp == 80 - 10


def test_beckon_takes_hp_past_block() -> None:
    table = fight("BECKON")
    table.player.block = 40
    table.end_turn()
    assert table.player.hp == 80 - 6


def test_ethereal_cards_are_exhausted_and_the_rest_is_discarded() -> None:
    table = fight("DAZED", "WOUND")
    table.draw_pile = [Card("STRIKE_IRONCLAD") for _ in range(5)]
    table.end_turn()
    assert [card.id for card in table.exhaust_pile] == ["DAZED"]
    assert [card.id for card in table.discard_pile] == ["WOUND"]


def test_plating_blocks_at_the_end_of_the_turn_and_falls_at_the_start_of_the_next() -> None:
    table = fight()
    table.player.add("PLATING_POWER", 4)
    table.end_turn()
    assert table.player.hp == 80 - (12 - 4)
    assert table.player.amount("PLATING") == 3


def test_constrict_is_blockable_and_ends_with_the_strangler() -> None:
    table = fight("BLUDGEON", monsters=("SLITHERING_STRANGLER", "NIBBIT"), energy=3)
    table.player.add("CONSTRICT_POWER", 3)
    table.enemies[0].hp = 20
    table.play(0, table.enemies[0].combat_id)
    assert table.player.amount("CONSTRICT") == 0


def test_thorns_can_kill_the_player_in_the_middle_of_an_attack() -> None:
    table = fight("TWIN_STRIKE", hp=3)
    enemy = table.enemies[0]
    enemy.add("THORNS_POWER", 3)
    before = enemy.hp
    table.play(0, enemy.combat_id)
    assert table.over == "lost"
    assert enemy.hp == before


def test_slippery_lets_one_point_through_for_each_unblocked_hit() -> None:
    table = fight("TWIN_STRIKE", monsters=("VANTOM",))
    table.play(0, 1)
    assert table.enemies[0].hp == 173 - 2
    assert table.enemies[0].amount("SLIPPERY") == 6


def test_a_slug_that_eats_another_is_stunned_and_stronger() -> None:
    table = fight("BLUDGEON", monsters=("CORPSE_SLUG", "CORPSE_SLUG"))
    table.play(0, 1)
    left = table.enemies[0]
    assert left.amount("STRENGTH") == 4
    assert left.move["intents"] == [{"type": "Stun"}]
    table.end_turn()
    assert table.player.hp == 80


def test_minions_do_not_hold_up_victory() -> None:
    table = fight("BLUDGEON", monsters=("KIN_FOLLOWER", "KIN_PRIEST"))
    priest = next(enemy for enemy in table.enemies if enemy.id == "KIN_PRIEST")
    priest.hp = 30
    table.play(0, priest.combat_id)
    assert table.over == "won"


@pytest.mark.parametrize("name", sorted(monsters()))
def test_every_monster_follows_its_chain_or_its_limits(name: str) -> None:
    data = monsters()[name]
    for seed in range(5):
        table = Fight(deck=[Card("WOUND")] * 10, monsters=[name], hp=9999, max_hp=9999, seed=f"{name}{seed}")
        pattern = table.enemies[0].pattern
        assert pattern is not None
        moves = [pattern.move]
        for _ in range(30):
            pattern.advance()
            moves.append(pattern.move)
        for before, after in pairwise(moves):
            if "chain" in data:
                allowed = data["chain"][before]
                assert after in ([allowed] if isinstance(allowed, str) else allowed)
            elif data.get("max_run", {}).get(before, 1) == 1 and "cooldown" not in data:
                assert after != before
        for move, most in data.get("limit", {}).items():
            assert moves.count(move) <= most


def test_every_encounter_and_every_card_can_be_set_up() -> None:
    for act in table("encounters").values():
        for names in [names for pool in act.values() for encounter in pool.values() for names in encounter]:
            assert Fight(deck=[Card("BASH")] * 5, monsters=names, hp=80, max_hp=80, seed="x").enemies
    for card, data in cards().items():
        assert len(data["cost"]) == 2, card
        assert set(data["names"]) == {"eng", "zhs"}


def test_constrict_eats_block_before_the_enemies_hit() -> None:
    table = fight()
    table.player.add("CONSTRICT_POWER", 3)
    table.player.block = 5
    table.end_turn()
    # 5 - 3 = 2 block are left for an attack of 12.
    assert table.player.hp == 80 - 10


def test_weak_on_an_enemy_covers_its_coming_attack_and_ends_with_it() -> None:
    table = fight()
    table.enemies[0].add("WEAK_POWER", 1)
    table.end_turn()
    # 12 x 0.75
    assert table.player.hp == 80 - 9
    assert table.enemies[0].powers == {}


def test_vulnerable_of_bash_counts_for_the_next_card_and_falls_after_the_enemies_turn() -> None:
    table = fight("BASH", "STRIKE_IRONCLAD")
    enemy = table.enemies[0]
    hp = enemy.hp
    table.play(0, 1)
    table.play(0, 1)
    # 8, then 6 x 1.5: Bash and Strike are lethal for 17 and not for 18.
    assert enemy.hp == hp - 17
    table.end_turn()
    assert enemy.amount("VULNERABLE") == 1


def test_artifact_eats_the_debuff_of_a_card_and_its_damage_stays() -> None:
    table = fight("BASH", monsters=("CUBEX_CONSTRUCT",))
    enemy = table.enemies[0]
    enemy.block = 0
    table.play(0, 1)
    assert (enemy.hp, enemy.powers) == (65 - 8, {})


def test_hits_are_blocked_one_by_one() -> None:
    table = fight("SWORD_BOOMERANG")
    enemy = table.enemies[0]
    enemy.block, hp = 4, enemy.hp
    table.play(0, 1)
    # Three hits of 3 into 4 block.
    assert (enemy.block, enemy.hp) == (0, hp - 5)


def test_a_fully_blocked_hit_uses_no_slippery() -> None:
    table = fight("TWIN_STRIKE", monsters=("VANTOM",))
    enemy = table.enemies[0]
    enemy.block = 5
    table.play(0, 1)
    # The first 5 meet the block, the second cost one HP and one stack.
    assert (enemy.hp, enemy.amount("SLIPPERY")) == (173 - 1, 7)


def test_a_cultists_ritual_waits_one_turn() -> None:
    table = fight(monsters=("CALCIFIED_CULTIST",))
    strength: list[int] = []
    for _ in range(3):
        table.end_turn()
        strength.append(table.enemies[0].amount("STRENGTH"))
    assert strength == [0, 2, 4]


def test_a_clam_loses_its_block_and_gets_it_back_from_its_plating() -> None:
    table = fight(monsters=("SEWER_CLAM",))
    clam = table.enemies[0]
    seen = [(clam.block, clam.amount("PLATING"))]
    for _ in range(2):
        table.end_turn()
        seen.append((clam.block, clam.amount("PLATING")))
    # It falls at the start of its own turn, though not in the first round.
    assert seen == [(8, 8), (8, 8), (7, 7)]


def test_strength_of_a_setup_strike_ends_with_the_turn() -> None:
    table = fight("SETUP_STRIKE")
    table.play(0, 1)
    assert table.player.amount("STRENGTH") == 2
    table.end_turn()
    assert table.player.amount("STRENGTH") == 0
