"""The application that a command line asks for."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spire_mcp.app import App


def app_of(arguments: argparse.Namespace) -> "App":
    """Wired for the bridge and the settings of this call; imported late, so that `--help` does not wait for it."""
    from spire_mcp.app import App
    from spire_mcp.settings import load

    return App(settings=load(bridge=arguments.bridge))
