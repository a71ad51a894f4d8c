"""What is stated about a HostedCluster, and why."""

from hypershift.api.conditions.words import ConditionReason, ConditionType


class HostedClusterCondition(ConditionType):
    """Condition types of a HostedCluster."""

    #: The control plane serves.
    AVAILABLE = "Available"
    #: A rollout is under way; False with reason Blocked when it cannot begin.
    PROGRESSING = "Progressing"
    #: Something works less well than it should; users may not notice.
    DEGRADED = "Degraded"

    #: The spec can work here.
    VALID_CONFIGURATION = "ValidConfiguration"
    #: This operator can serve such a cluster.
    SUPPORTED = "SupportedHostedCluster"
    #: The release image can be read and may be run.
    VALID_RELEASE_IMAGE = "ValidReleaseImage"
    #: Keys of `spec.labels` that pods do not get; absent when there are none.
    RESERVED_LABELS = "ReservedLabels"
    #: Fields and annotations that have no effect; absent when there are none.
    IGNORED_SETTINGS = "IgnoredSettings"
    #: The proxy's CA certificates can be used.
    VALID_PROXY = "ValidProxyConfiguration"
    #: Not paused.
    RECONCILIATION_ACTIVE = "ReconciliationActive"
    #: The last pass of the operator had no error.
    RECONCILIATION_SUCCEEDED = "ReconciliationSucceeded"
    #: New nodes can fetch their configuration.
    IGNITION_ENDPOINT_AVAILABLE = "IgnitionEndpointAvailable"
    #: Credentials for the platform are there.
    PLATFORM_CREDENTIALS_FOUND = "PlatformCredentialsFound"
    #: The user's etcd can be reached with the given certificates.
    UNMANAGED_ETCD_AVAILABLE = "UnmanagedEtcdAvailable"
    #: The documents of the token issuer are where clouds look for them (AWS).
    VALID_OIDC = "ValidOIDCConfiguration"
    #: Nodes that are virtual machines can be moved while they run.
    KUBEVIRT_LIVE_MIGRATABLE = "KubeVirtNodesLiveMigratable"
    #: The cluster that hosts the machines lets us write network policies.
    VALID_KUBEVIRT_POLICY_RBAC = "ValidKubeVirtInfraNetworkPolicyRBAC"
    #: Workload identity on Google Cloud is complete.
    VALID_GCP_WORKLOAD_IDENTITY = "ValidGCPWorkloadIdentity"
    #: Google credentials work.
    VALID_GCP_CREDENTIALS = "ValidGCPCredentials"
    #: A recovery of etcd is running.
    ETCD_RECOVERY_ACTIVE = "EtcdRecoveryActive"
    #: Karpenter makes nodes.
    AUTO_NODE_ENABLED = "AutoNodeEnabled"
    #: The API is reachable through the shared ingress.
    PUBLIC_ENDPOINT_EXPOSED = "PublicEndpointExposed"
    #: Everything is gone but the object itself.
    DESTROYED = "HostedClusterDestroyed"

    #: The size class is known; the reason names it.
    SIZE_COMPUTED = "ClusterSizeComputed"
    #: A change of size class waits.
    SIZE_TRANSITION_PENDING = "ClusterSizeTransitionPending"
    #: The size class should change; the reason names the next.
    SIZE_TRANSITION_REQUIRED = "ClusterSizeTransitionRequired"

    #: The endpoint in the cluster's VPC works.
    AWS_ENDPOINT_AVAILABLE = "AWSEndpointAvailable"
    #: The endpoint service in front of the control plane works.
    AWS_ENDPOINT_SERVICE_AVAILABLE = "AWSEndpointServiceAvailable"
    #: The private endpoint on Google Cloud works.
    GCP_ENDPOINT_AVAILABLE = "GCPEndpointAvailable"
    #: The service attachment on Google Cloud works.
    GCP_SERVICE_ATTACHMENT_AVAILABLE = "GCPServiceAttachmentAvailable"
    #: The private way on Azure works as a whole ...
    AZURE_PRIVATE_LINK_AVAILABLE = "AzurePrivateLinkServiceAvailable"
    #: ... and its parts: the private link service,
    AZURE_PLS_CREATED = "AzurePLSCreated"
    #: the load balancer in front of the API server,
    AZURE_LOAD_BALANCER_AVAILABLE = "AzureInternalLoadBalancerAvailable"
    #: the endpoint in the cluster's network,
    AZURE_ENDPOINT_AVAILABLE = "AzurePrivateEndpointAvailable"
    #: and its DNS records.
    AZURE_DNS_AVAILABLE = "AzurePrivateDNSAvailable"

    #: The cluster version operator does its work; its Failing, inverted.
    CLUSTER_VERSION_SUCCEEDING = "ClusterVersionSucceeding"


