"""How long `spire-mcp --version` takes, against a bare interpreter that imports json, argparse and pathlib."""

import statistics
import subprocess
import sys
import time

BARE = [sys.executable, "-c", "import json, argparse, pathlib"]
OURS = [sys.executable, "-m", "spire_mcp", "--version"]
LIMIT = 6.0


def seconds(command: list[str]) -> float:
    """One run of a command."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main(rounds: int = 15) -> float:
    """The ratio of the medians, the two commands in turns."""
    pairs = [(seconds(BARE), seconds(OURS)) for _ in range(rounds)]
    bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = ours / bare
    print(f"bare {bare * 1000:.1f} ms, --version {ours * 1000:.1f} ms, ratio {ratio:.2f} (limit {LIMIT:g})")
    return ratio


if __name__ == "__main__":
    raise SystemExit(0 if main() < LIMIT else 1)
