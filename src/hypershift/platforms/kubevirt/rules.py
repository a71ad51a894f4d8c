"""How platform KubeVirt changes the rules for a HostedCluster."""

from hypershift.api import annotations
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
)
from hypershift.api.values import PlatformType
from hypershift.kit import Manifest, annotations_of
from hypershift.platforms.rules import ClusterRules

#: Whether packets of the machines fit, by the cloud that their hosts are in.
_JUMBO: dict[str, str] = {
    PlatformType.AWS: ConditionStatus.TRUE,
    PlatformType.AZURE: ConditionStatus.FALSE,
}
#: What the network operator uses where the user names no subnet: not the subnets of the hosts.
_JOIN_SUBNETS = {"ipv4": "100.66.0.0/16", "ipv6": "fd99::/64"}


def _expected(cluster: Manifest) -> dict[str, str]:
    """What depends on the cloud that the machines' hosts are in."""
    spec = cluster["spec"]
    found: dict[str, str] = {}
    host = annotations_of(cluster).get(annotations.MANAGEMENT_PLATFORM, "")
    jumbo = _JUMBO.get(host)
    if jumbo and (spec.get("networking") or {}).get("networkType") == "OVNKubernetes":
        found[ControlPlaneCondition.VALID_KUBEVIRT_MTU] = jumbo
    if host == PlatformType.AWS:
        found[HostedClusterCondition.KUBEVIRT_LIVE_MIGRATABLE] = ConditionStatus.FALSE
    if (spec["platform"].get("kubevirt") or {}).get("credentials"):
        found[HostedClusterCondition.VALID_KUBEVIRT_POLICY_RBAC] = ConditionStatus.TRUE
    return found


RULES = ClusterRules(
    join_subnets=_JOIN_SUBNETS,
    reports_live_migration=True,
    expected=_expected,
    machines_are_pods=True,
)
