"""The members of a cluster: their names, addresses and disks, whatever the product."""

from hypershift.component import View, edit
from hypershift.kit import Manifest

NAME = "etcd"
REPLICAS = 3


def managed(view: View) -> bool:
    """Whether etcd is ours; an unmanaged one is the user's."""
    return bool(view.spec.get("etcd", {}).get("managementType", "Managed") == "Managed")


def count(view: View) -> int:
    """How many members the availability policy asks for."""
    return 1 if view.single_replica else REPLICAS


def member_host(view: View, index: int) -> str:
    """The name by which a member is reached."""
    return f"{NAME}-{index}.etcd-discovery.{view.namespace}.svc"


def initial_cluster(view: View) -> str:
    """Every member and its peer address, as etcd wants to be told."""
    members = (f"{NAME}-{i}=https://{member_host(view, i)}:2380" for i in range(count(view)))
    return ",".join(members)


def storage(view: View) -> Manifest:
    """The persistent volume that the cluster asks for; empty when it asks for nothing."""
    wanted = (view.spec.get("etcd", {}).get("managed") or {}).get("storage") or {}
    persistent = wanted.get("type") == "PersistentVolume"
    volume: Manifest = wanted.get("persistentVolume") or {} if persistent else {}
    return volume


def with_storage(view: View, manifest: Manifest) -> Manifest:
    """Give the members' claims the size and class that the cluster asks for."""
    volume = storage(view)
    claim = manifest["spec"]["volumeClaimTemplates"][0]
    if size := volume.get("size"):
        claim = edit.put(claim, ("spec", "resources", "requests", "storage"), size)
    if name := volume.get("storageClassName"):
        claim = edit.put(claim, ("spec", "storageClassName"), name)
    return edit.put(manifest, ("spec", "volumeClaimTemplates"), [claim])
