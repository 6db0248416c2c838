"""Combat arithmetic: pure functions from an observation to what a card, a line or an enemy turn does."""

from spire_mcp.combat.coverage import coverage
from spire_mcp.combat.evaluation import Evaluation, evaluate
from spire_mcp.combat.lines import Line, Outcome, Search, search
from spire_mcp.combat.plays import Play
from spire_mcp.combat.predictions import describe, forecast, preview
from spire_mcp.combat.threat import Threat, facts, intents_signature, threat

__all__ = [
    "Evaluation",
    "Line",
    "Outcome",
    "Play",
    "Search",
    "Threat",
    "coverage",
    "describe",
    "evaluate",
    "facts",
    "forecast",
    "intents_signature",
    "preview",
    "search",
    "threat",
]
