"""Tags of Karpenter's machines: whose value counts, and which no user may set."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from hypershift.api.conditions import Condition, NodePoolConditionType, NodePoolReason, false, true
from hypershift.api.platforms.aws import AWSClusterTag

CONFLICT: Final = NodePoolConditionType.AWS_TAG_CONFLICT
_OVERRIDABLE: Final = "Allow"
#: Keys that Karpenter keeps for itself; it refuses a class that sets one.
_RESTRICTED: Final = re.compile(
    r"^(kubernetes\.io/cluster/[0-9A-Za-z][A-Za-z0-9\-_]*"
    r"|karpenter\.sh/nodepool|karpenter\.sh/nodeclaim|karpenter\.k8s\.aws/ec2nodeclass"
    r"|eks:eks-cluster-name)$"
)


def merged(ours: Iterable[AWSClusterTag], theirs: Mapping[str, str] | None) -> dict[str, str]:
    """The cluster's tags, and the class's where the cluster has none or allows another value."""
    cluster = {tag.key: tag for tag in ours}
    tags = {key: tag.value for key, tag in cluster.items()} | {
        key: value
        for key, value in (theirs or {}).items()
        if key not in cluster or cluster[key].override_policy == _OVERRIDABLE
    }
    return {key: value for key, value in tags.items() if not _RESTRICTED.fullmatch(key)}


def conflict(ours: Iterable[AWSClusterTag], theirs: Mapping[str, str] | None) -> Condition | None:
    """Say whether tags of the cluster outweigh those of the class; None where one has no tags."""
    cluster = {tag.key: tag for tag in ours}
    if not cluster or not theirs:
        return None
    differing = [
        cluster[key]
        for key, value in theirs.items()
        if key in cluster and cluster[key].value != value
    ]
    overridden = sum(tag.override_policy == _OVERRIDABLE for tag in differing)
    blocked = len(differing) - overridden
    if not blocked:
        text = "No AWS resource tag conflicts detected"
        if overridden:
            text = (
                f"{overridden} AWS resource tag override(s) applied; "
                "nodeclass values used (allowed by HostedCluster)"
            )
        return false(CONFLICT, NodePoolReason.NO_TAG_CONFLICT, text)
    text = (
        f"{blocked} AWS resource tag conflict(s) detected; "
        "HostedCluster values preserved (override not allowed)"
    )
    if overridden:
        text += f"; {overridden} override(s) applied (allowed by HostedCluster)"
    return true(CONFLICT, text, NodePoolReason.TAG_CONFLICT)
