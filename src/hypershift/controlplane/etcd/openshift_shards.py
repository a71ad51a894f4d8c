"""Shards of OpenShift's etcd: its own manifests under the names of the shard."""

from collections.abc import Iterator
from dataclasses import replace

from hypershift.component import Adapter, Asset, Component, View, always, edit
from hypershift.component.render import constant_object
from hypershift.controlplane.etcd.members import NAME
from hypershift.controlplane.etcd.openshift import (
    DEFRAG_ACCOUNT,
    OPENSHIFT,
    defragmenter,
    defragments,
    listening,
    six_groups,
)
from hypershift.controlplane.etcd.shards import (
    SEVERAL,
    Shard,
    named,
    with_scheduling,
    with_storage,
)
from hypershift.kit import Manifest

#: What belongs to the first cluster; the members of shards use it as well.
SHARED = frozenset({"Role", "RoleBinding", "ServiceAccount"})


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
        found = constant_object(OPENSHIFT, asset)
        if found["kind"] in SHARED:
            # Only listed: deleting a shard must not delete it for the others.
            yield replace(asset, when=always, shared=True)
        elif found["kind"] != "PodDisruptionBudget":
            yield Asset(stub=named(shard, found), adapt=asset.adapt)
        elif shard.replicas >= SEVERAL:
            yield Asset(stub=edit.put(named(shard, found), ("spec", "minAvailable"), 1))


def _named_set(shard: Shard) -> Manifest:
    manifest = edit.put(
        constant_object(OPENSHIFT, OPENSHIFT.workload), ("spec", "serviceName"), shard.discovery
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
