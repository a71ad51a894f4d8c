"""The phases that keep a cluster's inside as it shall be, and tell how it is."""

import asyncio
import json
from datetime import timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.api.conditions import (
    ALL_IS_WELL,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
    unknown,
)
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import ApiError, Client, NotFound, Unavailable, kinds
from hypershift.operators.guest_config import catalog, copies
from hypershift.operators.guest_config.connect import OURS
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.operators.guest_config.version import plane_runs, version_status
from hypershift.runtime import Done, Outcome, Wait

MANAGED_LABEL = "managed.hypershift.openshift.io."
NODE_POOL = annotations.NODE_POOL
TAINTS = annotations.NODE_POOL_TAINTS
SYNCED = annotations.LABELS_SYNCED
RETRY = timedelta(seconds=5)
PROBE_EVERY = timedelta(seconds=30)
PROBE_SECONDS = 5.0
AGENT = "konnectivity-agent"
_PHASE = (("status", "phase"),)
UNREADABLE = f"failed to read {AGENT} logs from data plane"


async def apply_software(scope: GuestScope) -> Outcome:
    """Apply every object of ours; what somebody changed or deleted comes back."""
    if scope.values is None:
        return Done()
    missing = catalog.missing_images(scope.values.images, scope.values)
    if missing:
        # ValidReleaseInfo is the control plane's: two writers would wake each other for ever.
        text = f"the release lacks the images {', '.join(missing)}"
        scope.conditions.set(
            false(
                ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
                ControlPlaneReason.MISSING_IMAGES,
                text,
            )
        )
        return Done()
    failures = []
    for manifest in catalog.manifests(scope.values):
        try:
            scope.applied.append(await scope.inside.apply(manifest))
        except ApiError as error:
            failures.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
            if isinstance(error, Unavailable):
                break  # the server does not answer: each further request would wait as long
    else:
        await _drop_unwanted(scope.inside, scope.values.copied)
    kind = ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED
    if failures:
        scope.conditions.set(
            false(kind, ControlPlaneReason.RECONCILE_ERROR, "; ".join(failures)[:1000])
        )
        return Wait("ApplyFailed", after=RETRY)
    scope.conditions.set(true(kind))
    return Done()


async def _drop_unwanted(guest: Client, copied: copies.Copied) -> None:
    """Delete the copies whose original is gone."""
    for resource, name in copies.unwanted(copied):
        ours = await guest.list(resource, copies.NAMESPACE, labels=OURS)
        for found in ours:
            if found["metadata"]["name"] == name:
                await copies.drop(guest, resource, found)


async def sync_nodes(scope: GuestScope) -> Outcome:
    """Give each new node the labels and taints of its pool, once."""
    fresh = [node for node in scope.nodes if annotations_of(node).get(SYNCED) != "true"]
    if not fresh:
        return Done()
    machines = await scope.kube.list(kinds.MACHINE, scope.namespace)
    by_node = {
        ((one.get("status") or {}).get("nodeRef") or {}).get("name"): one for one in machines
    }
    unknown = False
    for node in fresh:
        machine = by_node.get(node["metadata"]["name"])
        if machine is None:
            unknown = True
            continue
        try:
            await _sync(scope.inside, node, machine)
        except NotFound:
            continue
    return Wait("NodeWithoutMachine", after=RETRY) if unknown and machines else Done()


async def _sync(guest: Client, node: Manifest, machine: Manifest) -> None:
    patch: dict[str, Any] = {
        "metadata": {
            "labels": node_labels(machine),
            "annotations": {SYNCED: "true"},
            "resourceVersion": node["metadata"]["resourceVersion"],
        }
    }
    if taints := json.loads(annotations_of(machine).get(TAINTS, "[]")):
        patch["spec"] = {"taints": merged_taints(node, taints)}
    await guest.patch(kinds.NODE, node["metadata"]["name"], patch)


def node_labels(machine: Manifest) -> dict[str, str]:
    """The labels that a Machine carries for its node, and the name of its pool."""
    labels = {
        name.removeprefix(MANAGED_LABEL): value
        for name, value in labels_of(machine).items()
        if name.startswith(MANAGED_LABEL)
    }
    pool = annotations_of(machine).get(NODE_POOL, "").partition("/")[2]
    return labels | ({NODE_POOL: pool} if pool else {})


