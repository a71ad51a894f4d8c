"""Support of the annotations of HostedClusters and NodePools."""

from hypershift.api import annotations as known
from hypershift.api.rights import ANNOTATIONS, PREFIXES, Access
from hypershift.operators.hypershift.support.rows import (
    Support,
    harmless,
    honoured,
    ignored,
)
from hypershift.release import Product

_K8S, _OPENSHIFT = Product.KUBERNETES, Product.OPENSHIFT
_ROTATION = (
    known.ROTATE_AUTHORITIES,
    known.ROTATE_AUTHORITIES_GRACE,
    known.ROTATE_AUTHORITIES_ONLY,
    known.ROTATE_AUTHORITIES_TOKEN_LIFETIME,
)

HONOURED: tuple[Support, ...] = (
    *honoured(
        "HyperShift operator",
        known.CONTROL_PLANE_OPERATOR_IMAGE,
        known.CONTROL_PLANE_OPERATOR_IMAGE_LABELS,
        known.MODE,
        known.SHARED_INGRESS,
        known.POD_SECURITY_ADMISSION_LABEL_OVERRIDE,
        known.DISABLE_MACHINE_MANAGEMENT,
        known.SKIP_KAS_CONFLICT_SAN_VALIDATION,
        known.SKIP_RELEASE_IMAGE_VALIDATION,
        known.FORCE_UPGRADE_TO,
        known.CLEANUP_CLOUD_RESOURCES,
        known.DESTROY_GRACE_PERIOD,
        known.SKIP_NAMESPACE_DELETION,
        known.RESTORED_FROM_BACKUP,
        known.CAPI_MANAGER_IMAGE,
    ),
    *honoured("metrics of the fleet", known.MANAGEMENT_PLATFORM),
    *honoured(
        "PKI",
        known.DISABLE_PKI_RECONCILIATION,
        known.CERTIFICATE_VALIDITY,
        known.CERTIFICATE_RENEWAL,
    ),
    *honoured("PKI", *_ROTATION, product=_K8S),
    *(
        ignored(name, "nodes of an OpenShift cluster cannot be given new authorities", _OPENSHIFT)
        for name in _ROTATION
    ),
    *honoured("names inside the cluster", known.CLUSTER_DOMAIN, product=_K8S),
    ignored(known.CLUSTER_DOMAIN, "an OpenShift release calls it cluster.local", _OPENSHIFT),
    *honoured(
        "control plane components",
        known.RESTART_DATE,
        known.CONTROL_PLANE_PRIORITY_CLASS,
        known.API_CRITICAL_PRIORITY_CLASS,
        known.ETCD_PRIORITY_CLASS,
        known.DISABLE_PROFILING,
        known.TOPOLOGY,
        known.REQUEST_SERVING_NODE_ADDITIONAL_SELECTOR,
        known.DEBUG_DEPLOYMENTS,
        known.RESOURCE_REQUEST_OVERRIDE_PREFIX,
    ),
    *honoured("cluster-autoscaler", known.CLUSTER_AUTOSCALER_IMAGE),
    *honoured(
        "Karpenter's operator",
        known.KARPENTER_PROVIDER_AWS_IMAGE,
        known.KARPENTER_OPERATOR_IMAGE,
        known.AWS_KARPENTER_INSTANCE_PROFILE,
    ),
    *honoured(
        "kube-apiserver",
        known.KUBE_API_SERVER_GOGC,
        known.KUBE_API_SERVER_GOMEMLIMIT,
        known.KUBE_API_SERVER_MAX_REQUESTS_INFLIGHT,
        known.KUBE_API_SERVER_MAX_MUTATING_REQUESTS_INFLIGHT,
        known.KUBE_API_SERVER_VERBOSITY_LEVEL,
        known.KUBE_API_SERVER_GOAWAY_CHANCE,
        known.KUBE_API_SERVER_TOKEN_MAX_EXPIRATION,
    ),
    *honoured("HostedCluster controller", known.CAPI_PROVIDER_AWS_IMAGE),
    *honoured(
        "NodePool controller",
        known.HAPROXY_IMAGE,
        known.CANONICAL_DATA_PLANE_IMAGES,
        known.MACHINE_HEALTH_CHECK_TIMEOUT,
        known.MACHINE_HEALTH_CHECK_STARTUP_TIMEOUT,
        known.MACHINE_HEALTH_CHECK_MAX_UNHEALTHY,
        known.ENABLE_SPOT,
        known.EC2_METADATA_HTTP_TOKENS,
        known.AWS_MACHINE_PUBLIC_IPS,
        known.KUBEVIRT_VM_JSON_PATCH,
        known.ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS,
    ),
)

