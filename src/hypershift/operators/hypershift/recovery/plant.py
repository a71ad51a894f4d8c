"""Objects that put a hosted cluster in place again: pure functions of its manifest."""

from typing import Final

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.ownership import Owner
from hypershift.operators.hypershift.recovery.manifest import ClusterManifest

RESTORED_FROM: Final = annotations.RESTORED_FROM
#: Annotations about where and when a cluster was, not about what it is.
_OF_THE_PAST: Final = frozenset({annotations.MOVING_TO})


def cluster_to_create(manifest: ClusterManifest, snapshot: str, address: str) -> Manifest:
    """The HostedCluster, paused until the keys of its control plane are in place.

    `snapshot` names it in its store; `address` is where members fetch it, and may expire.
    """
    found = manifest.cluster
    marks = {k: v for k, v in annotations_of(found).items() if k not in _OF_THE_PAST}
    marks |= {RESTORED_FROM: snapshot, annotations.RESTORED_FROM_BACKUP: ""}
    spec = found["spec"] | {"pausedUntil": "true", "etcd": _from_snapshot(found, address)}
    return found | {"metadata": found["metadata"] | {"annotations": marks}, "spec": spec}


def _from_snapshot(cluster: Manifest, address: str) -> Manifest:
    etcd = cluster["spec"].get("etcd") or {}
    managed = etcd.get("managed") or {}
    storage = {"type": "PersistentVolume", **(managed.get("storage") or {})}
    storage["restoreSnapshotURL"] = [address]
    return {**etcd, "managementType": "Managed", "managed": {**managed, "storage": storage}}


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
