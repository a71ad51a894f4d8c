"""Every object of an installation but the definitions, in the order in which it is applied."""

import os

from hypershift.cli.files import read_file
from hypershift.cli.install import audit_logs
from hypershift.cli.install.assets import load
from hypershift.cli.install.containment import containment
from hypershift.cli.install.crds import LOCAL, platforms
from hypershift.cli.install.credentials import Credential, Source, credential, pull_secret
from hypershift.cli.install.dashboard import dashboard_template
from hypershift.cli.install.external_dns import external_dns
from hypershift.cli.install.operator import operator
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.rules import rule_groups
from hypershift.cli.install.webhooks import webhooks
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api, dedicated

RHOBS = "monitoring.rhobs/v1"
#: Everything in the operator's namespace is as harmless as a pod can be.
RESTRICTED = {
    f"pod-security.kubernetes.io/{word}": "restricted" for word in ("audit", "enforce", "warn")
}


def resources(options: InstallOptions) -> list[Manifest]:
    """The objects that the flags describe."""
    namespace, found = options.namespace, credentials(options)
    objects = [
        *load("priority-classes.yaml", namespace),
        *_namespace(options),
        *_access(options),
        *(load("admin-access.yaml", namespace) if options.enable_admin_rbac_generation else []),
        *(load("personas.yaml", namespace) if options.personas else []),
        *(containment(options) if options.personas or options.containment else []),
        *(load("metrics-policy.yaml", namespace) if options.metrics_policy else []),
        *webhooks(options),
        *pull_secret(options),
        *_made(found["oidc"]),
        *_made(found["private"]),
        *_bucket(options),
        *_made(found["scale-from-zero"]),
        *_trust(options),
        *external_dns(options, found["external-dns"]),
        *operator(options, found),
        _feature_gate(options),
        *_monitoring(options),
        *(load("shared-ingress.yaml", namespace) if options.managed_service else []),
        *(load("ignition-server.yaml", namespace) if options.shared else []),
    ]
    return [_observed(each) for each in objects]


def _observed(manifest: Manifest) -> Manifest:
    """Kinds of monitoring in the group that this environment has."""
    rhobs = os.environ.get("RHOBS_MONITORING") == "1"
    of_prometheus = manifest["apiVersion"].startswith("monitoring.coreos.com/")
    return {**manifest, "apiVersion": RHOBS} if rhobs and of_prometheus else manifest


def credentials(options: InstallOptions) -> dict[str, Credential | None]:
    """What the operator and external-dns show to clouds."""
    return {
        "private": _private_credential(options),
        "oidc": credential(
            options,
            Source(
                file=options.oidc_storage_provider_s3_credentials,
                role=options.oidc_storage_provider_s3_role_arn,
                secret=options.oidc_storage_provider_s3_secret,
                key=options.oidc_storage_provider_s3_secret_key,
            ),
            "hypershift-operator-oidc-provider-s3-credentials",
        ),
        "scale-from-zero": credential(
            options,
            Source(
                file=options.scale_from_zero_creds,
                secret=options.scale_from_zero_secret,
                key=options.scale_from_zero_secret_key,
            ),
            "hypershift-operator-scale-from-zero-credentials",
        ),
        "external-dns": _dns_credential(options) if options.external_dns_provider else None,
    }


def _dns_credential(options: InstallOptions) -> Credential | None:
    source = Source(
        file=options.external_dns_credentials,
        role=options.external_dns_role_arn,
        secret=options.external_dns_secret,
    )
    return credential(options, source, "external-dns-credentials")


def _private_credential(options: InstallOptions) -> Credential | None:
    """What private clusters of a cloud need; ARO-HCP reaches its clusters in another way."""
    match options.private_platform.lower():
        case "aws":
            source = Source(
                file=options.aws_private_creds,
                role=options.aws_private_role_arn,
                secret=options.aws_private_secret,
                key=options.aws_private_secret_key,
            )
            return credential(options, source, "hypershift-operator-aws-credentials")
        case "azure" if options.managed_service != "ARO-HCP":
            source = Source(
                file=options.azure_private_creds,
                secret=options.azure_private_secret,
                key=options.azure_private_secret_key,
            )
            return credential(options, source, "hypershift-operator-azure-credentials")
        case _:
            return None


