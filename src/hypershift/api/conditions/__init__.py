"""Conditions: every type and reason that our objects state, and how to set them truthfully."""

from hypershift.api.conditions.facts import (
    condition,
    copied,
    find_condition,
    is_current,
    is_true,
    remove_condition,
    set_condition,
)
from hypershift.api.conditions.hosted_cluster import (
    HEALTHY_WHEN_FALSE,
    HostedClusterCondition,
    HostedClusterReason,
)
from hypershift.api.conditions.hosted_control_plane import (
    COPIED,
    COPIED_ON_DELETE,
    COPIED_WHERE_STATED,
    ControlPlaneCondition,
    ControlPlaneReason,
)
from hypershift.api.conditions.node_pool import NodePoolConditionType, NodePoolReason
from hypershift.api.conditions.others import (
    ALL_IS_WELL,
    ComponentCondition,
    ComponentReason,
    EtcdBackupCondition,
    EtcdBackupReason,
    GCPPrivateServiceConnectCondition,
    NodeClassCondition,
    NodeClassReason,
    Reason,
    RevocationCondition,
    RevocationReason,
    SizingCondition,
    SizingReason,
)

__all__ = [
    "ALL_IS_WELL",
    "COPIED",
    "COPIED_ON_DELETE",
    "COPIED_WHERE_STATED",
    "HEALTHY_WHEN_FALSE",
    "ComponentCondition",
    "ComponentReason",
    "ControlPlaneCondition",
    "ControlPlaneReason",
    "EtcdBackupCondition",
    "EtcdBackupReason",
    "GCPPrivateServiceConnectCondition",
    "HostedClusterCondition",
    "HostedClusterReason",
    "NodeClassCondition",
    "NodeClassReason",
    "NodePoolConditionType",
    "NodePoolReason",
    "Reason",
    "RevocationCondition",
    "RevocationReason",
    "SizingCondition",
    "SizingReason",
    "condition",
    "copied",
    "find_condition",
    "is_current",
    "is_true",
    "remove_condition",
    "set_condition",
]
