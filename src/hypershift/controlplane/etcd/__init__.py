"""etcd: keeps everything that a hosted cluster knows."""

from hypershift.controlplane.etcd.defragmenter import Defragmenter
from hypershift.controlplane.etcd.keeper import EtcdctlFailed, Rebuilt, keep_members
from hypershift.controlplane.etcd.kubernetes import KUBERNETES
from hypershift.controlplane.etcd.latency import BOUND, DiskWatch
from hypershift.controlplane.etcd.openshift import OPENSHIFT
from hypershift.controlplane.etcd.shards import managed_shards, shards

__all__ = [
    "BOUND",
    "KUBERNETES",
    "OPENSHIFT",
    "Defragmenter",
    "DiskWatch",
    "EtcdctlFailed",
    "Rebuilt",
    "keep_members",
    "managed_shards",
    "shards",
]
