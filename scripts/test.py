"""Installs what the checks need into .venv and runs them all: format, lint, types, import contract, tests.

python3 scripts/test.py              everything, as CI does
python3 scripts/test.py tests/game   the checks, and only these tests
python3 scripts/test.py --fast       only the tests, in the environment that is already there
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def run(*command: str | Path) -> None:
    """Run one tool and stop at its failure."""
    print("$", *command, flush=True)
    done = subprocess.run([str(word) for word in command], cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def setup() -> None:
    """Make the environment and install the package with its test tools at the versions of constraints.txt."""
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True, symlinks=os.name != "nt")
    run(
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--editable",
        ".[test]",
        "--constraint",
        "constraints.txt",
    )


def check() -> None:
    """The checks that read the code."""
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "pyright", "--pythonpath", PYTHON)
    run(BIN / "lint-imports")


def main() -> None:
    """Everything, or what the arguments narrow it to."""
    words = [word for word in sys.argv[1:] if word != "--fast"]
    if "--fast" not in sys.argv:
        setup()
        check()
        run(PYTHON, "benchmarks/start.py")
        run(PYTHON, "benchmarks/act.py")
        run(PYTHON, "benchmarks/tokens.py")
    run(PYTHON, "-m", "pytest", "-q", "-n", "2", *words)


if __name__ == "__main__":
    main()