def _made(found: Credential | None) -> list[Manifest]:
    return found.made if found else []


def _namespace(options: InstallOptions) -> list[Manifest]:
    (namespace,) = load("namespace.yaml", options.namespace)
    if options.platform_monitoring == "None":
        del namespace["metadata"]["labels"]["openshift.io/cluster-monitoring"]
    if options.shared:
        namespace["metadata"]["labels"] |= RESTRICTED
    return [namespace]


def _access(options: InstallOptions) -> list[Manifest]:
    found = load("access.yaml", options.namespace)
    account = next(each for each in found if each["kind"] == "ServiceAccount")
    if identity := options.azure_pls_managed_identity_client_id:
        account["metadata"]["annotations"] = {"azure.workload.identity/client-id": identity}
    role = next(each for each in found if each["kind"] == "ClusterRole")
    role["rules"] += _further_rules(options)
    if audit_logs.is_ours(options):
        (least,) = load("least-privilege.yaml", options.namespace)
        role["rules"] = least["rules"] + audit_logs.rules(options)
        # none of our servers authenticates by the aggregator's headers
        found = [each for each in found if each["metadata"].get("namespace") != "kube-system"]
        found += [dedicated.cluster_role(), cluster_api.cluster_role()]
    return found


def _further_rules(options: InstallOptions) -> list[Manifest]:
    rules = []
    metrics = options.enable_cvo_management_cluster_metrics_access or options.rhobs_monitoring
    if metrics:
        rules.append({"apiGroups": ["metrics.k8s.io"], "resources": ["pods"], "verbs": ["get"]})
    if options.managed_service == "ARO-HCP":
        rules.append(
            {
                "apiGroups": ["secrets-store.csi.x-k8s.io"],
                "resources": ["secretproviderclasses"],
                "verbs": ["get", "list", "create", "update", "watch"],
            }
        )
    if LOCAL in platforms(options):
        (local,) = load("local-rules.yaml", options.namespace)
        rules += local["rules"]
    return rules + audit_logs.rules(options)


def _bucket(options: InstallOptions) -> list[Manifest]:
    """Where OIDC documents are, for the programs that make roles."""
    if not options.oidc_storage_provider_s3_bucket_name:
        return []
    data = {
        "name": options.oidc_storage_provider_s3_bucket_name,
        "region": options.oidc_storage_provider_s3_region,
    }
    return [_config_map("oidc-storage-provider-s3-config", "kube-public", data)]


def _trust(options: InstallOptions) -> list[Manifest]:
    found = load("trust.yaml", options.namespace)
    if path := options.additional_trust_bundle:
        data = {"ca-bundle.crt": read_file(path).decode("utf-8", "replace")}
        return [_config_map("user-ca-bundle", options.namespace, data), *found]
    return found


def _feature_gate(options: InstallOptions) -> Manifest:
    enabled = "true" if options.tech_preview_no_upgrade else "false"
    return _config_map("feature-gate", options.namespace, {"TechPreviewEnabled": enabled})


def _monitoring(options: InstallOptions) -> list[Manifest]:
    namespace = options.namespace
    role, binding, monitor = load("monitoring.yaml", namespace)
    if options.platform_monitoring == "None":
        binding["subjects"] = [
            {
                "kind": "ServiceAccount",
                "name": "prometheus-user-workload",
                "namespace": "openshift-user-workload-monitoring",
            }
        ]
    rules = [_rules("metrics", namespace)]
    if options.slos_alerts:
        rules.append(_rules("alerts", "openshift-monitoring"))
    if not options.monitoring_objects:
        return [role, binding]
    boards = [dashboard_template(namespace)] if options.monitoring_dashboards else []
    return [role, binding, monitor, *rules, *boards]


def _rules(name: str, namespace: str) -> Manifest:
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"groups": rule_groups()},
    }


def _config_map(name: str, namespace: str, data: dict[str, str]) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
