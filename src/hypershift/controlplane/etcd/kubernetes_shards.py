"""Shards of a hosted Kubernetes' etcd: the first cluster's manifests under the shard's names.

A shard's peers are told from those of other clusters by the name in their certificates, and its
clients ask every member by name, as they do with the first cluster.
"""

from collections.abc import Iterator
from dataclasses import replace

from hypershift.component import Adapter, Asset, Component, View, edit, etcd_shards
from hypershift.component.render import constant_object
from hypershift.controlplane.etcd.kubernetes import (
    EXISTING,
    KUBERNETES,
    STATE,
    flags,
    with_hand_over,
)
from hypershift.controlplane.etcd.members import NAME, managed
from hypershift.controlplane.etcd.shards import (
    SEVERAL,
    Shard,
    named,
    with_scheduling,
    with_storage,
)
from hypershift.kit import Manifest

TOKEN = "--initial-cluster-token"  # noqa: S105 - a flag


def component(shard: Shard) -> Component:
    """A shard: etcd's own manifests under the shard's names."""
    secrets = frozenset(f"Secret/{shard.name}-{kind}" for kind in ("server-tls", "peer-tls"))
    return replace(
        KUBERNETES,
        name=shard.name,
        workload=Asset(stub=_named_set(shard), adapt=stateful_set(shard)),
        manifests=tuple(_manifests(shard)),
        when=lambda view: managed(view) and etcd_shards.is_active(view, shard.settings),
        reads=(*sorted(secrets), "ConfigMap/etcd-ca"),
        reloads=secrets,
    )


def bootstrap_name(shard: Shard) -> str:
    """The ConfigMap that says whether the members create the cluster or join it."""
    return f"{shard.name}-bootstrap"


def _manifests(shard: Shard) -> Iterator[Asset]:
    for asset in KUBERNETES.manifests:
        found = constant_object(KUBERNETES, asset)
        match found["kind"]:
            case "ServiceAccount":  # the first cluster's members have it too, and theirs it is
                yield replace(asset, shared=True)
            case "ConfigMap":
                stub = edit.put(found, ("metadata", "name"), bootstrap_name(shard))
                yield Asset(stub=stub, adapt=bootstrap(shard))
            case "PodDisruptionBudget":
                yield Asset(stub=_budget(shard, named(shard, found)))
            case _:
                yield Asset(stub=named(shard, found), adapt=asset.adapt)


def _budget(shard: Shard, manifest: Manifest) -> Manifest:
    """As the first cluster's, by the number of the shard's own members."""
    manifest = edit.put(manifest, ("spec", "unhealthyPodEvictionPolicy"), "AlwaysAllow")
    limit = "maxUnavailable" if shard.replicas >= SEVERAL else "minAvailable"
    return edit.put(manifest, ("spec", limit), 1)


def _named_set(shard: Shard) -> Manifest:
    manifest = edit.put(
        constant_object(KUBERNETES, KUBERNETES.workload), ("spec", "serviceName"), shard.discovery
    )
    labels = {"app": shard.name}
    manifest = edit.put(manifest, ("metadata", "name"), shard.name)
    manifest = edit.put(manifest, ("spec", "selector", "matchLabels"), labels)
    manifest = edit.change_pod(manifest, lambda pod: edit.put(pod, ("metadata", "labels"), labels))
    secrets = {kind: f"{shard.name}-{kind}" for kind in ("peer-tls", "server-tls")}
    path = (*edit.pod_path(manifest), "spec", "volumes")
    manifest = edit.at(manifest, path, lambda found: [_mounting(secrets, one) for one in found])
    return edit.change_container(manifest, NAME, lambda found: _called(shard, found))


def _mounting(secrets: dict[str, str], volume: Manifest) -> Manifest:
    name = secrets.get(volume["name"])
    return edit.put(volume, ("secret", "secretName"), name) if name else volume


def _called(shard: Shard, container: Manifest) -> Manifest:
    """The container with the shard's names in its flags and in where it reads its state."""
    others = {
        f"{TOKEN}=$(NAMESPACE)": f"{TOKEN}=$(NAMESPACE)-{shard.short}",
        "--peer-cert-allowed-cn=etcd-discovery": f"--peer-cert-allowed-cn={shard.discovery}",
    }
    args = [
        others.get(arg, arg.replace(".etcd-discovery.", f".{shard.discovery}."))
        for arg in container["args"]
    ]
    env = [
        edit.put(one, ("valueFrom", "configMapKeyRef", "name"), bootstrap_name(shard))
        if "configMapKeyRef" in one["valueFrom"]
        else one
        for one in container["env"]
    ]
    return {**container, "args": args, "env": env}


def stateful_set(shard: Shard) -> Adapter:
    """The members of a shard; restoring a snapshot is the first cluster's alone."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        manifest = edit.put(manifest, ("spec", "replicas"), shard.replicas)
        manifest = edit.add_args(manifest, NAME, flags(view, shard.group))
        manifest = with_hand_over(shard.group, manifest)
        return with_scheduling(shard, with_storage(view, shard, manifest))

    return adapt


def bootstrap(shard: Shard) -> Adapter:
    """The members create the cluster once; one that starts empty afterwards joins it."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        live = view.find("StatefulSet", shard.name) or {}
        ready = (live.get("status") or {}).get("readyReplicas") or 0
        is_made = view.text(bootstrap_name(shard), STATE) == EXISTING
        if is_made or ready > shard.replicas // 2:
            return edit.set_data(manifest, {STATE: EXISTING})
        return manifest

    return adapt