#: What only OpenShift's components read.
OPENSHIFT_ALONE: tuple[Support, ...] = tuple(
    row
    for name, reader in (
        (known.KONNECTIVITY_AGENT_IMAGE, "konnectivity-agent"),
        (known.AWS_KMS_PROVIDER_IMAGE, "kube-apiserver"),
        (known.IBMCLOUD_KMS_PROVIDER_IMAGE, "kube-apiserver"),
        (known.PORTIERIS_IMAGE, "kube-apiserver"),
        (known.AWS_LOAD_BALANCER_HEALTH_PROBE_MODE, "aws-cloud-controller-manager"),
        (known.SHARED_HEALTH_PROBE_PATH, "aws-cloud-controller-manager"),
        (known.SHARED_HEALTH_PROBE_PORT, "aws-cloud-controller-manager"),
        (known.OLM_CATALOGS_REGISTRY_OVERRIDES, "guest configuration"),
        (known.PRIVATE_INGRESS_CONTROLLER, "guest configuration"),
        (known.INGRESS_LOAD_BALANCER_SCOPE, "guest configuration"),
        (known.ENSURE_EXISTS_PULL_SECRET, "guest configuration"),
        (known.OAUTH_LOGIN_URL_OVERRIDE, "oauth-openshift"),
        (known.IDP_OVERRIDES_PREFIX, "oauth-openshift"),
    )
    for row in (
        *honoured(reader, name, product=_OPENSHIFT),
        ignored(name, f"only {reader} of an OpenShift release reads it", _K8S),
    )
)

#: Annotations that no program reads, and what that means for the user who set them.
UNREAD: dict[str, tuple[str, ...]] = {
    "the image of the release runs": (
        known.KONNECTIVITY_SERVER_IMAGE,
        known.IMAGE_OVERRIDES,
    ),
    "it runs as a part of the operators, not from an image of its own": (
        known.MACHINE_APPROVER_IMAGE,
    ),
    "the providers of Cluster API run from the images of the installation": (
        known.CAPI_PROVIDER_KUBEVIRT_IMAGE,
        known.CAPI_PROVIDER_AGENT_IMAGE,
        known.CAPI_PROVIDER_AZURE_IMAGE,
        known.CAPI_PROVIDER_POWERVS_IMAGE,
        known.CAPI_PROVIDER_OPENSTACK_IMAGE,
        known.CAPI_PROVIDER_GCP_IMAGE,
        known.ORC_IMAGE,
    ),
    "it counts on the HostedControlPlane alone, as in the original": (
        known.KARPENTER_CORE_E2E_OVERRIDE,
    ),
    "there are no catalogs of operators": (
        known.CERTIFIED_OPERATORS_CATALOG_IMAGE,
        known.COMMUNITY_OPERATORS_CATALOG_IMAGE,
        known.REDHAT_MARKETPLACE_CATALOG_IMAGE,
        known.REDHAT_OPERATORS_CATALOG_IMAGE,
    ),
    "this operator reconciles clusters of every scope": (known.SCOPE,),
    "monitors are made wherever the management cluster has their kind": (
        known.DISABLE_MONITORING_SERVICES,
    ),
    "the ignition server runs on; only its certificates are left out": (
        known.DISABLE_IGNITION_SERVER,
    ),
    "metrics are not forwarded": (known.ENABLE_METRICS_FORWARDING,),
    "this operator has no size classes": (
        known.CLUSTER_SIZE_OVERRIDE,
        known.RESOURCE_BASED_AUTOSCALING,
    ),
    "this operator cannot host clusters on that platform": (
        known.AWS_LOAD_BALANCER_TARGET_NODES,
        known.AWS_TERMINATION_QUEUE_URL,
        known.AZURE_LOAD_BALANCER_HEALTH_PROBE_MODE,
        known.AZURE_RESOURCE_ID,
        known.SWIFT_POD_NETWORK_INSTANCE,
    ),
}

_NOTES = tuple(
    name for name, access in (*ANNOTATIONS.items(), *PREFIXES.items()) if access is Access.INTERNAL
)

ROWS: tuple[Support, ...] = (
    *HONOURED,
    *OPENSHIFT_ALONE,
    *(ignored(name, why) for why, names in UNREAD.items() for name in names),
    *harmless("it has no effect in the original either", known.AWS_LOAD_BALANCER_SUBNETS),
    *harmless("the operators write it on objects of theirs", *_NOTES),
)
