"""How well the solver fights: seeded practice fights in process, beside simpler players who get the same seeds."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from random import Random
from statistics import stdev
from typing import Final

from spire_mcp.bridge.parse import parse_state
from spire_mcp.combat.reading import shown_damage
from spire_mcp.errors import UsageError
from spire_mcp.game.options import Option, list_options
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, candidates
from spire_mcp.practice.actions import act
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Fight
from spire_mcp.practice.render import render
from spire_mcp.practice.run import PracticeRun

Result = dict[str, object]
Policy = Callable[[Observation, tuple[Option, ...]], Option]

POOLS: Final = ("weak", "normal", "elite", "boss")
SOLVER: Final = "solver"
MOST_FIGHTS: Final = 10_000
MOST_JOBS: Final = 64
_FEW: Final = 32
"""Fights that are over sooner than more processes would have started."""
_NODES: Final = 20_000
_ONE_PLAY: Final = 2
"""Boards to visit for one play: the search opens the first board whole, and stops at the second."""
_MOST_STEPS: Final = 400
"""Decisions after which a fight counts as lost: a player who only blocks would go on for ever."""
_ENDLESS: Final = 60
"""Turns after which it counts as lost."""
_CARDS_FOUND: Final[Mapping[str, int]] = {"elite": 5, "boss": 10}
"""Cards beside the starter deck: about as many as a run has taken when it meets such a fight."""
_UPGRADES: Final[Mapping[str, int]] = {"elite": 1, "boss": 3}


@dataclass(frozen=True, slots=True)
class Fought:
    """One fight as one player fought it. A fight that is not won has cost all HP."""

    seed: str
    pool: str
    monsters: tuple[str, ...]
    policy: str
    won: bool
    hp_lost: int
    turns: int


def _end_turn(options: Sequence[Option]) -> Option:
    return next(option for option in options if option.action == "end_turn")


def _solver(observation: Observation, options: tuple[Option, ...]) -> Option:
    """The program's own choice; where it would hand over, the best line that it knows."""
    found = candidates(observation, options, nodes=_NODES)
    ranked = found.survivors or found.ranked
    return ranked[0].option if ranked else _end_turn(options)


def _printed_damage(observation: Observation, options: tuple[Option, ...]) -> Option:
    """The card that shows the highest damage; cards without any come last. The turn ends when nothing can be paid."""
    texts = {card.index: card.description or "" for card in observation.hand}
    plays = [option for option in options if option.action == "play_card" and option.trap is None]

    def damage(option: Option) -> int:
        index = option.parameter("card_index")
        return shown_damage(texts[index]) or 0 if isinstance(index, int) else 0

    return max(plays, key=damage, default=_end_turn(options))


def _single_card(observation: Observation, options: tuple[Option, ...]) -> Option:
    """The best single play by the solver's own rating, ending the turn among them."""
    found = candidates(observation, options, nodes=_ONE_PLAY)
    singles = [candidate for candidate in found.ranked if len(candidate.line.plays) <= 1]
    return singles[0].option if singles else _end_turn(options)


def _this_turn(observation: Observation, options: tuple[Option, ...]) -> Option:
    """The best whole turn by what the turn itself shows, and nothing that it means for later ones."""
    found = candidates(observation, options, nodes=_NODES)
    best = min(found.ranked, key=_by_this_turn, default=None)
    return best.option if best is not None else _end_turn(options)


def _by_this_turn(candidate: Candidate) -> tuple[bool, float, int, tuple[str, ...]]:
    """Lower is better. A kill counts as ten damage, a point of damage as half a point of HP; rather play than not."""
    line = candidate.line
    brought = 0.5 * sum(line.outcome.damage.values()) + 5 * len(line.outcome.kills)
    order = tuple(f"{play.hand_index}:{play.target}" for play in line.plays)
    return line.outcome.dies == "yes", line.outcome.hp_lost - brought, -len(line.plays), order


_POLICIES: Final[Mapping[str, Policy]] = {
    SOLVER: _solver,
    "printed_damage": _printed_damage,
    "single_card": _single_card,
    "this_turn": _this_turn,
}
BASELINES: Final = tuple(name for name in _POLICIES if name != SOLVER)


def _begin(pool: str, seed: str) -> tuple[PracticeRun, Fight, list[str]]:
    run = PracticeRun(seed, start="map")
    dice = Random(f"{seed}/evaluation")  # noqa: S311 - fights that can be fought again
    encounters = table("encounters")[pool]
    monsters: list[str] = dice.choice(encounters[dice.choice(sorted(encounters))])
    run.deck.extend(run.card_choice(3)[0] for _ in range(_CARDS_FOUND.get(pool, 0)))
    for card in dice.sample(run.deck, _UPGRADES.get(pool, 0)):
        card.upgraded = True
    run.fight_kind = pool if pool in {"elite", "boss"} else "monster"
    run.fight = Fight(deck=run.deck, monsters=monsters, hp=run.hp, max_hp=run.max_hp, seed=seed)
    run.screen = "fight"
    return run, run.fight, monsters


