"""Which right a change of an annotation, label or field of a HostedCluster or NodePool needs.

RBAC knows kinds, not fields. `hypershift install --personas` therefore brings admission policies
that are generated from the tables here. A policy asks whether the user may `update` a made-up
subresource, such as `hostedclusters/override`. A cluster-admin holds every right, these too.

An annotation of our domain that stands in no table needs the right `override`: what a later
version adds is closed until it is listed here as one that consumers may set.
"""

from enum import StrEnum
from typing import Final

from hypershift.api import annotations as known
from hypershift.api import labels


class Access(StrEnum):
    """Who may set, change and remove an annotation."""

    CONSUMER = "consumer"  # everybody who may change the object
    OVERRIDE = "override"  # images, mode, pod security, and what turns a safeguard off
    PLACEMENT = "placement"  # nodes, priority, requests: the share of the management cluster
    RELEASE = "release"  # which release a control plane runs
    INTERNAL = "internal"  # notes of the operator; by hand they need the right `override`

    @property
    def subresource(self) -> str:
        """The made-up subresource whose update is needed; empty for consumers."""
        if self is Access.CONSUMER:
            return ""
        return Access.OVERRIDE.value if self is Access.INTERNAL else self.value


#: The subresources that a service provider and the operator may update.
SUBRESOURCES: Final = ("override", "placement", "release")
#: Domains whose annotations and labels mean something to us; subdomains included.
DOMAINS: Final = ("hypershift.openshift.io",)

