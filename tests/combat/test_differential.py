"""Two readings of the same rules: what `combat` predicts, and what the practice game then shows."""

import json
import os
from collections import Counter
from random import Random

import pytest

from spire_mcp.bridge.parse import parse_state
from spire_mcp.combat import forecast
from spire_mcp.game.options import Option, list_options
from spire_mcp.game.screens import Combat, Observation
from spire_mcp.practice.content import cards, table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.game import PracticeGame
from spire_mcp.practice.orbs import channel, summon

PROOF = int(os.environ.get("SPIRE_MCP_PROOF", "1"))
FIGHTS = 160 * PROOF  # about 2,000 actions
BATCHES = 8
_OWN_POWERS = (
    "STRENGTH",
    "DEXTERITY",
    "WEAK",
    "VULNERABLE",
    "FRAIL",
    "PLATING",
    "THORNS",
    "VIGOR",
    "RAGE",
    "BARRICADE",
    "BUFFER",
    "INTANGIBLE",
    "CONSTRICT",
    "FLAME_BARRIER",
    "NO_DRAW",
    "RINGING",
)
_FOE_POWERS = ("STRENGTH", "WEAK", "VULNERABLE", "ARTIFACT", "THORNS", "SLIPPERY", "INTANGIBLE", "PLATING", "SKITTISH")


def _game(seed: str, dice: Random) -> PracticeGame:
    """A fight with a random deck of any characters, random relics, monsters of both acts, and powers on both sides."""
    game = PracticeGame(seed=seed, delay=0, language=dice.choice(["eng", "zhs"]))
    encounters = table("encounters")[dice.choice(["overgrowth", "underdocks"])]
    pool = encounters[dice.choice(["weak", "normal", "normal", "elite", "boss"])]
    deck = [Card(dice.choice(sorted(cards())), dice.random() < 0.3) for _ in range(dice.randint(8, 20))]
    fight = Fight(
        deck=deck,
        monsters=dice.choice(dice.choice(list(pool.values()))),
        hp=dice.randint(15, 80),
        max_hp=80,
        seed=seed,
        energy=dice.randint(2, 5),
        potions=game.run.potions,
        relics=dice.sample(sorted(table("relics")), dice.randint(0, 2)),
        orb_slots=dice.choice([0, 3]),
    )
    game.run.relics = list(fight.relics)
    fight.stars = dice.choice([None, fight.stars, 4])
    for orb in dice.sample(["LIGHTNING", "FROST", "DARK", "GLASS", "PLASMA"], dice.randint(0, 2)):
        channel(fight, orb, 1)
    if dice.random() < 0.3:
        summon(fight, dice.randint(1, 20))
    for power in dice.sample(_OWN_POWERS, dice.randint(0, 2)):
        fight.player.add(f"{power}_POWER", dice.randint(1, 4))
    for monster in fight.enemies:
        for power in dice.sample(_FOE_POWERS, dice.randint(0, 2)):
            monster.add(f"{power}_POWER", dice.randint(1, 3))
        monster.block = dice.choice([0, 0, 5, 12])
    potions = sorted(table("potions"))
    for slot in range(3):
        game.run.potions[slot] = dice.choice([None, dice.choice(potions)])
    game.run.fight = fight
    game.run.fight_kind = "monster"
    return game


def _observe(game: PracticeGame) -> Observation:
    from spire_mcp.practice.render import render

    return parse_state(json.loads(json.dumps(render(game.run, game.language))))


def _choose(options: tuple[Option, ...], dice: Random) -> Option | None:
    usable = [option for option in options if option.kind == "combat" and option.trap is None]
    plays = [option for option in usable if option.action != "end_turn"]
    return dice.choice(plays if plays and dice.random() < 0.85 else usable) if usable else None


@pytest.mark.timeout(60 * PROOF)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_predicted_number_is_what_the_practice_game_then_shows(batch: int) -> None:
    counts: Counter[str] = Counter()
    for number in range(FIGHTS // BATCHES):
        seed = f"differential-{batch}-{number}"
        dice = Random(seed)
        game = _game(seed, dice)
        for _ in range(60):
            before = _observe(game)
            if not isinstance(before.screen, Combat) or before.screen.hand_select is not None:
                break
            option = _choose(list_options(before), dice)
            if option is None:
                break
            expected = forecast(before, option)
            status, answer = game.post(dict(option.requests[-1].body()))
            assert (status, answer["status"]) == (200, "ok"), (seed, option.id, answer)
            after = _observe(game)
            game.state()  # lets what was laid out in time pass
            counts[option.action] += 1
            if expected is None or not (expected.fight_over or (expected.hp is not None and expected.enemies)):
                counts[f"{option.action} not predicted"] += 1
            if expected is not None:
                wrong = expected.differences(after)
                assert wrong == (), (seed, option.id, wrong, before.raw["battle"], before.player)
    print(dict(counts))
    assert counts["play_card"] > 30
    # One enemy in nine or so is given Skittish, whose block no state tells; alone, it leaves no certain enemy.
    # Of the relics dealt out, a quarter leave some number of a play uncertain, and so do choices of cards and Havoc.
    assert counts["play_card not predicted"] <= 0.35 * counts["play_card"]
    assert counts["end_turn not predicted"] <= 0.5 * counts["end_turn"]
