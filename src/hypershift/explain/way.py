"""The walk itself: HostedCluster, control plane, components, pods; NodePool, machines, nodes."""

from collections.abc import Iterator

from hypershift.api.conditions import (
    ComponentCondition,
    ConditionStatus,
    ConditionType,
    ControlPlaneCondition,
    ControlPlaneReason,
    HostedClusterCondition,
    LocalMachineCondition,
    MachineCondition,
    NodeCondition,
    NodePoolConditionType,
    PodCondition,
    fails,
)
from hypershift.explain.finding import Station, ref
from hypershift.explain.picture import Picture, condition, holds, message_of, of_pool
from hypershift.kit import Manifest
from hypershift.kube import kinds


def cluster_way(picture: Picture) -> Iterator[Station]:
    """What lies between the cluster and its pods; of the pods those that are not well."""
    yield _station(picture.cluster, HostedClusterCondition.AVAILABLE)
    replaced = condition(picture.cluster, ControlPlaneCondition.AUTHORITIES_ROTATED)
    refused = replaced.get("reason") == ControlPlaneReason.AUTHORITY_ROTATION_REFUSED
    if fails(replaced) and not refused:
        says = f"replaces authorities ({replaced.get('reason', '')}): {message_of(replaced)}"
        yield Station(ref(picture.cluster), well=True, says=says)
    for control_plane in picture.of(kinds.HOSTED_CONTROL_PLANE):
        yield _station(control_plane, ControlPlaneCondition.AVAILABLE)
    for component in picture.of(kinds.CONTROL_PLANE_COMPONENT):
        yield _station(component, ComponentCondition.AVAILABLE)
    for pod in picture.of(kinds.POD):
        done = (pod.get("status") or {}).get("phase") == "Succeeded"
        if not done and not holds(pod, PodCondition.READY):
            yield Station(ref(pod), well=False, says=_pod(pod))


def pool_way(picture: Picture, pool: Manifest) -> Iterator[Station]:
    """What lies between the pool and its nodes."""
    yield _station(pool, NodePoolConditionType.READY)
    nodes = {each["metadata"]["name"]: each for each in picture.in_guest(kinds.NODE)}
    for machine in of_pool(picture.of(kinds.MACHINE), pool):
        yield _station(machine, MachineCondition.READY)
        name = (machine["spec"].get("infrastructureRef") or {}).get("name", "")
        if local := picture.named(kinds.LOCAL_MACHINE, name):
            yield _station(local, LocalMachineCondition.READY)
        joined = ((machine.get("status") or {}).get("nodeRef") or {}).get("name", "")
        if joined in nodes:
            yield _station(nodes[joined], NodeCondition.READY)


def _station(manifest: Manifest, kind: ConditionType) -> Station:
    found = condition(manifest, kind)
    if found.get("status") == ConditionStatus.TRUE:
        return Station(ref(manifest), well=True, says=kind)
    text = message_of(found) if found else "no status yet"
    return Station(ref(manifest), well=False, says=f"not {kind}: {text}")


def _pod(pod: Manifest) -> str:
    status = pod.get("status") or {}
    for each in status.get("containerStatuses") or ():
        waiting = (each.get("state") or {}).get("waiting") or {}
        if waiting.get("reason"):
            return f"container {each['name']}: {waiting['reason']}"
    found = condition(pod, PodCondition.SCHEDULED)
    if found.get("status") == ConditionStatus.FALSE:
        return f"not scheduled: {message_of(found)}"
    return f"phase {status.get('phase', 'unknown')}, not ready"
