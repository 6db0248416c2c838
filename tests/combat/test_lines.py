"""The search over lines: merging loses nothing, saves much, and says when it was cut short."""

from hypothesis import given, settings
from hypothesis import strategies as st

from spire_mcp.combat import evaluate, search
from spire_mcp.combat.board import Board
from spire_mcp.combat.opening import board
from spire_mcp.combat.plays import affordable, play_card, targets_of
from spire_mcp.game.screens import Observation
from tests.combat.boards import (
    bash,
    card,
    defend,
    enemy,
    fight,
    neutralize,
    skill,
    status,
    strike,
    twin_strike,
    whirlwind,
)

_CARDS = (
    strike(),
    defend(),
    bash(),
    twin_strike(),
    whirlwind(),
    neutralize(),
    skill("INFLAME", "Gain 2 Strength.", kind="Power"),
    skill("BLOODLETTING", "Lose 3 HP. Gain [energy][energy].", cost="0"),
    skill("RAGE", "Whenever you play an Attack this turn, gain 3 Block.", cost="0"),
    card("IRON_WAVE", "Gain 5 Block. Deal 5 damage."),
    card("THUNDERCLAP", "Deal 4 damage and apply 1 Vulnerable to ALL enemies.", target="AllEnemies"),
    card("POMMEL_STRIKE", "Deal 9 damage. Draw 1 card."),
    card("TREMBLE", "Apply 3 Vulnerable. Exhaust.", kind="Skill"),
    card("MOD_SLAP", "Deal 6 damage."),
)

_ENEMIES = st.builds(
    lambda hp, block, label, power: enemy(hp, label, block=block, has=power),
    hp=st.integers(4, 25),
    block=st.sampled_from([0, 0, 5]),
    label=st.sampled_from(["4", "11", "3x3"]),
    power=st.sampled_from(
        [{}, {}, {"THORNS": 2}, {"SLIPPERY": 1}, {"VULNERABLE": 1}, {"ARTIFACT": 1}, {"SKITTISH": 4}]
    ),
)

_FIGHTS = st.builds(
    lambda hand, foes, energy, hp: fight(hand, *foes, energy=energy, hp=hp),
    # Five cards and two enemies have at most a few thousand orders, which can all be tried.
    hand=st.lists(st.sampled_from(_CARDS), min_size=1, max_size=5),
    foes=st.lists(_ENEMIES, min_size=1, max_size=2),
    energy=st.integers(1, 3),
    hp=st.sampled_from([5, 60]),
)


def _every_order(observation: Observation) -> tuple[dict[Board, int], int]:
    """Every board that some order of plays reaches, with the fewest plays it takes; and how many orders there are."""
    start, setting = board(observation)
    reached: dict[Board, int] = {}
    orders = 0

    def follow(position: Board, plays: int) -> None:
        nonlocal orders
        orders += 1
        reached[position] = min(plays, reached.get(position, plays))
        if position.stopped or position.lost or position.won:
            return
        for kind, count in enumerate(position.hand):
            if count and affordable(setting.kinds[kind], position):
                for target in targets_of(setting.kinds[kind], position):
                    follow(play_card(position, setting, kind, target), plays + 1)

    follow(start, 0)
    return reached, orders


@settings(max_examples=60)
@given(_FIGHTS)
def test_merging_reaches_the_boards_that_trying_every_order_reaches(observation: Observation) -> None:
    found = search(observation)
    assert found.complete
    reached, _ = _every_order(observation)
    assert {line.position: len(line.plays) for line in found.lines} == reached


@settings(max_examples=40)
@given(_FIGHTS)
def test_the_plays_of_a_line_lead_to_its_board(observation: Observation) -> None:
    found = search(observation)
    for line in found.lines:
        position = found.start
        for play in line.plays:
            assert play.kind is not None
            position = play_card(position, found.setting, play.kind, play.target)
        assert position == line.position
        indices = [play.hand_index for play in line.plays]
        assert len(set(indices)) == len(indices)


