"""Card facts: read strictly, and claimed only for the very card that is shown."""

import json

import pytest

from spire_mcp.errors import InternalError
from spire_mcp.game.card_facts import card_table, read_facts, type_of, upgrade_of
from spire_mcp.game.parts import Card
from tests.captures import runs

BASH = Card(id="BASH", name="Bash", cost="2", description="Deal 8 damage. Apply 2 Vulnerable.")


def test_an_upgrade_is_told_before_and_after() -> None:
    # act1.md, section 4: Bash 8 damage and Vulnerable 2, upgraded 10 and 3.
    assert upgrade_of(BASH) == "damage 8→10, Vulnerable 2→3"


def test_an_upgrade_that_changes_the_cost_says_so() -> None:
    card = Card(id="BODY_SLAM", cost="1", description="Deal damage equal to your Block.")
    assert upgrade_of(card) == "cost 1→0"


@pytest.mark.parametrize(
    "card",
    [
        Card(id="BASH", cost="2", description="Deal 9 damage. Apply 2 Vulnerable."),
        Card(id="BODY_SLAM", cost="0", description="Deal damage equal to your Block."),
        Card(id="BASH", cost="2"),
        Card(id="BASH", cost="2", is_upgraded=True, description="Deal 10 damage. Apply 3 Vulnerable."),
        Card(id="A_CARD_OF_TOMORROW", cost="1", description="Deal 6 damage."),
    ],
    ids=["another number", "another cost", "no text", "upgraded", "unknown"],
)
def test_nothing_is_claimed_of_a_card_that_shows_something_else(card: Card) -> None:
    assert upgrade_of(card) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Strike", "Attack"), ("打击", "Attack"), ("Bash+", "Attack"), ("Wound", "Status"), ("No Such Card", None)],
)
def test_a_type_is_found_by_a_displayed_name(name: str, kind: str | None) -> None:
    assert type_of(name) == kind


def test_recorded_cards_are_of_the_type_that_the_table_gives() -> None:
    seen: dict[str, str] = {}
    for path in runs():
        for line in path.read_text(encoding="utf-8").splitlines():
            player = json.loads(line)["state"].get("player") or {}
            seen |= {card["id"]: card["type"] for card in player.get("hand", [])}
    assert seen
    assert {card: card_table().cards[card].type for card in seen} == seen


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"cost": None}, "cards.BASH.cost"),
        ({"colour": "red"}, "cards.BASH.colour"),
        ({"upgrade": [["damage", 8]]}, "cards.BASH.upgrade"),
    ],
)
def test_a_damaged_table_is_named_at_its_place(change: dict[str, object], place: str) -> None:
    whole = {"names": ["Bash", "痛击"], "pool": "ironclad", "type": "Attack", "rarity": "Basic", "cost": 2}
    text = json.dumps({"source": "-", "game_version": "-", "cards": {"BASH": {**whole, **change}}})
    with pytest.raises(InternalError, match=place):
        read_facts(text)
