"""How the conditions of a cluster and of a pool are when all is well."""

from hypershift.api import HostedCluster, NodePool
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
    NodePoolConditionType,
)
from hypershift.api.publishing import hostname, is_public
from hypershift.api.values import EtcdManagementType, ServiceType
from hypershift.platforms import platform_of

_TRUE = (
    HostedClusterCondition.AVAILABLE,
    ControlPlaneCondition.INFRASTRUCTURE_READY,
    ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE,
    HostedClusterCondition.IGNITION_ENDPOINT_AVAILABLE,
    ControlPlaneCondition.ETCD_AVAILABLE,
    ControlPlaneCondition.VALID_RELEASE_INFO,
    HostedClusterCondition.VALID_CONFIGURATION,
    HostedClusterCondition.SUPPORTED,
    HostedClusterCondition.CLUSTER_VERSION_SUCCEEDING,
    ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
    ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    HostedClusterCondition.RECONCILIATION_ACTIVE,
    HostedClusterCondition.RECONCILIATION_SUCCEEDED,
    ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
    ControlPlaneCondition.VALID_CONFIGURATION,
    HostedClusterCondition.VALID_RELEASE_IMAGE,
    HostedClusterCondition.PLATFORM_CREDENTIALS_FOUND,
    ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE,
)
_FALSE = (
    HostedClusterCondition.PROGRESSING,
    HostedClusterCondition.DEGRADED,
    ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
)

_POOL_TRUE = (
    NodePoolConditionType.READY,
    NodePoolConditionType.VALID_RELEASE_IMAGE,
    NodePoolConditionType.VALID_GENERATED_PAYLOAD,
    NodePoolConditionType.VALID_MACHINE_CONFIG,
    NodePoolConditionType.VALID_TUNING_CONFIG,
    NodePoolConditionType.ALL_MACHINES_READY,
    NodePoolConditionType.ALL_NODES_HEALTHY,
    NodePoolConditionType.RECONCILIATION_ACTIVE,
    NodePoolConditionType.REACHED_IGNITION_ENDPOINT,
    NodePoolConditionType.UPDATE_MANAGEMENT_ENABLED,
    NodePoolConditionType.VALID_ARCH_PLATFORM,
    NodePoolConditionType.SUPPORTED_VERSION_SKEW,
)
_POOL_FALSE = (
    NodePoolConditionType.UPDATING_VERSION,
    NodePoolConditionType.UPDATING_CONFIG,
    NodePoolConditionType.UPDATING_MACHINE_TEMPLATE,
)


def of_cluster(cluster: HostedCluster) -> dict[str, str]:
    """The status that each condition of a healthy cluster has."""
    spec = cluster.spec
    expected: dict[str, str] = {
        **dict.fromkeys(_TRUE, ConditionStatus.TRUE),
        **dict.fromkeys(_FALSE, ConditionStatus.FALSE),
        **platform_of(spec).rules.expected(cluster),
    }
    if spec.etcd.management_type == EtcdManagementType.UNMANAGED:
        expected[HostedClusterCondition.UNMANAGED_ETCD_AVAILABLE] = ConditionStatus.TRUE
    named = is_public(spec) and hostname(spec, ServiceType.API_SERVER)
    # Without a name of its own there is nothing to resolve.
    expected[ControlPlaneCondition.EXTERNAL_DNS_REACHABLE] = (
        ConditionStatus.TRUE if named else ConditionStatus.UNKNOWN
    )
    return expected


def of_pool(pool: NodePool) -> dict[str, str]:
    """The status that each condition of a healthy pool has."""
    spec = pool.spec
    expected: dict[str, str] = {
        **dict.fromkeys(_POOL_TRUE, ConditionStatus.TRUE),
        **dict.fromkeys(_POOL_FALSE, ConditionStatus.FALSE),
        **dict.fromkeys(platform_of(spec).pools.expected, ConditionStatus.TRUE),
    }
    expected[NodePoolConditionType.AUTOSCALING_ENABLED] = (
        ConditionStatus.TRUE if spec.auto_scaling else ConditionStatus.FALSE
    )
    expected[NodePoolConditionType.AUTOREPAIR_ENABLED] = (
        ConditionStatus.TRUE if spec.management.auto_repair else ConditionStatus.FALSE
    )
    return expected
