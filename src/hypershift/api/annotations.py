"""Annotations that change what happens to an object, or remember what did.

On a HostedCluster unless said otherwise. `MIRRORED` ones are copied to its HostedControlPlane and
removed there when they are gone.
"""

from typing import Final

PREFIX: Final = "hypershift.openshift.io/"

# Images in place of those of the release; a value is a pull specification.

#: Server end of the tunnel to the nodes.
KONNECTIVITY_SERVER_IMAGE: Final = f"{PREFIX}konnectivity-server-image"
#: Node end of the tunnel.
KONNECTIVITY_AGENT_IMAGE: Final = f"{PREFIX}konnectivity-agent-image"
#: Cluster autoscaler.
CLUSTER_AUTOSCALER_IMAGE: Final = f"{PREFIX}cluster-autoscaler-image"
#: Plugin for AWS KMS.
AWS_KMS_PROVIDER_IMAGE: Final = f"{PREFIX}aws-kms-provider-image"
#: Plugin for IBM Cloud KMS.
IBMCLOUD_KMS_PROVIDER_IMAGE: Final = f"{PREFIX}ibmcloud-kms-provider-image"
#: Image policy webhook of IBM Cloud.
PORTIERIS_IMAGE: Final = f"{PREFIX}portieris-image"
#: Karpenter for AWS.
KARPENTER_PROVIDER_AWS_IMAGE: Final = f"{PREFIX}karpenter-provider-aws-image"
#: Operator of Karpenter.
KARPENTER_OPERATOR_IMAGE: Final = f"{PREFIX}karpenter-operator-image"
#: Catalog certified-operators; all four by digest, or none.
CERTIFIED_OPERATORS_CATALOG_IMAGE: Final = f"{PREFIX}certified-operators-catalog-image"
#: Catalog community-operators; all four by digest, or none.
COMMUNITY_OPERATORS_CATALOG_IMAGE: Final = f"{PREFIX}community-operators-catalog-image"
#: Catalog redhat-marketplace; all four by digest, or none.
REDHAT_MARKETPLACE_CATALOG_IMAGE: Final = f"{PREFIX}redhat-marketplace-catalog-image"
#: Catalog redhat-operators; all four by digest, or none.
REDHAT_OPERATORS_CATALOG_IMAGE: Final = f"{PREFIX}redhat-operators-catalog-image"
#: Registries of the catalogs, `a=b,c=d`.
OLM_CATALOGS_REGISTRY_OVERRIDES: Final = f"{PREFIX}olm-catalogs-is-registry-overrides"
#: Control plane operator.
CONTROL_PLANE_OPERATOR_IMAGE: Final = f"{PREFIX}control-plane-operator-image"
#: Labels to assume of that image, `k=v,k=v`.
CONTROL_PLANE_OPERATOR_IMAGE_LABELS: Final = f"{PREFIX}control-plane-operator-image-labels"
#: Cluster API manager.
CAPI_MANAGER_IMAGE: Final = f"{PREFIX}capi-manager-image"
#: Cluster API provider: aws.
CAPI_PROVIDER_AWS_IMAGE: Final = f"{PREFIX}capi-provider-aws-image"
#: Cluster API provider: kubevirt.
CAPI_PROVIDER_KUBEVIRT_IMAGE: Final = f"{PREFIX}capi-provider-kubevirt-image"
#: Cluster API provider: agent.
CAPI_PROVIDER_AGENT_IMAGE: Final = f"{PREFIX}capi-provider-agent-image"
#: Cluster API provider: azure.
CAPI_PROVIDER_AZURE_IMAGE: Final = f"{PREFIX}capi-provider-azure-image"
#: Cluster API provider: powervs.
CAPI_PROVIDER_POWERVS_IMAGE: Final = f"{PREFIX}capi-provider-powervs-image"
#: Cluster API provider: openstack.
CAPI_PROVIDER_OPENSTACK_IMAGE: Final = f"{PREFIX}capi-provider-openstack-image"
#: Cluster API provider: gcp.
CAPI_PROVIDER_GCP_IMAGE: Final = f"{PREFIX}capi-provider-gcp-image"
#: OpenStack resource controller.
ORC_IMAGE: Final = f"{PREFIX}orc-image"
#: Machine approver.
MACHINE_APPROVER_IMAGE: Final = f"{PREFIX}machine-approver-image"
#: Any component, `name=ref,...`; the control plane operator applies them.
IMAGE_OVERRIDES: Final = f"{PREFIX}image-overrides"
#: HAProxy on nodes (on a NodePool).
HAPROXY_IMAGE: Final = f"{PREFIX}haproxy-image"

