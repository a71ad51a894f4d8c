"""By what else pools are found: their cluster, its control plane namespace, their ConfigMaps."""

from collections.abc import Iterator

from hypershift.api import NodePool, read
from hypershift.kit import HypershiftError, Key, Manifest
from hypershift.kit.names import control_plane_namespace
from hypershift.kube.cache import Index


def _clusters(manifest: Manifest) -> Iterator[Key]:
    """The cluster of a pool; none for a pool that cannot be read, which its own pass reports."""
    try:
        pool = read(NodePool, manifest)
    except HypershiftError:
        return
    yield Key(pool.metadata.namespace, pool.spec.cluster_name)


def _planes(manifest: Manifest) -> Iterator[str]:
    """The control plane namespace of a pool, and the pool's name in it."""
    for cluster in _clusters(manifest):
        namespace = control_plane_namespace(cluster)
        yield namespace
        yield str(Key(namespace, manifest["metadata"]["name"]))


def _configs(manifest: Manifest) -> Iterator[str]:
    """The ConfigMaps that a pool names."""
    try:
        pool = read(NodePool, manifest)
    except HypershiftError:
        return
    for each in (*pool.spec.config, *pool.spec.tuning_config):
        yield str(Key(pool.metadata.namespace, each.name))


BY_CLUSTER = Index("pools of a cluster", lambda pool: map(str, _clusters(pool)))
BY_PLANE = Index("pools of a control plane", _planes)
BY_CONFIG = Index("pools of a ConfigMap", _configs)
