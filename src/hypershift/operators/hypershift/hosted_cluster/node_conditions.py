"""A HostedCluster's conditions about its nodes: who makes them, and whether they can move."""

from collections.abc import Iterable

from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.conditions import AS_EXPECTED, Verdict
from hypershift.runtime import condition_of

#: What makes nodes where Karpenter does.
KARPENTER = ("karpenter", "karpenter-operator")


def auto_node(spec: Manifest, components: Iterable[Manifest], running: list[str]) -> Verdict:
    """Whether Karpenter makes nodes; `running` are those of its Deployments that are there."""
    kind, moving = "AutoNodeEnabled", "AutoNodeProgressing"
    if not uses_karpenter(spec):
        if not running:
            text = "AutoNode provisioner is not configured"
            return Verdict(kind, "False", "AutoNodeNotConfigured", text)
        start = "AutoNode is being disabled: waiting for deployments to be removed"
        return Verdict(kind, "False", moving, f"{start}: {', '.join(running)}")
    ours = [one for one in components if one["metadata"]["name"] in KARPENTER]
    if len(ours) < len(KARPENTER):
        text = "AutoNode is being enabled: waiting for components to be created"
        return Verdict(kind, "False", moving, text)
    waits = [text for one in ours if (text := _rolls_out(one))]
    if waits:
        return Verdict(kind, "False", moving, f"AutoNode is being enabled: {'; '.join(waits)}")
    return Verdict(kind, "True", AS_EXPECTED, "AutoNode is ready")


def uses_karpenter(spec: Manifest) -> bool:
    """Whether the cluster asks for nodes that nobody counts."""
    provisioner = (spec.get("autoNode") or {}).get("provisionerConfig") or {}
    on_aws = (provisioner.get("karpenter") or {}).get("platform") == "AWS"
    return provisioner.get("name") == "Karpenter" and on_aws


def _rolls_out(component: Manifest) -> str:
    found = condition_of(component, "RolloutComplete")
    if found and found["status"] == "True":
        return ""
    said = found.get("message", "") if found else "not rolled out"
    return f"{component['metadata']['name']}: {said}"


def live_migratable(pools: Iterable[Manifest]) -> Verdict:
    """Whether all virtual machines of a cluster can move while they run."""
    kind = "KubeVirtNodesLiveMigratable"
    stuck = [
        str(pool["metadata"]["name"])
        for pool in pools
        if (found := condition_of(pool, kind)) and found["status"] == "False"
    ]
    if not stuck:
        return Verdict(kind, "True", AS_EXPECTED, "All is well")
    text = (
        "Non-live-migratable node(s) have been found on the following NodePool(s) attached to this "
        f"Hosted Cluster: {', '.join(stuck)}. It is recommended to use live-migratable nodes in "
        "order to improve cluster stability and downtime. Check the reason for the "
        "non-live-migratability in the corresponding NodePool(s)."
    )
    return Verdict(kind, "False", "KubeVirtNodesNotLiveMigratable", text)