# Behaviour of the control plane.

#: Where the cluster's own roles run: Shared or Dedicated.
MODE: Final = f"{PREFIX}mode"
#: The DNS domain inside the cluster, `cluster.local` unless it is set when the cluster is created.
CLUSTER_DOMAIN: Final = f"{PREFIX}cluster-domain"
#: `true`: publish the cluster by the one address that clusters share (ours).
SHARED_INGRESS: Final = f"{PREFIX}shared-ingress"
#: `true`: another program issues the certificates.
DISABLE_PKI_RECONCILIATION: Final = f"{PREFIX}disable-pki-reconciliation"
#: A new value replaces every authority by one with a new key, once.
ROTATE_AUTHORITIES: Final = f"{PREFIX}rotate-authorities"
#: How long the old authorities are still trusted after everything was signed by the new ones.
ROTATE_AUTHORITIES_GRACE: Final = f"{PREFIX}rotate-authorities-grace"
#: What is replaced when not everything is: `authorities` or `service-account-keys`.
ROTATE_AUTHORITIES_ONLY: Final = f"{PREFIX}rotate-authorities-only"
#: How long tokens of the old key are accepted at least, after none is signed any more.
ROTATE_AUTHORITIES_TOKEN_LIFETIME: Final = f"{PREFIX}rotate-authorities-token-lifetime"
#: A new value restarts every component, once.
RESTART_DATE: Final = f"{PREFIX}restart-date"
#: Priority class of ordinary components.
CONTROL_PLANE_PRIORITY_CLASS: Final = f"{PREFIX}control-plane-priority-class"
#: Priority class of what the API depends on.
API_CRITICAL_PRIORITY_CLASS: Final = f"{PREFIX}api-critical-priority-class"
#: Priority class of etcd.
ETCD_PRIORITY_CLASS: Final = f"{PREFIX}etcd-priority-class"
#: List of kube-apiserver, kube-scheduler, kube-controller-manager.
DISABLE_PROFILING: Final = f"{PREFIX}disable-profiling"
#: `dedicated-request-serving-components`: the API server gets machines of its own.
TOPOLOGY: Final = f"{PREFIX}topology"
#: Further labels of those machines, `k=v,k=v`.
REQUEST_SERVING_NODE_ADDITIONAL_SELECTOR: Final = (
    f"{PREFIX}request-serving-node-additional-selector"
)
#: `true`: those machines are assigned.
CLUSTER_SCHEDULED: Final = f"{PREFIX}cluster-scheduled"
#: Restricted, Baseline or Privileged, for the namespace.
POD_SECURITY_ADMISSION_LABEL_OVERRIDE: Final = f"{PREFIX}pod-security-admission-label-override"
#: Present: no Cluster API for this cluster.
DISABLE_MACHINE_MANAGEMENT: Final = f"{PREFIX}disable-machine-management"
#: Present: no ignition server.
DISABLE_IGNITION_SERVER: Final = f"{PREFIX}disable-ignition-server"
#: `true`: no service monitors.
DISABLE_MONITORING_SERVICES: Final = f"{PREFIX}disable-monitoring-services"
#: `true`: older form of `spec.monitoring`.
ENABLE_METRICS_FORWARDING: Final = f"{PREFIX}enable-metrics-forwarding"
#: Components to keep at 0 replicas, `a,b`.
DEBUG_DEPLOYMENTS: Final = f"{PREFIX}debug-deployments"
#: How lazy the API server's garbage collector is, in percent.
KUBE_API_SERVER_GOGC: Final = f"{PREFIX}kube-apiserver-gogc"
#: Memory at which it works hard.
KUBE_API_SERVER_GOMEMLIMIT: Final = f"{PREFIX}kube-apiserver-gomemlimit"
#: Most reads at a time.
KUBE_API_SERVER_MAX_REQUESTS_INFLIGHT: Final = f"{PREFIX}kube-apiserver-max-requests-inflight"
#: Most writes at a time.
KUBE_API_SERVER_MAX_MUTATING_REQUESTS_INFLIGHT: Final = (
    f"{PREFIX}kube-apiserver-max-mutating-requests-inflight"
)
#: How much it logs.
KUBE_API_SERVER_VERBOSITY_LEVEL: Final = f"{PREFIX}kube-apiserver-verbosity-level"
#: Share of requests that are told to reconnect, to spread clients.
KUBE_API_SERVER_GOAWAY_CHANCE: Final = f"{PREFIX}kube-apiserver-goaway-chance"
#: Longest life of a service account token, at least 600s.
KUBE_API_SERVER_TOKEN_MAX_EXPIRATION: Final = (
    f"{PREFIX}kube-apiserver-service-account-token-max-expiration"
)
#: Login page of the OAuth server.
OAUTH_LOGIN_URL_OVERRIDE: Final = "oauth.hypershift.openshift.io/login-url-override"
#: `true`: the hosted pull secret is made and then left alone.
ENSURE_EXISTS_PULL_SECRET: Final = f"{PREFIX}ensureexists-pullsecret-reconcile"
#: The cluster comes from a backup: its monitoring is mended.
RESTORED_FROM_BACKUP: Final = f"{PREFIX}restored-from-backup"
#: The snapshot that `hypershift restore cluster` began this cluster with; we set it.
RESTORED_FROM: Final = f"{PREFIX}restored-from"
#: On an HCPEtcdBackup: how often one like it is taken again, such as 24h.
BACKUP_EVERY: Final = f"{PREFIX}backup-every"
#: Beside it: how many that ended are kept.
BACKUP_KEEP: Final = f"{PREFIX}backup-keep"
#: On an HCPEtcdBackup: it is restored for a proof; of a row, each one after so many.
PROVE_RESTORE: Final = f"{PREFIX}prove-restore"
#: What such a proof measured, as JSON; we set it.
RESTORE_PROOF: Final = f"{PREFIX}restore-proof"
#: The management cluster that `hypershift move cluster` moves this one to; we set it.
MOVING_TO: Final = f"{PREFIX}moving-to"
#: Platform of the management cluster.
MANAGEMENT_PLATFORM: Final = f"{PREFIX}management-platform"
#: Pod network on Azure; set by the managed service.
SWIFT_POD_NETWORK_INSTANCE: Final = f"{PREFIX}swift-pod-network-instance"
#: On an empty Secret: its content comes from the hosted cluster.
HOSTED_CLUSTER_SOURCED: Final = f"{PREFIX}hosted-cluster-sourced"
#: `true`: names of certificates may collide.
SKIP_KAS_CONFLICT_SAN_VALIDATION: Final = f"{PREFIX}skip-kas-conflict-san-validation"

