"""Time as the controller sees it, so that tests need not wait."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the controller asks of time."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...

    def timestamp(self) -> str:
        """The time of day in UTC, ISO 8601, for records that people read."""
        ...


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass."""
        time.sleep(seconds)  # noqa: TID251 - the one place that sleeps

    def timestamp(self) -> str:
        """The time of day in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")
