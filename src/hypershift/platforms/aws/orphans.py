"""Instances that no controller can delete any more: AWS does not trust the cluster's tokens."""

from datetime import datetime, timedelta

from hypershift.api import HostedCluster
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
)
from hypershift.kit import Manifest, from_rfc3339
from hypershift.platforms.aws.machine_template import MACHINE
from hypershift.platforms.cluster import Orphans

TRUST = (HostedClusterCondition.VALID_OIDC, ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER)
#: How long a machine waits for tokens that AWS may or may not trust.
PATIENCE = timedelta(minutes=10)


def trusted(cluster: HostedCluster) -> ConditionStatus:
    """Whether AWS trusts the cluster's tokens: False if one condition is, True if both are."""
    known = {each.type: each.status for each in cluster.status.conditions}
    found = [known.get(kind, ConditionStatus.UNKNOWN) for kind in TRUST]
    if ConditionStatus.FALSE in found:
        return ConditionStatus.FALSE
    sure = all(each == ConditionStatus.TRUE for each in found)
    return ConditionStatus.TRUE if sure else ConditionStatus.UNKNOWN


def is_abandoned(cluster: HostedCluster, machine: Manifest, now: datetime) -> bool:
    """True if an instance is left to the command that removes the cluster's infrastructure."""
    match trusted(cluster):
        case ConditionStatus.TRUE:
            return False
        case ConditionStatus.FALSE:
            return True
        case _:
            return now - from_rfc3339(machine["metadata"]["deletionTimestamp"]) > PATIENCE


ORPHANS = Orphans(MACHINE, is_abandoned)