# Load balancers.

#: `true`: the ingress controller is not published.
PRIVATE_INGRESS_CONTROLLER: Final = f"{PREFIX}private-ingress-controller"
#: Internal or External.
INGRESS_LOAD_BALANCER_SCOPE: Final = f"{PREFIX}ingress-controller-load-balancer-scope"
#: Has no effect any more.
AWS_LOAD_BALANCER_SUBNETS: Final = f"{PREFIX}aws-load-balancer-subnets"
#: Machines that the load balancer targets, by label.
AWS_LOAD_BALANCER_TARGET_NODES: Final = f"{PREFIX}aws-load-balancer-target-node-labels"
#: Shared or ServiceNodePort.
AWS_LOAD_BALANCER_HEALTH_PROBE_MODE: Final = f"{PREFIX}aws-load-balancer-health-probe-mode"
#: shared or servicenodeport.
AZURE_LOAD_BALANCER_HEALTH_PROBE_MODE: Final = f"{PREFIX}azure-load-balancer-health-probe-mode"
#: Default /healthz.
SHARED_HEALTH_PROBE_PATH: Final = f"{PREFIX}shared-load-balancer-health-probe-path"
#: Default 10256.
SHARED_HEALTH_PROBE_PORT: Final = f"{PREFIX}shared-load-balancer-health-probe-port"
#: On routes: who writes their status.
ROUTE_STATUS_WRITER: Final = f"{PREFIX}route-status-writer"
#: On services and routes: name that external-dns writes.
EXTERNAL_DNS_HOSTNAME: Final = "external-dns.alpha.kubernetes.io/hostname"

