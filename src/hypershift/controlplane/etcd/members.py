"""The members of a cluster: their names, addresses and disks, in every product."""

from dataclasses import dataclass

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
    """How many members of the first cluster the availability policy asks for."""
    return 1 if view.single_replica else REPLICAS


@dataclass(frozen=True, slots=True)
class Group:
    """One etcd cluster of a control plane, the first one or a shard: its names and its size."""

    #: Of the StatefulSet; its members count from 0.
    name: str
    #: The Service by which members find each other; also what their certificates for it call them.
    discovery: str
    replicas: int

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the members, which are those of their pods."""
        return tuple(f"{self.name}-{index}" for index in range(self.replicas))

    def host(self, member: str, namespace: str) -> str:
        """The name by which a member is reached."""
        return f"{member}.{self.discovery}.{namespace}.svc"

    def hosts(self, namespace: str) -> tuple[str, ...]:
        """The names by which the members are reached."""
        return tuple(self.host(member, namespace) for member in self.members)

    def initial_cluster(self, namespace: str) -> str:
        """Every member and its peer address, in the form of etcd's flag."""
        pairs = (f"{one}=https://{self.host(one, namespace)}:2380" for one in self.members)
        return ",".join(pairs)


def first(view: View) -> Group:
    """The cluster that keeps every kind that no shard keeps."""
    return Group(NAME, "etcd-discovery", count(view))


def claim_of(member: str) -> str:
    """The claim of a member's disk."""
    return f"data-{member}"


def initial_cluster(view: View) -> str:
    """The members of the first cluster, in the form of etcd's flag."""
    return first(view).initial_cluster(view.namespace)


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
