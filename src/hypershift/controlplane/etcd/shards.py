"""Shards: etcd clusters beside the first one, each of which keeps some kinds of objects alone."""

from dataclasses import dataclass

from hypershift.api import encode
from hypershift.api.etcd import EtcdPersistentVolume
from hypershift.api.etcd_shards import ManagedEtcdShard
from hypershift.api.values import EtcdStorageType
from hypershift.component import View, edit, etcd_shards
from hypershift.controlplane.etcd.members import NAME, Group, first, managed, with_claim
from hypershift.kit import Manifest
from hypershift.kit.quantity import added, canonical

#: From here on a shard survives the loss of a member, and its members take turns.
SEVERAL = 3
#: What a member needs beside its data, where that is in memory too.
HEADROOM = "512Mi"


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard as the cluster asks for it, and the names that follow from its own."""

    settings: ManagedEtcdShard

    @property
    def short(self) -> str:
        return self.settings.name

    @property
    def name(self) -> str:
        return etcd_shards.workload_of(self.settings)

    @property
    def client(self) -> str:
        """The Service that clients ask."""
        return f"etcd-client-{self.short}"

    @property
    def discovery(self) -> str:
        """The Service by which members find each other."""
        return f"etcd-discovery-{self.short}"

    @property
    def replicas(self) -> int:
        return self.settings.replicas

    @property
    def group(self) -> Group:
        """The members."""
        return Group(self.name, self.discovery, self.replicas)


def groups(view: View) -> tuple[Group, ...]:
    """The etcd clusters that this operator looks after; OpenShift's shards do so themselves."""
    if not managed(view):
        return ()
    apart = () if view.openshift else etcd_shards.managed_shards(view.spec)
    return (first(view), *(Shard(settings).group for settings in apart))


def named(shard: Shard, manifest: Manifest) -> Manifest:
    """A Service, a budget or a monitor of etcd's as one of the shard's."""
    services = {"etcd-client": shard.client, "etcd-discovery": shard.discovery}
    name = manifest["metadata"]["name"]
    manifest = edit.put(manifest, ("metadata", "name"), services.get(name, shard.name))
    if manifest["metadata"].get("labels"):
        manifest = edit.label(manifest, {"app": shard.name})
    if manifest["kind"] == "Service":
        return edit.put(manifest, ("spec", "selector"), {"app": shard.name})
    if manifest["kind"] == "ServiceMonitor":
        path = ("tlsConfig", "serverName")
        endpoints = [edit.put(one, path, shard.client) for one in manifest["spec"]["endpoints"]]
        manifest = edit.put(manifest, ("spec", "endpoints"), endpoints)
    return edit.put(manifest, ("spec", "selector", "matchLabels"), {"app": shard.name})


def with_storage(view: View, shard: Shard, manifest: Manifest) -> Manifest:
    """Give the members volumes like those of the first cluster, or memory."""
    managed = view.spec.etcd.managed
    volume = managed.storage.persistent_volume if managed else None
    own = shard.settings.storage
    if own and own.type == EtcdStorageType.EMPTY_DIR:
        size = (volume.size if volume else None) or EtcdPersistentVolume().size
        return _in_memory(canonical(str(size)), manifest)
    chosen = own.persistent_volume.storage_class_name if own and own.persistent_volume else None
    if volume is None:
        return with_claim(manifest, "", chosen)
    return with_claim(manifest, volume.size, chosen or volume.storage_class_name)


def _in_memory(size: str, manifest: Manifest) -> Manifest:
    """The data counts as the container's memory, so its limit has room for both."""
    memory = {"name": "data", "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    manifest = edit.add_volumes(edit.drop(manifest, ("spec", "volumeClaimTemplates")), memory)
    limit = added(size, HEADROOM)
    return edit.change_container(
        manifest, NAME, lambda found: edit.put(found, ("resources", "limits", "memory"), limit)
    )


def with_scheduling(shard: Shard, manifest: Manifest) -> Manifest:
    """Run the shard where it asks to; a selector of the whole cluster comes before it."""
    scheduling = shard.settings.scheduling
    if scheduling is None:
        return manifest
    path = (*edit.pod_path(manifest), "spec")
    if scheduling.node_selector:
        manifest = edit.put(manifest, (*path, "nodeSelector"), dict(scheduling.node_selector))
    if scheduling.tolerations:
        manifest = edit.put(manifest, (*path, "tolerations"), encode(scheduling.tolerations))
    return manifest