def _orders(costs: list[int], energy: int) -> int:
    """How many sequences of distinct cards the energy pays for, the empty one among them."""
    return 1 + sum(
        _orders([*costs[:place], *costs[place + 1 :]], energy - cost)
        for place, cost in enumerate(costs)
        if cost <= energy
    )


def test_a_hand_of_ten_visits_fifty_times_fewer_boards_than_it_has_orders() -> None:
    # Five Strikes, four Defends and a Bash with 4 energy: 3,845 orders, the empty one included, and a few dozen boards.
    hand = [*[strike()] * 5, *[defend()] * 4, bash()]
    found = search(fight(hand, enemy(200, "5"), energy=4))
    orders = _orders([1] * 9 + [2], 4)
    assert found.complete
    assert orders == 3845
    assert found.visited * 50 <= orders


def test_ten_different_cards_visit_fifty_times_fewer_boards_than_they_have_orders() -> None:
    # With energy for all of them there are 9,864,101 orders; boards differ by what was played, and by little else.
    different = [
        strike(),
        strike(9, upgraded=True),
        defend(),
        defend(8, upgraded=True),
        twin_strike(),
        card("IRON_WAVE", "Gain 5 Block. Deal 5 damage."),
        card("SLICE", "Deal 6 damage."),
        card("BLUDGEON", "Deal 32 damage."),
        skill("IMPERVIOUS", "Gain 30 Block. Exhaust."),
        bash(cost="1"),
    ]
    found = search(fight(different, enemy(999, "5"), energy=10))
    orders = _orders([1] * 10, 10)
    assert orders == 9_864_101
    assert found.complete
    assert found.visited * 50 <= orders


def test_normality_in_hand_lets_no_line_be_longer_than_one_card() -> None:
    # It allows three cards a turn, and how many were played before, no state tells: the bridge speaks of now only.
    normality = status("NORMALITY", "Unplayable. You cannot play more than 3 cards each turn.", kind="Curse")
    found = search(fight([normality, strike(), strike(), strike()], enemy(18, "5")))
    assert max(len(line.plays) for line in found.lines) == 1
    assert not any(line.outcome.wins for line in found.lines)


def test_a_limit_on_boards_leaves_the_search_incomplete() -> None:
    observation = fight([strike(), defend(), bash(), twin_strike()], enemy(60, "5"), energy=5)
    whole = search(observation)
    cut = search(observation, node_limit=5)
    assert (whole.complete, cut.complete) == (True, False)
    # The last board before the bound may still be opened: one child for each card of the hand.
    assert 5 <= cut.visited <= 5 + 4
    assert {line.position for line in cut.lines} < {line.position for line in whole.lines}


def test_a_deadline_leaves_the_search_incomplete_and_keeps_what_was_found() -> None:
    answers = iter([False, True])
    cut = search(fight([strike(), defend()], enemy(60, "5")), deadline=lambda: next(answers))
    assert not cut.complete
    assert len(cut.lines) == 3  # the board as it is, and one card played


def test_an_incomplete_search_does_not_say_that_nothing_kills() -> None:
    from spire_mcp.combat.threat import threat

    observation = fight([strike(), strike(), defend()], enemy(12, "30"))
    cut = search(observation, node_limit=1)
    assert not cut.complete
    assert threat(observation, cut).blockable == "unknown"
    assert threat(observation).blockable is True  # two Strikes kill it


def test_the_best_line_blocks_rather_than_dies_and_kills_rather_than_blocks() -> None:
    blocks = search(fight([strike(), defend(), defend()], enemy(50, "12"), hp=4, energy=2))
    best = max(blocks.lines, key=lambda line: evaluate(line, blocks).score)
    assert best.position.block == 10
    assert best.outcome.dies == "no"
    kills = search(fight([strike(), defend(), defend()], enemy(6, "12"), hp=4, energy=2))
    best = max(kills.lines, key=lambda line: evaluate(line, kills).score)
    assert best.outcome.wins
