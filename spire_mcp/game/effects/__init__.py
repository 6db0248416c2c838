"""What each action must change, may change and must not change, as data, and how a reading is judged by it."""

from spire_mcp.game.effects.judging import Verdict, already_true, judge, limit_class
from spire_mcp.game.effects.table import EFFECTS, Effect, Way

__all__ = ["EFFECTS", "Effect", "Verdict", "Way", "already_true", "judge", "limit_class"]
