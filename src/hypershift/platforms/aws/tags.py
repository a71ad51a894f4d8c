"""Tags of a pool's AWS resources: whose value counts when cluster and pool both have one."""

from hypershift.api.conditions import Condition, NodePoolConditionType, NodePoolReason, false, true
from hypershift.api.platforms.aws import AWSClusterTag
from hypershift.platforms.machines import PoolFacts, uses_spot

CONFLICT = NodePoolConditionType.AWS_TAG_CONFLICT


def of_machines(facts: PoolFacts) -> dict[str, str]:
    """The cluster's tags, the pool's where the cluster allows it, and who owns the machine."""
    cluster = _of_cluster(facts)
    tags = {key: one.value for key, one in cluster.items()}
    tags |= {
        key: value
        for key, value in _of_pool(facts).items()
        if key not in cluster or _may_override(cluster[key])
    }
    tags.setdefault(f"kubernetes.io/cluster/{facts.infra_id}", "owned")
    if uses_spot(facts.wanted):
        tags["aws-node-termination-handler/managed"] = ""
    return tags


def _of_cluster(facts: PoolFacts) -> dict[str, AWSClusterTag]:
    section = facts.cluster.spec.platform.aws
    return {one.key: one for one in section.resource_tags} if section else {}


def _of_pool(facts: PoolFacts) -> dict[str, str]:
    section = facts.wanted.spec.platform.aws
    return {one.key: one.value for one in section.resource_tags} if section else {}


def _may_override(tag: AWSClusterTag) -> bool:
    return tag.override_policy == "Allow"


def conflict(facts: PoolFacts) -> Condition:
    """Say which tags of the pool the cluster's outweigh."""
    blocked, overridden = _differing(facts)
    if blocked:
        message = (
            f"AWS resource tag conflicts detected for keys {', '.join(blocked)}; "
            "HostedCluster values preserved (override not allowed)"
        )
        if overridden:
            message += f"; overrides applied for keys {', '.join(overridden)} "
            message += "(allowed by HostedCluster)"
        return true(CONFLICT, message, NodePoolReason.TAG_CONFLICT)
    message = "No AWS resource tag conflicts detected"
    if overridden:
        message = (
            f"AWS resource tag overrides applied for keys {', '.join(overridden)}; "
            "NodePool values used (allowed by HostedCluster)"
        )
    return false(CONFLICT, NodePoolReason.NO_TAG_CONFLICT, message)


def _differing(facts: PoolFacts) -> tuple[list[str], list[str]]:
    cluster, pool = _of_cluster(facts), _of_pool(facts)
    both = sorted(
        key for key, value in pool.items() if key in cluster and cluster[key].value != value
    )
    blocked = [key for key in both if not _may_override(cluster[key])]
    return blocked, [key for key in both if key not in blocked]
