"""What every test gets: a state directory of its own, no settings and no proxies from outside, a clock it can turn."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("everyday", deadline=None, derandomize=True)
settings.load_profile("everyday")


@pytest.fixture(autouse=True)
def private_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes outside its own folder."""
    for name in list(os.environ):
        if name.startswith(("SPIRE_MCP_", "TYPESAFE_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SPIRE_MCP_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SPIRE_MCP_CONFIG", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
