"""One fight: its piles and its turns; driven step by step, without HTTP or time."""

from collections.abc import Sequence
from random import Random
from typing import Any

from spire_mcp.practice import enemies, orbs, playing, rules
from spire_mcp.practice.content import monsters as monster_table
from spire_mcp.practice.content import table
from spire_mcp.practice.moves import Pattern
from spire_mcp.practice.pieces import Card, Choice, Monster, Orb
from spire_mcp.practice.rules import Creature

__all__ = ["Card", "Choice", "Fight", "Monster"]

HAND_LIMIT = 10
DRAW = 5
_GONE_AT_TURN_END = ("NO_DRAW_POWER", "TANGLED_POWER", "RINGING_POWER", "RAGE_POWER", "FREE_ATTACK_POWER")
_TEMPORARY = {
    "SETUP_STRIKE_POWER": "STRENGTH_POWER",
    "FLEX_POTION_POWER": "STRENGTH_POWER",
    "SPEED_POTION_POWER": "DEXTERITY_POWER",
}
"""Powers that take back at the end of the turn what they gave."""


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
        orb_slots: int = 0,
        attacks: int = 0,
    ) -> None:
        self.shuffle = Random(f"{seed}/shuffle")
        self.dice = Random(f"{seed}/monsters")
        self.player = Creature(hp=hp, max_hp=max_hp)
        self.max_energy = energy
        self.energy = 0
        self.stars: int | None = None
        self.orbs: list[Orb] = []
        self.orb_slots = orb_slots
        self.pet: Creature | None = None
        self.attacks = attacks
        """attacks played in the run, which one relic counts"""
        self.skull = False
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
            self.spawn(name, position, len(monsters))
        self.round = 0
        self.cards_played = 0
        self.attacks_played = 0
        self.exhausted_this_turn = 0
        self.hp_lost_this_turn = 0
        self.over: str | None = None
        self.choice: Choice | None = None
        self.waiting: list[Any] = []
        self._start_of_fight()
        self._watch_skull()
        self._start_turn()

    # ------------------------------------------------------------------ setting up

    def spawn(self, name: str, position: int = 0, of: int = 1) -> Monster:
        """A monster appears, behind those that are there."""
        data = monster_table()[name]
        hp = self.dice.randint(*data["hp"])
        monster = Monster(hp=hp, max_hp=hp, id=name, combat_id=self._next_combat_id, block=data.get("block", 0))
        self._next_combat_id += 1
        for power, amount in data["powers"].items():
            monster.add(power.upper(), amount)
        monster.pattern = Pattern(data, self.dice, position, of)
        self.monsters.append(monster)
        return monster

    def _start_of_fight(self) -> None:
        for relic in self.relics:
            entry = table("relics")[relic]
            self.player.block += entry.get("start_block", 0)
            self.player.hp = min(self.player.max_hp, self.player.hp + entry.get("start_heal", 0))
            if "start_power" in entry:
                self.player.add(*entry["start_power"])
            if "start_power_enemies" in entry:
                for monster in self.enemies:
                    monster.add(*entry["start_power_enemies"])
            if "start_orb" in entry:
                orbs.channel(self, entry["start_orb"], 1)
            if "start_stars" in entry:
                self.stars = (self.stars or 0) + entry["start_stars"]
            if "start_pet" in entry:
                orbs.summon(self, entry["start_pet"])

    @property
    def enemies(self) -> list[Monster]:
        """The living monsters, in order."""
        return [monster for monster in self.monsters if monster.alive]

    def relic_number(self, key: str) -> int:
        """The sum of a number over all relics that have it."""
        return sum(table("relics")[relic].get(key, 0) for relic in self.relics)

    # ------------------------------------------------------------------ turns

    def _start_turn(self) -> None:
        self.round += 1
        self.cards_played = self.attacks_played = self.exhausted_this_turn = self.hp_lost_this_turn = 0
        for monster in self.enemies:
            monster.shell_lost = 0
            monster.attacked_this_turn = False
        player = self.player
        if self.round > 1 and not player.amount("BARRICADE"):
            player.block = 0
        if player.amount("BLOCK_NEXT_TURN"):
            player.block += player.amount("BLOCK_NEXT_TURN")
            player.drop("BLOCK_NEXT_TURN_POWER")
        if self.round == 2:
            player.block += self.relic_number("second_turn_block")
        player.drop("FLAME_BARRIER_POWER")
        if self.round > 1 and player.amount("PLATING"):
            player.add("PLATING_POWER", -1)
        self.energy = self.max_energy + self._energy_of_relics()
        self.draw(DRAW + (self.relic_number("first_turn_draw") if self.round == 1 else 0))
        if player.amount("DEMON_FORM"):
            player.add("STRENGTH_POWER", player.amount("DEMON_FORM"))
        for monster in self.enemies if player.amount("NOXIOUS_FUMES") else ():
            monster.add("POISON_POWER", player.amount("NOXIOUS_FUMES"))
        orbs.start_of_turn(self)

    def _energy_of_relics(self) -> int:
        found = self.relic_number("first_turn_energy") if self.round == 1 else 0
        for relic in self.relics:
            every = table("relics")[relic].get("energy_every")
            if every and self.round % every == 0:
                found += 1
        return found

    def draw(self, count: int) -> None:
        """Draw cards until the hand is full or nothing is left; an empty draw pile takes the shuffled discard pile."""
        if self.player.amount("NO_DRAW"):
            return
        for _ in range(count):
            if len(self.hand) >= HAND_LIMIT:
                return
            card = self.top_card()
            if card is None:
                return
            self.hand.append(card)

    def top_card(self) -> Card | None:
        """Take the top card of the draw pile, which the discard pile is shuffled into when it is empty."""
        if not self.draw_pile:
            self.draw_pile, self.discard_pile = self.discard_pile, []
            self.shuffle.shuffle(self.draw_pile)
        return self.draw_pile.pop() if self.draw_pile else None

    def end_turn(self) -> None:
        """The rest of the player's turn, the enemies' turn, and the start of the next one."""
        self._end_player_turn()
        if self.over is None:
            enemies.take_turn(self)
        if self.over is None:
            self._start_turn()

    def _end_player_turn(self) -> None:
        player = self.player
        shell = self.relic_number("unblocked_turn_block") if player.block == 0 else 0
        player.block += shell + player.amount("PLATING")
        orbs.end_of_turn(self)
        if self.over is not None:
            return
        for card in [card for card in self.hand if card.has("Ethereal")]:
            self.exhaust(card, self.hand)
        in_hand = len(self.hand)
        for card in list(self.hand):
            self._card_acts(card, in_hand)
        kept = [card for card in self.hand if card.has("Retain")]
        self.discard_pile.extend(card for card in self.hand if card not in kept)
        self.hand = kept
        if player.amount("CONSTRICT"):
            self.hurt_player(rules.lose_to_block(player, player.amount("CONSTRICT")))
        if player.amount("REGEN") and player.alive:
            player.hp = min(player.max_hp, player.hp + player.amount("REGEN"))
            player.add("REGEN_POWER", -1)
        for power, given in _TEMPORARY.items():
            if power in player.powers:
                player.add(given, -player.powers[power])
                player.drop(power)
        for power in _GONE_AT_TURN_END:
            player.drop(power)

    def _card_acts(self, card: Card, in_hand: int) -> None:
        """What a status or curse does that is still in hand."""
        data = card.data
        if "end_of_turn_damage" in data:
            self.hurt_player(rules.lose_to_block(self.player, data["end_of_turn_damage"]))
        if "end_of_turn_loss" in data:
            self.hurt_player(data["end_of_turn_loss"])
        if "end_of_turn_loss_per_card" in data:
            self.hurt_player(data["end_of_turn_loss_per_card"] * in_hand)
        if "end_of_turn_power" in data:
            power, amount = data["end_of_turn_power"]
            self.player.add(power, amount, grace=True)

    # ------------------------------------------------------------------ HP

    def hurt_player(self, amount: int) -> None:
        """HP loss of the player, and the end of the fight when none is left."""
        lost = rules.lose_hp(self.player, amount)
        self.hp_lost_this_turn += lost
        self._watch_skull()
        if self.player.alive or self._saved_by_fairy():
            return
        self.over = "lost"

    def _watch_skull(self) -> None:
        """Red Skull: Strength while HP is at half or less."""
        low = "RED_SKULL" in self.relics and 2 * self.player.hp <= self.player.max_hp
        if low != self.skull:
            self.player.add("STRENGTH_POWER", 3 if low else -3)
            self.skull = low

    def _saved_by_fairy(self) -> bool:
        slot = next((slot for slot, potion in enumerate(self.potions) if potion == "FAIRY_IN_A_BOTTLE"), None)
        if slot is None:
            return False
        self.potions[slot] = None
        self.player.hp = max(1, self.player.max_hp * 3 // 10)
        return True

    def hurt_monster(self, monster: Monster, amount: int) -> int:
        """Damage to a monster: block, then HP, then what its death or its powers do. Returns the HP lost."""
        if not monster.alive:
            return 0
        passed = rules.lose_to_block(monster, amount)
        shell = monster.amount("HARDENED_SHELL")
        lost = rules.lose_hp(monster, passed, max(0, shell - monster.shell_lost) if shell else None)
        monster.shell_lost += lost
        if not monster.alive:
            enemies.died(self, monster)
        elif lost:
            enemies.reacted(monster)
        return lost

    def check_won(self) -> None:
        """The fight is won when only minions are left."""
        if self.over is None and not any(not monster.amount("MINION") for monster in self.enemies):
            self.over = "won"

    def exhaust(self, card: Card, pile: list[Card]) -> None:
        """A card is gone for the fight."""
        pile.remove(card)
        self.exhaust_pile.append(card)
        self.exhausted_this_turn += 1

    # ------------------------------------------------------------------ what can be played

    def cost(self, card: Card) -> int | str | None:
        """Energy to pay now: a number, X, or None for a card that can never be played."""
        cost = card.data["cost"][1 if card.upgraded else 0]
        if isinstance(cost, int) and card.data["type"] == "Attack":
            if self.player.amount("FREE_ATTACK"):
                return 0
            return cost + (1 if self.player.amount("TANGLED") else 0)
        return cost

    def why_not(self, card: Card) -> str | None:
        """Why the card cannot be played now, in the game's word for it; None when it can."""
        cost = self.cost(card)
        if cost is None:
            return "HasUnplayableKeyword"
        if isinstance(cost, int) and cost > self.energy:
            return "EnergyCostTooHigh"
        if card.data.get("stars", 0) > (self.stars or 0):
            return "StarCostTooHigh"
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
        if card.data.get("stars"):
            self.stars = (self.stars or 0) - card.data["stars"]
        self.hand.remove(card)
        aimed = next((monster for monster in self.enemies if monster.combat_id == target), None)
        playing.begin(self, card, aimed, spent)

    def choosable(self) -> list[Card]:
        """The cards that the open choice can still take."""
        assert self.choice is not None
        piles = {"hand": self.hand, "discard": self.discard_pile, "offer": self.choice.offered}
        weak = self.choice.then == "upgrade"
        return [
            card
            for card in piles[self.choice.where]
            if card not in self.choice.picked
            and not (weak and (card.upgraded or card.data["type"] in {"Status", "Curse"}))
        ]

    def confirm_choice(self) -> None:
        """Carry out the choice and the rest of the card that asked for it."""
        assert self.choice is not None
        choice, self.choice = self.choice, None
        for card in choice.picked:
            playing.chosen(self, choice.then, card)
        playing.go_on(self)

    def attack_base(self, card: Card, effect: dict[str, Any], number: int) -> int:
        """The base damage of an attack whose number may depend on the board."""
        return playing.attack_base(self, card, effect, number)
