"""What a choice outside a fight comes to: counted, with its provenance, and without a verdict."""

import copy

from spire_mcp.bridge.parse import parse_state
from spire_mcp.game.deck import DeckEvidence, composition, deck_view, listed_deck
from spire_mcp.game.offers import offer_facts
from spire_mcp.game.views import compact
from tests.game.test_effects import SHOP, Json, card, screen

STARTER = DeckEvidence(cards={"Strike [1]": 5, "Defend [1]": 4, "Bash [2]": 1}, run_id="r", act=1, floor=2, round=1)
REWARD = screen("card_reward", {"cards": [card("ANGER", 0, cost="0"), card("BASH", 1, cost="2")], "can_skip": True})


def test_a_card_is_counted_against_the_deck() -> None:
    facts = offer_facts(parse_state(copy.deepcopy(REWARD)), STARTER)
    # 11 energy over 10 cards before; the eleventh card costs 0, and then 2.
    assert facts["would_add"] == [
        "Anger: 0 in the deck already; Attack 6→7 of 11; mean cost 1.10→1.00",
        "Bash: 1 in the deck already; Attack 6→7 of 11; mean cost 1.10→1.18",
    ]


def test_an_unknown_deck_is_called_unknown() -> None:
    facts = offer_facts(parse_state(copy.deepcopy(REWARD)), None)
    assert str(facts["deck"]).startswith("unknown")
    assert "would_add" not in facts


def test_a_card_of_a_name_that_nobody_knows_counts_as_unknown() -> None:
    evidence = DeckEvidence(cards={"Zauberei [1]": 2, "Wound [0]": 1}, run_id="r", act=1, floor=2, round=1)
    counted = composition(evidence)
    assert counted.by_type == {"Status": 1, "unknown": 2}
    # A status is no card of cost 0: it cannot be played.
    assert counted.by_cost == {"-": 1, "1": 2}
    assert counted.average_cost == 1.0


def test_a_heal_is_thirty_percent_cut_off() -> None:
    site = screen("rest_site", {"options": [{"index": 0, "id": "HEAL", "is_enabled": True}], "can_proceed": False})
    site["player"] |= {"hp": 50, "max_hp": 77}
    # 30 % of 77 is 23.1 (act1.md, section 10).
    assert str(offer_facts(parse_state(site), None)["heal"]).startswith("30 % of max HP is 23; 27 HP are missing")


def test_a_shop_counts_what_is_in_reach() -> None:
    assert str(offer_facts(parse_state(copy.deepcopy(SHOP)), None)["purse"]).startswith("100 gold: ")


def test_a_build_that_lists_the_deck_is_believed_and_named() -> None:
    state = copy.deepcopy(REWARD)
    state["player"]["deck"] = [{"id": "BASH", "name": "Bash", "cost": 2}, {"id": "BASH", "name": "Bash", "cost": 2}]
    evidence = listed_deck(parse_state(state), "r")
    assert evidence is not None
    assert evidence.cards == {"Bash [2]": 2}
    assert "lists it" in str(deck_view(evidence)["from"])


def test_a_deck_in_a_shape_nobody_knows_is_no_deck() -> None:
    for deck in ("Bash", [], [{"title": "Bash"}], [1, 2], {"cards": []}):
        state = copy.deepcopy(REWARD)
        state["player"]["deck"] = deck
        assert listed_deck(parse_state(state), "r") is None


def test_named_alternatives_are_offered_by_their_names_and_the_first_by_the_old_button() -> None:
    from spire_mcp.game.options import list_options

    def labels(alternatives: object) -> list[str]:
        state = copy.deepcopy(REWARD)
        state["card_reward"]["alternatives"] = alternatives
        return [o.label for o in list_options(parse_state(state)) if o.id.startswith(("skip", "alternative"))]

    expected = ["Press the first alternative (Skip)", "Press the alternative Sacrifice"]
    assert labels(["Skip", "Sacrifice"]) == expected
    assert labels([{"label": "Skip"}, {"name": "Sacrifice", "index": 1}]) == expected
    assert labels([{"button": "Skip"}]) == ["Press the first alternative (usually Skip)"]
    assert labels(7) == ["Press the first alternative (usually Skip)"]


def _grid(kind: str) -> Json:
    bash = card("BASH", 0, cost="2", description="Deal 8 damage. Apply 2 Vulnerable.")
    return screen("card_select", {"screen_type": kind, "cards": [bash], "can_cancel": True})


def test_a_grid_for_an_upgrade_shows_before_and_after_and_others_do_not() -> None:
    assert compact(parse_state(_grid("upgrade")))["cards"] == ["Bash [2]: damage 8→10, Vulnerable 2→3"]
    assert compact(parse_state(_grid("transform")))["cards"] == ["Bash [2]"]


def test_the_view_of_rewards_holds_what_a_potion_does() -> None:
    item = {"index": 0, "type": "potion", "description": "Block Potion", "potion_description": "Gain 12 Block."}
    view = compact(parse_state(screen("rewards", {"items": [item], "can_proceed": True})))
    assert view["rewards"] == ["potion Block Potion: Gain 12 Block."]


def test_a_build_that_only_counts_its_piles_is_shown_with_the_counts() -> None:
    from tests.game.test_effects import fight

    state = fight()
    state["player"] |= {"draw_pile_count": 5, "discard_pile_count": 2}
    assert compact(parse_state(state))["piles"] == {"draw": 5, "discard": 2}


def test_both_bosses_of_a_map_are_named() -> None:
    bosses = [{"col": 3, "row": 16, "name": "Vantom"}, {"col": 3, "row": 17, "name": "The Kin"}]
    options = [{"index": 0, "col": 3, "row": 1, "type": "Monster"}]
    view = compact(parse_state(screen("map", {"next_options": options, "nodes": [], "bosses": bosses})))
    assert view["boss"] == "Vantom, The Kin"
