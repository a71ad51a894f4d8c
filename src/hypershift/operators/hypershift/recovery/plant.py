"""Objects that put a hosted cluster in place again: pure functions of its manifest."""

from typing import Final

from hypershift.api import HostedCluster, annotations, read, replace, write
from hypershift.api.etcd import Etcd, ManagedEtcd, ManagedEtcdStorage
from hypershift.api.values import EtcdManagementType
from hypershift.kit import Manifest, annotations_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.ownership import Owner
from hypershift.operators.hypershift.recovery.manifest import ClusterManifest

RESTORED_FROM: Final = annotations.RESTORED_FROM
VOLUME: Final = "PersistentVolume"
#: Annotations about where and when a cluster was, not about what it is.
_OF_THE_PAST: Final = frozenset({annotations.MOVING_TO})


def cluster_to_create(manifest: ClusterManifest, snapshot: str, address: str) -> Manifest:
    """The HostedCluster, paused until the keys of its control plane are in place.

    `snapshot` names it in its store; `address` is where members fetch it, and may expire.
    """
    found = manifest.cluster
    marks = {k: v for k, v in annotations_of(found).items() if k not in _OF_THE_PAST}
    marks |= {RESTORED_FROM: snapshot, annotations.RESTORED_FROM_BACKUP: ""}
    marked = found | {"metadata": found["metadata"] | {"annotations": marks}}
    known = read(HostedCluster, marked)
    etcd = _from_snapshot(known.spec.etcd, address)
    return write(marked, replace(known, spec=replace(known.spec, paused_until="true", etcd=etcd)))


def _from_snapshot(etcd: Etcd, address: str) -> Etcd:
    managed = etcd.managed or ManagedEtcd(storage=ManagedEtcdStorage(type=VOLUME))
    kind = managed.storage.type or VOLUME
    storage = replace(managed.storage, type=kind, restore_snapshot_url=(address,))
    return replace(
        etcd,
        management_type=EtcdManagementType.MANAGED,
        managed=replace(managed, storage=storage),
    )


def pool_to_create(pool: Manifest) -> Manifest:
    """A NodePool that works: the pause of a move is over."""
    spec = {name: value for name, value in pool["spec"].items() if name != "pausedUntil"}
    return pool | {"spec": spec}


def namespace_to_create(owner: Owner) -> Manifest:
    """The control plane namespace with its owner's mark, for the operator to complete."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": control_plane_namespace(owner.key),
            "labels": {names.HOSTED_CONTROL_PLANE: "true"},
            "annotations": ownership.mark(owner),
        },
    }
