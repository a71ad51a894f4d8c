"""What is stated about a HostedControlPlane, and why."""

from collections.abc import Mapping

from hypershift.api.conditions.words import ConditionReason, ConditionType
from hypershift.api.values import PlatformType


class ControlPlaneCondition(ConditionType):
    """Condition types of a HostedControlPlane; the HostedCluster repeats some of them."""

    #: Not paused.
    RECONCILIATION_ACTIVE = "ReconciliationActive"
    #: The API server can be used.
    AVAILABLE = "Available"
    #: Some replicas are missing.
    DEGRADED = "Degraded"
    #: Endpoints of the control plane have addresses.
    INFRASTRUCTURE_READY = "InfrastructureReady"
    #: Etcd has a quorum.
    ETCD_AVAILABLE = "EtcdAvailable"
    #: The disks of etcd store what it writes fast enough.
    ETCD_DISKS_FAST = "EtcdDisksFast"
    #: Ours: every shard of etcd keeps its kinds; absent without shards.
    ETCD_SHARDS_IN_USE = "EtcdShardsInUse"
    #: The snapshot to begin with was loaded.
    ETCD_SNAPSHOT_RESTORED = "EtcdSnapshotRestored"
    #: The API server's Deployment is available.
    KUBE_API_SERVER_AVAILABLE = "KubeAPIServerAvailable"
    #: The published name of the API server resolves and answers; Unknown when there is none.
    EXTERNAL_DNS_REACHABLE = "ExternalDNSReachable"
    #: The control plane can be made as it is asked for on this management cluster.
    VALID_CONFIGURATION = "ValidHostedControlPlaneConfiguration"
    #: The release has every image that is needed.
    VALID_RELEASE_INFO = "ValidReleaseInfo"
    #: Identity providers can be used.
    VALID_IDP = "ValidIDPConfiguration"
    #: The cluster works again after a restore.
    RESTORED_FROM_BACKUP = "HostedClusterRestoredFromBackup"
    #: The control plane reaches the nodes.
    DATA_PLANE_CONNECTION_AVAILABLE = "DataPlaneConnectionAvailable"
    #: The nodes reach the control plane.
    CONTROL_PLANE_CONNECTION_AVAILABLE = "ControlPlaneConnectionAvailable"
    #: The last backup of etcd was stored.
    ETCD_BACKUP_SUCCEEDED = "EtcdBackupSucceeded"
    #: The last pass over the hosted cluster's own objects had no error, and none was left out.
    CONFIG_OPERATOR_SUCCEEDED = "ConfigOperatorReconciliationSucceeded"
    #: All that is stored is encrypted with the active key; absent without encryption.
    ETCD_ENCRYPTION_UP_TO_DATE = "EtcdDataEncryptionUpToDate"
    #: Every authority that was to be replaced is; absent while none ever was to be.
    AUTHORITIES_ROTATED = "AuthoritiesRotated"
    #: Nodes and software of the hosted cluster follow the replacement of authorities.
    GUEST_AUTHORITIES = "GuestAuthoritiesUpToDate"
    #: The packet size of the hosting cluster suits virtual machines.
    VALID_KUBEVIRT_MTU = "ValidKubeVirtInfraNetworkMTU"
    #: The default security group of nodes is there (AWS).
    AWS_SECURITY_GROUP_CREATED = "AWSDefaultSecurityGroupCreated"
    #: The default security group of nodes is gone (AWS).
    AWS_SECURITY_GROUP_DELETED = "AWSDefaultSecurityGroupDeleted"
    #: The KMS key can be used (AWS); Unknown when there is none.
    VALID_AWS_KMS = "ValidAWSKMSConfig"
    #: The token issuer is known to AWS.
    VALID_AWS_IDENTITY_PROVIDER = "ValidAWSIdentityProvider"
    #: The KMS key can be used (Azure); Unknown when there is none.
    VALID_AZURE_KMS = "ValidAzureKMSConfig"
    #: What the hosted cluster made in the cloud is gone.
    CLOUD_RESOURCES_DESTROYED = "CloudResourcesDestroyed"
    #: The cluster version operator was stopped, on delete.
    CVO_SCALED_DOWN = "CVOScaledDown"
    #: The ignition server found all images it needs.
    IGNITION_VALID_RELEASE_INFO = "IgnitionServerValidReleaseInfo"
    #: Trust bundles could not be merged.
    TARGET_CONFIG_DEGRADED = "TargetConfigControllerDegraded"

    #: What the cluster version operator states about the cluster.
    CLUSTER_VERSION_PROGRESSING = "ClusterVersionProgressing"
    CLUSTER_VERSION_RELEASE_ACCEPTED = "ClusterVersionReleaseAccepted"
    CLUSTER_VERSION_UPGRADEABLE = "ClusterVersionUpgradeable"
    CLUSTER_VERSION_AVAILABLE = "ClusterVersionAvailable"
    CLUSTER_VERSION_FAILING = "ClusterVersionFailing"
    #: Left out rather than Unknown.
    CLUSTER_VERSION_RETRIEVED_UPDATES = "ClusterVersionRetrievedUpdates"


