"""Gauges: a name, a help text, and one series for each set of labels."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import HostedCluster, NodePool, read
from hypershift.api.conditions import ConditionStatus
from hypershift.api.values import PlatformType
from hypershift.kit import Manifest, from_rfc3339
from hypershift.kube import Resource

#: The values of a series' labels, and its own.
Series = tuple[Sequence[str], float]
Find = Callable[[Resource, str, str], Manifest | None]
Expected = Mapping[str, str]

PLATFORMS: tuple[str, ...] = tuple(PlatformType)
T = TypeVar("T", HostedCluster, NodePool)
CLUSTER_LABELS = ("namespace", "name", "_id")


def nowhere(_resource: Resource, _namespace: str, _name: str) -> Manifest | None:
    return None


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """An object as the cache has it, for its conditions, and decoded once for all gauges."""

    manifest: Manifest
    known: T


Cluster = Seen[HostedCluster]
Pool = Seen[NodePool]


@dataclass(frozen=True)
class Fleet:
    """The clusters and pools to report, and how to look up what belongs to them."""

    clusters: Sequence[Cluster] = ()
    pools: Sequence[Pool] = ()
    #: An object of the caches by kind, namespace and name.
    find: Find = nowhere

    @classmethod
    def of(
        cls, clusters: Iterable[Manifest], pools: Iterable[Manifest] = (), find: Find = nowhere
    ) -> "Fleet":
        """Decode the objects of a scrape."""
        return cls(
            tuple(Seen(each, read(HostedCluster, each)) for each in clusters),
            tuple(Seen(each, read(NodePool, each)) for each in pools),
            find,
        )

    def pools_of(self, cluster: Cluster) -> Sequence[Pool]:
        """The pools of a cluster."""
        metadata = cluster.known.metadata
        return self._by_cluster.get((metadata.namespace, metadata.name), ())

    @cached_property
    def _by_cluster(self) -> dict[tuple[str, str], list[Pool]]:
        found: defaultdict[tuple[str, str], list[Pool]] = defaultdict(list)
        for pool in self.pools:
            found[pool.known.metadata.namespace, pool.known.spec.cluster_name].append(pool)
        return found


def gauge(
    name: str, text: str, labels: Sequence[str], series: Iterable[Series]
) -> GaugeMetricFamily:
    """A gauge with all its series."""
    family = GaugeMetricFamily(name, text, labels=labels)
    for values, figure in series:
        family.add_metric(values, figure)
    return family


def counted(
    name: str, text: str, label: str, known: Iterable[str], found: Iterable[str]
) -> GaugeMetricFamily:
    """How many there are of each; what is known counts 0 where there is none."""
    counts = Counter(dict.fromkeys(known, 0))
    counts.update(found)
    return gauge(name, text, [label], (([each], n) for each, n in sorted(counts.items())))


def failures(
    name: str,
    text: str,
    shape: type[T],
    found: Iterable[Seen[T]],
    expected: Callable[[T], Expected],
) -> GaugeMetricFamily:
    """How many have a condition that is not as it should be, by platform and condition."""
    counts: Counter[tuple[str, str]] = Counter()
    for platform in PLATFORMS:
        usual = expected(read(shape, {"spec": {"platform": {"type": platform}}}))
        counts.update({(platform, _failure(*each)): 0 for each in usual.items()})
    for one in found:
        wanted = expected(one.known)
        for condition in (one.manifest.get("status") or {}).get("conditions") or ():
            kind = condition["type"]
            if kind in wanted and condition["status"] != wanted[kind]:
                counts[one.known.spec.platform.type, _failure(kind, wanted[kind])] += 1
    return gauge(name, text, ("platform", "condition"), sorted(counts.items()))


def _failure(kind: str, wanted: str) -> str:
    """A condition that should be True counts as `not_` that condition when it is not."""
    return f"not_{kind}" if wanted == ConditionStatus.TRUE else kind


def identity(cluster: Cluster) -> tuple[str, str, str]:
    """Namespace, name and id of a cluster."""
    metadata = cluster.known.metadata
    return metadata.namespace, metadata.name, cluster.known.spec.cluster_id or ""


def cloud_of(one: Cluster | Pool) -> str:
    """The name of the cloud that a cluster or pool is on."""
    return one.known.spec.platform.type


def since(moment: str | None, now: datetime) -> float | None:
    """Seconds since a moment; None when it never was."""
    return (now - from_rfc3339(moment)).total_seconds() if moment else None