# Releases.

#: Present: any release may be run.
SKIP_RELEASE_IMAGE_VALIDATION: Final = f"{PREFIX}skip-release-image-validation"
#: Image to upgrade to although Upgradeable is False.
FORCE_UPGRADE_TO: Final = f"{PREFIX}force-upgrade-to"
#: On deployments: the release they were made from.
RELEASE_IMAGE: Final = f"{PREFIX}release-image"

# Deletion.

#: `true`: what the hosted cluster made in the cloud goes too.
CLEANUP_CLOUD_RESOURCES: Final = f"{PREFIX}cleanup-cloud-resources"
#: How long the object outlives the cluster, as a Go duration.
DESTROY_GRACE_PERIOD: Final = f"{PREFIX}destroy-grace-period"
#: `true`: the control plane namespace stays.
SKIP_NAMESPACE_DELETION: Final = f"{PREFIX}skip-delete-hosted-controlplane-namespace"

# Size classes.

#: Size class to take, whatever was computed.
CLUSTER_SIZE_OVERRIDE: Final = f"{PREFIX}cluster-size-override"
#: `true`: the class follows the API server's use of memory.
RESOURCE_BASED_AUTOSCALING: Final = f"{PREFIX}resource-based-cp-auto-scaling"
#: The class that would suit.
RECOMMENDED_CLUSTER_SIZE: Final = f"{PREFIX}recommended-cluster-size"

# Machines; on a cluster or on a NodePool, which wins.

#: How long a node may be unhealthy before it is replaced.
MACHINE_HEALTH_CHECK_TIMEOUT: Final = f"{PREFIX}machine-health-check-timeout"
#: How long a machine may take to become a node.
MACHINE_HEALTH_CHECK_STARTUP_TIMEOUT: Final = f"{PREFIX}machine-health-check-node-startup-timeout"
#: How many machines may be unhealthy while repairs continue.
MACHINE_HEALTH_CHECK_MAX_UNHEALTHY: Final = f"{PREFIX}machine-health-check-max-unhealthy"
#: JSON Patch on virtual machines.
KUBEVIRT_VM_JSON_PATCH: Final = f"{PREFIX}kubevirt-vm-jsonpatch"
#: On a NodePool: other images may be booted.
ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS: Final = f"{PREFIX}allow-unsupported-kubevirt-rhcos-variants"
#: On a NodePool, by the operator: machines are spread over hosts.
KUBEVIRT_TOPOLOGY_SPREAD: Final = f"{PREFIX}nodepool-supports-kubevirt-topology-spread-constraints"
#: On a NodePool: spot instances.
ENABLE_SPOT: Final = f"{PREFIX}enable-spot"
#: On a NodePool: whether instance metadata needs a session token, `optional` or `required`.
EC2_METADATA_HTTP_TOKENS: Final = f"{PREFIX}ec2-instance-metadata-http-tokens"
#: On a NodePool: component images by their own names, without registry overrides.
CANONICAL_DATA_PLANE_IMAGES: Final = f"{PREFIX}canonical-data-plane-images"
#: On a Machine: it is about to be taken away.
SPOT_INTERRUPTION_SIGNAL: Final = f"{PREFIX}spot-interruption-signal"

# Clouds.

