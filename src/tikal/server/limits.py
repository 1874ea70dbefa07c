"""Rate limits: token buckets that fill with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST = 20_000  # buckets in memory


class Limiter:
    """A bucket for each key: `burst` at once, then `rate` per second.

    >>> limiter = Limiter(1, 2, clock=lambda: 0.0)
    >>> [limiter.allows("ann") for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        at = self._clock()
        level, since = self._buckets.pop(key, (float(self._burst), at))
        level = min(float(self._burst), level + (at - since) * self._rate)
        allowed = level >= 1
        self._buckets[key] = (level - 1 if allowed else level, at)
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return allowed
