"""The flags of `install`, which `install render` and `install helm` share."""

from dataclasses import replace
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
    words,
)

DEFAULT_IMAGE = "quay.io/hypershift/hypershift-operator:latest"
EXTERNAL_DNS_IMAGE = (
    "registry.redhat.io/edo/external-dns-rhel8@"
    "sha256:9f60c682b44497d9736a04991c0d2b3485d477f6c89a87c4a44a211a3d1f3cd4"
)
CLUSTER_API = ("auto", "install", "adopt", "none")
CLUSTER_API_IMAGE = "registry.k8s.io/cluster-api/cluster-api-controller:v1.13.6"
METRICS_SET = words(
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
