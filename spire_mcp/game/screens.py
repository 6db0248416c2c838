"""What each screen of the bridge says: one frozen type per state type (bridge-contract.md, section 2)."""

from dataclasses import dataclass, field

from spire_mcp.game.parts import Battle, Card, Enemy, Keyword, Player, Relic, Run, Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedCard(Wire):
    """A card already picked in a hand selection; its index belongs to another list."""

    index: int = 0
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSelect(Wire):
    """A choice among cards in hand inside a fight. `cards` are what can still be chosen."""

    mode: str = ""
    prompt: str | None = None
    cards: tuple[Card, ...] = ()
    selected_cards: tuple[SelectedCard, ...] = ()
    can_confirm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardItem(Wire):
    """One reward. A relic reward names its relic only in `description`."""

    index: int
    type: str
    description: str | None = None
    gold_amount: int | None = None
    potion_id: str | None = None
    potion_name: str | None = None
    potion_description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards(Wire):
    """The rewards after a fight or event; the list renumbers after every claim."""

    items: tuple[RewardItem, ...] = ()
    can_proceed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(Wire):
    """A button beside the cards of a reward, where a build names them."""

    index: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReward(Wire):
    """Cards to add to the deck. `can_skip` says only that an alternative button exists, whatever it does.

    `alternatives` names the buttons on builds that do; there the first of them is no riddle.
    """

    cards: tuple[Card, ...] = ()
    can_skip: bool = False
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelect(Wire):
    """A grid of cards, or a choose-a-card overlay (`screen_type` is then `choose`)."""

    screen_type: str = ""
    prompt: str | None = None
    cards: tuple[Card, ...] = ()
    preview_showing: bool = False
    preview_cards: tuple[Card, ...] = ()
    can_cancel: bool = False
    can_confirm: bool = False
    can_skip: bool = False
    selected_count: int | None = None
    selected_indices: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle(Wire):
    """A bundle of cards taken together."""

    index: int
    card_count: int = 0
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleSelect(Wire):
    """A choice among bundles, with a preview before it is confirmed."""

    prompt: str | None = None
    bundles: tuple[Bundle, ...] = ()
    preview_showing: bool = False
    preview_cards: tuple[Card, ...] = ()
    can_cancel: bool = False
    can_confirm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RelicSelect(Wire):
    """A choice among relics; picking is final."""

    prompt: str | None = None
    relics: tuple[Relic, ...] = ()
    can_skip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPoint(Wire):
    """A place on the map."""

    col: int
    row: int
    type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NextNode(Wire):
    """A node that can be travelled to now."""

    index: int
    col: int
    row: int
    type: str | None = None
    leads_to: tuple[MapPoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapNode(Wire):
    """A node of the whole map with the coordinates (column, row) that it leads to."""

    col: int
    row: int
    type: str | None = None
    children: tuple[tuple[int, int], ...] = ()
    id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapScreen(Wire):
    """The act map. `next_options` is empty while the map animates or is only being looked at."""

    current_position: MapPoint | None = None
    visited: tuple[MapPoint, ...] = ()
    next_options: tuple[NextNode, ...] = ()
    nodes: tuple[MapNode, ...] = ()
    boss: MapNode | None = None
    bosses: tuple[MapNode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOption(Wire):
    """One choice of an event."""

    index: int
    title: str | None = None
    description: str | None = None
    is_locked: bool = False
    is_proceed: bool = False
    was_chosen: bool = False
    relic_name: str | None = None
    relic_description: str | None = None
    keywords: tuple[Keyword, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Wire):
    """An event room. An ancient begins in dialogue without usable options."""

    event_id: str
    event_name: str | None = None
    is_ancient: bool = False
    in_dialogue: bool = False
    body: str | None = None
    options: tuple[EventOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RestOption(Wire):
    """One thing to do at a rest site, such as HEAL or SMITH."""

    index: int
    id: str
    name: str | None = None
    description: str | None = None
    is_enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RestSite(Wire):
    """A rest site; `options` is empty once one was chosen."""

    options: tuple[RestOption, ...] = ()
    can_proceed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopItem(Wire):
    """Something for sale; the fields that name it depend on `category` and are gone once it is sold."""

    index: int
    category: str
    price: int = 0
    is_stocked: bool = False
    can_afford: bool = False
    on_sale: bool = False
    card_id: str | None = None
    card_name: str | None = None
    card_type: str | None = None
    card_cost: str | None = None
    card_star_cost: str | None = None
    card_rarity: str | None = None
    card_description: str | None = None
    relic_id: str | None = None
    relic_name: str | None = None
    relic_description: str | None = None
    potion_id: str | None = None
    potion_name: str | None = None
    potion_description: str | None = None

    @property
    def item_id(self) -> str | None:
        """The ID of what is sold; None for card removal and for an empty place."""
        return self.card_id or self.relic_id or self.potion_id

    @property
    def title(self) -> str:
        """What to call the item."""
        return self.card_name or self.relic_name or self.potion_name or self.item_id or self.category


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop(Wire):
    """The merchant's inventory. `can_proceed` is false while it is open, and `proceed` works all the same."""

    items: tuple[ShopItem, ...] = ()
    can_proceed: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeMerchant(Wire):
    """The merchant who is not one: relics for sale, and a fight."""

    event_id: str = ""
    event_name: str | None = None
    started_fight: bool = False
    shop: Shop = field(default_factory=Shop)
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Treasure(Wire):
    """A treasure room. `relics` is None until the chest is open; reading the screen clicks the chest."""

    message: str | None = None
    relics: tuple[Relic, ...] | None = None
    can_proceed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SphereCell(Wire):
    """A cell of the crystal sphere."""

    x: int
    y: int
    is_hidden: bool = True
    is_clickable: bool = False
    item_type: str | None = None
    is_good: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SphereCoordinate(Wire):
    """A cell that can be clicked."""

    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrystalSphere(Wire):
    """The crystal sphere's grid and its two tools."""

    instructions_title: str | None = None
    instructions_description: str | None = None
    grid_width: int = 0
    grid_height: int = 0
    cells: tuple[SphereCell, ...] = ()
    clickable_cells: tuple[SphereCoordinate, ...] = ()
    tool: str = "none"
    can_use_big_tool: bool = False
    can_use_small_tool: bool = False
    divinations_left_text: str | None = None
    can_proceed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(Wire):
    """The end of a run; the bridge says neither victory nor defeat."""

    message: str | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay(Wire):
    """A screen that the bridge cannot drive; usually a transition."""

    screen_type: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuOption(Wire):
    """A menu entry; plain strings on the wire are read as enabled entries."""

    name: str
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Character(Wire):
    """A playable character on the selection screen."""

    id: str
    name: str | None = None
    locked: bool = False
    hp: int | None = None
    gold: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu(Wire):
    """A menu, popup or tutorial; it can hide a running fight."""

    menu_screen: str = ""
    message: str | None = None
    body: str | None = None
    options: tuple[MenuOption, ...] = ()
    characters: tuple[Character, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat(Wire):
    """A fight. `battle` is absent before it is set up and after the last kill: then nothing can be done but wait."""

    battle: Battle | None = None
    hand_select: HandSelect | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Wire):
    """A state type that this version does not know, or the game's own `unknown`: hands off."""

    room_type: str | None = None


Screen = (
    Combat
    | Rewards
    | CardReward
    | CardSelect
    | BundleSelect
    | RelicSelect
    | MapScreen
    | Event
    | RestSite
    | Shop
    | FakeMerchant
    | Treasure
    | CrystalSphere
    | GameOver
    | Overlay
    | Menu
    | Unknown
)

COMBAT_TYPES = frozenset({"monster", "elite", "boss", "hand_select"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One parsed answer of the bridge's state endpoint.

    `raw` is the answer itself without what nobody may see (a leaked draw order); treat it as read-only. `state_id` is
    computed once, when the answer is read.
    """

    state_type: str
    screen: Screen
    raw: dict[str, object]
    state_id: str
    run: Run | None = None
    player: Player | None = None
    doubted: frozenset[str] = frozenset()
    """cards, potions and enemies of this fight that arithmetic got wrong in it, by ID; `end_turn` for a turn's end"""

    @property
    def battle(self) -> Battle | None:
        """The running fight, if this screen shows one."""
        return self.screen.battle if isinstance(self.screen, Combat) else None

    @property
    def enemies(self) -> tuple[Enemy, ...]:
        """The living enemies of a running fight."""
        return self.battle.living_enemies if self.battle else ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in hand; empty outside a fight."""
        return (self.player.hand or ()) if self.player else ()
