"""Decide: the rules in the order of the walk, and the report that they make."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from hypershift.api import NodePool, read
from hypershift.explain.finding import Finding, Report, ref
from hypershift.explain.picture import Picture
from hypershift.explain.rules import (
    admission,
    certificates,
    cluster,
    components,
    etcd,
    joining,
    network,
    nodes,
    pods,
    pools,
    storage,
)
from hypershift.explain.way import cluster_way, pool_way
from hypershift.kit import Manifest
from hypershift.kube import kinds

Rule = Callable[[Picture], Iterable[Finding]]
PoolRule = Callable[[Picture, Manifest], Iterable[Finding]]

#: What explains others comes before what it explains.
CLUSTER: Sequence[Rule] = (
    cluster.deletion,
    nodes.down,
    cluster.references,
    cluster.release,
    cluster.refusals,
    admission.refused,
    storage.claims,
    pods.unschedulable,
    pods.images,
    certificates.unusable,
    network.policies,
    etcd.quorum,
    pods.failing,
    network.services,
    nodes.operator,
    cluster.pause,
    network.endpoint,
    cluster.keys,
    certificates.replacement,
    components.waiting,
)
POOL: Sequence[PoolRule] = (
    pools.deletion,
    pools.unowned,
    pools.refusals,
    pools.fallen,
    pools.tokens,
    pools.ignition,
    joining.requests,
    pools.unreached,
    joining.away,
)


def explain_cluster(picture: Picture) -> Report:
    """Why a cluster is not as it should be, its pools included."""
    causes = [finding for rule in CLUSTER for finding in rule(picture)]
    causes += [finding for pool in pools_of(picture) for finding in _pool(picture, pool)]
    # Conditions show effects and not causes; they are reported when nothing better is known.
    causes = causes or list(components.remaining(picture))
    way = [*cluster_way(picture)]
    way += [station for pool in pools_of(picture) for station in pool_way(picture, pool)]
    return Report(ref(picture.cluster), _once(causes), tuple(way), picture.unread)


def explain_pool(picture: Picture, pool: Manifest) -> Report:
    """Why a pool lacks nodes; what is wrong with its cluster comes behind its own troubles."""
    causes = list(_pool(picture, pool))
    below = [finding for rule in CLUSTER for finding in rule(picture)]
    # Machines wait in vain while the control plane is away: then that is the first cause.
    causes = [*below, *causes] if not components.is_available(picture) else [*causes, *below]
    return Report(ref(pool), _once(causes), tuple(pool_way(picture, pool)), picture.unread)


def pools_of(picture: Picture) -> list[Manifest]:
    """The pools of the cluster."""
    name, place = (picture.cluster["metadata"][key] for key in ("name", "namespace"))
    found = picture.of(kinds.NODE_POOL, place)
    return [pool for pool in found if read(NodePool, pool).spec.cluster_name == name]


def _pool(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    found = [finding for rule in POOL for finding in rule(picture, pool)]
    yield from found or joining.remaining(picture, pool)


def _once(causes: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each object once, with the first thing that was found about it."""
    return tuple({finding.object: finding for finding in reversed(tuple(causes))}.values())[::-1]