#: `true`: instances get public addresses.
AWS_MACHINE_PUBLIC_IPS: Final = f"{PREFIX}aws-machine-public-ips"
#: Instance profile of nodes that Karpenter makes.
AWS_KARPENTER_INSTANCE_PROFILE: Final = f"{PREFIX}aws-karpenter-default-instance-profile"
#: Older form of `platform.aws.terminationHandlerQueueURL`.
AWS_TERMINATION_QUEUE_URL: Final = f"{PREFIX}aws-termination-handler-queue-url"
#: Resource that stands for the cluster; copied to its namespace.
AZURE_RESOURCE_ID: Final = "azure.microsoft.com/hcp-cluster-azure-resource-id"
#: Hash of the configuration that Karpenter's nodes of a class have.
NODE_CLASS_CURRENT_CONFIG_VERSION: Final = f"{PREFIX}nodeClassCurrentConfigVersion"
#: For tests of Karpenter.
KARPENTER_CORE_E2E_OVERRIDE: Final = f"{PREFIX}karpenter-core-e2e-override"

# On a HostedControlPlane, by the operator.

#: `true`: no NodePool wants it.
DISABLE_CLUSTER_AUTOSCALER: Final = f"{PREFIX}disable-cluster-autoscaler"
#: `true`: no NodePool has spot instances.
DISABLE_AWS_NODE_TERMINATION_HANDLER: Final = f"{PREFIX}disable-aws-node-termination-handler"
#: Ranges of the management cluster, with commas, that no webhook of the hosted cluster may name.
MANAGEMENT_NETWORKS: Final = f"{PREFIX}management-networks"
#: JSON: the volume and the rotation by which its API servers keep audit logs.
AUDIT_LOG_PERSISTENCE: Final = f"{PREFIX}audit-log-persistence"
#: `namespace/name` of the HostedCluster; on most of what is made for it.
CLUSTER: Final = f"{PREFIX}cluster"

# Rollouts of NodePools; on Cluster API objects, token and user-data secrets, machines.

#: Beside it: the uid of the HostedCluster, not that of an earlier one of that name.
CLUSTER_UID: Final = f"{PREFIX}cluster-uid"
#: On a HostedControlPlane: its private links are being deleted, and none is made again.
DELETES_LINKS: Final = f"{PREFIX}deletes-private-links"
#: On a copy of a user's Secret or ConfigMap: `namespace/name` of its source.
COPY_OF: Final = f"{PREFIX}copy-of"
#: `namespace/name` of the pool.
NODE_POOL: Final = f"{PREFIX}nodePool"
#: Hash of the configuration that nodes have.
NODE_POOL_CURRENT_CONFIG: Final = f"{PREFIX}nodePoolCurrentConfig"
#: Hash of configuration and release that nodes have.
NODE_POOL_CURRENT_CONFIG_VERSION: Final = f"{PREFIX}nodePoolCurrentConfigVersion"
#: Hash that nodes should have.
NODE_POOL_TARGET_CONFIG_VERSION: Final = f"{PREFIX}nodePoolTargetConfigVersion"
#: Message of an update in place that goes well.
NODE_POOL_UPGRADE_IN_PROGRESS_TRUE: Final = f"{PREFIX}nodePoolUpgradeInProgressTrue"
#: Message of one that does not.
NODE_POOL_UPGRADE_IN_PROGRESS_FALSE: Final = f"{PREFIX}nodePoolUpgradeInProgressFalse"
#: How many nodes are updated at a time.
NODE_POOL_MAX_UNAVAILABLE: Final = f"{PREFIX}nodePoolMaxUnavailable"
#: Taints that were set on nodes.
NODE_POOL_TAINTS: Final = f"{PREFIX}nodePoolTaints"
#: Machine settings that nodes have.
NODE_POOL_MACHINE_TEMPLATE: Final = f"{PREFIX}nodePoolPlatformMachineTemplate"
#: Version that a machine boots with.
RELEASE_VERSION: Final = f"{PREFIX}release-version"
#: Labels of the pool are on the node.
LABELS_SYNCED: Final = f"{PREFIX}labelsSynced"
#: On a token secret: marks it for the ignition server.
IGNITION_CONFIG: Final = f"{PREFIX}ignition-config"
#: On a token secret: a machine came.
IGNITION_REACHED: Final = f"{PREFIX}ignition-reached"
#: On a token secret: when the token was made.
LAST_TOKEN_GENERATION_TIME: Final = f"{PREFIX}last-token-generation-time"
#: On a token secret: how the pool is upgraded.
NODE_POOL_UPGRADE_TYPE: Final = f"{PREFIX}node-pool-upgrade-type"
#: On a token secret: when it is thrown away.
IGNITION_TOKEN_EXPIRATION: Final = f"{PREFIX}ignition-token-expiration-timestamp"

