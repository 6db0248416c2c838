"""A practice run: rooms, rewards and choices between fights, as a machine of screens that actions move along."""

from collections.abc import Sequence
from random import Random
from typing import Any

from spire_mcp.practice.content import cards as card_table
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.grid import CardGrid
from spire_mcp.practice.mapgen import generate

_FIRST_WEAK_FIGHTS = 3
_POTION_CHANCE = 0.4
_REWARD_POOL = ("Common", "Uncommon", "Rare")
_RARITY_WEIGHTS = {"Common": 60, "Uncommon": 37, "Rare": 3}


class PracticeRun:
    """One seeded Ironclad run through the first act. `screen` names the screen that the bridge would show."""

    def __init__(self, seed: str, *, start: str = "fight") -> None:
        self.seed = seed
        self.dice = Random(f"{seed}/rewards")
        self.route = Random(f"{seed}/route")
        begin = table("start")
        self.deck = [Card(card) for card in begin["deck"]]
        self.hp = self.max_hp = int(begin["hp"])
        self.gold = int(begin["gold"])
        self.relics: list[str] = list(begin["relics"])
        self.potions: list[str | None] = [None, None, None]
        self.map = generate(Random(f"{seed}/map"))
        self.position: tuple[int, int] = next(key for key, node in self.map.items() if node.type == "Ancient")
        self.visited = [self.position]
        self.boss = self.route.choice(sorted(table("encounters")["boss"]))
        self.fights = 0
        self.encounters: dict[str, list[str]] = {}
        self.fight: Fight | None = None
        self.fight_kind = "monster"
        self.rewards: list[dict[str, Any]] = []
        self.offered: list[Card] = []
        self.potion_chance = _POTION_CHANCE
        self.rest_done = False
        self.chest: list[str] | None = None
        self.shop: list[dict[str, Any]] = []
        self.removals = 0
        self.event: dict[str, Any] | None = None
        self.dialogue = 0
        self.grid: CardGrid | None = None
        self.screen = "main_menu" if start == "menu" else "map"
        if start == "fight":
            self.travel(self.next_nodes()[0])

    def meet_the_ancient(self) -> None:
        """A run begins with the ancient, who talks before there is anything to choose."""
        ancient: dict[str, Any] = table("ancients")["NEOW"]
        self.event = ancient
        self.dialogue = int(ancient["dialogue"])
        self.screen = "event"

    # ------------------------------------------------------------------ the map

    @property
    def floor(self) -> int:
        """The floor as the bridge counts it: the row and one."""
        return self.position[1] + 1

    def next_nodes(self) -> list[tuple[int, int]]:
        """Where the map leads now, by column."""
        return sorted(self.map[self.position].children)

    def travel(self, node: tuple[int, int]) -> None:
        """Go to a node and enter its room."""
        self.position = node
        self.visited.append(node)
        kind = self.map[node].type
        if kind == "Unknown":
            kind = self.route.choices(("Event", "Monster", "Treasure", "Shop"), (85, 10, 2, 3))[0]
        match kind:
            case "Monster":
                self.start_fight("weak" if self.fights < _FIRST_WEAK_FIGHTS else "normal", "monster")
            case "Elite":
                self.start_fight("elite", "elite")
            case "Boss":
                self.start_fight("boss", "boss")
            case "RestSite":
                self.rest_done = False
                self.screen = "rest_site"
            case "Treasure":
                self.chest = None
                self.screen = "treasure"
            case "Shop":
                self.stock_shop()
                self.screen = "shop"
            case _:
                self.event = self.route.choice(list(table("events").values()))
                self.screen = "event"

    # ------------------------------------------------------------------ fights

    def start_fight(self, pool: str, kind: str) -> None:
        """Begin a fight of a pool; a pool is used up before an encounter comes again."""
        encounters = table("encounters")[pool]
        if pool == "boss":
            name = self.boss
        else:
            left = self.encounters.get(pool) or self.route.sample(sorted(encounters), len(encounters))
            name = left.pop()
            self.encounters[pool] = left
        monsters: Sequence[str] = self.route.choice(encounters[name])
        self.fights += 1
        self.fight_kind = kind
        self.fight = Fight(
            deck=self.deck,
            monsters=monsters,
            hp=self.hp,
            max_hp=self.max_hp,
            seed=f"{self.seed}/fight{self.fights}",
            relics=self.relics,
            potions=self.potions,
        )
        self._combat_start_relics(self.fight)
        self.screen = "fight"

    def _combat_start_relics(self, fight: Fight) -> None:
        for relic in self.relics:
            entry = table("relics")[relic]
            fight.player.block += entry.get("start_block", 0)
            fight.player.hp = min(fight.player.max_hp, fight.player.hp + entry.get("start_heal", 0))
            if "start_power" in entry:
                fight.player.add(*entry["start_power"])

    def after_action(self) -> None:
        """Look whether the fight has ended, and show what follows."""
        fight = self.fight
        if fight is None or fight.over is None:
            return
        self.hp = fight.player.hp
        self.fight = None
        if fight.over == "lost":
            self.screen = "game_over"
            return
        self.hp = min(self.max_hp, self.hp + sum(table("relics")[relic].get("end_heal", 0) for relic in self.relics))
        self._roll_rewards()
        self.screen = "rewards"

    def _roll_rewards(self) -> None:
        low, high = {"monster": (10, 20), "elite": (35, 45), "boss": (100, 100)}[self.fight_kind]
        self.rewards = [{"type": "gold", "gold": self.dice.randint(low, high)}]
        if self.dice.random() < self.potion_chance:
            self.rewards.append({"type": "potion", "potion": self.dice.choice(sorted(table("potions")))})
            self.potion_chance -= 0.1
        else:
            self.potion_chance += 0.1
        if self.fight_kind == "elite":
            relic = self.new_relic()
            if relic is not None:
                self.rewards.append({"type": "relic", "relic": relic})
        self.rewards.append({"type": "card", "cards": self.card_choice(3)})

    def new_relic(self) -> str | None:
        """A relic that is not owned yet."""
        left = [relic for relic in sorted(table("relics")) if relic not in self.relics]
        return self.dice.choice(left) if left else None

    def card_choice(self, count: int) -> list[Card]:
        """Different cards of the class, by the rarity weights of a normal fight."""
        chosen: list[str] = []
        while len(chosen) < count:
            weights = [_RARITY_WEIGHTS[rarity] for rarity in _REWARD_POOL]
            rarity = "Rare" if self.fight_kind == "boss" else self.dice.choices(_REWARD_POOL, weights)[0]
            pool = [name for name, data in sorted(card_table().items()) if data["rarity"] == rarity]
            name = self.dice.choice(pool)
            if name not in chosen:
                chosen.append(name)
        return [Card(name) for name in chosen]

    # ------------------------------------------------------------------ rewards

    def claim(self, index: int) -> None:
        """Claim a reward. A potion with a full belt is dropped without a word, as the game does it."""
        reward = self.rewards[index]
        match reward["type"]:
            case "gold":
                self.gold += reward["gold"]
            case "potion":
                if None not in self.potions:
                    return
                self.potions[self.potions.index(None)] = reward["potion"]
            case "relic":
                self.gain_relic(reward["relic"])
            case _:
                self.offered = reward["cards"]
                self.screen = "card_reward"
                return
        self.rewards.pop(index)

    def gain_relic(self, relic: str) -> None:
        """Own a relic and what it brings at once."""
        self.relics.append(relic)
        rise = table("relics")[relic].get("max_hp", 0)
        self.max_hp += rise
        self.hp += rise

    def take_card(self, index: int | None) -> None:
        """Take one of the offered cards, or none; either way the card reward is gone."""
        if index is not None:
            self.deck.append(self.offered[index].copy())
        self.rewards = [reward for reward in self.rewards if reward.get("cards") is not self.offered]
        self.screen = "rewards"

    def proceed(self) -> None:
        """Leave the room; what was not taken is lost. The practice run ends behind the boss."""
        self.chest = None
        self.event = None
        self.screen = "game_over" if self.fight_kind == "boss" and self.map[self.position].type == "Boss" else "map"

    # ------------------------------------------------------------------ rooms without fights

    def rest(self, what: str) -> None:
        """Heal three tenths of the maximum, or open the choice of a card to upgrade."""
        if what == "HEAL":
            self.hp = min(self.max_hp, self.hp + self.max_hp * 3 // 10)
            self.rest_done = True
            return
        self.open_grid("upgrade", [card for card in self.deck if self.can_upgrade(card)])

    def can_upgrade(self, card: Card) -> bool:
        """Whether a card of the deck can still be upgraded."""
        return not card.upgraded and card.data["type"] not in {"Status", "Curse"}

    def open_grid(self, purpose: str, cards: list[Card]) -> None:
        """Show a grid of cards to choose from, over the screen that asked for it."""
        self.grid = CardGrid(purpose=purpose, cards=cards, back=self.screen)
        self.screen = "card_select"

    def confirm_grid(self) -> None:
        """Carry out what the grid was opened for."""
        grid = self.grid
        assert grid is not None
        for card in grid.selected:
            match grid.purpose:
                case "upgrade":
                    card.upgraded = True
                case "transform":
                    self.deck.remove(card)
                    self.deck.append(self.card_choice(1)[0])
                case _:
                    self.deck.remove(card)
                    self.gold -= grid.price
                    self.removals += 1
        self.close_grid()
        self.rest_done = True
        if self.event is not None:
            self.event = {**self.event, "done": True}
        if self.screen == "shop":
            self.shop = [item for item in self.shop if item["category"] != "card_removal"]

    def close_grid(self) -> None:
        """Go back to the screen below the grid."""
        assert self.grid is not None
        self.screen, self.grid = self.grid.back, None

    def open_chest(self) -> None:
        """The chest opens when it is looked at, and pays its gold at once."""
        if self.chest is None:
            self.gold += self.dice.randint(42, 52)
            relic = self.new_relic()
            self.chest = [relic] if relic is not None else []

    def take_treasure(self, index: int) -> None:
        """Take a relic from the chest."""
        assert self.chest is not None
        self.gain_relic(self.chest.pop(index))

    def stock_shop(self) -> None:
        """Fill the merchant's shelves."""
        prices = {"Common": 50, "Uncommon": 75, "Rare": 150}
        self.shop = []
        for position, card in enumerate(self.card_choice(5)):
            price = self.around(prices[card.data["rarity"]], 5)
            sale = position == 1
            self.shop.append(
                {"category": "card", "card": card, "price": price // 2 if sale else price, "on_sale": sale}
            )
        relic = self.new_relic()
        if relic is not None:
            self.shop.append({"category": "relic", "relic": relic, "price": self.around(175, 15)})
        for potion in self.dice.sample(sorted(table("potions")), 3):
            self.shop.append({"category": "potion", "potion": potion, "price": self.around(50, 5)})
        self.shop.append({"category": "card_removal", "price": 75 + 25 * self.removals})

    def around(self, price: int, percent: int) -> int:
        """A price within some per cent of the usual one."""
        return price + price * self.dice.randint(-percent, percent) // 100

    def buy(self, index: int) -> None:
        """Buy an item; a potion that does not fit stays on the shelf, and nothing is said."""
        item = self.shop[index]
        match item["category"]:
            case "card_removal":
                self.open_grid("remove", list(self.deck))
                assert self.grid is not None
                self.grid.price = item["price"]
                return
            case "card":
                self.deck.append(item["card"].copy())
            case "relic":
                self.gain_relic(item["relic"])
            case _:
                if None not in self.potions:
                    return
                self.potions[self.potions.index(None)] = item["potion"]
        self.gold -= item["price"]
        item["sold"] = True

    def choose_event(self, index: int) -> None:
        """Carry out a choice of the event; the last page's choice leads back to the map."""
        assert self.event is not None
        if self.event.get("done"):
            self.proceed()
            return
        for effect in self.event["options"][index]["effects"]:
            self._event_effect(effect)
        if self.screen == "event":
            self.event = {**self.event, "done": True}

    def _event_effect(self, effect: dict[str, Any]) -> None:
        match effect:
            case {"max_hp": amount}:
                self.max_hp += amount
                self.hp = min(self.max_hp, self.hp + max(0, amount))
            case {"hp": amount}:
                self.hp = max(1, min(self.max_hp, self.hp + amount))
            case {"gold": amount}:
                self.gold = max(0, self.gold + amount)
            case {"card": card}:
                self.deck.append(Card(card))
            case {"grid": purpose}:
                cards = [card for card in self.deck if purpose != "upgrade" or self.can_upgrade(card)]
                self.open_grid(purpose, cards)
            case _:
                raise AssertionError(effect)
