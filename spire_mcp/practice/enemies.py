"""The monsters' turn, and what they do when they are hurt or die."""

from typing import TYPE_CHECKING, Any

from spire_mcp.practice import orbs, rules
from spire_mcp.practice.pieces import Card, Monster

if TYPE_CHECKING:
    from spire_mcp.practice.fight import Fight

Json = dict[str, Any]

_THRESHOLDS = ("PLOW", "SHRIEK")
_RETURNING = ("MANGLE_POWER",)
"""Powers that give Strength back when the monsters' turn has ended."""


def take_turn(fight: "Fight") -> None:
    """All block goes, poison acts, every monster that lives then acts in order, and what lasts for turns ticks."""
    acting = fight.enemies
    _begin(fight, acting)
    for monster in acting:
        if monster.alive and fight.over is None:
            _act(fight, monster)
    if fight.over is not None:
        return
    for monster in fight.enemies:
        _end(monster)
    fight.player.tick()
    for monster in acting:
        _next_move(monster)
    fight.check_won()


def _begin(fight: "Fight", acting: list[Monster]) -> None:
    for monster in acting:
        monster.block = 0
        # Plating falls by one, though not in the first round.
        monster.add("PLATING_POWER", -min(monster.amount("PLATING"), fight.round - 1, 1))
    for monster in acting:
        poison = monster.amount("POISON")
        if poison and monster.alive:
            monster.add("POISON_POWER", -1)
            fight.hurt_monster(monster, poison)
    for monster in fight.monsters:
        if not monster.alive and monster.amount("ILLUSION"):
            monster.hp = monster.max_hp


def _next_move(monster: Monster) -> None:
    """Roll the next move; one that sleeps wakes when its sleep is over."""
    assert monster.pattern is not None
    monster.pattern.advance()
    if monster.amount("ASLEEP"):
        monster.add("ASLEEP_POWER", -1)
        if not monster.amount("ASLEEP"):
            monster.pattern.force("SLASH")


def _end(monster: Monster) -> None:
    if monster.amount("PLATING"):
        monster.block += monster.amount("PLATING")
    if monster.amount("RITUAL") and "RITUAL_POWER" not in monster.fresh:
        monster.add("STRENGTH_POWER", monster.amount("RITUAL"))
    monster.fresh.discard("RITUAL_POWER")
    if monster.amount("TERRITORIAL"):
        monster.add("STRENGTH_POWER", monster.amount("TERRITORIAL"))
    for power in _RETURNING:
        if power in monster.powers:
            monster.add("STRENGTH_POWER", monster.powers[power])
            monster.drop(power)
    monster.tick()


def _act(fight: "Fight", monster: Monster) -> None:
    move = monster.move
    for effect in move["effects"]:
        if effect.get("apply") == "THORNS_POWER" and effect["amount"] < 0:
            monster.add("THORNS_POWER", effect["amount"])
    for intent in move["intents"]:
        if intent["type"] == "Attack":
            _attack(fight, monster, intent["damage"], intent["hits"])
    for effect in move["effects"]:
        _effect(fight, monster, effect)


def _attack(fight: "Fight", monster: Monster, base: int, hits: int) -> None:
    hurt = 0
    for _ in range(hits):
        if not monster.alive or fight.over is not None:
            break
        amount = rules.against(rules.own_damage(base, monster), fight.player)
        if fight.player.amount("THORNS"):
            fight.hurt_monster(monster, fight.player.amount("THORNS"))
            if not monster.alive:
                break
        passed = orbs.stand_in(fight, rules.lose_to_block(fight.player, amount))
        hurt += passed
        fight.hurt_player(passed)
        if fight.player.amount("FLAME_BARRIER") and fight.over is None:
            fight.hurt_monster(monster, fight.player.amount("FLAME_BARRIER"))
    if hits:
        monster.drop("VIGOR_POWER")
    if hurt and monster.alive and monster.amount("SUCK"):
        monster.add("STRENGTH_POWER", monster.amount("SUCK"))


def _effect(fight: "Fight", monster: Monster, effect: Json) -> None:
    if fight.over is not None or not monster.alive:
        return
    if "block" in effect:
        monster.block += rules.own_block(effect["block"], monster)
    elif "summon" in effect:
        if len(fight.enemies) < 5:
            fight.spawn(effect["summon"])
    elif "add_card" in effect:
        for _ in range(effect["count"]):
            pile = fight.draw_pile if effect["pile"] == "draw" else fight.discard_pile
            pile.insert(fight.shuffle.randint(0, len(pile)), Card(effect["add_card"]))
    elif effect["to"] == "self":
        if effect["apply"] == "RITUAL_POWER" and not monster.amount("RITUAL"):
            monster.fresh.add("RITUAL_POWER")
        if not (effect["apply"] == "THORNS_POWER" and effect["amount"] < 0):
            monster.add(effect["apply"], effect["amount"])
    else:
        fight.player.add(effect["apply"], effect["amount"], grace=True)


def reacted(monster: Monster) -> None:
    """What HP lost does to a monster that lives on: thresholds that stun it, and waking."""
    assert monster.pattern is not None
    for threshold in _THRESHOLDS:
        if monster.amount(threshold) and monster.hp <= monster.amount(threshold):
            monster.drop(f"{threshold}_POWER")
            if threshold == "PLOW":
                monster.drop("STRENGTH_POWER")
            monster.pattern.force("STUN")
    if monster.amount("ASLEEP"):
        monster.drop("ASLEEP_POWER")
        monster.pattern.force("SLASH")
        monster.pattern.stun()


def died(fight: "Fight", monster: Monster) -> None:
    """What a monster's death does to the others and to the player."""
    if monster.amount("INFESTED"):
        for position in range(monster.amount("INFESTED")):
            spawned = fight.spawn("WRIGGLER", position, 4)
            assert spawned.pattern is not None
            spawned.pattern.stun()
    for other in fight.enemies:
        if other.amount("RAVENOUS"):
            other.add("STRENGTH_POWER", other.amount("RAVENOUS"))
            assert other.pattern is not None
            other.pattern.stun()
    if monster.id == "SLITHERING_STRANGLER":
        fight.player.drop("CONSTRICT_POWER")
    if monster.id == "SHRINKER_BEETLE":
        fight.player.drop("SHRINK_POWER")
    fight.check_won()
