"""Copies the ConfigMap in which site reliability engineers choose metrics to the control planes."""

from collections.abc import Iterator

from hypershift.api import HostedCluster, read
from hypershift.api.values import MetricsSet
from hypershift.component.monitoring import SRE_CONFIG_MAP
from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import kinds
from hypershift.kube.cache import Index
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Settings
from hypershift.runtime import mapping


def metrics_set(cluster: HostedCluster, settings: Settings) -> str:
    """The metrics set of a cluster: its own, else the operator's."""
    monitoring = cluster.spec.monitoring
    return (monitoring.metrics_set if monitoring else None) or settings.metrics_set


async def sync_metrics_set(scope: ClusterScope) -> None:
    """Copy the engineers' choice to a control plane whose metrics set is theirs."""
    if metrics_set(scope.cluster, scope.settings) != MetricsSet.SRE:
        return
    source = await scope.kube.find(kinds.CONFIG_MAP, SRE_CONFIG_MAP, scope.settings.namespace)
    if source is None:
        return
    copy = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": SRE_CONFIG_MAP, "namespace": scope.namespace},
        "data": source.get("data") or {},
    }
    await scope.kube.apply(scope.marked(copy))


def index(settings: Settings) -> Index:
    """The index of clusters by how much of their metrics is scraped."""

    def sets(cluster: Manifest) -> tuple[str]:
        return (metrics_set(read(HostedCluster, cluster), settings),)

    return Index("clusters by metrics", sets)


def by_wishes(settings: Settings) -> mapping.Keys:
    """The clusters that a change of the engineers' wishes concerns, `through` that index."""

    def keys(config_map: Manifest) -> Iterator[Key]:
        if key_of(config_map) == Key(settings.namespace, SRE_CONFIG_MAP):
            yield Key("", MetricsSet.SRE)

    return keys