def fight_once(task: tuple[str, str, str]) -> Fought:
    """Fight the fight of a pool and a seed as a policy does. Reads no clock: the same task, the same fight."""
    pool, seed, name = task
    run, fight, monsters = _begin(pool, seed)
    hp = fight.player.hp
    for _ in range(_MOST_STEPS):
        if fight.over is not None or fight.round > _ENDLESS:
            break
        if fight.choice is not None:
            # Which card to choose is the planner's decision; here everyone takes the first.
            fight.choice.picked = [fight.choosable()[0]]
            fight.confirm_choice()
            continue
        observation = parse_state(render(run, "eng"))
        option = _POLICIES[name](observation, list_options(observation))
        for request in option.requests:
            act(run, dict(request.body()))
    won = fight.over == "won"
    return Fought(
        seed=seed,
        pool=pool,
        monsters=tuple(monsters),
        policy=name,
        won=won,
        hp_lost=hp - fight.player.hp if won else hp,
        turns=fight.round,
    )


def evaluate_policies(
    *,
    fights: int = 100,
    pool: str = "all",
    policy: str = SOLVER,
    jobs: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Result:
    """Fight `fights` seeded fights with the policy and with every baseline, and compare.

    Args:
        fights: how many fights; `all` deals them out to the pools in turn.
        pool: one of `POOLS`, or `all`. A pool's n-th fight is the same either way.
        policy: the policy that is judged.
        jobs: processes; the result does not depend on it.
        progress: called with the number of fights fought so far and of all.

    Raises:
        UsageError: an argument is out of range.
    """
    if not 1 <= fights <= MOST_FIGHTS:
        raise UsageError(f"--fights is {fights}", fix=f"Give a whole number from 1 to {MOST_FIGHTS}.")
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"--jobs is {jobs}", fix=f"Give a whole number from 1 to {MOST_JOBS}.")
    if pool not in (*POOLS, "all") or policy != SOLVER:
        raise UsageError(f"there is no pool {pool!r:.40} or no policy {policy!r:.40} to judge")
    pools = POOLS if pool == "all" else (pool,)
    seeds = [(pools[number % len(pools)], number // len(pools)) for number in range(fights)]
    names = (policy, *BASELINES)
    tasks = [(where, f"{where}-{number}", name) for where, number in seeds for name in names]
    if jobs is None:
        jobs = 1 if fights < _FEW else min(os.cpu_count() or 1, MOST_JOBS)
    done: list[Fought] = []
    for fought in _fight_all(tasks, jobs):
        done.append(fought)
        if len(done) % len(names) == 0:
            progress(len(done) // len(names), fights)
    own = [fought for fought in done if fought.policy == policy]
    used = [name for name in pools if any(fought.pool == name for fought in own)]
    by_pool = {name: _compare([fought for fought in done if fought.pool == name], policy) for name in used}
    return {
        "ok": True,
        "outcome": "evaluated",
        "fights": [asdict(fought) for fought in own],
        "summary": {"policy": policy, "fights": fights, "pools": by_pool},
    }


def _fight_all(tasks: Sequence[tuple[str, str, str]], jobs: int) -> Iterator[Fought]:
    if jobs == 1:
        yield from map(fight_once, tasks)
        return
    # Processes that start afresh are the same on every system, and inherit no threads.
    # Ctrl-C is for this process alone, which then gives them nothing more to do.
    executor = ProcessPoolExecutor(
        min(jobs, len(tasks)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield from executor.map(fight_once, tasks, chunksize=8)
    finally:
        executor.shutdown(cancel_futures=True)


def _compare(fought: Sequence[Fought], policy: str) -> Result:
    """A pool's fights by policy, and what the policy does better or worse than each baseline."""
    by_policy = {name: [one for one in fought if one.policy == name] for name in (policy, *BASELINES)}
    own = by_policy[policy]
    lost = {one.seed for one in own if not one.won}
    own_loss = _mean(own)
    against: Result = {}
    for name in BASELINES:
        theirs = _mean(by_policy[name])
        against[name] = {
            "less_hp_lost": round(1 - own_loss / theirs, 3) if theirs else None,
            "won_by_it_alone": [one.seed for one in by_policy[name] if one.won and one.seed in lost],
        }
    rows = {
        name: {
            "won": round(sum(one.won for one in ones) / len(ones), 3),
            "hp_lost": round(_mean(ones), 2),
            "hp_lost_sd": _spread(ones),
        }
        for name, ones in by_policy.items()
    }
    return {"fights": len(own), "policies": rows, "against": against}


def _spread(fought: Sequence[Fought]) -> float:
    """The standard deviation of the HP lost, from which an interval of the mean is made."""
    return round(stdev(one.hp_lost for one in fought), 2) if len(fought) > 1 else 0.0


def _mean(fought: Sequence[Fought]) -> float:
    return sum(one.hp_lost for one in fought) / len(fought)
