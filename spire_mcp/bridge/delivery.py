"""What became of a request that acts: four ends, and only the first of them may be tried again."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSent:
    """Nothing reached the bridge: the connection was refused."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The bridge took the action. That is not yet the effect: it means queued, or clicked."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The bridge answered no. `message` is text from the bridge: data, bounded."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Anything else: a timeout, a reset, half an answer, a fault after sending. It may have happened."""

    reason: str


Delivery = NotSent | Accepted | Refused | Unknown
