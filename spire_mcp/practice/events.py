"""Events and the ancient: what their choices do, and the screens that only they lead to."""

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from spire_mcp.practice.content import table
from spire_mcp.practice.pieces import Card
from spire_mcp.practice.rooms import can_upgrade, offer_cards, open_grid, stock_fakes

if TYPE_CHECKING:
    from spire_mcp.practice.run import PracticeRun

_SPHERE_SIZE = 5
_TREASURES = ("gold", "potion", "relic", "card")


def enter(run: "PracticeRun") -> None:
    """Enter a random event of the act."""
    known = [event for event in table("events").values() if event.get("act") in {None, run.act}]
    begin(run, run.route.choice(known))


def begin(run: "PracticeRun", event: dict[str, Any]) -> None:
    """Enter an event."""
    run.event = event
    run.screen = "event"
    if event.get("merchant"):
        stock_fakes(run)
        run.screen = "fake_merchant"


def locked(run: "PracticeRun", option: dict[str, Any]) -> bool:
    """Whether the option asks for gold that is not there."""
    return bool(run.gold < option.get("needs", {}).get("gold", 0))


def choose(run: "PracticeRun", index: int) -> None:
    """Carry out a choice of the event; the last page's choice leads back to the map."""
    assert run.event is not None
    if run.event.get("done"):
        run.proceed()
        return
    effects: list[dict[str, Any]] = run.event["options"][index]["effects"]
    again = {"again": True} in effects
    run.event = {**run.event, "again": again}
    for effect in effects:
        _effect(run, effect)
    if run.screen == "event" and not again:
        run.event = {**run.event, "done": True}


def _effect(run: "PracticeRun", effect: dict[str, Any]) -> None:  # noqa: C901 - one line for each effect
    match effect:
        case {"max_hp": amount}:
            run.max_hp = max(1, run.max_hp + amount)
            run.hp = min(run.max_hp, run.hp + max(0, amount))
        case {"hp": amount}:
            run.hp = max(1, min(run.max_hp, run.hp + amount))
        case {"gold": amount}:
            run.gold = max(0, run.gold + amount)
        case {"card": card}:
            run.deck.append(Card(card))
        case {"random_card": True}:
            run.deck.append(run.card_choice(1)[0])
        case {"grid": "enchant", "kind": kind, "amount": amount, "type": card_type}:
            open_grid(run, "enchant", enchantment=(kind, amount), kind=card_type)
        case {"grid": purpose}:
            open_grid(run, purpose, count=effect.get("count", 1))
        case {"upgrade_random": count}:
            weaker = [card for card in run.deck if can_upgrade(card)]
            for card in run.dice.sample(weaker, min(count, len(weaker))):
                card.upgraded = True
        case {"remove_random": _}:
            run.deck.remove(run.dice.choice(run.deck))
        case {"relic": True}:
            relic = run.new_relic()
            if relic is not None:
                run.gain_relic(relic)
        case {"reward": kind}:
            _reward(run, kind)
        case {"choose": number}:
            offer_cards(run, run.card_choice(number))
        case {"fight": pool}:
            run.event = None
            run.start_fight(pool, "monster")
        case {"sphere": number}:
            run.sphere = Sphere.hidden(Random(f"{run.seed}/sphere/{run.floor}"), number)
            run.screen = "crystal_sphere"
        case {"bundles": number}:
            run.bundles = [run.card_choice(3) for _ in range(number)]
            run.bundle = None
            run.screen = "bundle_select"
        case {"relic_choice": number}:
            left = run.relics_left()
            run.relic_offer = run.dice.sample(left, min(number, len(left)))
            run.screen = "relic_select"
        case _:
            assert effect == {"again": True}, effect


def _reward(run: "PracticeRun", kind: str) -> None:
    if run.screen != "rewards":
        run.rewards = []
        run.screen = "rewards"
    match kind:
        case "potion":
            run.rewards.append({"type": "potion", "potion": run.dice.choice(sorted(table("potions")))})
        case "relic":
            relic = run.new_relic()
            if relic is not None:
                run.rewards.append({"type": "relic", "relic": relic})
        case _:
            run.rewards.append({"type": "card", "cards": run.card_choice(3)})


def take_bundle(run: "PracticeRun") -> None:
    """Take the cards of the bundle that is previewed."""
    assert run.bundle is not None
    run.deck.extend(card.copy() for card in run.bundles[run.bundle])
    run.bundles, run.bundle = [], None
    assert run.event is not None
    run.event = {**run.event, "done": True}
    run.screen = "event"


@dataclass(slots=True)
class Sphere:
    """The crystal sphere: a grid of hidden cells, some of which hold something."""

    left: int
    items: dict[tuple[int, int], str]
    open: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    tool: str = "small"

    @classmethod
    def hidden(cls, dice: Random, divinations: int) -> "Sphere":
        """A sphere whose cells are all hidden."""
        places = [(x, y) for x in range(_SPHERE_SIZE) for y in range(_SPHERE_SIZE)]
        return cls(left=divinations, items=dict(zip(dice.sample(places, len(_TREASURES)), _TREASURES, strict=True)))

    @property
    def size(self) -> int:
        """Columns and rows."""
        return _SPHERE_SIZE

    def clickable(self) -> list[tuple[int, int]]:
        """The cells that can be uncovered."""
        places = [(x, y) for y in range(_SPHERE_SIZE) for x in range(_SPHERE_SIZE)]
        return [place for place in places if place not in self.open] if self.left else []

    def uncover(self, place: tuple[int, int]) -> None:
        """Uncover a cell, and with the big tool its neighbours too."""
        reach = 1 if self.tool == "big" else 0
        self.left -= 1
        for x in range(place[0] - reach, place[0] + reach + 1):
            for y in range(place[1] - reach, place[1] + reach + 1):
                if 0 <= x < _SPHERE_SIZE and 0 <= y < _SPHERE_SIZE:
                    self.open.add((x, y))


def leave_sphere(run: "PracticeRun") -> None:
    """Go on to the rewards of what was found."""
    found = [item for place, item in run.sphere.items.items() if place in run.sphere.open]
    run.rewards = []
    run.screen = "rewards"
    for item in found:
        if item == "gold":
            run.rewards.append({"type": "gold", "gold": 30})
        else:
            _reward(run, item)
    run.sphere = run.event = None
