"""Figures about our own work, in Prometheus form."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300)


class Metrics:
    """The counters of one manager, in a registry of their own."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Register every figure; a second manager in one process brings its own registry."""
        self.registry = registry or CollectorRegistry()
        self.queue_depth = self._gauge("queue_depth", "Keys that wait.", "controller")
        self.queue_seconds = self._histogram("queue_seconds", "How long a key waited.")
        self.pass_seconds = self._histogram("pass_seconds", "How long a pass took.")
        self.passes = self._counter("passes", "Passes by result.", "controller", "result")
        self.errors = self._counter("errors", "Errors by type.", "controller", "error")
        self.writes = self._counter("writes", "Requests that write.", "resource", "verb")
        self.fights = self._counter("fights", "Objects written again and again.", "resource")
        self.cache_objects = self._gauge(
            "cache_objects", "Objects in caches.", "cluster", "resource"
        )
        self.cache_age = self._gauge(
            "cache_age_seconds", "Since the server was last heard.", "cluster", "resource"
        )
        self.relists = self._gauge("cache_lists", "Full lists so far.", "cluster", "resource")
        self.shards = Gauge(
            "hypershift_shards", "Buckets of clusters that are ours.", registry=self.registry
        )
        self.leader = Gauge("hypershift_leader", "1 while we lead.", registry=self.registry)

    def text(self) -> bytes:
        """Everything, as `/metrics` serves it."""
        return generate_latest(self.registry)

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"hypershift_{name}", help_text, labels, registry=self.registry)

    def _gauge(self, name: str, help_text: str, *labels: str) -> Gauge:
        return Gauge(f"hypershift_{name}", help_text, labels, registry=self.registry)

    def _histogram(self, name: str, help_text: str) -> Histogram:
        return Histogram(
            f"hypershift_{name}",
            help_text,
            ("controller",),
            buckets=_SECONDS,
            registry=self.registry,
        )
