"""Figures for Prometheus: what one process does. Nothing in them says who or which table.

`GET /api/metrics` tells them to the administrator, and to whoever asks on this computer by its local name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from tikal.server.hub import Hub

TYPE = CONTENT_TYPE_LATEST
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0)


class Metrics:
    """What is counted as it happens; `watch` adds what can be looked up.

    >>> metrics = Metrics()
    >>> metrics.by_people.inc(2)
    >>> 'tikal_actions_total{by="person"} 2.0' in metrics.text()
    True
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        actions = Counter("tikal_actions", "actions that are kept", ["by"], registry=self._registry)
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

    def watch(self, hub: Hub, sockets: Callable[[], int]) -> None:
        """Adds what a hub and its store know."""
        self._registry.register(_Looked(hub, sockets))

    def text(self) -> str:
        """All figures, as Prometheus reads them."""
        return generate_latest(self._registry).decode()


class _Looked(Collector):
    """What need not be counted, because it can be looked up when somebody asks."""

    def __init__(self, hub: Hub, sockets: Callable[[], int]) -> None:
        self._hub = hub
        self._sockets = sockets

    def collect(self) -> Iterator[Metric]:
        hub = self._hub
        yield GaugeMetricFamily("tikal_sockets", "open connections", self._sockets())
        yield GaugeMetricFamily("tikal_rooms", "tables in memory", len(hub.rooms))
        thinking = sum(room.thinking is not None for room in list(hub.rooms.values()))
        yield GaugeMetricFamily("tikal_bots_thinking", "tables where a bot is asked", thinking)
        yield GaugeMetricFamily("tikal_queue", "writes that wait for the next commit", hub.store.waiting)
        yield CounterMetricFamily("tikal_commits", "transactions that wrote", hub.store.commits)
        yield CounterMetricFamily("tikal_bot_replaced", "decisions whose worker failed", hub.runner.replaced)
