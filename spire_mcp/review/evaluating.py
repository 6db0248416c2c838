"""How well the solver fights: seeded practice fights in process, beside simpler players who get the same seeds."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Final

from spire_mcp.bridge.parse import parse_state
from spire_mcp.combat.reading import shown_damage
from spire_mcp.errors import UsageError
from spire_mcp.game.options import Option, list_options
from spire_mcp.game.screens import Observation
from spire_mcp.policy.candidates import Candidate, candidates
from spire_mcp.policy.questions import PROMPT_VERSION
from spire_mcp.practice.actions import act
from spire_mcp.practice.fight import Fight
from spire_mcp.practice.render import render
from spire_mcp.practice.run import PracticeRun
from spire_mcp.practice.scripted_model import parse_script
from spire_mcp.review.cluster import fight_on_cluster
from spire_mcp.review.comparing import compare
from spire_mcp.review.fights import Fought, Kept, Task
from spire_mcp.review.players import FunctionPlayer, ModelPlayer, Player, SolverPlayer
from spire_mcp.review.statistics import Result

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


def _end_turn(options: Sequence[Option]) -> Option:
    return next(option for option in options if option.action == "end_turn")


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


def _random(observation: Observation, options: tuple[Option, ...]) -> Option:
    """Any card that can be played, or the end of the turn; the same one on the same board."""
    plays = [option for option in options if option.kind == "combat" and option.trap is None]
    return Random(observation.state_id).choice(plays)  # noqa: S311 - a fight that can be fought again


_POLICIES: Final[Mapping[str, Policy]] = {
    "printed_damage": _printed_damage,
    "single_card": _single_card,
    "this_turn": _this_turn,
    "random": _random,
}
BASELINES: Final = tuple(_POLICIES)
SCRIPTED: Final = "scripted:"
"""begins the name of a decision model that is a script, as docs/model.md lists them"""


def _player(name: str) -> Player:
    if name in _POLICIES:
        return FunctionPlayer(_POLICIES[name])
    if name == SOLVER:
        return SolverPlayer(nodes=_NODES)
    return ModelPlayer(script=parse_script(name.removeprefix(SCRIPTED)), nodes=_NODES)


def _is_known(name: str) -> bool:
    if not name.startswith(SCRIPTED):
        return name == SOLVER or name in _POLICIES
    try:
        parse_script(name.removeprefix(SCRIPTED))
    except ValueError:
        return False
    return True


def _begin(pool: str, seed: str) -> tuple[PracticeRun, Fight, list[str]]:
    run = PracticeRun(seed, start="map")
    dice = Random(f"{seed}/evaluation")  # noqa: S311 - fights that can be fought again
    encounters = run.encounter_table[pool]
    monsters: list[str] = dice.choice(encounters[dice.choice(sorted(encounters))])
    run.deck.extend(run.card_choice(3)[0] for _ in range(_CARDS_FOUND.get(pool, 0)))
    for card in dice.sample(run.deck, _UPGRADES.get(pool, 0)):
        card.upgraded = True
    run.fight_kind = pool if pool in {"elite", "boss"} else "monster"
    run.fight = Fight(deck=run.deck, monsters=monsters, hp=run.hp, max_hp=run.max_hp, seed=seed)
    run.screen = "fight"
    return run, run.fight, monsters


def fight_once(task: Task) -> Fought:
    """Fight the fight of a pool and a seed as a policy does. Reads no clock: the same task, the same fight."""
    pool, seed, name = task
    run, fight, monsters = _begin(pool, seed)
    hp = fight.player.hp
    player = _player(name)
    for _ in range(_MOST_STEPS):
        if fight.over is not None or fight.round > _ENDLESS:
            break
        if fight.choice is not None:
            # Which card to choose is the planner's decision; here everyone takes the first.
            fight.choice.picked = [fight.choosable()[0]]
            fight.confirm_choice()
            continue
        observation = parse_state(render(run, "eng"))
        option = player.play(observation, list_options(observation))
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
        request_tokens=tuple(player.request_tokens),
        handovers=dict(sorted(player.handovers.items())),
        prompt=PROMPT_VERSION if name.startswith(SCRIPTED) else None,
    )


def evaluate_policies(
    *,
    fights: int = 100,
    pool: str = "all",
    policy: str = SOLVER,
    beside: Sequence[str] = (),
    jobs: int | None = None,
    keep: Path | None = None,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Result:
    """Fight `fights` seeded fights with the policy, with those beside it and with every baseline, and compare.

    Args:
        fights: how many fights; `all` deals them out to the pools in turn.
        pool: one of `POOLS`, or `all`. A pool's n-th fight is the same either way.
        policy: the policy that is judged: `solver`, or `scripted:` and how a scripted model answers.
        beside: more policies on the same seeds.
        keep: a file of fights, one a line: those in it are not fought again, new ones are added.
        scheduler: the address of a Dask scheduler, to fight on its workers.
        jobs: processes; the result does not depend on it.
        progress: called with the number of fights fought so far and of all.

    Raises:
        UsageError: an argument is out of range.
    """
    if not 1 <= fights <= MOST_FIGHTS:
        raise UsageError(f"--fights is {fights}", fix=f"Give a whole number from 1 to {MOST_FIGHTS}.")
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"--jobs is {jobs}", fix=f"Give a whole number from 1 to {MOST_JOBS}.")
    if pool not in (*POOLS, "all"):
        raise UsageError(f"there is no pool {pool!r:.40}")
    names = tuple(dict.fromkeys((policy, *beside, *BASELINES)))
    unknown = next((name for name in names if not _is_known(name)), None)
    if unknown is not None or policy in BASELINES:
        raise UsageError(
            f"there is no policy {unknown or policy!r:.40} to judge",
            fix="Give solver, or scripted: and one of ranking, noise:SHARE, uniform, random, first, none.",
        )
    pools = POOLS if pool == "all" else (pool,)
    seeds = [(pools[number % len(pools)], number // len(pools)) for number in range(fights)]
    tasks = [(where, f"{where}-{number}", name) for where, number in seeds for name in names]
    if jobs is None:
        jobs = 1 if fights < _FEW else min(os.cpu_count() or 1, MOST_JOBS)
    kept = Kept.read(keep, PROMPT_VERSION)
    done: list[Fought] = []
    for fought in _fight_all([task for task in tasks if task not in kept.fights], jobs, scheduler):
        kept.add(fought)
        if len(kept.fights) % len(names) == 0:
            progress(min(len(kept.fights) // len(names), fights), fights)
    done = [kept.fights[task] for task in tasks]
    own = [fought for fought in done if fought.policy == policy]
    used = [name for name in pools if any(fought.pool == name for fought in own)]
    by_pool = {name: compare([fought for fought in done if fought.pool == name], policy, names) for name in used}
    return {
        "ok": True,
        "outcome": "evaluated",
        "fights": [asdict(fought) for fought in own],
        "summary": {"policy": policy, "prompt": PROMPT_VERSION, "fights": fights, "pools": by_pool},
    }


def _fight_all(tasks: Sequence[Task], jobs: int, scheduler: str | None) -> Iterator[Fought]:
    if not tasks:
        return
    if scheduler is not None:
        yield from fight_on_cluster(fight_once, tasks, scheduler)
        return
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
