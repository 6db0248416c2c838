"""One fight: its turns, its piles, and what cards and monsters do; driven step by step, without HTTP or time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from spire_mcp.practice import rules
from spire_mcp.practice.content import cards as card_table
from spire_mcp.practice.content import monsters as monster_table
from spire_mcp.practice.moves import Pattern
from spire_mcp.practice.rules import Creature

HAND_LIMIT = 10
DRAW = 5


@dataclass(slots=True, eq=False)
class Card:
    """One card of the deck. `shown` is the text it last showed on screen, which piles keep."""

    id: str
    upgraded: bool = False
    shown: str | None = None

    @property
    def data(self) -> dict[str, Any]:
        """Its table entry."""
        found: dict[str, Any] = card_table()[self.id]
        return found

    def number(self, pair: object) -> int:
        """A number of the table: alone, or base and upgraded."""
        value = pair[1 if self.upgraded else 0] if isinstance(pair, list) else pair  # pyright: ignore[reportUnknownVariableType]
        assert isinstance(value, int)
        return value

    def has(self, keyword: str) -> bool:
        """Whether it carries a keyword."""
        return keyword in self.data["keywords"]

    def copy(self) -> "Card":
        """Another card of the same kind."""
        return Card(self.id, self.upgraded)


@dataclass(slots=True, eq=False)
class Monster(Creature):
    """A monster with its next move."""

    id: str = ""
    combat_id: int = 0
    pattern: Pattern | None = None
    shell_lost: int = 0
    attacked_this_turn: bool = False

    @property
    def data(self) -> dict[str, Any]:
        """Its table entry."""
        found: dict[str, Any] = monster_table()[self.id]
        return found

    @property
    def move(self) -> dict[str, Any]:
        """What it is about to do."""
        assert self.pattern is not None
        if self.pattern.stunned:
            return {"intents": [{"type": "Stun"}], "effects": []}
        found: dict[str, Any] = self.data["moves"][self.pattern.move]
        return found


@dataclass(slots=True)
class Choice:
    """A choice of cards that the fight waits for: `where` is hand or discard, `then` what is done to the card."""

    where: str
    then: str
    count: int = 1
    picked: list[Card] = field(default_factory=list[Card])


class Fight:
    """A fight between the player and some monsters.

    `over` is None while it runs, then "won" or "lost". All randomness comes from the given streams.
    """

    def __init__(
        self,
        *,
        deck: Sequence[Card],
        monsters: Sequence[str],
        hp: int,
        max_hp: int,
        seed: str,
        energy: int = 3,
        relics: Sequence[str] = (),
        potions: "list[str | None] | None" = None,
    ) -> None:
        self.shuffle = Random(f"{seed}/shuffle")
        self.dice = Random(f"{seed}/monsters")
        self.player = Creature(hp=hp, max_hp=max_hp)
        self.max_energy = energy
        self.energy = 0
        self.draw_pile: list[Card] = [card.copy() for card in deck]
        self.hand: list[Card] = []
        self.discard_pile: list[Card] = []
        self.exhaust_pile: list[Card] = []
        self.shuffle.shuffle(self.draw_pile)
        self.relics = tuple(relics)
        self.potions = potions if potions is not None else [None, None, None]
        self.monsters: list[Monster] = []
        self._next_combat_id = 1
        for position, name in enumerate(monsters):
            self._spawn(name, position, len(monsters))
        self.round = 0
        self.cards_played = 0
        self.over: str | None = None
        self.choice: Choice | None = None
        self._waiting: list[Any] = []
        self._start_turn()

    # ------------------------------------------------------------------ setting up

    def _spawn(self, name: str, position: int = 0, of: int = 1) -> Monster:
        data = monster_table()[name]
        hp = self.dice.randint(*data["hp"])
        monster = Monster(hp=hp, max_hp=hp, id=name, combat_id=self._next_combat_id, block=data.get("block", 0))
        self._next_combat_id += 1
        for power, amount in data["powers"].items():
            monster.add(power.upper(), amount)
        monster.pattern = Pattern(data, self.dice, position, of)
        self.monsters.append(monster)
        return monster

    @property
    def enemies(self) -> list[Monster]:
        """The living monsters, in order."""
        return [monster for monster in self.monsters if monster.alive]

    # ------------------------------------------------------------------ turns

    def _start_turn(self) -> None:
        self.round += 1
        self.cards_played = 0
        for monster in self.enemies:
            monster.shell_lost = 0
            monster.attacked_this_turn = False
        if self.round > 1 and not self.player.amount("BARRICADE"):
            self.player.block = 0
        self.player.drop("FLAME_BARRIER_POWER")
        if self.round > 1 and self.player.amount("PLATING"):
            self.player.add("PLATING_POWER", -1)
        self.energy = self.max_energy
        self.draw(DRAW)
        if self.player.amount("DEMON_FORM"):
            self.player.add("STRENGTH_POWER", self.player.amount("DEMON_FORM"))

    def draw(self, count: int) -> None:
        """Draw cards until the hand is full or nothing is left; an empty draw pile takes the shuffled discard pile."""
        if self.player.amount("NO_DRAW"):
            return
        for _ in range(count):
            if len(self.hand) >= HAND_LIMIT:
                return
            if not self.draw_pile:
                self.draw_pile, self.discard_pile = self.discard_pile, []
                self.shuffle.shuffle(self.draw_pile)
            if not self.draw_pile:
                return
            self.hand.append(self.draw_pile.pop())

    def end_turn(self) -> None:
        """The rest of the player's turn, the enemies' turn, and the start of the next one."""
        self._end_player_turn()
        if self.over is None:
            self._enemy_turn()
        if self.over is None:
            self._start_turn()

    def _end_player_turn(self) -> None:
        player = self.player
        if player.amount("PLATING"):
            player.block += player.amount("PLATING")
        for card in [card for card in self.hand if card.has("Ethereal")]:
            self._exhaust(card, self.hand)
        for card in list(self.hand):
            if "end_of_turn_damage" in card.data:
                self.hurt_player(rules.lose_to_block(player, card.data["end_of_turn_damage"]))
            elif "end_of_turn_loss" in card.data:
                self.hurt_player(card.data["end_of_turn_loss"])
        kept = [card for card in self.hand if card.has("Retain")]
        self.discard_pile.extend(card for card in self.hand if card not in kept)
        self.hand = kept
        if player.amount("CONSTRICT"):
            self.hurt_player(rules.lose_to_block(player, player.amount("CONSTRICT")))
        for power in ("SETUP_STRIKE_POWER", "FLEX_POTION_POWER"):
            if power in player.powers:
                player.add("STRENGTH_POWER", -player.powers[power])
                player.drop(power)
        for power in ("NO_DRAW_POWER", "TANGLED_POWER", "RINGING_POWER", "RAGE_POWER"):
            player.drop(power)

    def hurt_player(self, amount: int) -> None:
        """HP loss of the player, and the end of the fight when none is left."""
        rules.lose_hp(self.player, amount)
        if not self.player.alive:
            self.over = "lost"

    def _enemy_turn(self) -> None:
        acting = self.enemies
        for monster in acting:
            monster.block = 0
            # Plating falls by one, though not in the first round.
            monster.add("PLATING_POWER", -min(monster.amount("PLATING"), self.round - 1, 1))
        for monster in self.monsters:
            if not monster.alive and monster.amount("ILLUSION"):
                monster.hp = monster.max_hp
        for monster in acting:
            if monster.alive and self.over is None:
                self._act(monster)
        if self.over is not None:
            return
        for monster in self.enemies:
            if monster.amount("PLATING"):
                monster.block += monster.amount("PLATING")
            if monster.amount("RITUAL") and "RITUAL_POWER" not in monster.fresh:
                monster.add("STRENGTH_POWER", monster.amount("RITUAL"))
            monster.fresh.discard("RITUAL_POWER")
            if monster.amount("TERRITORIAL"):
                monster.add("STRENGTH_POWER", monster.amount("TERRITORIAL"))
            monster.tick()
        self.player.tick()
        for monster in acting:
            assert monster.pattern is not None
            monster.pattern.advance()
        self._check_won()

    def _act(self, monster: Monster) -> None:
        for effect in monster.move["effects"]:
            if effect.get("apply") == "THORNS_POWER" and effect["amount"] < 0:
                monster.add("THORNS_POWER", effect["amount"])
        for intent in monster.move["intents"]:
            if intent["type"] == "Attack":
                self._monster_attack(monster, intent["damage"], intent["hits"])
        for effect in monster.move["effects"]:
            self._monster_effect(monster, effect)

    def _monster_attack(self, monster: Monster, base: int, hits: int) -> None:
        for _ in range(hits):
            if not monster.alive or self.over is not None:
                return
            amount = rules.against(rules.own_damage(base, monster), self.player)
            if self.player.amount("THORNS"):
                self.hurt_monster(monster, self.player.amount("THORNS"))
                if not monster.alive:
                    return
            self.hurt_player(rules.lose_to_block(self.player, amount))
            if self.player.amount("FLAME_BARRIER") and self.over is None:
                self.hurt_monster(monster, self.player.amount("FLAME_BARRIER"))
        if hits:
            monster.drop("VIGOR_POWER")

    def _monster_effect(self, monster: Monster, effect: dict[str, Any]) -> None:
        if self.over is not None:
            return
        if "block" in effect:
            monster.block += rules.own_block(effect["block"], monster)
        elif "summon" in effect:
            if len(self.enemies) < 5:
                self._spawn(effect["summon"])
        elif "add_card" in effect:
            for _ in range(effect["count"]):
                pile = self.draw_pile if effect["pile"] == "draw" else self.discard_pile
                pile.insert(self.shuffle.randint(0, len(pile)), Card(effect["add_card"]))
        elif effect["to"] == "self":
            if effect["apply"] == "RITUAL_POWER" and not monster.amount("RITUAL"):
                monster.fresh.add("RITUAL_POWER")
            if not (effect["apply"] == "THORNS_POWER" and effect["amount"] < 0):
                monster.add(effect["apply"], effect["amount"])
        else:
            self.player.add(effect["apply"], effect["amount"], grace=True)

    # ------------------------------------------------------------------ hurting monsters

    def hurt_monster(self, monster: Monster, amount: int) -> None:
        """Damage to a monster: block, then HP, then what its death or its powers do."""
        if not monster.alive:
            return
        passed = rules.lose_to_block(monster, amount)
        shell = monster.amount("HARDENED_SHELL")
        lost = rules.lose_hp(monster, passed, max(0, shell - monster.shell_lost) if shell else None)
        monster.shell_lost += lost
        if not monster.alive:
            self._died(monster)
        elif lost and monster.amount("PLOW") and monster.hp <= monster.amount("PLOW"):
            monster.drop("PLOW_POWER")
            monster.drop("STRENGTH_POWER")
            assert monster.pattern is not None
            monster.pattern.force("STUN")

    def _died(self, monster: Monster) -> None:
        if monster.amount("INFESTED"):
            for position in range(monster.amount("INFESTED")):
                self._spawn("WRIGGLER", position, 4).pattern.stun()  # type: ignore[union-attr]
        for other in self.enemies:
            if other.amount("RAVENOUS"):
                other.add("STRENGTH_POWER", other.amount("RAVENOUS"))
                assert other.pattern is not None
                other.pattern.stun()
        if monster.id == "SLITHERING_STRANGLER":
            self.player.drop("CONSTRICT_POWER")
        if monster.id == "SHRINKER_BEETLE":
            self.player.drop("SHRINK_POWER")
        self._check_won()

    def _check_won(self) -> None:
        if self.over is None and not any(not monster.amount("MINION") for monster in self.enemies):
            self.over = "won"

    # ------------------------------------------------------------------ cards

    def cost(self, card: Card) -> int | str | None:
        """Energy to pay now: a number, X, or None for a card that can never be played."""
        cost = card.data["cost"][1 if card.upgraded else 0]
        if isinstance(cost, int) and card.data["type"] == "Attack" and self.player.amount("TANGLED"):
            return cost + 1
        return cost

    def why_not(self, card: Card) -> str | None:
        """Why the card cannot be played now, in the game's word for it; None when it can."""
        cost = self.cost(card)
        if cost is None:
            return "HasUnplayableKeyword"
        if isinstance(cost, int) and cost > self.energy:
            return "EnergyCostTooHigh"
        if self.player.amount("RINGING") and self.cards_played:
            return "BlockedByHook"
        return None

    def play(self, index: int, target: int | None = None) -> None:
        """Play the card at this place in the hand, on the monster with this combat ID when it takes one."""
        card = self.hand[index]
        cost = self.cost(card)
        spent = self.energy if cost == "X" else cost
        assert isinstance(spent, int)
        self.energy -= spent
        self.hand.remove(card)
        aimed = next((monster for monster in self.enemies if monster.combat_id == target), None)
        self._waiting = [(card, effect, aimed, spent) for effect in card.data["effects"]]
        self._waiting.append((card, {"do": "finish"}, aimed, spent))
        self._go_on()

    def _go_on(self) -> None:
        """Carry out what is left of the card in play, up to a choice or the end of the fight."""
        while self._waiting and self.choice is None:
            card, effect, aimed, spent = self._waiting.pop(0)
            if self.over is not None and effect["do"] != "finish":
                continue
            self._effect(card, effect, aimed, spent)

    def _effect(self, card: Card, effect: dict[str, Any], aimed: Monster | None, spent: int) -> None:  # noqa: C901
        number = card.number(effect["n"]) if "n" in effect else 0
        match effect["do"]:
            case "damage":
                self._attack(card, effect, number, aimed, spent)
            case "block":
                self.player.block += rules.own_block(number, self.player)
            case "apply":
                self._apply(effect, number, aimed)
            case "draw":
                self.draw(number)
            case "energy":
                self.energy += number
            case "lose_hp":
                self.hurt_player(number)
            case "copy":
                self.discard_pile.append(card.copy())
            case "double_power":
                if aimed is not None and aimed.alive and effect["power"] in aimed.powers:
                    aimed.add(effect["power"], aimed.powers[effect["power"]])
            case "exhaust_random":
                if self.hand:
                    self._exhaust(self.shuffle.choice(self.hand), self.hand)
            case "exhaust_choice_or_random" if not card.upgraded:
                if self.hand:
                    self._exhaust(self.shuffle.choice(self.hand), self.hand)
            case "exhaust_choice" | "exhaust_choice_or_random":
                self._ask("hand", "exhaust", self.hand)
            case "upgrade_choice":
                self._upgrade(card)
            case "discard_to_top":
                self._ask("discard", "top", self.discard_pile)
            case "finish":
                self._finish(card)
            case other:
                raise AssertionError(other)

    def _attack(self, card: Card, effect: dict[str, Any], number: int, aimed: Monster | None, spent: int) -> None:
        base = self.attack_base(card, effect, number)
        hits = spent if effect["hits"] == "X" else card.number(effect["hits"])
        if effect.get("twice_if") and aimed is not None and effect["twice_if"] in aimed.powers:
            hits = 2
        struck: list[Monster] = []
        for _ in range(hits):
            # Each hit is computed anew, and once for all its targets: a death counts from the next hit on.
            value = rules.own_damage(base, self.player)
            for monster in self._targets(effect["to"], aimed):
                if not self.player.alive or not monster.alive:
                    continue
                amount = rules.against(value, monster, self.cards_played)
                if monster.amount("THORNS"):
                    self.hurt_player(rules.lose_to_block(self.player, monster.amount("THORNS")))
                if self.player.alive:
                    self.hurt_monster(monster, amount)
                    struck.append(monster)
        self.player.drop("VIGOR_POWER")
        for monster in dict.fromkeys(struck):
            if monster.alive and monster.amount("SKITTISH") and not monster.attacked_this_turn:
                monster.block += monster.amount("SKITTISH")
            monster.attacked_this_turn = True

    def attack_base(self, card: Card, effect: dict[str, Any], number: int) -> int:
        """The base damage of an attack whose number may depend on the board."""
        if effect.get("from") == "block":
            return self.player.block
        if "per_strike" in effect:
            piles = (*self.hand, *self.draw_pile, *self.discard_pile, *self.exhaust_pile)
            strikes = sum("STRIKE" in other.id for other in piles) + (card not in piles)
            return number + card.number(effect["per_strike"]) * strikes
        return number

    def _targets(self, to: str, aimed: Monster | None) -> list[Monster]:
        if to == "all":
            return self.enemies
        if to == "random":
            return [self.dice.choice(self.enemies)] if self.enemies else []
        return [aimed] if aimed is not None else []

    def _apply(self, effect: dict[str, Any], number: int, aimed: Monster | None) -> None:
        power = effect["power"]
        if effect["to"] == "self":
            if power in {"SETUP_STRIKE_POWER", "FLEX_POTION_POWER"}:
                self.player.add("STRENGTH_POWER", number)
            self.player.add(power, number, grace=power in rules.TICKING)
            return
        for monster in self._targets(effect["to"], aimed):
            if monster.alive:
                monster.add(power, number)

    def _upgrade(self, card: Card) -> None:
        weaker = [other for other in self.hand if not other.upgraded and other.data["type"] not in {"Status", "Curse"}]
        if card.upgraded:
            for other in weaker:
                other.upgraded = True
        else:
            self._ask("hand", "upgrade", weaker)

    def _ask(self, where: str, then: str, among: Sequence[Card]) -> None:
        """Ask for a card; the game makes a choice that is none by itself."""
        if len(among) == 1:
            self._chosen(then, among[0])
        elif among:
            self.choice = Choice(where=where, then=then)

    def choosable(self) -> list[Card]:
        """The cards that the open choice can still take."""
        assert self.choice is not None
        pile = self.hand if self.choice.where == "hand" else self.discard_pile
        weak = self.choice.then == "upgrade"
        return [
            card
            for card in pile
            if card not in self.choice.picked
            and not (weak and (card.upgraded or card.data["type"] in {"Status", "Curse"}))
        ]

    def confirm_choice(self) -> None:
        """Carry out the choice and the rest of the card that asked for it."""
        assert self.choice is not None
        choice, self.choice = self.choice, None
        for card in choice.picked:
            self._chosen(choice.then, card)
        self._go_on()

    def _chosen(self, then: str, card: Card) -> None:
        match then:
            case "exhaust":
                self._exhaust(card, self.hand)
            case "upgrade":
                card.upgraded = True
            case _:
                self.discard_pile.remove(card)
                self.draw_pile.append(card)

    def _finish(self, card: Card) -> None:
        """The card has done its work: it goes where it belongs, and what watches cards being played acts."""
        if card.has("Exhaust"):
            self.exhaust_pile.append(card)
        elif card.data["type"] != "Power":
            self.discard_pile.append(card)
        self.cards_played += 1
        if card.data["type"] == "Attack" and self.player.amount("RAGE"):
            self.player.block += self.player.amount("RAGE")

    def _exhaust(self, card: Card, pile: list[Card]) -> None:
        pile.remove(card)
        self.exhaust_pile.append(card)
