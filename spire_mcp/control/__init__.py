"""The only code that may act: one action at a time, sent once, proved by reading."""

from spire_mcp.control.controller import Cleared, Controller
from spire_mcp.control.executor import Act, Executor
from spire_mcp.control.limits import ControlLimits

__all__ = ["Act", "Cleared", "ControlLimits", "Controller", "Executor"]