def merged_taints(node: Manifest, taints: list[Manifest]) -> list[Manifest]:
    """The node's own taints, and those of its pool that it lacks."""
    known = (node.get("spec") or {}).get("taints") or []
    have = {(one["key"], one["effect"]) for one in known}
    return [*known, *(one for one in taints if (one["key"], one["effect"]) not in have)]


async def count_nodes(scope: GuestScope) -> Outcome:
    """Tell how many nodes there are."""
    scope.status["nodeCount"] = len(scope.nodes)
    return Done()


async def probe_tunnel(scope: GuestScope) -> Outcome:
    """Tell whether the control plane reaches the nodes: read a log through the tunnel."""
    kind = ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE
    if not scope.nodes:
        scope.conditions.set(
            unknown(kind, ControlPlaneReason.NO_WORKER_NODES, "No worker nodes available")
        )
        return Done()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            why = await _tunnel_problem(scope.inside)
    except TimeoutError:
        why = f"{UNREADABLE}: no answer within {PROBE_SECONDS:g} s"
    except ApiError as error:
        why = f"{UNREADABLE}: {cause(error)}"
    if why:
        # The original has one reason for both: no agent that runs, and none that answers.
        scope.conditions.set(
            false(kind, ControlPlaneReason.KONNECTIVITY_PODS_NOT_FOUND, why[:1000])
        )
        return Wait("TunnelDown", after=RETRY)
    scope.conditions.set(true(kind, ALL_IS_WELL))
    return Wait("ProbeAgain", after=PROBE_EVERY)


async def _tunnel_problem(guest: Client) -> str:
    pods = await guest.list(kinds.POD, catalog.SYSTEM, labels=f"app={AGENT}", only=_PHASE)
    running = [pod for pod in pods if (pod.get("status") or {}).get("phase") == "Running"]
    if not running:
        return f"Couldn't find any {AGENT} running in data plane"
    problem = ""
    for pod in running[:3]:
        try:
            await guest.logs(pod["metadata"]["name"], catalog.SYSTEM, tail=1, most=1024)
        except ApiError as error:
            problem = f"{UNREADABLE}: {pod['metadata']['name']}: {cause(error)}"
        else:
            return ""
    return problem


def cause(error: ApiError) -> str:
    """What went wrong, without the address that was asked."""
    return str(error).rpartition('": ')[2]


async def report_version(scope: GuestScope) -> Outcome:
    """Tell which release the cluster runs: complete when control plane and software run it."""
    if scope.release is None or scope.plane is None:
        return Done()
    scope.status["versionStatus"] = version_status(
        scope.status.get("versionStatus"),
        scope.wanted.release_image,
        scope.release.version,
        scope.hosted.metadata.generation or 1,
        scope.clock.now(),
        complete=plane_runs(scope.plane, scope.hosted)
        and software_complete(scope.applied, len(scope.nodes)),
    )
    return Done()


def software_complete(applied: list[Manifest], nodes: int) -> bool:
    """Whether the pods of every add-on are those of the applied version."""
    return bool(applied) and all(
        _daemon_set_complete(one) if one["kind"] == "DaemonSet" else _deployed(one) or not nodes
        for one in applied
        if one["kind"] in catalog.WORKLOADS
    )


def _daemon_set_complete(manifest: Manifest) -> bool:
    status = manifest.get("status") or {}
    wanted = status.get("desiredNumberScheduled", 0)
    return bool(
        status.get("observedGeneration", 0) >= manifest["metadata"].get("generation", 0)
        and status.get("updatedNumberScheduled", 0) == wanted
        and status.get("numberAvailable", 0) == wanted
    )


def _deployed(manifest: Manifest) -> bool:
    status, wanted = manifest.get("status") or {}, manifest["spec"].get("replicas", 1)
    return bool(
        status.get("observedGeneration", 0) >= manifest["metadata"].get("generation", 0)
        and status.get("updatedReplicas", 0) == wanted
        and status.get("availableReplicas", 0) == wanted
    )
