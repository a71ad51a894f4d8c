"""The controller of the operator's half of private links: its phases, and what wakes it.

link says what its Service does -> load balancer is active -> service of the cloud
  -> whoever may connect -> name in the status
deleted -> connections are rejected -> service is gone -> finalizer goes
"""

from collections.abc import Iterable, Iterator, Sequence

from hypershift.api import NodePool, read
from hypershift.kit import Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.hypershift.private_link.look import (
    compare_with_service,
    look,
    look_at_deleted,
)
from hypershift.operators.hypershift.private_link.scope import (
    KARPENTER_SUBNETS,
    Environment,
    LinkScope,
)
from hypershift.operators.hypershift.private_link.service import (
    keep_service,
    remove_service,
    write_subnets,
)
from hypershift.platforms import Links
from hypershift.platforms.links import halves_of
from hypershift.runtime import Controller, Phase, Watch, changes_metadata, mapping

NORMAL: Sequence[Phase[LinkScope]] = (look, compare_with_service, write_subnets, keep_service)
DELETE: Sequence[Phase[LinkScope]] = (look_at_deleted, remove_service)


def controllers(environment: Environment) -> Iterator[Controller[LinkScope]]:
    """Yield a controller for each cloud whose links we make."""
    for links in environment.clouds:
        yield controller(environment, links)


def controller(environment: Environment, links: Links) -> Controller[LinkScope]:
    """The controller of one cloud's links."""
    side = environment.side_of(links)
    through = BY_NAMESPACE.name
    return Controller(
        name=f"{links.called}-service",
        resource=links.resource,
        scope=lambda found, context: LinkScope(found, context, environment, links, side),
        normal=NORMAL,
        delete=DELETE,
        finalizer=halves_of(links).service_finalizer,
        watches=(
            Watch(kinds.NODE_POOL, planes_of_pool, through=through, wakes=changes_metadata),
            Watch(kinds.HOSTED_CLUSTER, plane_of_cluster, through=through, wakes=changes_metadata),
            Watch(kinds.CONFIG_MAP, plane_of_subnets, through=through, wakes=changes_metadata),
        ),
        stop_on_error=True,
        honour_pause=False,
    )


def planes_of_pool(pool: Manifest) -> Iterable[Key]:
    """The control plane namespace of a pool's cluster."""
    cluster = Key(pool["metadata"]["namespace"], read(NodePool, pool).spec.cluster_name)
    yield Key("", control_plane_namespace(cluster))


def plane_of_cluster(cluster: Manifest) -> Iterable[Key]:
    """The control plane namespace of a cluster."""
    yield Key("", control_plane_namespace(key_of(cluster)))


def plane_of_subnets(config_map: Manifest) -> Iterable[Key]:
    """The namespace of a ConfigMap with subnets of Karpenter's nodes."""
    if config_map["metadata"]["name"] == KARPENTER_SUBNETS:
        yield from mapping.its_namespace(config_map)
