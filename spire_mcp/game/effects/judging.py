"""Judging a reading by the effect that the action must have."""

from dataclasses import dataclass

from spire_mcp.game.effects.change import Change
from spire_mcp.game.effects.table import EFFECTS, Limit, Way
from spire_mcp.game.expected import Expected
from spire_mcp.game.options.model import Option
from spire_mcp.game.screens import CrystalSphere, Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a reading proves an action.

    `unique`: nothing but this action could have led there. `missing`: what was looked for and not seen.
    """

    proved: bool
    evidence: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unique: bool = False


def judge(before: Observation, after: Observation, option: Option, expected: Expected | None = None) -> Verdict:
    """Whether `after` shows the effect that `option`, sent on `before`, must have. A changed screen alone is no proof.

    Args:
        before: the observation that the option was sent on.
        after: any later one; whether it has settled is the caller's business.
        option: what was sent.
        expected: what arithmetic is certain of, if anything.
    """
    change = Change(before=before, after=after, option=option, expected=expected)
    effect = EFFECTS[option.action]
    foreign = tuple(filter(None, (forbidden(change) for forbidden in effect.forbids)))
    if foreign:
        return Verdict(proved=False, missing=tuple(f"only its own effect ({text})" for text in foreign))
    missing: list[str] = []
    for way in effect.ways:
        seen = [check(change) for check in way.checks]
        evidence = tuple(text for text in seen if text is not None)
        if len(evidence) == len(way.checks):
            return Verdict(proved=True, evidence=evidence, unique=_unique(way, expected))
        missing.append(
            " and ".join(_question(check) for check, text in zip(way.checks, seen, strict=True) if text is None)
        )
    return Verdict(proved=False, missing=tuple(missing[:2]))


def _unique(way: Way, expected: Expected | None) -> bool:
    return way.unique or (way.only_if_certain and expected is not None and expected.fight_over)


def _question(check: object) -> str:
    return getattr(check, "__name__", "its effect").replace("_", " ")


def limit_class(option: Option) -> Limit:
    """Which waiting time applies to the option's effect."""
    return EFFECTS[option.action].limit


def already_true(before: Observation, option: Option) -> str | None:
    """Why sending the option would change nothing and look like a lost action; None when it would change something."""
    if option.action == "crystal_sphere_set_tool" and isinstance(before.screen, CrystalSphere):
        tool = option.parameter("tool")
        return f"the {tool} tool is active already" if before.screen.tool == tool else None
    return None
