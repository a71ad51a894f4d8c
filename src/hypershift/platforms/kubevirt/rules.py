"""How platform KubeVirt changes the rules for a HostedCluster."""

from hypershift.api import HostedCluster, annotations
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
)
from hypershift.api.values import PlatformType
from hypershift.platforms.rules import ClusterRules

#: Whether packets of the machines fit, by the cloud that their hosts are in.
_JUMBO: dict[str, str] = {
    PlatformType.AWS: ConditionStatus.TRUE,
    PlatformType.AZURE: ConditionStatus.FALSE,
}
#: What the network operator uses where the user names no subnet: not the subnets of the hosts.
_JOIN_SUBNETS = {"ipv4": "100.66.0.0/16", "ipv6": "fd99::/64"}


def _expected(cluster: HostedCluster) -> dict[str, str]:
    """What depends on the cloud that the machines' hosts are in."""
    found: dict[str, str] = {}
    host = (cluster.metadata.annotations or {}).get(annotations.MANAGEMENT_PLATFORM, "")
    jumbo = _JUMBO.get(host)
    if jumbo and cluster.spec.networking.network_type == "OVNKubernetes":
        found[ControlPlaneCondition.VALID_KUBEVIRT_MTU] = jumbo
    if host == PlatformType.AWS:
        found[HostedClusterCondition.KUBEVIRT_LIVE_MIGRATABLE] = ConditionStatus.FALSE
    section = cluster.spec.platform.kubevirt
    if section and section.credentials:
        found[HostedClusterCondition.VALID_KUBEVIRT_POLICY_RBAC] = ConditionStatus.TRUE
    return found


RULES = ClusterRules(
    join_subnets=_JOIN_SUBNETS,
    reports_live_migration=True,
    expected=_expected,
    machines_are_pods=True,
)
