"""The flags of `install`, which `install render` and `install helm` share."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from hypershift.cli.flags import (
    BOOL,
    DURATION,
    STRING_ARRAY,
    STRING_MAP,
    STRINGS,
    Flag,
    choice,
    one_of,
)

DEFAULT_IMAGE = "quay.io/hypershift/hypershift-operator:latest"
EXTERNAL_DNS_IMAGE = (
    "registry.redhat.io/edo/external-dns-rhel8@"
    "sha256:9f60c682b44497d9736a04991c0d2b3485d477f6c89a87c4a44a211a3d1f3cd4"
)
CLUSTER_API = ("auto", "install", "adopt", "none")
CLUSTER_API_IMAGE = "registry.k8s.io/cluster-api/cluster-api-controller:v1.13.6"
METRICS_SET = one_of(
    "metricsSet",
    {"telemetry": "Telemetry", "sre": "SRE", "all": "All", "": "Telemetry"},
    lambda word: f"invalid metrics set: {word}",
)
MONITORING = choice(
    "PlatformMonitoringOption",
    ("OperatorOnly", "All", "None"),
    lambda word: (
        f"invalid OCP monitoring option: {word}, valid values are: OperatorOnly, All, None"
    ),
)

_TEXTS = {
    "additional-trust-bundle": "File with further certificate authorities",
    "aro-hcp-key-vault-users-client-id": "Client id of the identity that reads key vaults",
    "aws-operator-roles-file": "File with the roles of the operator on AWS",
    "aws-private-creds": "File with AWS credentials for private clusters",
    "aws-private-region": "Region of private clusters on AWS",
    "aws-private-role-arn": "AWS role for private clusters",
    "aws-private-secret": "Secret with AWS credentials for private clusters",
    "azure-pls-managed-identity-client-id": "Managed identity for private clusters on Azure",
    "azure-pls-resource-group": "Resource group of private link services",
    "azure-pls-subscription-id": "Subscription of private link services",
    "azure-private-creds": "File with Azure credentials for private clusters",
    "azure-private-secret": "Secret with Azure credentials for private clusters",
    "cvo-prometheus-url": "Prometheus that cluster version operators ask",
    "external-dns-aws-zones-cache-duration": "How long external-dns remembers zones (aws)",
    "external-dns-credentials": "File with the credentials of external-dns",
    "external-dns-domain-filter": "Domain that external-dns may change",
    "external-dns-google-project": "Project of external-dns (google)",
    "external-dns-interval": "How often external-dns looks",
    "external-dns-provider": "DNS provider of external-dns: aws, azure, google",
    "external-dns-role-arn": "AWS role of external-dns",
    "external-dns-secret": "Secret with the credentials of external-dns",
    "external-dns-txt-owner-id": "Owner that external-dns writes (random when not given)",
    "gcp-project": "Project of private clusters on Google Cloud",
    "gcp-region": "Region of private clusters on Google Cloud",
    "image-refs": "ImageStream file with the images to use",
    "managed-service": "ARO-HCP for the managed service on Azure",
    "oidc-storage-provider-s3-bucket-name": "Bucket of OIDC documents",
    "oidc-storage-provider-s3-credentials": "File with the credentials of that bucket",
    "oidc-storage-provider-s3-region": "Region of that bucket",
    "oidc-storage-provider-s3-role-arn": "AWS role that writes that bucket",
    "oidc-storage-provider-s3-secret": "Secret with the credentials of that bucket",
    "pull-secret": "File with the credentials of image registries",
    "registry-overrides": "Registries to replace: from=to,from=to",
    "scale-from-zero-creds": "File with credentials to look up machine sizes",
    "scale-from-zero-provider": "Cloud of these credentials: aws or azure",
    "scale-from-zero-secret": "Secret with these credentials",
}
_SWITCHES = {
    "development": "No operator pods: run it from elsewhere",
    "disable-capi-conversion-webhook": "No conversion of Cluster API objects",
    "disable-capi-migration": "Keep Cluster API objects stored as v1beta1",
    "enable-admin-rbac-generation": "Roles hypershift-client and hypershift-readers",
    "enable-audit-log-persistence": "Keep audit logs of hosted clusters",
    "enable-ci-debug-output": "Log what continuous integration wants to see",
    "enable-cpo-overrides": "Let the operator replace control plane operators of releases",
    "enable-cvo-management-cluster-metrics-access": "Cluster version operators read our metrics",
    "enable-defaulting-webhook": "Fill defaults by a webhook",
    "enable-size-tagging": "Tag clusters with their size",
    "enable-standalone-karpenter-operator": "Run Karpenter's operator on its own",
    "enable-uwm-telemetry-remote-write": "Send telemetry of user workload monitoring",
    "enable-validating-webhook": "Validate by a webhook",
    "exclude-etcd": "Leave the definitions of etcd out",
    "monitoring-dashboards": "Make dashboards for hosted clusters",
    "rhobs-monitoring": "Use the monitoring kinds of RHOBS",
    "slos-alerts": "Alerts on service level objectives",
    "tech-preview-no-upgrade": "Feature set TechPreviewNoUpgrade",
}
_OTHERS: tuple[tuple[str, str, Any, Any], ...] = (
    ("additional-operator-env-vars", "Further environment of the operator", STRING_MAP, None),
    ("cert-rotation-scale", "Length of a day in certificates", DURATION, timedelta(hours=24)),
    ("enable-conversion-webhook", "Convert our objects by a webhook", BOOL, True),
    ("enable-dedicated-request-serving-isolation", "Isolate request serving nodes", BOOL, True),
    ("enable-etcd-recovery", "Repair etcd clusters that lost members", BOOL, True),
    ("hcp-egress-block-cidrs", "Ranges control planes must not reach", STRING_ARRAY, None),
    ("limit-crd-install", "Platforms whose definitions are installed", STRINGS, None),
    ("metrics-set", "Telemetry, SRE or All", METRICS_SET, "Telemetry"),
    ("platform-monitoring", "None, OperatorOnly or All", MONITORING, None),
)
#: Flags of ours.
_OWN = (
    Flag("shared", "Run per-cluster roles in the operator: density, wider trust", BOOL),
    Flag("least-privilege", "Give the operator only the rights that it uses (as --shared)", BOOL),
    Flag("personas", "Roles of providers, consumers, admins and users of clusters", BOOL),
    Flag("containment", "Policies that keep images and placement from consumers", BOOL),
    Flag("metrics-policy", "NetworkPolicy: only monitoring reaches the metrics", BOOL),
    Flag(
        "offered-release", "Release consumers may choose: image, prefix* (repeatable)", STRING_ARRAY
    ),
    Flag("provider-definitions", "Definitions of the providers' kinds", BOOL, default=True),
    Flag("monitoring-objects", "ServiceMonitor and PrometheusRule objects", BOOL, default=True),
    Flag("registry-mirror", "Where a registry is served: host=URL (repeatable)", STRING_MAP),
    Flag(
        "allowed-registries",
        "Registries that releases and operators' images may come from: host or host/repository, "
        "with * as a wildcard (default: all)",
        STRINGS,
    ),
    Flag(
        "cluster-api",
        "Cluster API's manager: install, adopt, none, or auto (adopt one that is there)",
        choice("string", CLUSTER_API, lambda text: f"{text!r} is none of {', '.join(CLUSTER_API)}"),
        default="auto",
    ),
    Flag("cluster-api-image", "Image of Cluster API's manager", default=CLUSTER_API_IMAGE),
    Flag("shared-ingress-image", "HAProxy (2.9 or newer) of the ingress that clusters share"),
    Flag(
        "published-domain",
        "Domain below which host names of clusters must be (repeatable; default: any)",
        STRING_ARRAY,
    ),
)
_DEFAULTS = {
    "aws-private-secret-key": ("Key of that Secret", "credentials"),
    "aws-role-credential-source": ("web-identity or ec2-instance-metadata", "web-identity"),
    "azure-private-secret-key": ("Key of that Secret", "credentials"),
    "external-dns-image": ("Image of external-dns", EXTERNAL_DNS_IMAGE),
    "hypershift-image": ("Image of the operator", DEFAULT_IMAGE),
    "image-pull-policy": ("Always, Never or IfNotPresent", "IfNotPresent"),
    "namespace": ("Namespace of the operator", "hypershift"),
    "oidc-storage-provider-s3-secret-key": ("Key of that Secret", "credentials"),
    "private-platform": ("Cloud of private clusters: AWS, Azure, GCP or None", "None"),
    "scale-from-zero-secret-key": ("Key of that Secret", "credentials"),
}

FLAGS = (
    *(Flag(name, text, persistent=True) for name, text in _TEXTS.items()),
    *(Flag(name, text, BOOL, persistent=True) for name, text in _SWITCHES.items()),
    *(Flag(name, text, kind, value, persistent=True) for name, text, kind, value in _OTHERS),
    *(
        Flag(name, text, default=value, persistent=True)
        for name, (text, value) in _DEFAULTS.items()
    ),
    *(replace(flag, persistent=True) for flag in _OWN),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallOptions:
    """What `install`, `install render` and `install helm` are given."""

    additional_operator_env_vars: dict[str, str]
    additional_trust_bundle: str
    allowed_registries: tuple[str, ...]
    aro_hcp_key_vault_users_client_id: str
    aws_operator_roles_file: str
    aws_private_creds: str
    aws_private_region: str
    aws_private_role_arn: str
    aws_private_secret: str
    aws_private_secret_key: str
    aws_role_credential_source: str
    azure_pls_managed_identity_client_id: str
    azure_pls_resource_group: str
    azure_pls_subscription_id: str
    azure_private_creds: str
    azure_private_secret: str
    azure_private_secret_key: str
    cert_rotation_scale: timedelta
    cluster_api: str
    cluster_api_image: str
    containment: bool
    cvo_prometheus_url: str
    development: bool
    disable_capi_conversion_webhook: bool
    disable_capi_migration: bool
    enable_admin_rbac_generation: bool
    enable_audit_log_persistence: bool
    enable_ci_debug_output: bool
    enable_conversion_webhook: bool
    enable_cpo_overrides: bool
    enable_cvo_management_cluster_metrics_access: bool
    enable_dedicated_request_serving_isolation: bool
    enable_defaulting_webhook: bool
    enable_etcd_recovery: bool
    enable_size_tagging: bool
    enable_standalone_karpenter_operator: bool
    enable_uwm_telemetry_remote_write: bool
    enable_validating_webhook: bool
    exclude_etcd: bool
    external_dns_aws_zones_cache_duration: str
    external_dns_credentials: str
    external_dns_domain_filter: str
    external_dns_google_project: str
    external_dns_image: str
    external_dns_interval: str
    external_dns_provider: str
    external_dns_role_arn: str
    external_dns_secret: str
    external_dns_txt_owner_id: str
    gcp_project: str
    gcp_region: str
    hcp_egress_block_cidrs: tuple[str, ...]
    hypershift_image: str
    image_pull_policy: str
    image_refs: str
    least_privilege: bool
    limit_crd_install: tuple[str, ...]
    managed_service: str
    metrics_policy: bool
    metrics_set: str
    monitoring_dashboards: bool
    monitoring_objects: bool
    namespace: str
    offered_release: tuple[str, ...]
    oidc_storage_provider_s3_bucket_name: str
    oidc_storage_provider_s3_credentials: str
    oidc_storage_provider_s3_region: str
    oidc_storage_provider_s3_role_arn: str
    oidc_storage_provider_s3_secret: str
    oidc_storage_provider_s3_secret_key: str
    personas: bool
    platform_monitoring: str
    private_platform: str
    provider_definitions: bool
    published_domain: tuple[str, ...]
    pull_secret: str
    registry_mirror: dict[str, str]
    registry_overrides: str
    rhobs_monitoring: bool
    scale_from_zero_creds: str
    scale_from_zero_provider: str
    scale_from_zero_secret: str
    scale_from_zero_secret_key: str
    shared: bool
    shared_ingress_image: str
    slos_alerts: bool
    tech_preview_no_upgrade: bool
    given: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyOptions(InstallOptions):
    """What `install` itself is given."""

    check: bool
    install_scope: str
    wait_until_available: bool
    wait_until_crds_established: bool
