"""Shards: etcd clusters beside the first one, each of which keeps some kinds of objects alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypershift.api.etcd import EtcdPersistentVolume
from hypershift.api.etcd_shards import ManagedEtcdShard
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.values import EtcdManagementType, EtcdStorageType
from hypershift.component import Adapter, Asset, Component, View, always, edit
from hypershift.component.render import shape
from hypershift.controlplane.etcd.members import NAME, with_claim
from hypershift.controlplane.etcd.openshift import (
    DEFRAG_ACCOUNT,
    OPENSHIFT,
    defragmenter,
    defragments,
    listening,
    six_groups,
)
from hypershift.kit import Manifest
from hypershift.kit.quantity import added, canonical

#: From here on a shard survives the loss of a member, and its members take turns.
SEVERAL = 3
#: What a member needs beside its data, where that is in memory too.
HEADROOM = "512Mi"

#: What belongs to the first cluster; the members of shards use it as well.
SHARED = frozenset({"Role", "RoleBinding", "ServiceAccount"})


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard as the cluster asks for it, and the names that follow from its own."""

    settings: ManagedEtcdShard

    @property
    def short(self) -> str:
        return self.settings.name

    @property
    def name(self) -> str:
        return f"{NAME}-{self.short}"

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


def managed_shards(spec: HostedControlPlaneSpec) -> tuple[ManagedEtcdShard, ...]:
    """The etcd clusters of ours beside the first one."""
    etcd = spec.etcd
    ours = etcd.management_type == EtcdManagementType.MANAGED
    return etcd.managed.shards if ours and etcd.managed else ()


def shards(spec: HostedControlPlaneSpec) -> tuple[Component, ...]:
    """The components of the shards that a HostedControlPlane asks for."""
    return tuple(component(Shard(settings)) for settings in managed_shards(spec))


def component(shard: Shard) -> Component:
    """A shard: etcd's own manifests under the shard's names."""
    several = shard.replicas >= SEVERAL
    return replace(
        OPENSHIFT,
        name=shard.name,
        workload=Asset(stub=_named_set(shard), adapt=stateful_set(shard)),
        manifests=tuple(_manifests(shard)),
        management_access=several,
    )


def _manifests(shard: Shard) -> Iterator[Asset]:
    for asset in OPENSHIFT.manifests:
        found = shape(OPENSHIFT, asset)
        if found["kind"] in SHARED:
            # Only listed: deleting a shard must not delete it for the others.
            yield replace(asset, when=always, shared=True)
        elif found["kind"] != "PodDisruptionBudget":
            yield Asset(stub=_named(shard, found), adapt=asset.adapt)
        elif shard.replicas >= SEVERAL:
            yield Asset(stub=edit.put(_named(shard, found), ("spec", "minAvailable"), 1))


def _named(shard: Shard, manifest: Manifest) -> Manifest:
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


def _named_set(shard: Shard) -> Manifest:
    manifest = edit.put(
        shape(OPENSHIFT, OPENSHIFT.workload), ("spec", "serviceName"), shard.discovery
    )
    labels = {"app": shard.name}
    manifest = edit.put(manifest, ("metadata", "name"), shard.name)
    manifest = edit.put(manifest, ("spec", "selector", "matchLabels"), labels)
    return edit.change_pod(manifest, lambda pod: edit.put(pod, ("metadata", "labels"), labels))


def stateful_set(shard: Shard) -> Adapter:
    """The members of a shard; unlike those of the first cluster they keep etcd's own TLS."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        manifest = edit.put(manifest, ("spec", "replicas"), shard.replicas)
        manifest = edit.set_env(manifest, NAME, {**addresses(view, shard), **six_groups(view)})
        manifest = edit.add_args(manifest, "etcd-metrics", listening(view))
        manifest = with_own_names(shard, manifest)
        if shard.replicas >= SEVERAL and defragments(view):
            manifest = with_defragmentation(view, shard, manifest)
        return with_scheduling(shard, with_storage(view, shard, manifest))

    return adapt


def addresses(view: View, shard: Shard) -> dict[str, str]:
    """How the members are called, each by itself and all together."""
    own = f"$(HOSTNAME).{shard.discovery}.$(NAMESPACE).svc"
    members = (f"{shard.name}-{index}" for index in range(shard.replicas))
    hosts = (f"{one}=https://{one}.{shard.discovery}.{view.namespace}.svc:2380" for one in members)
    return {
        "ETCD_INITIAL_CLUSTER": ",".join(hosts),
        "ETCD_INITIAL_ADVERTISE_PEER_URLS": f"https://{own}:2380",
        "ETCD_ADVERTISE_CLIENT_URLS": f"https://{own}:2379",
    }


def with_own_names(shard: Shard, manifest: Manifest) -> Manifest:
    """Let the scripts ask the shard's Services, and mount its certificates."""
    lookup = f"exec control-plane-operator resolve-dns ${{HOSTNAME}}.{shard.discovery}"
    manifest = edit.change_container(
        manifest,
        "ensure-dns",
        lambda found: {**found, "args": ["-c", f"{lookup}.${{NAMESPACE}}.svc"]},
    )
    manifest = edit.change_container(manifest, "reset-member", lambda found: _asking(shard, found))
    secrets = {kind: f"{shard.name}-{kind}" for kind in ("peer-tls", "server-tls")}
    path = (*edit.pod_path(manifest), "spec", "volumes")
    return edit.at(manifest, path, lambda found: [_mounting(secrets, one) for one in found])


def _asking(shard: Shard, container: Manifest) -> Manifest:
    flag, script = container["args"]
    script = script.replace("//etcd-client:", f"//{shard.client}:")
    return {**container, "args": [flag, script.replace(".etcd-discovery.", f".{shard.discovery}.")]}


def _mounting(secrets: dict[str, str], volume: Manifest) -> Manifest:
    name = secrets.get(volume["name"])
    return edit.put(volume, ("secret", "secretName"), name) if name else volume


def with_defragmentation(view: View, shard: Shard, manifest: Manifest) -> Manifest:
    """Defragment the members in turn, which their own leader does."""
    lease = f"etcd-defrag-{shard.short}-leader-elect"
    container = defragmenter(view, "--leader-election-id", lease)
    path = (*edit.pod_path(manifest), "spec", "serviceAccountName")
    return edit.add_container(edit.put(manifest, path, DEFRAG_ACCOUNT), container)


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
    selector = scheduling.node_selector if scheduling else None
    if not selector:
        return manifest
    return edit.put(manifest, (*edit.pod_path(manifest), "spec", "nodeSelector"), dict(selector))
