"""What site reliability engineers want scraped: one ConfigMap of ours, beside whoever uses it."""

from collections.abc import Iterator

from hypershift.api.values import MetricsSet
from hypershift.component.monitoring import SRE_CONFIG_MAP
from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Settings


def metrics_set(cluster: Manifest, settings: Settings) -> str:
    """How much of a cluster's metrics is scraped: as it says, else as the operator is set."""
    monitoring = cluster["spec"].get("monitoring") or {}
    return str(monitoring.get("metricsSet") or settings.metrics_set)


async def sync_metrics_set(scope: ClusterScope) -> None:
    """Copy the engineers' wishes to a control plane that is scraped as they say."""
    if metrics_set(scope.object, scope.settings) != MetricsSet.SRE:
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
    await scope.kube.apply(scope.mine(copy))


class Users:
    """The clusters that are scraped as the engineers say: what earlier passes saw of each."""

    def __init__(self, settings: Settings) -> None:
        """Know nothing yet: a cluster's first pass needs no other object to wake it."""
        self._settings = settings
        self._keys: set[Key] = set()

    def remember(self, cluster: Manifest) -> None:
        """Note what a cluster's spec says now."""
        uses = metrics_set(cluster, self._settings) == MetricsSet.SRE
        (self._keys.add if uses else self._keys.discard)(key_of(cluster))

    def of_config_map(self, config_map: Manifest) -> Iterator[Key]:
        """The clusters that a change of the engineers' wishes concerns."""
        if key_of(config_map) == Key(self._settings.namespace, SRE_CONFIG_MAP):
            yield from tuple(self._keys)
