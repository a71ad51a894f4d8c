"""What is stated about a NodePool, and why."""

from hypershift.api.conditions.words import ConditionReason, ConditionType


class NodePoolConditionType(ConditionType):
    """Condition types of a NodePool."""

    #: The pool has nodes as it should.
    READY = "Ready"
    #: The autoscaler sets the number of nodes; the message has the bounds.
    AUTOSCALING_ENABLED = "AutoscalingEnabled"
    #: Unhealthy nodes are replaced.
    AUTOREPAIR_ENABLED = "AutorepairEnabled"
    #: The way of upgrades is complete.
    UPDATE_MANAGEMENT_ENABLED = "UpdateManagementEnabled"
    #: The release image can be read and suits the cluster.
    VALID_RELEASE_IMAGE = "ValidReleaseImage"
    #: Machine configuration can be made out of the given ConfigMaps.
    VALID_MACHINE_CONFIG = "ValidMachineConfig"
    #: Tuning can be made out of the given ConfigMaps.
    VALID_TUNING_CONFIG = "ValidTuningConfig"
    #: The platform has an image for this release.
    VALID_PLATFORM_IMAGE = "ValidPlatformImage"
    #: The platform stanza can work.
    VALID_PLATFORM_CONFIG = "ValidPlatformConfig"
    #: Platform and release support the architecture.
    VALID_ARCH_PLATFORM = "ValidArchPlatform"
    #: Not paused.
    RECONCILIATION_ACTIVE = "ReconciliationActive"
    #: The pool is not newer than the control plane, and at most three minors older.
    SUPPORTED_VERSION_SKEW = "SupportedVersionSkew"
    #: A new release rolls out.
    UPDATING_VERSION = "UpdatingVersion"
    #: A new configuration rolls out.
    UPDATING_CONFIG = "UpdatingConfig"
    #: New machine settings roll out.
    UPDATING_MACHINE_TEMPLATE = "UpdatingPlatformMachineTemplate"
    #: A machine has fetched its configuration.
    REACHED_IGNITION_ENDPOINT = "ReachedIgnitionEndpoint"
    #: Configuration for machines could be generated.
    VALID_GENERATED_PAYLOAD = "ValidGeneratedPayload"
    #: All machines are ready.
    ALL_MACHINES_READY = "AllMachinesReady"
    #: All nodes are healthy.
    ALL_NODES_HEALTHY = "AllNodesHealthy"
    #: Addresses of machines lie in the cluster network.
    CIDR_CONFLICT = "ClusterNetworkCIDRConflict"
    #: The machine template can be made.
    VALID_MACHINE_TEMPLATE = "ValidMachineTemplate"
    #: Nodes that are virtual machines can be moved while they run.
    KUBEVIRT_LIVE_MIGRATABLE = "KubeVirtNodesLiveMigratable"
    #: The default security group can be used (AWS).
    AWS_SECURITY_GROUP_AVAILABLE = "AWSSecurityGroupAvailable"
    #: Tags of pool and cluster contradict each other (AWS).
    AWS_TAG_CONFLICT = "AWSResourceTagConflict"
    #: Present only while nodes cannot fetch their configuration.
    IGNITION_ENDPOINT_AVAILABLE = "IgnitionEndpointAvailable"
    #: What the performance profile states.
    PERFORMANCE_AVAILABLE = "performance.operator.openshift.io/Available"
    PERFORMANCE_PROGRESSING = "performance.operator.openshift.io/Progressing"
    PERFORMANCE_UPGRADEABLE = "performance.operator.openshift.io/Upgradeable"
    PERFORMANCE_DEGRADED = "performance.operator.openshift.io/Degraded"


class NodePoolReason(ConditionReason):
    """Reasons that only a NodePool's conditions have."""

    #: There is no HostedCluster of the name that the pool gives.
    HOSTED_CLUSTER_NOT_FOUND = "HostedClusterNotFound"
    CONTROL_PLANE_NAMESPACE_NOT_OWNED = "ControlPlaneNamespaceNotOwned"
    NAME_TAKEN = "NameTaken"
    MACHINES_DELETING = "MachinesDeleting"
    DELETION_FAILED = "DeletionFailed"
    VALIDATION_FAILED = "ValidationFailed"
    INVALID_ARCH_PLATFORM = "InvalidArchPlatform"
    RECONCILIATION_ACTIVE = "ReconciliationActive"
    UNSUPPORTED_SKEW = "UnsupportedSkew"
    IN_PLACE_UPGRADE_FAILED = "InplaceUpgradeFailed"
    #: Begins with a small letter, as the original has it.
    IGNITION_NOT_REACHED = "ignitionNotReached"
    FAILED_TO_GET = "FailedToGet"
    TOO_MANY_UNHEALTHY = "TooManyUnhealthy"
    #: Ends a list of reasons that was cut at 1024 characters.
    REASONS_TRUNCATED = "ReasonsTruncated"
    WAITING_FOR_INFRASTRUCTURE = "WaitingForInfrastructure"
    WAITING_FOR_NODE_REF = "WaitingForNodeRef"
    INVALID_KUBEVIRT_TEMPLATE = "InvalidKubevirtMachineTemplate"
    INVALID_OPENSTACK_TEMPLATE = "InvalidOpenStackMachineTemplate"
    DEFAULT_SECURITY_GROUP_NOT_READY = "DefaultSGNotReady"
    TAG_CONFLICT = "TagConflictDetected"
    NO_TAG_CONFLICT = "NoTagConflict"
    IGNITION_ENDPOINT_MISSING = "IgnitionEndpointMissing"
    IGNITION_CA_MISSING = "IgnitionCACertMissing"