class HostedClusterReason(ConditionReason):
    """Reasons that only a HostedCluster's conditions have; the common ones are in `Reason`."""

    BLOCKED = "Blocked"
    PROGRESSING = "Progressing"
    UNSUPPORTED = "UnsupportedHostedCluster"
    INVALID_IMAGE = "InvalidImage"
    SECRET_NOT_FOUND = "SecretNotFound"  # noqa: S105 - a reason, not a secret
    PAYLOAD_ARCH_NOT_FOUND = "PayloadArchNotFound"
    PROXY_CA_BUNDLE_INVALID = "ProxyCABundleInvalid"
    LABELS_IGNORED = "LabelsIgnored"
    SETTINGS_IGNORED = "SettingsIgnored"
    #: Spelt as the original spells it.
    RECONCILIATION_SUCCEEDED = "ReconciliatonSucceeded"
    RECONCILIATION_ERROR = "ReconciliationError"
    PLATFORM_CREDENTIALS_NOT_FOUND = "PlatformCredentialsNotFound"
    UNMANAGED_ETCD_AS_EXPECTED = "UnmanagedEtcdAsExpected"
    UNMANAGED_ETCD_MISCONFIGURED = "UnmanagedEtcdMisconfigured"
    OIDC_INVALID = "OIDCConfigurationInvalid"
    DELETING_DOCUMENTS = "DeletingDocuments"
    KUBEVIRT_NOT_LIVE_MIGRATABLE = "KubeVirtNodesNotLiveMigratable"
    INFRA_NETWORK_READ_FAILED = "InfraClusterNetworkReadFailed"
    INFRA_NETWORK_POLICY_CREATE_FAILED = "InfraClusterNetworkPolicyCreateFailed"
    ETCD_RECOVERY_JOB_FAILED = "EtcdRecoveryJobFailed"
    AUTO_NODE_PROGRESSING = "AutoNodeProgressing"
    AUTO_NODE_NOT_CONFIGURED = "AutoNodeNotConfigured"
    AUTO_NODE_EVALUATION_FAILED = "AutoNodeEvaluationFailed"
    SHARED_INGRESS_CONFIGURED = "SharedIngressConfigured"
    TOPOLOGY_PRIVATE = "TopologyPrivate"
    CONVERGENCE_IN_PROGRESS = "ConvergenceInProgress"
    WAITING_FOR_GRACE_PERIOD = "WaitingForGracePeriod"
    #: What the deletion waits for, in its order.
    DELETING_NODE_POOLS = "DeletingNodePools"
    DELETING_MACHINES = "DeletingMachines"
    DELETING_LINKS = "DeletingPrivateLinks"
    DELETING_CONTROL_PLANE = "DeletingControlPlane"
    DELETING_NAMESPACE = "DeletingNamespace"
    SIZE_TRANSITIONED = "ClusterSizeTransitioned"
    SIZE_DELAY_NOT_ELAPSED = "TransitionDelayNotElapsed"
    SIZE_CONCURRENCY_LIMIT = "ConcurrencyLimitReached"
