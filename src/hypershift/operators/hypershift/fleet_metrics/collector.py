"""The gauges at the moment of a scrape: nothing is counted along, so nothing can drift."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.fleet_metrics import clusters, pools
from hypershift.runtime import Manager


class FleetCollector(Collector):
    """Reads the caches of a manager whenever monitoring asks."""

    def __init__(self, manager: Manager) -> None:
        """Tell about the clusters and pools that this manager follows."""
        self._manager = manager

    def collect(self) -> Iterator[Metric]:
        """Every gauge, as of now."""
        now = self._manager.clock.now()
        yield from clusters.families(self._cached(kinds.HOSTED_CLUSTER), now)
        yield from pools.families(self._cached(kinds.NODE_POOL), now)
        info = GaugeMetricFamily("hypershift_operator_info", "Our own version.", labels=["version"])
        info.add_metric([version("hypershift")], 1)
        yield info

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not need caches that are not filled yet."""
        return iter(())

    def _cached(self, resource: Resource) -> Sequence[Manifest]:
        for informer in self._manager.informers:
            if informer.selection.resource == resource:
                return list(informer.cache.values())
        return ()
