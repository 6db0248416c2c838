"""A clock for tests: waiting moves it at once."""

from collections.abc import Callable


class TestClock:
    """Time that passes only when someone waits for it; `on_wait` sees each wait."""

    __test__ = False

    def __init__(self, on_wait: Callable[[float], None] | None = None) -> None:
        self.now = 1000.0
        self.waits: list[float] = []
        self._on_wait = on_wait

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.waits.append(seconds)
        if self._on_wait is not None:
            self._on_wait(seconds)

    def timestamp(self) -> str:
        return f"2026-01-01T00:00:{self.now % 60:06.3f}+00:00"