class ControlPlaneReason(ConditionReason):
    """Reasons that only a HostedControlPlane's conditions have."""

    UNAVAILABLE_REPLICAS = "UnavailableReplicas"
    GUEST_LIMIT_EXCEEDED = "GuestLimitExceeded"
    KUBECONFIG_WAITING = "KubeconfigWaitingForCreate"
    LOAD_BALANCER_NOT_REACHABLE = "KASLoadBalancerNotReachable"
    COMPONENTS_NOT_AVAILABLE = "ComponentsNotAvailable"
    INFRA_STATUS_FAILURE = "InfraStatusFailure"
    WAITING_ON_INFRASTRUCTURE = "WaitingOnInfrastructureReady"
    QUORUM_AVAILABLE = "QuorumAvailable"
    STATEFUL_SET_NOT_FOUND = "StatefulSetNotFound"
    ETCD_WAITING_FOR_QUORUM = "EtcdWaitingForQuorum"
    ETCD_RUNNING = "EtcdRunning"
    EXTERNAL_DNS_NOT_REACHABLE = "ExternalDNSHostNotReachable"
    INSUFFICIENT_CAPABILITIES = "InsufficientClusterCapabilities"
    MISSING_RELEASE_IMAGES = "MissingReleaseImages"
    #: The registry did not answer what the release contains.
    RELEASE_LOOKUP_FAILED = "ReleaseLookupFailed"
    #: The release lacks images that run inside the hosted cluster; nothing is applied there.
    MISSING_IMAGES = "MissingImages"
    #: A member of etcd waits for its disk.
    SLOW_DISK = "SlowDisk"
    #: A shard was added to a cluster that has data of its kinds.
    SHARD_ADDED_LATER = "ShardAddedLater"
    #: A member could not load its snapshot, and kubelet gave no reason.
    SNAPSHOT_FAILED = "Error"
    IDP_VALID = "IDPConfigurationValid"
    IDP_ERROR = "IDPConfigurationError"
    INVALID_IDENTITY_PROVIDER = "InvalidIdentityProvider"
    INVALID_IAM_ROLE = "InvalidIAMRole"
    INVALID_AZURE_CREDENTIALS = "InvalidAzureCredentials"
    RECONCILE_ERROR = "ReconcileError"
    NO_WORKER_NODES = "NoWorkerNodesAvailable"
    KONNECTIVITY_PODS_NOT_FOUND = "KonnectivityAgentPodsNotFound"
    CONFIG_MAP_NOT_FOUND = "ConfigMapNotFound"
    KAS_ACCESS_FAILED = "KASAccessFailed"
    CONNECTION_CHECK_STALE = "ConnectionCheckStale"
    FROM_CLUSTER_VERSION = "FromClusterVersion"
    CLOUD_RESOURCES_DESTROYED = "CloudResourcesDestroyed"
    REMAINING_CLOUD_RESOURCES = "RemainingCloudResources"
    CLEANUP_ERROR = "ErrorOccurred"
    CLEANUP_SKIPPED = "CloudResourcesCleanupSkipped"
    CLEANUP_TIMED_OUT = "CloudResourcesDeletionTimedOut"
    RECOVERY_FINISHED = "RecoveryFinished"
    SUBOPTIMAL_MTU = "KubeVirtSuboptimalMTUDetected"
    READ_ONLY_ROLLOUT = "ReadOnlyRolloutInProgress"
    WAITING_FOR_CONVERGENCE = "ReEncryptionWaitingForKASConvergence"
    WRITE_PROMOTION = "WritePromotionInProgress"
    RE_ENCRYPTING = "ReEncryptionInProgress"
    RE_ENCRYPTED = "ReEncryptionCompleted"
    RE_ENCRYPTION_FAILED = "ReEncryptionFailed"
    AUTHORITY_ROTATION_REFUSED = "AuthorityRotationRefused"
    TRUSTING_NEW_AUTHORITIES = "TrustingNewAuthorities"
    REISSUING_CERTIFICATES = "ReissuingCertificates"
    KEEPING_OLD_AUTHORITIES = "KeepingOldAuthorities"
    RENEWING_TOKENS = "RenewingTokens"
    DROPPING_OLD_AUTHORITIES = "DroppingOldAuthorities"
    #: Nodes or software of the hosted cluster are on their way.
    GUEST_FOLLOWS = "GuestFollows"


