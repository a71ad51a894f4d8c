"""The operator's Deployment and Service: arguments, environment and volumes that flags ask for."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.cli.decoding import Struct, from_yaml
from hypershift.cli.files import read_file
from hypershift.cli.install import audit_logs
from hypershift.cli.install.assets import load
from hypershift.cli.install.credentials import TOKEN_DIRECTORY, Credential, token_volume
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.version import client_version
from hypershift.kit import Manifest, UsageError
from hypershift.kit.duration import format_duration

CLI_VERSION = annotations.INSTALL_CLI_VERSION
SERVING_CERT = "/var/run/secrets/serving-cert"
#: Environment of the operator by the tag of an image.
IMAGE_VARIABLES = {
    "apiserver-network-proxy": "IMAGE_KONNECTIVITY",
    "cluster-api": "IMAGE_CLUSTER_API",
    "cluster-api-provider-agent": "IMAGE_AGENT_CAPI_PROVIDER",
    "cluster-api-provider-aws": "IMAGE_AWS_CAPI_PROVIDER",
    "cluster-api-provider-azure": "IMAGE_AZURE_CAPI_PROVIDER",
    "cluster-api-provider-gcp": "IMAGE_GCP_CAPI_PROVIDER",
    "cluster-api-provider-kubevirt": "IMAGE_KUBEVIRT_CAPI_PROVIDER",
    "cluster-api-provider-openstack": "IMAGE_OPENSTACK_CAPI_PROVIDER",
    "cluster-api-provider-powervs": "IMAGE_POWERVS_CAPI_PROVIDER",
    "openstack-resource-controller": "IMAGE_OPENSTACK_RESOURCE_CONTROLLER",
}


def images(options: InstallOptions) -> dict[str, str]:
    """Images by tag, out of the ImageStream file."""
    if not options.image_refs:
        return {}
    text = read_file(options.image_refs, "cannot read image references file")
    stream = from_yaml(text, "cannot parse image references file", Struct("v1.ImageStream"))
    try:
        tags = (stream.get("spec") or {}).get("tags") or []
        return {tag["name"]: tag["from"]["name"] for tag in tags}
    except (AttributeError, KeyError, TypeError):
        raise UsageError(
            f"cannot parse image references file {options.image_refs}: it is no ImageStream"
        ) from None


def replicas(options: InstallOptions) -> int:
    """How many operators run: an API that waits for a webhook should not wait for one pod."""
    if options.development:
        return 0
    return 2 if _answers(options) else 1


def _answers(options: InstallOptions) -> bool:
    return bool(
        options.enable_defaulting_webhook
        or options.enable_validating_webhook
        or options.enable_conversion_webhook
        or not options.disable_capi_conversion_webhook
    )


def converts(options: InstallOptions) -> bool:
    """Whether any webhook is served, for which a certificate is needed."""
    return _answers(options) or audit_logs.has_webhooks(options)


def operator(options: InstallOptions, credentials: dict[str, Credential | None]) -> list[Manifest]:
    """The Deployment and the Service."""
    deployment, service = load("operator.yaml", options.namespace)
    found = images(options)
    deployment["metadata"]["annotations"] = {CLI_VERSION: client_version()}
    spec = deployment["spec"]
    spec["replicas"] = replicas(options)
    pod = spec["template"]["spec"]
    image = found.get("hypershift-operator", options.hypershift_image)
    for container in (*pod["containers"], *pod["initContainers"]):
        container["image"] = image
        container["imagePullPolicy"] = options.image_pull_policy
    container = pod["containers"][0]
    container["args"] += arguments(options, credentials)
    own = {each["name"] for each in container["env"]}
    container["env"] += [
        {"name": name, "value": value}
        for name, value in environment(options, credentials, found).items()
        if name not in own
    ]
    for volume, mount in volumes(options, credentials):
        pod["volumes"].append(volume)
        container["volumeMounts"].append({"name": volume["name"], **mount})
    if options.shared:
        share(pod, replicas(options))
    if _uses_identity(options):
        spec["template"]["metadata"]["labels"]["azure.workload.identity/use"] = "true"
    return [deployment, service]


def share(pod: Manifest, several: int) -> None:
    """The pod of an operator that also serves machines, which find it as soon as it is ready.

    It has a volume to write to and needs no init container, as restricted pods require.
    """
    (container,) = pod["containers"]
    container["args"].append("--mode=shared")
    if several > 1:  # several replicas share the clusters
        container["args"].append("--shard-clusters")
    container["ports"].append({"name": "ignition", "containerPort": 9090, "protocol": "TCP"})
    container["readinessProbe"] = _probe("/readyz") | {"periodSeconds": 5}
    container["livenessProbe"] = _probe("/healthz") | {"periodSeconds": 20}
    # It looks itself up and makes certificates before it listens: minutes on a busy machine.
    container["startupProbe"] = _probe("/healthz") | {"periodSeconds": 1, "failureThreshold": 300}
    container["volumeMounts"] = [
        each for each in container["volumeMounts"] if each["name"] != "trusted-ca-bundle"
    ] + [{"name": "tmp", "mountPath": "/tmp"}]  # noqa: S108 - a mount point
    del pod["initContainers"]
    pod["volumes"] = [
        each for each in pod["volumes"] if not each["name"].endswith("trusted-ca-bundle")
    ] + [{"name": "tmp", "emptyDir": {}}]
    pod["securityContext"] = {
        "runAsNonRoot": True,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    # A pass that has begun may end before the lease is given back.
    pod["terminationGracePeriodSeconds"] = 30


def _probe(path: str) -> Manifest:
    return {"httpGet": {"path": path, "port": "metrics"}, "timeoutSeconds": 5}


def arguments(options: InstallOptions, credentials: dict[str, Credential | None]) -> list[str]:
    """The arguments that follow flags."""
    isolated = _word(on=options.enable_dedicated_request_serving_isolation)
    found = [
        f"--enable-dedicated-request-serving-isolation={isolated}",
        f"--enable-ocp-cluster-monitoring={_word(on=options.platform_monitoring == 'All')}",
        f"--enable-ci-debug-output={_word(on=options.enable_ci_debug_output)}",
        f"--private-platform={options.private_platform}",
        *(f"--hcp-egress-block-cidrs={each}" for each in options.hcp_egress_block_cidrs),
    ]
    if options.registry_overrides:
        found.append(f"--registry-overrides={options.registry_overrides}")
    if converts(options):
        found.append(f"--cert-dir={SERVING_CERT}")
    if options.enable_validating_webhook:
        found.append("--enable-validating-webhook=true")
    found += _oidc(options, credentials["oidc"])
    if zero := _scale_from_zero(options, credentials):
        found += [
            f"--scale-from-zero-provider={options.scale_from_zero_provider}",
            f"--scale-from-zero-creds=/etc/scale-from-zero-creds/{zero.key}",
        ]
    if options.enable_uwm_telemetry_remote_write:
        found.append("--enable-uwm-telemetry-remote-write")
    mirrors = sorted(options.registry_mirror.items())
    found += [f"--registry-mirror={host}={address}" for host, address in mirrors]
    found += [f"--allowed-registries={each}" for each in options.allowed_registries]
    if image := options.shared_ingress_image:
        found.append(f"--shared-ingress-image={image}")
    found += [f"--published-domain={each}" for each in options.published_domain]
    return found


def _scale_from_zero(
    options: InstallOptions, credentials: dict[str, Credential | None]
) -> Credential | None:
    found = credentials["scale-from-zero"]
    return found if found and found.key and options.scale_from_zero_provider else None


def _oidc(options: InstallOptions, credential: Credential | None) -> list[str]:
    if credential is None or not credential.key:
        return []
    prefix = "oidc-storage-provider-s3"
    return [
        f"--{prefix}-bucket-name={options.oidc_storage_provider_s3_bucket_name}",
        f"--{prefix}-region={options.oidc_storage_provider_s3_region}",
        f"--{prefix}-credentials=/etc/{prefix}-creds/{credential.key}",
    ]


def _word(*, on: bool) -> str:
    return "true" if on else "false"


def environment(
    options: InstallOptions, credentials: dict[str, Credential | None], found: dict[str, str]
) -> dict[str, str]:
    """The environment that follows flags; what a user adds never replaces what is set."""
    fixed = {
        "METRICS_SET": options.metrics_set,
        "CERT_ROTATION_SCALE": format_duration(options.cert_rotation_scale),
        "KUBE_FEATURE_WatchListClient": "false",
    }
    switches = {
        "HYPERSHIFT_FEATURESET": options.tech_preview_no_upgrade and "TechPreviewNoUpgrade",
        "ENABLE_AUDIT_LOG_PERSISTENCE": options.enable_audit_log_persistence and "true",
        "ENABLE_CVO_MANAGEMENT_CLUSTER_METRICS_ACCESS": (
            options.enable_cvo_management_cluster_metrics_access and "1"
        ),
        "MANAGED_SERVICE": options.managed_service,
        "ARO_HCP_KEY_VAULT_USER_CLIENT_ID": options.aro_hcp_key_vault_users_client_id,
        "ENABLE_SIZE_TAGGING": options.enable_size_tagging and "1",
        "ENABLE_ETCD_RECOVERY": options.enable_etcd_recovery and "1",
        "ENABLE_CPO_OVERRIDES": options.enable_cpo_overrides and "1",
        "ENABLE_STANDALONE_KARPENTER_OPERATOR": (
            options.enable_standalone_karpenter_operator and "1"
        ),
        "CAPI_STORAGE_VERSION": "v1beta1" if options.disable_capi_migration else "v1beta2",
        "PLATFORMS_INSTALLED": ",".join(options.limit_crd_install),
        "RHOBS_MONITORING": options.rhobs_monitoring and "1",
        "CVO_PROMETHEUS_URL": options.cvo_prometheus_url,
        "MONITORING_DASHBOARDS": options.monitoring_dashboards and "1",
        **{name: found.get(tag, "") for tag, name in IMAGE_VARIABLES.items()},
        **_cloud(options, credentials),
    }
    known = fixed | {name: str(value) for name, value in switches.items() if value}
    typed = options.additional_operator_env_vars.items()
    added = {name.strip(): value.strip() for name, value in typed if name.strip() and value.strip()}
    return fixed | {name: value for name, value in added.items() if name not in known} | known


def _cloud(options: InstallOptions, credentials: dict[str, Credential | None]) -> dict[str, str]:
    match options.private_platform, credentials["private"]:
        case "AWS", Credential(key=key):
            return {
                "AWS_SHARED_CREDENTIALS_FILE": f"/etc/provider/{key}",
                "AWS_REGION": options.aws_private_region,
                "AWS_SDK_LOAD_CONFIG": "1",
            }
        case "GCP", _:
            places = {"GCP_PROJECT": options.gcp_project, "GCP_REGION": options.gcp_region}
            return {name: value for name, value in places.items() if value}
        case "Azure", credential:
            return _azure(options, credential)
        case _:
            return {}


def _azure(options: InstallOptions, credential: Credential | None) -> dict[str, str]:
    name = options.azure_pls_resource_group
    group = {"AZURE_RESOURCE_GROUP": name} if name else {}
    if _uses_identity(options):
        return group | {
            "AZURE_PLS_CLIENT_ID": options.azure_pls_managed_identity_client_id,
            "AZURE_SUBSCRIPTION_ID": options.azure_pls_subscription_id,
        }
    if credential and credential.key:
        return group | {"AZURE_CREDENTIALS_FILE": f"/etc/azure-provider/{credential.key}"}
    return group


def _uses_identity(options: InstallOptions) -> bool:
    return bool(options.azure_pls_managed_identity_client_id)


def volumes(
    options: InstallOptions, credentials: dict[str, Credential | None]
) -> Iterator[tuple[Manifest, Manifest]]:
    """Volumes with the way in which the operator mounts them."""
    if converts(options):
        secret = {"secretName": "manager-serving-cert", "optional": True}
        yield {"name": "serving-cert", "secret": secret}, {"mountPath": SERVING_CERT}
    if (oidc := credentials["oidc"]) and oidc.key:
        name = "oidc-storage-provider-s3-creds"
        yield _of_secret(name, oidc), {"mountPath": f"/etc/{name}"}
    if zero := _scale_from_zero(options, credentials):
        mount = {"mountPath": "/etc/scale-from-zero-creds", "readOnly": True}
        yield _of_secret("scale-from-zero-creds", zero), mount
    if options.additional_trust_bundle:
        items = [{"key": "ca-bundle.crt", "path": "user-ca-bundle.pem"}]
        volume = {"name": "trusted-ca", "configMap": {"name": "user-ca-bundle", "items": items}}
        yield volume, {"mountPath": "/etc/pki/tls/certs", "readOnly": True}
    yield from _cloud_volumes(options, credentials["private"])


def _cloud_volumes(
    options: InstallOptions, credential: Credential | None
) -> Iterator[tuple[Manifest, Manifest]]:
    match options.private_platform, credential:
        case "AWS", Credential():
            yield _of_secret("credentials", credential), {"mountPath": "/etc/provider"}
            yield token_volume(), {"mountPath": TOKEN_DIRECTORY}
        case "Azure", Credential(key=key) if key:
            mount = {"mountPath": "/etc/azure-provider", "readOnly": True}
            yield _of_secret("azure-credentials", credential), mount
        case _:  # Google Cloud knows the operator's account by itself
            pass


def _of_secret(name: str, credential: Credential) -> Manifest:
    return {"name": name, "secret": {"secretName": credential.name}}
