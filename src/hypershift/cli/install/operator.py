"""The operator's Deployment and Service: arguments, environment and volumes that flags ask for."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.cli.decoding import from_yaml
from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.cli.install import audit_logs
from hypershift.cli.install.assets import load
from hypershift.cli.install.credentials import TOKEN_DIRECTORY, Credential, token_volume
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
_ON = {
    "enable-cvo-management-cluster-metrics-access": "ENABLE_CVO_MANAGEMENT_CLUSTER_METRICS_ACCESS",
}


def images(values: Values) -> dict[str, str]:
    """Images by tag, out of the ImageStream file."""
    if not values["image-refs"]:
        return {}
    text = read_file(values["image-refs"], "cannot read image references file")
    stream = from_yaml(text, "cannot parse image references file", "v1.ImageStream")
    try:
        tags = (stream.get("spec") or {}).get("tags") or []
        return {tag["name"]: tag["from"]["name"] for tag in tags}
    except (AttributeError, KeyError, TypeError):
        raise UsageError(
            f"cannot parse image references file {values['image-refs']}: it is no ImageStream"
        ) from None


def replicas(values: Values) -> int:
    """How many operators run: an API that waits for a webhook should not wait for one pod."""
    if values["development"]:
        return 0
    return 2 if _answers(values) else 1


def _answers(values: Values) -> bool:
    return bool(
        values["enable-defaulting-webhook"]
        or values["enable-validating-webhook"]
        or values["enable-conversion-webhook"]
        or not values["disable-capi-conversion-webhook"]
    )


def converts(values: Values) -> bool:
    """Whether any webhook is served, for which a certificate is needed."""
    return _answers(values) or audit_logs.has_webhooks(values)


def operator(values: Values, credentials: dict[str, Credential | None]) -> list[Manifest]:
    """The Deployment and the Service."""
    deployment, service = load("operator.yaml", values["namespace"])
    found = images(values)
    deployment["metadata"]["annotations"] = {CLI_VERSION: client_version()}
    spec = deployment["spec"]
    spec["replicas"] = replicas(values)
    pod = spec["template"]["spec"]
    image = found.get("hypershift-operator", values["hypershift-image"])
    for container in (*pod["containers"], *pod["initContainers"]):
        container["image"] = image
        container["imagePullPolicy"] = values["image-pull-policy"]
    container = pod["containers"][0]
    container["args"] += arguments(values, credentials)
    container["env"] += [
        {"name": name, "value": value}
        for name, value in environment(values, credentials, found).items()
    ]
    for volume, mount in volumes(values, credentials):
        pod["volumes"].append(volume)
        container["volumeMounts"].append({"name": volume["name"], **mount})
    if values["shared"]:
        share(pod, replicas(values))
    if _uses_identity(values):
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


def arguments(values: Values, credentials: dict[str, Credential | None]) -> list[str]:
    """The arguments that follow flags."""
    isolated = _word(on=values["enable-dedicated-request-serving-isolation"])
    found = [
        f"--enable-dedicated-request-serving-isolation={isolated}",
        f"--enable-ocp-cluster-monitoring={_word(on=values['platform-monitoring'] == 'All')}",
        f"--enable-ci-debug-output={_word(on=values['enable-ci-debug-output'])}",
        f"--private-platform={values['private-platform']}",
        *(f"--hcp-egress-block-cidrs={each}" for each in values["hcp-egress-block-cidrs"]),
    ]
    if values["registry-overrides"]:
        found.append(f"--registry-overrides={values['registry-overrides']}")
    if converts(values):
        found.append(f"--cert-dir={SERVING_CERT}")
    if values["enable-validating-webhook"]:
        found.append("--enable-validating-webhook=true")
    found += _oidc(values, credentials["oidc"])
    if zero := _scale_from_zero(values, credentials):
        found += [
            f"--scale-from-zero-provider={values['scale-from-zero-provider']}",
            f"--scale-from-zero-creds=/etc/scale-from-zero-creds/{zero.key}",
        ]
    if values["enable-uwm-telemetry-remote-write"]:
        found.append("--enable-uwm-telemetry-remote-write")
    mirrors = sorted(values["registry-mirror"].items())
    found += [f"--registry-mirror={host}={address}" for host, address in mirrors]
    found += [f"--allowed-registries={each}" for each in values["allowed-registries"]]
    if image := values["shared-ingress-image"]:
        found.append(f"--shared-ingress-image={image}")
    found += [f"--published-domain={each}" for each in values["published-domain"]]
    return found


def _scale_from_zero(
    values: Values, credentials: dict[str, Credential | None]
) -> Credential | None:
    found = credentials["scale-from-zero"]
    return found if found and found.key and values["scale-from-zero-provider"] else None


def _oidc(values: Values, credential: Credential | None) -> list[str]:
    if credential is None or not credential.key:
        return []
    prefix = "oidc-storage-provider-s3"
    return [
        f"--{prefix}-bucket-name={values[f'{prefix}-bucket-name']}",
        f"--{prefix}-region={values[f'{prefix}-region']}",
        f"--{prefix}-credentials=/etc/{prefix}-creds/{credential.key}",
    ]


def _word(*, on: bool) -> str:
    return "true" if on else "false"


def environment(
    values: Values, credentials: dict[str, Credential | None], found: dict[str, str]
) -> dict[str, str]:
    """The environment that follows flags; what a user adds never replaces what is set."""
    fixed = {
        "METRICS_SET": values["metrics-set"],
        "CERT_ROTATION_SCALE": format_duration(values["cert-rotation-scale"]),
        "KUBE_FEATURE_WatchListClient": "false",
    }
    switches = {
        "HYPERSHIFT_FEATURESET": values["tech-preview-no-upgrade"] and "TechPreviewNoUpgrade",
        "ENABLE_AUDIT_LOG_PERSISTENCE": values["enable-audit-log-persistence"] and "true",
        **{name: values[flag] and "1" for flag, name in _ON.items()},
        "MANAGED_SERVICE": values["managed-service"],
        "ARO_HCP_KEY_VAULT_USER_CLIENT_ID": values["aro-hcp-key-vault-users-client-id"],
        "ENABLE_SIZE_TAGGING": values["enable-size-tagging"] and "1",
        "ENABLE_ETCD_RECOVERY": values["enable-etcd-recovery"] and "1",
        "ENABLE_CPO_OVERRIDES": values["enable-cpo-overrides"] and "1",
        "ENABLE_STANDALONE_KARPENTER_OPERATOR": (
            values["enable-standalone-karpenter-operator"] and "1"
        ),
        "CAPI_STORAGE_VERSION": "v1beta1" if values["disable-capi-migration"] else "v1beta2",
        "PLATFORMS_INSTALLED": ",".join(values["limit-crd-install"]),
        "RHOBS_MONITORING": values["rhobs-monitoring"] and "1",
        "CVO_PROMETHEUS_URL": values["cvo-prometheus-url"],
        "MONITORING_DASHBOARDS": values["monitoring-dashboards"] and "1",
        **{name: found.get(tag, "") for tag, name in IMAGE_VARIABLES.items()},
        **_cloud(values, credentials),
    }
    known = fixed | {name: str(value) for name, value in switches.items() if value}
    typed = values["additional-operator-env-vars"].items()
    added = {name.strip(): value.strip() for name, value in typed if name.strip() and value.strip()}
    return fixed | {name: value for name, value in added.items() if name not in known} | known


def _cloud(values: Values, credentials: dict[str, Credential | None]) -> dict[str, str]:
    match values["private-platform"], credentials["private"]:
        case "AWS", Credential(key=key):
            return {
                "AWS_SHARED_CREDENTIALS_FILE": f"/etc/provider/{key}",
                "AWS_REGION": values["aws-private-region"],
                "AWS_SDK_LOAD_CONFIG": "1",
            }
        case "GCP", _:
            places = {"GCP_PROJECT": values["gcp-project"], "GCP_REGION": values["gcp-region"]}
            return {name: value for name, value in places.items() if value}
        case "Azure", credential:
            return _azure(values, credential)
        case _:
            return {}


def _azure(values: Values, credential: Credential | None) -> dict[str, str]:
    name = values["azure-pls-resource-group"]
    group = {"AZURE_RESOURCE_GROUP": name} if name else {}
    if _uses_identity(values):
        return group | {
            "AZURE_PLS_CLIENT_ID": values["azure-pls-managed-identity-client-id"],
            "AZURE_SUBSCRIPTION_ID": values["azure-pls-subscription-id"],
        }
    if credential and credential.key:
        return group | {"AZURE_CREDENTIALS_FILE": f"/etc/azure-provider/{credential.key}"}
    return group


def _uses_identity(values: Values) -> bool:
    return bool(values["azure-pls-managed-identity-client-id"])


def volumes(
    values: Values, credentials: dict[str, Credential | None]
) -> Iterator[tuple[Manifest, Manifest]]:
    """Volumes with the way in which the operator mounts them."""
    if converts(values):
        secret = {"secretName": "manager-serving-cert", "optional": True}
        yield {"name": "serving-cert", "secret": secret}, {"mountPath": SERVING_CERT}
    if (oidc := credentials["oidc"]) and oidc.key:
        name = "oidc-storage-provider-s3-creds"
        yield _of_secret(name, oidc), {"mountPath": f"/etc/{name}"}
    if zero := _scale_from_zero(values, credentials):
        mount = {"mountPath": "/etc/scale-from-zero-creds", "readOnly": True}
        yield _of_secret("scale-from-zero-creds", zero), mount
    if values["additional-trust-bundle"]:
        items = [{"key": "ca-bundle.crt", "path": "user-ca-bundle.pem"}]
        volume = {"name": "trusted-ca", "configMap": {"name": "user-ca-bundle", "items": items}}
        yield volume, {"mountPath": "/etc/pki/tls/certs", "readOnly": True}
    yield from _cloud_volumes(values, credentials["private"])


def _cloud_volumes(
    values: Values, credential: Credential | None
) -> Iterator[tuple[Manifest, Manifest]]:
    match values["private-platform"], credential:
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
