"""How the decision model is asked and when its answer is followed; each number can be set in the settings file."""

from dataclasses import dataclass

from spire_mcp.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingLimits:
    """The section `[asking]`; docs/model.md explains each number."""

    deadline: float = 2.5
    """seconds from sending a request to giving its answer up"""
    share: float = 0.45
    """the averaged share that the leading option needs"""
    margin: float = 0.20
    """how far it has to lead the runner-up, after the orders' disagreement is taken off"""
    agreement: float = 0.6
    """the share of the orders in which the averaged leader has to lead"""
    options: int = 6
    """how many lines are offered at most, 3 to 12"""
    request_tokens: int = 1_900
    """the estimated size that a request may have; fewer lines are offered above it"""
    battle_tokens: int = 100_000
    """input tokens that one call of `battle` may use"""
    price: float = 0.042
    """US dollars for a million input tokens"""
    clear_lead: float = 3.0
    """HP by which the program's best line has to be worth more than the next one to be clearly good"""
    small_loss: float = 0.08
    """the share of the maximum HP that a line may cost and still be clearly good while HP is comfortable"""
    comfort: float = 0.3
    """the share of the maximum HP above which a line survives comfortably"""
    alike: float = 12.0
    """HP by which lines that are worth about as much may differ in cost and still differ little"""
    danger: float = 2.0
    """the danger level from which a toss-up is no longer the program's: 0 under control to 3 about to die"""
    potion_need: float = 0.8
    """the answer from which a potion counts as needed"""
    potion_loss: float = 0.2
    """the share of the HP that the best line has to cost before a potion is thought of"""

    def __post_init__(self) -> None:
        shares = ("share", "margin", "agreement", "small_loss", "comfort", "potion_need", "potion_loss")
        for name in shares:
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"asking.{name} in the settings file is no share", fix="Give a number from 0 to 1.")
        if not 3 <= self.options <= 12:
            raise UsageError("asking.options in the settings file is not 3 to 12", fix="Give 3 to 12.")
        if not 0.05 <= self.deadline <= 60:
            raise UsageError("asking.deadline in the settings file is not 0.05 to 60 seconds", fix="Give 2.5.")