ANNOTATIONS: Final[dict[str, Access]] = {
    # Images run in the control plane namespace with its service accounts and Secrets.
    known.KONNECTIVITY_SERVER_IMAGE: Access.OVERRIDE,
    known.KONNECTIVITY_AGENT_IMAGE: Access.OVERRIDE,
    known.CLUSTER_AUTOSCALER_IMAGE: Access.OVERRIDE,
    known.AWS_KMS_PROVIDER_IMAGE: Access.OVERRIDE,
    known.IBMCLOUD_KMS_PROVIDER_IMAGE: Access.OVERRIDE,
    known.PORTIERIS_IMAGE: Access.OVERRIDE,
    known.KARPENTER_PROVIDER_AWS_IMAGE: Access.OVERRIDE,
    known.KARPENTER_OPERATOR_IMAGE: Access.OVERRIDE,
    known.CERTIFIED_OPERATORS_CATALOG_IMAGE: Access.OVERRIDE,
    known.COMMUNITY_OPERATORS_CATALOG_IMAGE: Access.OVERRIDE,
    known.REDHAT_MARKETPLACE_CATALOG_IMAGE: Access.OVERRIDE,
    known.REDHAT_OPERATORS_CATALOG_IMAGE: Access.OVERRIDE,
    known.OLM_CATALOGS_REGISTRY_OVERRIDES: Access.OVERRIDE,
    known.CONTROL_PLANE_OPERATOR_IMAGE: Access.OVERRIDE,
    known.CONTROL_PLANE_OPERATOR_IMAGE_LABELS: Access.OVERRIDE,
    known.CAPI_MANAGER_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_AWS_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_KUBEVIRT_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_AGENT_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_AZURE_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_POWERVS_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_OPENSTACK_IMAGE: Access.OVERRIDE,
    known.CAPI_PROVIDER_GCP_IMAGE: Access.OVERRIDE,
    known.ORC_IMAGE: Access.OVERRIDE,
    known.MACHINE_APPROVER_IMAGE: Access.OVERRIDE,
    known.IMAGE_OVERRIDES: Access.OVERRIDE,
    known.HAPROXY_IMAGE: Access.OVERRIDE,
    known.CANONICAL_DATA_PLANE_IMAGES: Access.OVERRIDE,
    known.ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS: Access.OVERRIDE,
    # The boundary of the control plane, and safeguards.
    known.MODE: Access.OVERRIDE,
    known.SCOPE: Access.OVERRIDE,
    known.POD_SECURITY_ADMISSION_LABEL_OVERRIDE: Access.OVERRIDE,
    known.SWIFT_POD_NETWORK_INSTANCE: Access.OVERRIDE,
    known.MANAGEMENT_PLATFORM: Access.OVERRIDE,
    known.AZURE_RESOURCE_ID: Access.OVERRIDE,
    known.KUBEVIRT_VM_JSON_PATCH: Access.OVERRIDE,  # a machine mounts any Secret of its namespace
    known.KARPENTER_CORE_E2E_OVERRIDE: Access.OVERRIDE,
    known.DISABLE_PKI_RECONCILIATION: Access.OVERRIDE,
    known.DISABLE_PROFILING: Access.OVERRIDE,
    known.DISABLE_MACHINE_MANAGEMENT: Access.OVERRIDE,
    known.DISABLE_IGNITION_SERVER: Access.OVERRIDE,
    known.DISABLE_MONITORING_SERVICES: Access.OVERRIDE,
    known.DEBUG_DEPLOYMENTS: Access.OVERRIDE,
    known.KUBE_API_SERVER_VERBOSITY_LEVEL: Access.OVERRIDE,  # verbose logs show request bodies
    known.CERTIFICATE_VALIDITY: Access.OVERRIDE,
    known.CERTIFICATE_RENEWAL: Access.OVERRIDE,
    known.RESTORED_FROM_BACKUP: Access.OVERRIDE,
    known.SKIP_KAS_CONFLICT_SAN_VALIDATION: Access.OVERRIDE,
    known.SKIP_NAMESPACE_DELETION: Access.OVERRIDE,
    # The share of the management cluster.
    known.CONTROL_PLANE_PRIORITY_CLASS: Access.PLACEMENT,
    known.API_CRITICAL_PRIORITY_CLASS: Access.PLACEMENT,
    known.ETCD_PRIORITY_CLASS: Access.PLACEMENT,
    known.TOPOLOGY: Access.PLACEMENT,
    known.REQUEST_SERVING_NODE_ADDITIONAL_SELECTOR: Access.PLACEMENT,
    known.AWS_LOAD_BALANCER_SUBNETS: Access.PLACEMENT,
    known.AWS_LOAD_BALANCER_TARGET_NODES: Access.PLACEMENT,
    known.CLUSTER_SIZE_OVERRIDE: Access.PLACEMENT,
    known.RESOURCE_BASED_AUTOSCALING: Access.PLACEMENT,
    known.KUBE_API_SERVER_GOGC: Access.PLACEMENT,
    known.KUBE_API_SERVER_GOMEMLIMIT: Access.PLACEMENT,
    known.KUBE_API_SERVER_MAX_REQUESTS_INFLIGHT: Access.PLACEMENT,
    known.KUBE_API_SERVER_MAX_MUTATING_REQUESTS_INFLIGHT: Access.PLACEMENT,
    # Releases of control planes.
    known.SKIP_RELEASE_IMAGE_VALIDATION: Access.RELEASE,
    known.FORCE_UPGRADE_TO: Access.RELEASE,
    # What concerns the consumer's own cluster, machines and cloud account alone.
    known.RESTART_DATE: Access.CONSUMER,
    known.ROTATE_AUTHORITIES: Access.CONSUMER,
    known.ROTATE_AUTHORITIES_GRACE: Access.CONSUMER,
    known.ROTATE_AUTHORITIES_ONLY: Access.CONSUMER,
    known.ROTATE_AUTHORITIES_TOKEN_LIFETIME: Access.CONSUMER,
    known.CLUSTER_DOMAIN: Access.CONSUMER,
    known.ENABLE_METRICS_FORWARDING: Access.CONSUMER,  # as spec.monitoring
    known.KUBE_API_SERVER_GOAWAY_CHANCE: Access.CONSUMER,
    known.KUBE_API_SERVER_TOKEN_MAX_EXPIRATION: Access.CONSUMER,
    known.OAUTH_LOGIN_URL_OVERRIDE: Access.CONSUMER,
    known.ENSURE_EXISTS_PULL_SECRET: Access.CONSUMER,
    known.PRIVATE_INGRESS_CONTROLLER: Access.CONSUMER,
    known.INGRESS_LOAD_BALANCER_SCOPE: Access.CONSUMER,
    known.SHARED_INGRESS: Access.CONSUMER,  # as spec.services
    known.AWS_LOAD_BALANCER_HEALTH_PROBE_MODE: Access.CONSUMER,
    known.AZURE_LOAD_BALANCER_HEALTH_PROBE_MODE: Access.CONSUMER,
    known.SHARED_HEALTH_PROBE_PATH: Access.CONSUMER,
    known.SHARED_HEALTH_PROBE_PORT: Access.CONSUMER,
    known.CLEANUP_CLOUD_RESOURCES: Access.CONSUMER,
    known.DESTROY_GRACE_PERIOD: Access.CONSUMER,
    known.MACHINE_HEALTH_CHECK_TIMEOUT: Access.CONSUMER,
    known.MACHINE_HEALTH_CHECK_STARTUP_TIMEOUT: Access.CONSUMER,
    known.MACHINE_HEALTH_CHECK_MAX_UNHEALTHY: Access.CONSUMER,
    known.ENABLE_SPOT: Access.CONSUMER,
    known.EC2_METADATA_HTTP_TOKENS: Access.CONSUMER,
    known.AWS_MACHINE_PUBLIC_IPS: Access.CONSUMER,
    known.AWS_KARPENTER_INSTANCE_PROFILE: Access.CONSUMER,
    known.NODE_CLASS_CURRENT_CONFIG_VERSION: Access.INTERNAL,
    known.AWS_TERMINATION_QUEUE_URL: Access.CONSUMER,
    # Notes of the operators, on these kinds or on others.
    known.HOSTED_CLUSTER_SOURCED: Access.INTERNAL,
    known.ROUTE_STATUS_WRITER: Access.INTERNAL,
    known.EXTERNAL_DNS_HOSTNAME: Access.INTERNAL,
    known.RELEASE_IMAGE: Access.INTERNAL,
    known.CLUSTER_SCHEDULED: Access.INTERNAL,
    known.RECOMMENDED_CLUSTER_SIZE: Access.INTERNAL,
    known.KUBEVIRT_TOPOLOGY_SPREAD: Access.INTERNAL,
    known.SPOT_INTERRUPTION_SIGNAL: Access.INTERNAL,
    known.DISABLE_CLUSTER_AUTOSCALER: Access.INTERNAL,
    known.AUDIT_LOG_PERSISTENCE: Access.INTERNAL,
    known.MANAGEMENT_NETWORKS: Access.INTERNAL,
    known.LAST_OBSERVED_RESTART_COUNT: Access.INTERNAL,
    known.LAST_SNAPSHOT_TIME: Access.INTERNAL,
    known.CLIENT_AUTHORITIES_ASKED: Access.INTERNAL,
    known.DISABLE_AWS_NODE_TERMINATION_HANDLER: Access.INTERNAL,
    known.CLUSTER: Access.INTERNAL,
    known.NODE_POOL: Access.INTERNAL,
    known.NODE_POOL_CURRENT_CONFIG: Access.INTERNAL,
    known.NODE_POOL_CURRENT_CONFIG_VERSION: Access.INTERNAL,
    known.NODE_POOL_TARGET_CONFIG_VERSION: Access.INTERNAL,
    known.NODE_POOL_UPGRADE_IN_PROGRESS_TRUE: Access.INTERNAL,
    known.NODE_POOL_UPGRADE_IN_PROGRESS_FALSE: Access.INTERNAL,
    known.NODE_POOL_MAX_UNAVAILABLE: Access.INTERNAL,
    known.NODE_POOL_TAINTS: Access.INTERNAL,
    known.NODE_POOL_MACHINE_TEMPLATE: Access.INTERNAL,
    known.RELEASE_VERSION: Access.INTERNAL,
    known.LABELS_SYNCED: Access.INTERNAL,
    known.IGNITION_CONFIG: Access.INTERNAL,
    known.IGNITION_REACHED: Access.INTERNAL,
    known.LAST_TOKEN_GENERATION_TIME: Access.INTERNAL,
    known.NODE_POOL_UPGRADE_TYPE: Access.INTERNAL,
    known.IGNITION_TOKEN_EXPIRATION: Access.INTERNAL,
    known.HAS_BEEN_AVAILABLE: Access.INTERNAL,
    known.PREVIOUS_RESTART_DATE: Access.INTERNAL,
    known.KUBEADMIN_SECRET_HASH: Access.INTERNAL,
    known.DESIRED_STATE_HASH: Access.INTERNAL,
    known.KAS_SERVING_CERT_HASH: Access.INTERNAL,
    known.DEFAULT_SECURITY_CONTEXT_UID: Access.INTERNAL,
    known.AUTHORITIES: Access.INTERNAL,
    known.TOKEN_KEYS: Access.INTERNAL,
    known.PUBLISHED_TOKEN_KEYS: Access.INTERNAL,
    known.INSTALL_CLI_VERSION: Access.INTERNAL,
    known.CLUSTER_UID: Access.INTERNAL,
    known.DELETES_LINKS: Access.INTERNAL,
    known.COPY_OF: Access.INTERNAL,
    known.BACKUP_EVERY: Access.INTERNAL,
    known.BACKUP_KEEP: Access.INTERNAL,
    known.PROVE_RESTORE: Access.INTERNAL,
    known.RESTORE_PROOF: Access.INTERNAL,
    known.RESTORED_FROM: Access.INTERNAL,
    known.MOVING_TO: Access.INTERNAL,
    known.METRICS_ENDPOINT: Access.INTERNAL,
    known.METRICS_JOB: Access.INTERNAL,
    known.METRICS_NAMESPACE: Access.INTERNAL,
    known.METRICS_SERVICE: Access.INTERNAL,
}