# Notes of the operators to themselves.

#: The cluster served once.
HAS_BEEN_AVAILABLE: Final = f"{PREFIX}HasBeenAvailable"
#: The restart date that was honoured last.
PREVIOUS_RESTART_DATE: Final = f"{PREFIX}previous-restart-date"
#: Rolls the OAuth server with the password.
KUBEADMIN_SECRET_HASH: Final = f"{PREFIX}kubeadmin-secret-hash"
#: Hash of what was applied.
DESIRED_STATE_HASH: Final = f"{PREFIX}desired-state-hash"
#: Hash of the certificate that is served.
KAS_SERVING_CERT_HASH: Final = f"{PREFIX}kas-serving-cert-hash"
#: User that pods of the namespace run as.
DEFAULT_SECURITY_CONTEXT_UID: Final = f"{PREFIX}default-security-context-uid"
#: Which operator takes the cluster.
SCOPE: Final = f"{PREFIX}scope"
#: How long certificates are valid.
CERTIFICATE_VALIDITY: Final = f"{PREFIX}certificate-validity"
#: Share of that after which they are renewed.
CERTIFICATE_RENEWAL: Final = f"{PREFIX}certificate-renewal"
#: On pods: the stage of the replacement of authorities that they were started in.
AUTHORITIES: Final = f"{PREFIX}authorities"
#: On pods: the stage of the replacement of token keys alone that they were started in.
TOKEN_KEYS: Final = f"{PREFIX}service-account-keys"
#: On the Secret with those keys: which of them the documents of the token issuer list.
PUBLISHED_TOKEN_KEYS: Final = f"{PREFIX}published-service-account-keys"
#: Version that installed the operator.
INSTALL_CLI_VERSION: Final = f"{PREFIX}install-cli-version"
#: On a ServiceMonitor: the endpoint as the guest's own monitoring would name it.
METRICS_ENDPOINT: Final = f"{PREFIX}metrics-endpoint"
#: On a ServiceMonitor: the job as the guest's own monitoring would name it.
METRICS_JOB: Final = f"{PREFIX}metrics-job"
#: On a ServiceMonitor: the namespace as the guest's own monitoring would name it.
METRICS_NAMESPACE: Final = f"{PREFIX}metrics-namespace"
#: On a ServiceMonitor: the service as the guest's own monitoring would name it.
METRICS_SERVICE: Final = f"{PREFIX}metrics-service"

#: On a pod of an API server: how many restarts of the server were seen.
LAST_OBSERVED_RESTART_COUNT: Final = f"{PREFIX}last-observed-restart-count"
#: On a pod of an API server: when its audit logs were last copied in a VolumeSnapshot.
LAST_SNAPSHOT_TIME: Final = f"{PREFIX}last-snapshot-time"
#: On API server pods: the client authorities that its kubelet was asked to bring to it.
CLIENT_AUTHORITIES_ASKED: Final = f"{PREFIX}client-authorities"

# Whole families, by prefix.

#: OAuth settings of one identity provider.
IDP_OVERRIDES_PREFIX: Final = "idpoverrides.hypershift.openshift.io/"
#: `<workload>.<container>`: what a container requests, `cpu=1,memory=2Gi`.
RESOURCE_REQUEST_OVERRIDE_PREFIX: Final = "resource-request-override.hypershift.openshift.io/"
#: Marks a Secret or ConfigMap that a HostedCluster uses.
REFERENCED_RESOURCE_PREFIX: Final = "referenced-resource.hypershift.openshift.io/"

