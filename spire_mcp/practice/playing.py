"""What playing a card does, effect by effect, up to a choice that it asks for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from spire_mcp.practice import orbs, rules
from spire_mcp.practice.pieces import Card, Choice, Monster

if TYPE_CHECKING:
    from spire_mcp.practice.fight import Fight

Json = dict[str, Any]
Step = tuple[Card, Json, Monster | None, int]
"""a card in play, one of its effects, the monster it is aimed at, and the energy that was spent"""


def begin(fight: "Fight", card: Card, aimed: Monster | None, spent: int, *, exhausts: bool = False) -> None:
    """Put a card into play, before whatever is still waiting."""
    steps: list[Step] = [(card, effect, aimed, spent) for effect in card.data["effects"]]
    steps.append((card, {"do": "finish", "exhausts": exhausts}, aimed, spent))
    fight.waiting[:0] = steps
    go_on(fight)


def go_on(fight: "Fight") -> None:
    """Carry out what is left of the cards in play, up to a choice or the end of the fight."""
    while fight.waiting and fight.choice is None:
        step: Step = fight.waiting.pop(0)
        effect = step[1]
        if fight.over is None or effect["do"] == "finish":
            number = step[0].number(effect["n"]) if "n" in effect else 0
            _EFFECTS[effect["do"]](fight, step, number)


def _damage(fight: "Fight", step: Step, number: int) -> None:
    card, effect, aimed, spent = step
    base = attack_base(fight, card, effect, number)
    killed = False
    struck: list[Monster] = []
    for _ in range(_hits(fight, card, effect, aimed, spent)):
        # Each hit is computed anew, and once for all its targets: a death counts from the next hit on.
        value = rules.own_damage(base, fight.player)
        if is_tenth(fight):
            value *= 2
        for monster in targets(fight, effect["to"], aimed):
            if not fight.player.alive or not monster.alive:
                continue
            amount = rules.against(value, monster, fight.cards_played, fight.player)
            if monster.amount("THORNS"):
                fight.hurt_player(rules.lose_to_block(fight.player, monster.amount("THORNS")))
            if fight.player.alive:
                lost = fight.hurt_monster(monster, amount)
                killed = killed or not monster.alive
                struck.append(monster)
                if lost and monster.alive and fight.player.amount("ENVENOM"):
                    monster.add("POISON_POWER", fight.player.amount("ENVENOM"))
    if killed and "feeds" in effect:
        gained = card.number(effect["feeds"])
        fight.player.max_hp += gained
        fight.player.hp += gained
    fight.player.drop("VIGOR_POWER")
    for monster in dict.fromkeys(struck):
        if monster.alive and monster.amount("SKITTISH") and not monster.attacked_this_turn:
            monster.block += monster.amount("SKITTISH")
        monster.attacked_this_turn = True


def _hits(fight: "Fight", card: Card, effect: Json, aimed: Monster | None, spent: int) -> int:
    if effect.get("twice_if") and aimed is not None and effect["twice_if"] in aimed.powers:
        return 2
    if "hits_if_hurt" in effect and fight.hp_lost_this_turn:
        return card.number(effect["hits_if_hurt"])
    return spent if effect["hits"] == "X" else card.number(effect["hits"])


def is_tenth(fight: "Fight") -> bool:
    """Whether a relic doubles the attack in play."""
    return "PEN_NIB" in fight.relics and fight.attacks % 10 == 9


def attack_base(fight: "Fight", card: Card, effect: Json, number: int) -> int:
    """The base damage of an attack whose number may depend on the board, with its enchantment."""
    if effect.get("from") == "block":
        return fight.player.block
    number += card.bonus("Sharp")
    if "per_strike" in effect:
        piles = (*fight.hand, *fight.draw_pile, *fight.discard_pile, *fight.exhaust_pile)
        strikes = sum("STRIKE" in other.id for other in piles) + (card not in piles)
        return number + card.number(effect["per_strike"]) * strikes
    return number


def targets(fight: "Fight", to: str, aimed: Monster | None) -> list[Monster]:
    """The monsters that an effect goes to."""
    if to == "all":
        return fight.enemies
    if to == "random":
        return [fight.dice.choice(fight.enemies)] if fight.enemies else []
    return [aimed] if aimed is not None else []


def _block(fight: "Fight", step: Step, number: int) -> None:
    fight.player.block += rules.own_block(number + step[0].bonus("Nimble"), fight.player)


def _block_if_exhausted(fight: "Fight", step: Step, number: int) -> None:
    if fight.exhausted_this_turn:
        _block(fight, step, number)


def _apply(fight: "Fight", step: Step, number: int) -> None:
    effect = step[1]
    power = effect["power"]
    if effect["to"] == "self":
        if power in {"SETUP_STRIKE_POWER", "FLEX_POTION_POWER"}:
            fight.player.add("STRENGTH_POWER", number)
        fight.player.add(power, number, grace=power in rules.TICKING)
        return
    for monster in targets(fight, effect["to"], step[2]):
        if monster.alive:
            monster.add(power, number)


def _weaken(fight: "Fight", step: Step, number: int) -> None:
    """Strength that an enemy loses for this turn; a power remembers what comes back."""
    for monster in targets(fight, step[1]["to"], step[2]):
        if monster.alive:
            shielded = monster.amount("ARTIFACT") > 0
            monster.add("STRENGTH_POWER", -number)
            if not shielded:
                monster.add(step[1]["power"], number)


def _draw_until_no_attack(fight: "Fight", step: Step, number: int) -> None:
    del step, number
    while len(fight.hand) < 10 and not fight.player.amount("NO_DRAW"):
        card = fight.top_card()
        if card is None:
            return
        fight.hand.append(card)
        if card.data["type"] != "Attack":
            return


def _play_top(fight: "Fight", step: Step, number: int) -> None:
    """Play the top card of the draw pile for nothing, and exhaust it."""
    del step, number
    card = fight.top_card()
    if card is None:
        return
    if fight.cost(card) is None:
        fight.exhaust_pile.append(card)
        fight.exhausted_this_turn += 1
        return
    aimed = fight.dice.choice(fight.enemies) if card.data["target"] == "AnyEnemy" and fight.enemies else None
    begin(fight, card, aimed, 0, exhausts=True)


def _double_power(fight: "Fight", step: Step, number: int) -> None:
    del fight, number
    aimed, power = step[2], step[1]["power"]
    if aimed is not None and aimed.alive and power in aimed.powers:
        aimed.add(power, aimed.powers[power])


def _exhaust_random(fight: "Fight", step: Step, number: int) -> None:
    del step, number
    if fight.hand:
        fight.exhaust(fight.shuffle.choice(fight.hand), fight.hand)


def _exhaust_choice_or_random(fight: "Fight", step: Step, number: int) -> None:
    if step[0].upgraded:
        ask(fight, "hand", "exhaust", fight.hand)
    else:
        _exhaust_random(fight, step, number)


def _upgrade_choice(fight: "Fight", step: Step, number: int) -> None:
    del number
    weaker = [c for c in fight.hand if not c.upgraded and c.data["type"] not in {"Status", "Curse"}]
    if step[0].upgraded:
        for other in weaker:
            other.upgraded = True
    else:
        ask(fight, "hand", "upgrade", weaker)


def ask(fight: "Fight", where: str, then: str, among: Sequence[Card]) -> None:
    """Ask for a card; the game makes a choice that is none by itself."""
    if len(among) == 1:
        chosen(fight, then, among[0])
    elif among:
        fight.choice = Choice(where=where, then=then, offered=list(among) if where == "offer" else [])


def chosen(fight: "Fight", then: str, card: Card) -> None:
    """What becomes of a chosen card."""
    match then:
        case "exhaust":
            fight.exhaust(card, fight.hand)
        case "discard":
            fight.hand.remove(card)
            fight.discard_pile.append(card)
        case "upgrade":
            card.upgraded = True
        case "take":
            (fight.hand if len(fight.hand) < 10 else fight.discard_pile).append(card)
        case _:
            fight.discard_pile.remove(card)
            fight.draw_pile.append(card)


def _finish(fight: "Fight", step: Step, number: int) -> None:
    """The card has done its work: it goes where it belongs, and what watches cards being played acts."""
    del number
    card, effect = step[0], step[1]
    player = fight.player
    if card.has("Exhaust") or effect["exhausts"]:
        fight.exhaust_pile.append(card)
        fight.exhausted_this_turn += 1
    elif card.data["type"] != "Power":
        fight.discard_pile.append(card)
    fight.cards_played += 1
    if player.amount("AFTERIMAGE") and card.id != "AFTERIMAGE":
        player.block += player.amount("AFTERIMAGE")
    if card.data["type"] != "Attack":
        return
    fight.attacks_played += 1
    if card.id != "UNRELENTING" and player.amount("FREE_ATTACK"):
        player.add("FREE_ATTACK_POWER", -1)
    fight.attacks += 1
    if player.amount("RAGE"):
        player.block += player.amount("RAGE")


def _stars(fight: "Fight", step: Step, number: int) -> None:
    del step
    fight.stars = (fight.stars or 0) + number


def _energy(fight: "Fight", step: Step, number: int) -> None:
    del step
    fight.energy += number


_EFFECTS: dict[str, Callable[["Fight", Step, int], None]] = {
    "damage": _damage,
    "block": _block,
    "block_if_exhausted": _block_if_exhausted,
    "apply": _apply,
    "weaken": _weaken,
    "draw": lambda fight, step, number: fight.draw(number),
    "draw_until_no_attack": _draw_until_no_attack,
    "energy": _energy,
    "stars": _stars,
    "lose_hp": lambda fight, step, number: fight.hurt_player(number),
    "copy": lambda fight, step, number: fight.discard_pile.append(step[0].copy()),
    "double_power": _double_power,
    "exhaust_random": _exhaust_random,
    "exhaust_choice_or_random": _exhaust_choice_or_random,
    "exhaust_choice": lambda fight, step, number: ask(fight, "hand", "exhaust", fight.hand),
    "discard_choice": lambda fight, step, number: ask(fight, "hand", "discard", fight.hand),
    "upgrade_choice": _upgrade_choice,
    "discard_to_top": lambda fight, step, number: ask(fight, "discard", "top", fight.discard_pile),
    "play_top": _play_top,
    "channel": lambda fight, step, number: orbs.channel(fight, step[1]["orb"], number),
    "evoke_twice": lambda fight, step, number: orbs.evoke_first(fight, 2),
    "summon": lambda fight, step, number: orbs.summon(fight, number),
    "osty_damage": lambda fight, step, number: orbs.osty_strikes(fight, step[2], number),
    "finish": _finish,
}
