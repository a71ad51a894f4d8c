"""Conditions: the types and reasons that objects state, a decided one as a value, its owner."""

from hypershift.api.conditions.common import (
    ALL_IS_WELL,
    Reason,
)
from hypershift.api.conditions.condition import (
    AnyReason,
    Condition,
    ForeignReason,
    copied,
    decided,
    fails,
    false,
    holds,
    status_of,
    true,
    unknown,
)
from hypershift.api.conditions.foreign import (
    DefinitionCondition,
    DeploymentCondition,
    JobCondition,
    KubevirtMachineCondition,
    MachineCondition,
    NodeCondition,
    PodCondition,
    SigningRequestCondition,
)
from hypershift.api.conditions.hosted_cluster import (
    HostedClusterCondition,
    HostedClusterReason,
)
from hypershift.api.conditions.hosted_control_plane import (
    COPIED,
    COPIED_OF_VERSION,
    COPIED_ON_DELETE,
    COPIED_ON_PLATFORM,
    COPIED_WHERE_STATED,
    COPIED_WHILE_PRESENT,
    ControlPlaneCondition,
    ControlPlaneReason,
)
from hypershift.api.conditions.local import (
    LocalClusterCondition,
    LocalClusterReason,
    LocalMachineCondition,
    LocalMachineReason,
)
from hypershift.api.conditions.node_pool import (
    NodePoolConditionType,
    NodePoolReason,
)
from hypershift.api.conditions.others import (
    ComponentCondition,
    ComponentReason,
    EtcdBackupCondition,
    EtcdBackupReason,
    GCPPrivateServiceConnectCondition,
    NodeClassCondition,
    NodeClassReason,
    RevocationCondition,
    RevocationReason,
    SizingCondition,
    SizingReason,
)
from hypershift.api.conditions.owners import (
    OWNERS,
    Owner,
    why_not_owner,
)
from hypershift.api.conditions.words import (
    ConditionReason,
    ConditionType,
)
from hypershift.api.values import ConditionStatus

__all__ = [
    "ALL_IS_WELL",
    "COPIED",
    "COPIED_OF_VERSION",
    "COPIED_ON_DELETE",
    "COPIED_ON_PLATFORM",
    "COPIED_WHERE_STATED",
    "COPIED_WHILE_PRESENT",
    "OWNERS",
    "AnyReason",
    "ComponentCondition",
    "ComponentReason",
    "Condition",
    "ConditionReason",
    "ConditionStatus",
    "ConditionType",
    "ControlPlaneCondition",
    "ControlPlaneReason",
    "DefinitionCondition",
    "DeploymentCondition",
    "EtcdBackupCondition",
    "EtcdBackupReason",
    "ForeignReason",
    "GCPPrivateServiceConnectCondition",
    "HostedClusterCondition",
    "HostedClusterReason",
    "JobCondition",
    "KubevirtMachineCondition",
    "LocalClusterCondition",
    "LocalClusterReason",
    "LocalMachineCondition",
    "LocalMachineReason",
    "MachineCondition",
    "NodeClassCondition",
    "NodeClassReason",
    "NodeCondition",
    "NodePoolConditionType",
    "NodePoolReason",
    "Owner",
    "PodCondition",
    "Reason",
    "RevocationCondition",
    "RevocationReason",
    "SigningRequestCondition",
    "SizingCondition",
    "SizingReason",
    "copied",
    "decided",
    "fails",
    "false",
    "holds",
    "status_of",
    "true",
    "unknown",
    "why_not_owner",
]
