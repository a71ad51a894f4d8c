"""etcd: keeps everything that a hosted cluster knows."""

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.component import Component, etcd_shards
from hypershift.controlplane.etcd import kubernetes_shards, openshift_shards
from hypershift.controlplane.etcd.defragmenter import Defragmenter
from hypershift.controlplane.etcd.keeper import EtcdctlFailed, Rebuilt, keep_members
from hypershift.controlplane.etcd.kubernetes import KUBERNETES
from hypershift.controlplane.etcd.latency import BOUND, DiskWatch
from hypershift.controlplane.etcd.members import claim_of
from hypershift.controlplane.etcd.openshift import OPENSHIFT
from hypershift.controlplane.etcd.shards import Shard, groups
from hypershift.release import Product

__all__ = [
    "BOUND",
    "KUBERNETES",
    "OPENSHIFT",
    "Defragmenter",
    "DiskWatch",
    "EtcdctlFailed",
    "Rebuilt",
    "claim_of",
    "groups",
    "keep_members",
    "shards",
]


def shards(spec: HostedControlPlaneSpec, product: Product) -> tuple[Component, ...]:
    """The components of the shards that a HostedControlPlane asks for."""
    openshift = product is Product.OPENSHIFT
    made = openshift_shards.component if openshift else kubernetes_shards.component
    return tuple(made(Shard(settings)) for settings in etcd_shards.managed_shards(spec))
