"""A HostedCluster's conditions about its nodes: who makes them, and whether they can move."""

from collections.abc import Iterable

from hypershift.api.conditions import (
    ALL_IS_WELL,
    ComponentCondition,
    Condition,
    HostedClusterCondition,
    HostedClusterReason,
    NodePoolConditionType,
    fails,
    false,
    holds,
    true,
)
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.platforms import PLATFORMS
from hypershift.runtime import condition_of

#: What a pool reports about its own machines.
MOVABLE = NodePoolConditionType.KUBEVIRT_LIVE_MIGRATABLE
#: What makes nodes where Karpenter does.
KARPENTER = ("karpenter", "karpenter-operator")


def auto_node(
    spec: HostedClusterSpec, components: Iterable[Manifest], running: list[str]
) -> Condition:
    """Whether Karpenter makes nodes; `running` are those of its Deployments that are there."""
    kind = HostedClusterCondition.AUTO_NODE_ENABLED
    moving = HostedClusterReason.AUTO_NODE_PROGRESSING
    if not uses_karpenter(spec):
        if not running:
            text = "AutoNode provisioner is not configured"
            return false(kind, HostedClusterReason.AUTO_NODE_NOT_CONFIGURED, text)
        start = "AutoNode is being disabled: waiting for deployments to be removed"
        return false(kind, moving, f"{start}: {', '.join(running)}")
    ours = [one for one in components if one["metadata"]["name"] in KARPENTER]
    if len(ours) < len(KARPENTER):
        text = "AutoNode is being enabled: waiting for components to be created"
        return false(kind, moving, text)
    waits = [text for one in ours if (text := _rolls_out(one))]
    if waits:
        return false(kind, moving, f"AutoNode is being enabled: {'; '.join(waits)}")
    return true(kind, "AutoNode is ready")


def uses_karpenter(spec: HostedClusterSpec) -> bool:
    """Whether Karpenter makes nodes of the cluster, outside of any pool."""
    provisioner = spec.auto_node.provisioner_config if spec.auto_node else None
    if provisioner is None or provisioner.name != "Karpenter" or provisioner.karpenter is None:
        return False
    cloud = PLATFORMS.get(provisioner.karpenter.platform)
    return cloud is not None and cloud.traits.makes_nodes_on_demand


def _rolls_out(component: Manifest) -> str:
    found = condition_of(component, ComponentCondition.ROLLOUT_COMPLETE)
    if holds(found):
        return ""
    said = found.get("message", "") if found else "not rolled out"
    return f"{component['metadata']['name']}: {said}"


def live_migratable(pools: Iterable[Manifest]) -> Condition:
    """Whether all virtual machines of a cluster can move while they run."""
    kind = HostedClusterCondition.KUBEVIRT_LIVE_MIGRATABLE
    stuck = [
        str(pool["metadata"]["name"])
        for pool in pools
        if (found := condition_of(pool, MOVABLE)) and fails(found)
    ]
    if not stuck:
        return true(kind, ALL_IS_WELL)
    text = (
        "Non-live-migratable node(s) have been found on the following NodePool(s) attached to this "
        f"Hosted Cluster: {', '.join(stuck)}. It is recommended to use live-migratable nodes in "
        "order to improve cluster stability and downtime. Check the reason for the "
        "non-live-migratability in the corresponding NodePool(s)."
    )
    return false(kind, HostedClusterReason.KUBEVIRT_NOT_LIVE_MIGRATABLE, text)
