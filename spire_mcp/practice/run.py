"""A practice run: the map, fights and rewards, as a machine of screens that actions move along."""

from collections.abc import Sequence
from random import Random
from typing import Any

from spire_mcp.practice import events, rooms
from spire_mcp.practice.content import cards as card_table
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Fight
from spire_mcp.practice.grid import CardGrid
from spire_mcp.practice.mapgen import generate
from spire_mcp.practice.pieces import Card

ACTS = ("overgrowth", "underdocks")
_FIRST_WEAK_FIGHTS = 3
_POTION_CHANCE = 0.4
_REWARD_POOL = ("Common", "Uncommon", "Rare")
_RARITY_WEIGHTS = {"Common": 60, "Uncommon": 37, "Rare": 3}


class PracticeRun:
    """One seeded run through a first act. `screen` names the screen that the bridge would show.

    Args:
        seed: everything random follows from it.
        start: `fight`, `map`, or `menu`.
        act: one of ACTS, or `any` for the seed to choose.
        character: whose run it is; the menu can choose another one.
    """

    def __init__(
        self, seed: str, *, start: str = "fight", act: str = "overgrowth", character: str = "IRONCLAD"
    ) -> None:
        self.seed = seed
        self.dice = Random(f"{seed}/rewards")
        self.route = Random(f"{seed}/route")
        self.asked_act = act
        self.act = Random(f"{seed}/act").choice(ACTS) if act == "any" else act
        self.character = character
        begin = table("characters")[character]
        self.pool = str(begin["pool"])
        self.deck = [Card(card) for card in begin["deck"]]
        self.hp = self.max_hp = int(begin["hp"])
        self.gold = int(begin["gold"])
        self.relics: list[str] = list(begin["relics"])
        self.orb_slots = int(begin.get("orb_slots", 0))
        self.potions: list[str | None] = [None, None, None]
        self.map = generate(Random(f"{seed}/map"))
        self.position: tuple[int, int] = next(key for key, node in self.map.items() if node.type == "Ancient")
        self.visited = [self.position]
        self.boss = self.route.choice(sorted(self.encounter_table["boss"]))
        self.fights = 0
        self.attacks = 0
        """attacks played in the run, which one relic counts"""
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
        self.bundles: list[list[Card]] = []
        self.bundle: int | None = None
        self.relic_offer: list[str] = []
        self.sphere: Any = None
        self.selected = character
        self.screen = "main_menu" if start == "menu" else "map"
        if start == "fight":
            self.travel(self.next_nodes()[0])

    @property
    def encounter_table(self) -> dict[str, Any]:
        """The act's fights by pool."""
        found: dict[str, Any] = table("encounters")[self.act]
        return found

    def embark(self, character: str) -> None:
        """Begin the run that the menu sets out on."""
        begun = PracticeRun(f"{self.seed}+", start="map", act=self.asked_act, character=character)
        self.__dict__.update(begun.__dict__)
        self.meet_the_ancient()

    def meet_the_ancient(self) -> None:
        """A run begins with the ancient, who talks before there is anything to choose."""
        ancient: dict[str, Any] = table("ancients")["NEOW"]
        chosen = sorted(Random(f"{self.seed}/ancient").sample(range(len(ancient["options"])), 3))
        self.event = {**ancient, "options": [ancient["options"][number] for number in chosen]}
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
                rooms.stock_shop(self)
                self.screen = "shop"
            case _:
                events.enter(self)

    # ------------------------------------------------------------------ fights

    def start_fight(self, pool: str, kind: str) -> None:
        """Begin a fight of a pool; a pool is used up before an encounter comes again."""
        encounters = self.encounter_table[pool]
        if pool == "boss":
            name = self.boss
        else:
            left = self.encounters.get(pool) or self.route.sample(sorted(encounters), len(encounters))
            name = left.pop()
            self.encounters[pool] = left
        monsters: Sequence[str] = self.route.choice(encounters[name])
        self.fights += 1
        self.fight_kind = kind
        self.fight = self.new_fight(monsters, f"{self.seed}/fight{self.fights}")
        self.screen = "fight"

    def new_fight(self, monsters: Sequence[str], seed: str) -> Fight:
        """A fight of this run's player against these monsters."""
        return Fight(
            deck=self.deck,
            monsters=monsters,
            hp=self.hp,
            max_hp=self.max_hp,
            seed=seed,
            relics=self.relics,
            potions=self.potions,
            orb_slots=self.orb_slots,
            attacks=self.attacks,
        )

    def after_action(self) -> None:
        """Look whether the fight has ended, and show what follows."""
        fight = self.fight
        if fight is None or fight.over is None:
            return
        self.hp = fight.player.hp
        self.max_hp = fight.player.max_hp
        self.attacks = fight.attacks
        self.fight = None
        if fight.over == "lost":
            self.screen = "game_over"
            return
        self.hp = min(self.max_hp, self.hp + sum(table("relics")[relic].get("end_heal", 0) for relic in self.relics))
        self.event = None
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

    def relics_left(self) -> list[str]:
        """Relics that can still be found: not owned, and neither a starter nor a fake."""
        entries = table("relics")
        return [
            relic
            for relic in sorted(entries)
            if relic not in self.relics and not entries[relic].get("starter") and not entries[relic].get("fake")
        ]

    def new_relic(self) -> str | None:
        """A relic that is not owned yet."""
        left = self.relics_left()
        return self.dice.choice(left) if left else None

    def card_choice(self, count: int, kind: str | None = None) -> list[Card]:
        """Different cards of the class, by the rarity weights of a normal fight; of one type where it is given."""
        mine = {
            name: data["rarity"]
            for name, data in sorted(card_table().items())
            if data["pool"] == self.pool and data["rarity"] in _REWARD_POOL and kind in {None, data["type"]}
        }
        count = min(count, len(mine))
        chosen: list[str] = []
        while len(chosen) < count:
            weights = [_RARITY_WEIGHTS[rarity] for rarity in _REWARD_POOL]
            rarity = "Rare" if self.fight_kind == "boss" else self.dice.choices(_REWARD_POOL, weights)[0]
            of_rarity = [name for name in mine if mine[name] == rarity and name not in chosen]
            chosen.append(self.dice.choice(of_rarity or [name for name in mine if name not in chosen]))
        return [Card(name) for name in chosen]

    # ------------------------------------------------------------------ rewards

    def claim(self, index: int) -> None:
        """Claim a reward. A potion with a full belt is dropped without a word, as the game does it."""
        reward = self.rewards[index]
        match reward["type"]:
            case "gold":
                self.gold += reward["gold"]
            case "potion":
                if not self.gain_potion(reward["potion"]):
                    return
            case "relic":
                self.gain_relic(reward["relic"])
            case _:
                self.offered = reward["cards"]
                self.screen = "card_reward"
                return
        self.rewards.pop(index)

    def gain_potion(self, potion: str) -> bool:
        """Put a potion into the belt; False when there is no room."""
        if None not in self.potions:
            return False
        self.potions[self.potions.index(None)] = potion
        return True

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

    def take_relic(self, index: int | None) -> None:
        """Take one of the relics on offer, or none, and go on to where the offer came from."""
        if index is not None:
            self.gain_relic(self.relic_offer[index])
        self.relic_offer = []
        if self.event is not None:
            self.event = {**self.event, "done": True}
            self.screen = "event"
        else:
            self.screen = "game_over"

    def proceed(self) -> None:
        """Leave the room; what was not taken is lost. Behind the boss there is a choice of relics, and the end."""
        behind_the_boss = self.fight_kind == "boss" and self.map[self.position].type == "Boss"
        self.chest = self.event = self.sphere = None
        if behind_the_boss:
            left = self.relics_left()
            self.relic_offer = self.dice.sample(left, min(3, len(left)))
            self.screen = "relic_select" if self.relic_offer else "game_over"
        else:
            self.screen = "map"
