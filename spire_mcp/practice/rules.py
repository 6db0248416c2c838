"""The arithmetic of damage, block and powers, as the practice game reads the rules (combat-rules.md, sections 1 to 3).

This is a reading of its own: the product's arithmetic is held against it, so the two share nothing.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

DEBUFFS = frozenset(
    {
        "VULNERABLE_POWER",
        "WEAK_POWER",
        "FRAIL_POWER",
        "SHRINK_POWER",
        "CONSTRICT_POWER",
        "TANGLED_POWER",
        "RINGING_POWER",
        "NO_DRAW_POWER",
        "SLOW_POWER",
        "POISON_POWER",
    }
)
TICKING = ("VULNERABLE_POWER", "WEAK_POWER", "FRAIL_POWER", "INTANGIBLE_POWER")
"""Powers that fall by one on both sides when the enemies' turn has ended."""


@dataclass(slots=True, eq=False)
class Creature:
    """Whoever has HP: the player or a monster. Powers keep the order in which they came."""

    hp: int
    max_hp: int
    block: int = 0
    powers: dict[str, int] = field(default_factory=dict[str, int])
    fresh: set[str] = field(default_factory=set[str])
    """debuffs that are new on the player and skip their first tick"""

    @property
    def alive(self) -> bool:
        """Whether it still has HP."""
        return self.hp > 0

    def amount(self, power: str) -> int:
        """How much of a power it has; 0 for none."""
        return self.powers.get(f"{power}_POWER", 0)

    def add(self, power: str, amount: int, *, grace: bool = False) -> None:
        """Apply a power. Artifact eats a debuff; at 0 a power is gone.

        Args:
            power: its ID.
            amount: stacks; negative Strength or Dexterity counts as a debuff.
            grace: whether a new debuff skips its first tick, as it does on the player.
        """
        harmful = power in DEBUFFS or (amount < 0 and power in {"STRENGTH_POWER", "DEXTERITY_POWER"})
        if harmful and self.amount("ARTIFACT") > 0:
            self.add("ARTIFACT_POWER", -1)
            return
        if grace and power in TICKING and power not in self.powers:
            self.fresh.add(power)
        self.powers[power] = self.powers.get(power, 0) + amount
        if self.powers[power] == 0:
            self.drop(power)

    def drop(self, power: str) -> None:
        """Remove a power altogether."""
        self.powers.pop(power, None)
        self.fresh.discard(power)

    def tick(self) -> None:
        """The end of the enemies' turn: what lasts for turns lasts one turn less."""
        for power in TICKING:
            if power not in self.powers:
                continue
            if power in self.fresh:
                self.fresh.discard(power)
            else:
                self.add(power, -1)


def own_damage(base: int, dealer: Creature) -> Fraction:
    """Damage with the dealer's modifiers and without any target's, not yet truncated."""
    value = Fraction(base + dealer.amount("STRENGTH") + dealer.amount("VIGOR"))
    if dealer.amount("WEAK"):
        value *= Fraction(3, 4)
    if dealer.amount("SHRINK"):
        value *= Fraction(7, 10)
    return value


def against(value: Fraction, target: Creature, cards_played: int = 0, dealer: Creature | None = None) -> int:
    """Damage as it arrives at a target, before block: its factors, its caps, one truncation."""
    if target.amount("VULNERABLE"):
        cruelty = dealer.amount("CRUELTY") if dealer is not None else 0
        value *= Fraction(3, 2) + Fraction(cruelty, 100)
    if target.amount("SLOW"):
        value *= 1 + Fraction(cards_played, 10)
    if target.amount("INTANGIBLE"):
        value = min(value, Fraction(1))
    return max(0, floor(value))


def own_block(base: int, owner: Creature) -> int:
    """Block from a card or a move."""
    value = Fraction(base + owner.amount("DEXTERITY"))
    if owner.amount("FRAIL"):
        value *= Fraction(3, 4)
    return max(0, floor(value))


def lose_to_block(target: Creature, amount: int) -> int:
    """Let block take what it can, after the caps on damage; returns what is left."""
    if target.amount("INTANGIBLE"):
        amount = min(amount, 1)
    taken = min(target.block, amount)
    target.block -= taken
    return amount - taken


def lose_hp(target: Creature, amount: int, shell_left: int | None = None) -> int:
    """Take HP after block, with the rules that come after it; returns what was lost.

    Args:
        target: who loses it.
        amount: what block has let through.
        shell_left: how much a Hardened Shell still lets through this turn.
    """
    if amount <= 0:
        return 0
    if shell_left is not None:
        amount = min(amount, shell_left)
    if target.amount("INTANGIBLE"):
        amount = min(amount, 1)
    if target.amount("SLIPPERY"):
        amount = 1
        target.add("SLIPPERY_POWER", -1)
    if amount and target.amount("BUFFER"):
        target.add("BUFFER_POWER", -1)
        return 0
    lost = min(amount, target.hp)
    target.hp -= lost
    return lost
