"""The gauges at the moment of a scrape, of the clusters that are this replica's."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import Cache
from hypershift.operators.hypershift.fleet_metrics import clusters, pools, proofs
from hypershift.operators.hypershift.fleet_metrics.family import Fleet, gauge
from hypershift.operators.hypershift.fleet_metrics.transitions import Transitions
from hypershift.release import Product, supported
from hypershift.runtime import Manager

#: The controllers that decide whose an object is.
CLUSTERS, POOLS, BACKUPS = "hostedcluster", "nodepool", "hcpetcdbackup"


class FleetCollector(Collector):
    """Reads the caches of a manager at each scrape.

    Every replica has all objects in its caches. Each reports its own clusters, and one that does
    not lead reports none, so that sums over the replicas are right.
    """

    def __init__(self, manager: Manager, image: str = "") -> None:
        """Yield gauges of the clusters and pools that this manager reconciles, and of our image."""
        self._manager, self._image = manager, image
        now = manager.clock.now()
        self._transitions = Transitions(*clusters.TRANSITIONS, now)
        self._pool_transitions = Transitions(*pools.TRANSITIONS, now)

    def collect(self) -> Iterator[Metric]:
        """Every gauge, as of now."""
        now = self._manager.clock.now()
        own = (self._own(kinds.HOSTED_CLUSTER, CLUSTERS), self._own(kinds.NODE_POOL, POOLS))
        fleet = Fleet.of(*own, self._find)
        yield from clusters.families(fleet, now)
        yield from self._transitions.families(own[0], now)
        yield from pools.families(fleet, now)
        yield from self._pool_transitions.families(own[1], now)
        yield from proofs.families(self._own(kinds.HCP_ETCD_BACKUP, BACKUPS))
        yield gauge(
            "hypershift_operator_info",
            "What this operator is, and the newest OpenShift that it supports.",
            ("version", "image", "latestSupportedVersion"),
            [((version("hypershift"), self._image, f"{supported(Product.OPENSHIFT)[0]}.0"), 1.0)],
        )

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not need caches that are not filled yet."""
        return iter(())

    def _own(self, resource: Resource, controller: str) -> Sequence[Manifest]:
        cached = self._cached(resource)
        if cached is None:
            return ()
        return [each for each in cached.values() if self._manager.covers(controller, each)]

    def _find(self, resource: Resource, namespace: str, name: str) -> Manifest | None:
        cached = self._cached(resource)
        return cached.peek(Key(namespace, name)) if cached is not None else None

    def _cached(self, resource: Resource) -> Cache | None:
        """The cache of every object of a kind."""
        for informer in self._manager.informers:
            selection = informer.selection
            if selection.resource == resource and not (selection.namespace or selection.labels):
                return informer.cache
        return None
