"""The members of a cluster: their names, addresses and disks, in every product."""

from hypershift.api.etcd import EtcdPersistentVolume
from hypershift.api.values import EtcdManagementType, EtcdStorageType
from hypershift.component import View, edit
from hypershift.kit import Manifest

NAME = "etcd"
REPLICAS = 3


def managed(view: View) -> bool:
    """Whether etcd is ours; an unmanaged one is the user's."""
    return view.spec.etcd.management_type in ("", EtcdManagementType.MANAGED)


def count(view: View) -> int:
    """How many members the availability policy asks for."""
    return 1 if view.single_replica else REPLICAS


def member_host(view: View, index: int) -> str:
    """The name by which a member is reached."""
    return f"{NAME}-{index}.etcd-discovery.{view.namespace}.svc"


def initial_cluster(view: View) -> str:
    """Every member and its peer address, in the form of etcd's flag."""
    members = (f"{NAME}-{i}=https://{member_host(view, i)}:2380" for i in range(count(view)))
    return ",".join(members)


def storage(view: View) -> EtcdPersistentVolume | None:
    """The persistent volume that the cluster asks for; None when it asks for nothing."""
    ours = view.spec.etcd.managed
    if ours is None or ours.storage.type != EtcdStorageType.PERSISTENT_VOLUME:
        return None
    return ours.storage.persistent_volume


def with_storage(view: View, manifest: Manifest) -> Manifest:
    """Give the members' claims the size and class that the cluster asks for."""
    if volume := storage(view):
        return with_claim(manifest, volume.size, volume.storage_class_name)
    return manifest


def with_claim(manifest: Manifest, size: int | str, storage_class: str | None) -> Manifest:
    """Give the members' claims a size and a class; what is empty stays as the manifest has it."""
    (claim,) = manifest["spec"]["volumeClaimTemplates"]
    if size:
        claim = edit.put(claim, ("spec", "resources", "requests", "storage"), size)
    if storage_class:
        claim = edit.put(claim, ("spec", "storageClassName"), storage_class)
    return edit.put(manifest, ("spec", "volumeClaimTemplates"), [claim])
