"""Which controller writes which condition: each has one owner.

Two controllers that both write a condition wake each other with every write, and a user sees it
flip. `runtime.Conditions` refuses the write of a controller that does not own the condition.
"""

from collections.abc import Mapping
from enum import StrEnum

from hypershift.api.conditions.hosted_cluster import HostedClusterCondition
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
from hypershift.api.conditions.local import LocalClusterCondition, LocalMachineCondition
from hypershift.api.conditions.node_pool import NodePoolConditionType
from hypershift.api.conditions.others import (
    AuditLogCondition,
    ComponentCondition,
    EtcdBackupCondition,
    NodeClassCondition,
    RevocationCondition,
)
from hypershift.api.conditions.words import ConditionType


class Owner(StrEnum):
    """Controllers by the names under which they write."""

    HOSTED_CLUSTER = "hostedcluster"
    NODE_POOL = "nodepool"
    CONTROL_PLANE = "hostedcontrolplane"
    GUEST_CONFIG = "hosted-cluster-config-operator"
    RE_ENCRYPTION = "reencryption"
    ETCD_BACKUP = "hcpetcdbackup"
    ETCD_BACKUP_REPORT = "hcpetcdbackup-report"
    AUDIT_LOG_PERSISTENCE = "audit-log-persistence"
    RESTORE_PROOF = "hcpetcdbackup-proof"
    PKI = "control-plane-pki-operator"
    REVOCATION = "certificaterevocation"
    AWS_LINK_SERVICE = "awsendpointservices-service"
    AWS_LINK_ENDPOINT = "awsendpointservices"
    KARPENTER = "karpenter-operator"
    LOCAL_CLUSTER = "hypershift-local-cluster"
    LOCAL_MACHINE = "hypershift-local-machine"


#: Conditions of a HostedControlPlane that the HostedCluster shows as well.
SHOWN_BY_CLUSTER: tuple[ControlPlaneCondition, ...] = (
    *COPIED,
    *COPIED_OF_VERSION,
    *COPIED_WHERE_STATED,
    *(each for group in COPIED_ON_PLATFORM.values() for each in group),
    *COPIED_WHILE_PRESENT,
    *COPIED_ON_DELETE,
    ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER,
)

#: Conditions of a HostedControlPlane that others than its own controller write.
_GUEST_CONFIG = (
    ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
    ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.GUEST_AUTHORITIES,
    ControlPlaneCondition.RESTORED_FROM_BACKUP,
    ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED,
    ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
    ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE,
    ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
    ControlPlaneCondition.CLUSTER_VERSION_FAILING,
    ControlPlaneCondition.CLUSTER_VERSION_RETRIEVED_UPDATES,
)


def _all(types: type[ConditionType], owner: Owner) -> dict[ConditionType, Owner]:
    return dict.fromkeys(types, owner)


#: The owner of every condition, by the kind that shows it.
OWNERS: Mapping[str, Mapping[ConditionType, Owner]] = {
    "AuditLogPersistenceConfig": _all(AuditLogCondition, Owner.AUDIT_LOG_PERSISTENCE),
    "HostedCluster": {
        **_all(HostedClusterCondition, Owner.HOSTED_CLUSTER),
        **dict.fromkeys(SHOWN_BY_CLUSTER, Owner.HOSTED_CLUSTER),
    },
    "NodePool": _all(NodePoolConditionType, Owner.NODE_POOL),
    "HostedControlPlane": {
        **_all(ControlPlaneCondition, Owner.CONTROL_PLANE),
        **dict.fromkeys(_GUEST_CONFIG, Owner.GUEST_CONFIG),
        ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE: Owner.RE_ENCRYPTION,
        ControlPlaneCondition.ETCD_BACKUP_SUCCEEDED: Owner.ETCD_BACKUP_REPORT,
        ControlPlaneCondition.TARGET_CONFIG_DEGRADED: Owner.PKI,
    },
    "CertificateRevocationRequest": _all(RevocationCondition, Owner.REVOCATION),
    "ControlPlaneComponent": _all(ComponentCondition, Owner.CONTROL_PLANE),
    "HCPEtcdBackup": {
        EtcdBackupCondition.COMPLETED: Owner.ETCD_BACKUP,
        EtcdBackupCondition.RESTORE_PROVEN: Owner.RESTORE_PROOF,
    },
    "AWSEndpointService": {
        HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE: Owner.AWS_LINK_SERVICE,
        HostedClusterCondition.AWS_ENDPOINT_AVAILABLE: Owner.AWS_LINK_ENDPOINT,
    },
    "OpenshiftEC2NodeClass": {
        **_all(NodeClassCondition, Owner.KARPENTER),
        NodePoolConditionType.AWS_TAG_CONFLICT: Owner.KARPENTER,
    },
    "LocalCluster": _all(LocalClusterCondition, Owner.LOCAL_CLUSTER),
    "LocalMachine": _all(LocalMachineCondition, Owner.LOCAL_MACHINE),
}

#: Last words: a reason by which another controller ends a condition whose owner went silent.
#: The owner must leave a condition with such a reason alone, so that the two cannot alternate.
LAST_WORDS: Mapping[tuple[ConditionType, str], Owner] = {
    (
        ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED,
        ControlPlaneReason.CLEANUP_TIMED_OUT,
    ): Owner.CONTROL_PLANE,
}


def why_not_owner(controller: str, kind: str, type_: ConditionType, reason: str = "") -> str:
    """Return why a controller must not change a condition of a kind; empty if it may.

    Kinds without an entry (those of tests) have no owners.
    """
    if kind not in OWNERS:
        return ""
    owner = OWNERS[kind].get(type_)
    if controller in (owner, LAST_WORDS.get((type_, reason))):
        return ""
    who = f"only {owner} does" if owner else "the kind has no such condition"
    return f"{controller} must not change {type_} of a {kind}: {who}"
