"""Where the cache learns what time it is. All times are seconds as floats."""

import time


class SystemClock:
    """Monotonic time, so that a changed wall clock expires nothing."""

    def now(self):
        return time.monotonic()


class FakeClock:
    """Time for tests: it stands still until somebody moves it."""

    def __init__(self, start=0.0):
        self._now = start

    def now(self):
        return self._now

    def advance(self, seconds):
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._now += seconds