#: Conditions that the HostedCluster repeats; Unknown while the control plane does not have them.
COPIED = (
    ControlPlaneCondition.ETCD_AVAILABLE,
    ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE,
    ControlPlaneCondition.INFRASTRUCTURE_READY,
    ControlPlaneCondition.EXTERNAL_DNS_REACHABLE,
    ControlPlaneCondition.VALID_CONFIGURATION,
    ControlPlaneCondition.VALID_RELEASE_INFO,
    ControlPlaneCondition.VALID_IDP,
    ControlPlaneCondition.RESTORED_FROM_BACKUP,
    ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.ETCD_BACKUP_SUCCEEDED,
    ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
)

#: The same, about the version that the hosted cluster runs.
COPIED_OF_VERSION = (
    ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
    ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE,
    ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
)

#: Conditions that the HostedCluster repeats where the control plane has them, on every platform ...
COPIED_WHERE_STATED = (ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE,)
#: ... and on one alone.
COPIED_ON_PLATFORM: Mapping[str, tuple[ControlPlaneCondition, ...]] = {
    PlatformType.AWS: (
        ControlPlaneCondition.AWS_SECURITY_GROUP_CREATED,
        ControlPlaneCondition.VALID_AWS_KMS,
    ),
    PlatformType.AZURE: (ControlPlaneCondition.VALID_AZURE_KMS,),
    PlatformType.KUBEVIRT: (ControlPlaneCondition.VALID_KUBEVIRT_MTU,),
}

#: Conditions that the HostedCluster repeats, and removes when the control plane has no opinion.
COPIED_WHILE_PRESENT = (
    ControlPlaneCondition.CLUSTER_VERSION_RETRIEVED_UPDATES,
    ControlPlaneCondition.AUTHORITIES_ROTATED,
    ControlPlaneCondition.ETCD_DISKS_FAST,
    ControlPlaneCondition.ETCD_SHARDS_IN_USE,
    ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED,
)

#: Conditions that the HostedCluster repeats while it is being deleted.
COPIED_ON_DELETE = (
    ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED,
    ControlPlaneCondition.AWS_SECURITY_GROUP_DELETED,
)
