"""What a verified action costs: `act` against the same raw requests made by hand on the same bridge.

By hand means what a careful script does, with the same pauses: reads that are equal for a while, the post, and reads
until they are playable, other than before, and equal for a while. The difference is parsing, looking up, computing,
locking, and putting records on the disk.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from spire_mcp.app import App
from spire_mcp.practice.server import PracticeServer
from spire_mcp.settings import Settings

LIMIT = 1.5
STEADY = 0.15
_STATE = "/api/v1/singleplayer"


def at_rest(client: httpx2.Client, other_than: Any = None) -> Any:
    """Read until the state has been the same for `STEADY` seconds, can be played, and is not the one given."""
    pause, last, since = 0.05, None, 0.0
    while True:
        now = client.get(_STATE).json()
        clock = time.perf_counter()
        if now != last:
            last, since = now, clock
        playable = now.get("battle", {}).get("is_play_phase") or now["state_type"] == "rewards"
        missing = STEADY - (clock - since)
        if missing <= 0 and now != other_than and playable:
            return now
        time.sleep(max(0.005, min(pause, missing)) if missing > 0 else pause)  # noqa: TID251 - what the script does
        pause = min(pause * 1.5, 0.3)


def by_hand(client: httpx2.Client, body: dict[str, Any]) -> float:
    """Seconds for one action with raw requests."""
    start = time.perf_counter()
    before = at_rest(client)
    client.post(_STATE, json=body)
    at_rest(client, before)
    return time.perf_counter() - start


def by_product(app: App, state_id: str, option_id: str) -> float:
    """Seconds for one `act`, without the printing of the state."""
    start = time.perf_counter()
    with app.controller.acting("benchmark") as executor:
        act = executor.act(state_id, option_id, by="planner")
    assert act.outcome == "verified", act
    return time.perf_counter() - start


def main(rounds: int = 12, delay: float = 0.0) -> float:
    """The ratio of the medians, taking turns on one bridge. Without a delay nothing is waited for: the harder test."""
    ours: list[float] = []
    raw: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            with (
                PracticeServer(seed=f"bench{number}", delay=delay) as server,
                httpx2.Client(base_url=server.url) as client,
            ):
                settings = Settings(bridge=server.url, state_dir=Path(folder), config_file=Path(folder) / "none")
                app = App(settings=settings)
                app.state()
                raw.append(by_hand(client, {"action": "end_turn"}))
                state: dict[str, Any] = app.state()
                ours.append(by_product(app, state["state_id"], "end_turn"))
                app.close()
    ratio = statistics.median(ours) / statistics.median(raw)
    medians = [statistics.median(times) * 1000 for times in (raw, ours)]
    print(f"by hand {medians[0]:.0f} ms, act {medians[1]:.0f} ms, ratio {ratio:.2f} (limit {LIMIT:g})")
    return ratio


if __name__ == "__main__":
    raise SystemExit(0 if main() < LIMIT else 1)