#: Copied from the HostedCluster to its HostedControlPlane.
MIRRORED: Final = (
    KONNECTIVITY_SERVER_IMAGE,
    KONNECTIVITY_AGENT_IMAGE,
    CLUSTER_AUTOSCALER_IMAGE,
    AWS_KMS_PROVIDER_IMAGE,
    IBMCLOUD_KMS_PROVIDER_IMAGE,
    PORTIERIS_IMAGE,
    KARPENTER_PROVIDER_AWS_IMAGE,
    KARPENTER_OPERATOR_IMAGE,
    CERTIFIED_OPERATORS_CATALOG_IMAGE,
    COMMUNITY_OPERATORS_CATALOG_IMAGE,
    REDHAT_MARKETPLACE_CATALOG_IMAGE,
    REDHAT_OPERATORS_CATALOG_IMAGE,
    OLM_CATALOGS_REGISTRY_OVERRIDES,
    DISABLE_PKI_RECONCILIATION,
    ROTATE_AUTHORITIES,
    ROTATE_AUTHORITIES_GRACE,
    ROTATE_AUTHORITIES_ONLY,
    ROTATE_AUTHORITIES_TOKEN_LIFETIME,
    CONTROL_PLANE_PRIORITY_CLASS,
    API_CRITICAL_PRIORITY_CLASS,
    ETCD_PRIORITY_CLASS,
    DISABLE_PROFILING,
    TOPOLOGY,
    REQUEST_SERVING_NODE_ADDITIONAL_SELECTOR,
    DISABLE_MACHINE_MANAGEMENT,
    DISABLE_IGNITION_SERVER,
    ENABLE_METRICS_FORWARDING,
    DEBUG_DEPLOYMENTS,
    KUBE_API_SERVER_GOGC,
    KUBE_API_SERVER_GOMEMLIMIT,
    KUBE_API_SERVER_MAX_REQUESTS_INFLIGHT,
    KUBE_API_SERVER_MAX_MUTATING_REQUESTS_INFLIGHT,
    KUBE_API_SERVER_VERBOSITY_LEVEL,
    KUBE_API_SERVER_GOAWAY_CHANCE,
    KUBE_API_SERVER_TOKEN_MAX_EXPIRATION,
    OAUTH_LOGIN_URL_OVERRIDE,
    ENSURE_EXISTS_PULL_SECRET,
    RESTORED_FROM_BACKUP,
    MANAGEMENT_PLATFORM,
    SWIFT_POD_NETWORK_INSTANCE,
    SHARED_INGRESS,
    PRIVATE_INGRESS_CONTROLLER,
    INGRESS_LOAD_BALANCER_SCOPE,
    AWS_LOAD_BALANCER_SUBNETS,
    AWS_LOAD_BALANCER_TARGET_NODES,
    AWS_LOAD_BALANCER_HEALTH_PROBE_MODE,
    AZURE_LOAD_BALANCER_HEALTH_PROBE_MODE,
    SHARED_HEALTH_PROBE_PATH,
    SHARED_HEALTH_PROBE_PORT,
    CLEANUP_CLOUD_RESOURCES,
    AWS_MACHINE_PUBLIC_IPS,
    AWS_KARPENTER_INSTANCE_PROFILE,
    AWS_TERMINATION_QUEUE_URL,
    CERTIFICATE_VALIDITY,
    CERTIFICATE_RENEWAL,
    CLUSTER_DOMAIN,
)

#: Annotations that begin so are copied as well.
MIRRORED_PREFIXES: Final = (IDP_OVERRIDES_PREFIX, RESOURCE_REQUEST_OVERRIDE_PREFIX)


def mirrored(annotations: dict[str, str]) -> dict[str, str]:
    """Those annotations of a HostedCluster that its HostedControlPlane gets."""
    return {
        key: value
        for key, value in annotations.items()
        if key in MIRRORED or key.startswith(MIRRORED_PREFIXES)
    }