#: The same for whole families.
PREFIXES: Final[dict[str, Access]] = {
    known.IDP_OVERRIDES_PREFIX: Access.CONSUMER,
    known.RESOURCE_REQUEST_OVERRIDE_PREFIX: Access.PLACEMENT,
    known.REFERENCED_RESOURCE_PREFIX: Access.INTERNAL,
}

#: Labels of our domain that `hypershift create` and consumers put on their own objects.
CONSUMER_LABELS: Final = (
    labels.SAFE_TO_DELETE_WITH_CLUSTER,
    labels.AUTO_CREATED_FOR_INFRA,
    labels.SILENCE_CLUSTER_ALERTS,
)

#: Optional fields of a spec by kind: a user who sets, changes or removes one needs the right.
FIELDS: Final[dict[str, dict[tuple[str, ...], Access]]] = {
    "hostedclusters": {
        ("nodeSelector",): Access.PLACEMENT,
        ("tolerations",): Access.PLACEMENT,
        # Each shard is up to three members more, on nodes that it may choose.
        ("etcd", "managed", "scheduling"): Access.PLACEMENT,
        ("etcd", "managed", "shards"): Access.PLACEMENT,
        ("controlPlaneRelease",): Access.RELEASE,
    },
    "nodepools": {
        ("platform", "kubevirt", "nodeSelector"): Access.PLACEMENT,
        ("platform", "kubevirt", "hostDevices"): Access.PLACEMENT,
    },
}


def access_to(annotation: str) -> Access | None:
    """Who may write an annotation; None for one that is not ours."""
    if found := ANNOTATIONS.get(annotation):
        return found
    for prefix, access in PREFIXES.items():
        if annotation.startswith(prefix):
            return access
    domain = annotation.partition("/")[0] if "/" in annotation else ""
    ours = any(domain == each or domain.endswith(f".{each}") for each in DOMAINS)
    return Access.OVERRIDE if ours else None
