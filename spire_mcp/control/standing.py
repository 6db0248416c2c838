"""What a journal record says of the board beside an action, so that a reader needs no other source."""

from spire_mcp.game.expected import Expected
from spire_mcp.game.screens import Combat, Observation
from spire_mcp.game.text import clean_text


def standing(observation: Observation | None) -> dict[str, object] | None:
    """Run, HP, gold and, in a fight, enemies and the number of cards; None when there is nothing to say."""
    if observation is None or (observation.run is None and observation.player is None):
        return None
    found: dict[str, object] = {"screen": observation.state_type}
    if observation.run is not None:
        run = observation.run
        found.update(act=run.act, floor=run.floor, ascension=run.ascension)
    player = observation.player
    if player is not None:
        found.update(character=clean_text(player.character, 40), hp=player.hp, max_hp=player.max_hp, gold=player.gold)
    if isinstance(observation.screen, Combat) and observation.battle is not None and player is not None:
        piles = (player.draw_pile_count, player.discard_pile_count, player.exhaust_pile_count)
        if player.hand is not None:
            # Hand and piles together are the deck and what the fight added.
            found["deck"] = len(player.hand) + sum(count or 0 for count in piles)
        found.update(round=observation.battle.round, block=player.block, energy=player.energy)
        found["enemies"] = [
            {"id": enemy.combat_id, "name": clean_text(enemy.title, 60), "hp": enemy.hp, "block": enemy.block}
            for enemy in observation.enemies
        ]
    return found


def predicted(expected: Expected | None) -> dict[str, object] | None:
    """The certain part of a prediction as a record holds it; None when nothing was predicted."""
    if expected is None:
        return None
    own = {name: getattr(expected, name) for name in ("hp", "block", "energy")}
    found: dict[str, object] = {name: value for name, value in own.items() if value is not None}
    enemies = [{"id": key, "hp": one.hp, "block": one.block} for key, one in expected.enemies.items()]
    if enemies:
        found["enemies"] = enemies
    if expected.fight_over:
        found["fight_over"] = True
    return found or None
