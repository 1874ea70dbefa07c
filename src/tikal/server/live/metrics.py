"""Metrics for Prometheus, of one process. None of them names a person or a table.

`GET /api/metrics` answers the administrator, and anybody on this computer who uses its local name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from tikal.server.bots.pool import Runner
    from tikal.server.database.store import Store
    from tikal.server.live.room import Room

TYPE = CONTENT_TYPE_LATEST
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0)


class Metrics:
    """Counters; `watch` adds gauges.

    >>> metrics = Metrics()
    >>> metrics.by_people.inc(2)
    >>> 'tikal_actions_total{by="person"} 2.0' in metrics.text()
    True
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        actions = Counter("tikal_actions", "stored actions", ["by"], registry=self._registry)
        self.by_people, self.by_bots = actions.labels("person"), actions.labels("bot")
        self.refusals = Counter("tikal_refusals", "requests that changed nothing", ["code"], registry=self._registry)
        self.ack = Histogram(
            "tikal_ack_seconds", "from an action's arrival to its acknowledgement", buckets=QUICK,
            registry=self._registry,
        )  # fmt: skip
        self.thinking = Histogram(
            "tikal_bot_seconds", "a bot's decision, waiting for a worker included", buckets=SLOW,
            registry=self._registry,
        )  # fmt: skip

    def watch(self, store: Store, runner: Runner, rooms: Mapping[str, Room], sockets: Callable[[], int]) -> None:
        """Adds gauges of a store, of bots, of the tables in memory and of connections."""
        self._registry.register(_Gauges(store, runner, rooms, sockets))

    def text(self) -> str:
        """All metrics, in Prometheus' text format."""
        return generate_latest(self._registry).decode()


class _Gauges(Collector):
    """Gauges: values that can be looked up at any time."""

    def __init__(self, store: Store, runner: Runner, rooms: Mapping[str, Room], sockets: Callable[[], int]) -> None:
        self._store = store
        self._runner = runner
        self._rooms = rooms
        self._sockets = sockets

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("tikal_sockets", "open connections", self._sockets())
        yield GaugeMetricFamily("tikal_rooms", "tables in memory", len(self._rooms))
        yield GaugeMetricFamily("tikal_queue", "writes that wait for the next commit", self._store.waiting)
        yield CounterMetricFamily("tikal_commits", "transactions that wrote", self._store.commits)
        yield from self._bots()

    def _bots(self) -> Iterator[Metric]:
        runner, rooms = self._runner, list(self._rooms.values())
        yield GaugeMetricFamily(
            "tikal_bots_thinking", "tables where a bot is thinking", sum(r.thinking is not None for r in rooms)
        )
        yield GaugeMetricFamily(
            "tikal_bots_stuck", "tables whose bot can't run now", sum(r.stuck is not None for r in rooms)
        )
        yield GaugeMetricFamily("tikal_bots_waiting", "decisions that wait for a worker", runner.waiting)
        yield GaugeMetricFamily("tikal_bots_ok", "1 if the last decision succeeded", not runner.failing)
        yield CounterMetricFamily(
            "tikal_bot_failures", "workers that failed or died, and were replaced", runner.failures
        )
