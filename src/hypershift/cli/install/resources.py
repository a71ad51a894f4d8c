"""Every object of an installation but the definitions, in the order in which it is applied."""

import os

from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.cli.install import audit_logs
from hypershift.cli.install.assets import load
from hypershift.cli.install.containment import containment
from hypershift.cli.install.crds import LOCAL, platforms
from hypershift.cli.install.credentials import Credential, credential, pull_secret
from hypershift.cli.install.dashboard import dashboard_template
from hypershift.cli.install.external_dns import external_dns
from hypershift.cli.install.operator import operator
from hypershift.cli.install.rules import rule_groups
from hypershift.cli.install.webhooks import webhooks
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api, dedicated

RHOBS = "monitoring.rhobs/v1"
#: Everything in the operator's namespace is as harmless as a pod can be.
RESTRICTED = {
    f"pod-security.kubernetes.io/{word}": "restricted" for word in ("audit", "enforce", "warn")
}


def resources(values: Values) -> list[Manifest]:
    """The objects that the flags describe."""
    namespace, found = values["namespace"], credentials(values)
    objects = [
        *load("priority-classes.yaml", namespace),
        *_namespace(values),
        *_access(values),
        *(load("admin-access.yaml", namespace) if values["enable-admin-rbac-generation"] else []),
        *(load("personas.yaml", namespace) if values["personas"] else []),
        *(containment(values) if values["personas"] or values["containment"] else []),
        *(load("metrics-policy.yaml", namespace) if values["metrics-policy"] else []),
        *webhooks(values),
        *pull_secret(values),
        *_made(found["oidc"]),
        *_made(found["private"]),
        *_bucket(values),
        *_made(found["scale-from-zero"]),
        *_trust(values),
        *external_dns(values, found["external-dns"]),
        *operator(values, found),
        _feature_gate(values),
        *_monitoring(values),
        *(load("shared-ingress.yaml", namespace) if values["managed-service"] else []),
        *(load("ignition-server.yaml", namespace) if values["shared"] else []),
    ]
    return [_observed(each) for each in objects]


def _observed(manifest: Manifest) -> Manifest:
    """Kinds of monitoring in the group that this environment has."""
    rhobs = os.environ.get("RHOBS_MONITORING") == "1"
    of_prometheus = manifest["apiVersion"].startswith("monitoring.coreos.com/")
    return {**manifest, "apiVersion": RHOBS} if rhobs and of_prometheus else manifest


def credentials(values: Values) -> dict[str, Credential | None]:
    """What the operator and external-dns show to clouds."""
    cloud = values["private-platform"].lower()
    managed = values["managed-service"] == "ARO-HCP"  # which reaches its clusters in another way
    private = None
    if cloud == "aws" or (cloud == "azure" and not managed):
        name = f"hypershift-operator-{cloud}-credentials"
        private = credential(values, f"{cloud}-private", name)
    return {
        "private": private,
        "oidc": credential(
            values,
            "oidc-storage-provider-s3",
            "hypershift-operator-oidc-provider-s3-credentials",
        ),
        "scale-from-zero": credential(
            values, "scale-from-zero", "hypershift-operator-scale-from-zero-credentials"
        ),
        "external-dns": (
            credential(values, "external-dns", "external-dns-credentials")
            if values["external-dns-provider"]
            else None
        ),
    }


def _made(found: Credential | None) -> list[Manifest]:
    return found.made if found else []


def _namespace(values: Values) -> list[Manifest]:
    (namespace,) = load("namespace.yaml", values["namespace"])
    if values["platform-monitoring"] == "None":
        del namespace["metadata"]["labels"]["openshift.io/cluster-monitoring"]
    if values["shared"]:
        namespace["metadata"]["labels"] |= RESTRICTED
    return [namespace]


def _access(values: Values) -> list[Manifest]:
    found = load("access.yaml", values["namespace"])
    account = next(each for each in found if each["kind"] == "ServiceAccount")
    if identity := values["azure-pls-managed-identity-client-id"]:
        account["metadata"]["annotations"] = {"azure.workload.identity/client-id": identity}
    role = next(each for each in found if each["kind"] == "ClusterRole")
    role["rules"] += _further_rules(values)
    if audit_logs.is_ours(values):
        (least,) = load("least-privilege.yaml", values["namespace"])
        role["rules"] = least["rules"] + audit_logs.rules(values)
        # none of our servers authenticates by the aggregator's headers
        found = [each for each in found if each["metadata"].get("namespace") != "kube-system"]
        found += [dedicated.cluster_role(), cluster_api.cluster_role()]
    return found


def _further_rules(values: Values) -> list[Manifest]:
    rules = []
    metrics = values["enable-cvo-management-cluster-metrics-access"] or values["rhobs-monitoring"]
    if metrics:
        rules.append({"apiGroups": ["metrics.k8s.io"], "resources": ["pods"], "verbs": ["get"]})
    if values["managed-service"] == "ARO-HCP":
        rules.append(
            {
                "apiGroups": ["secrets-store.csi.x-k8s.io"],
                "resources": ["secretproviderclasses"],
                "verbs": ["get", "list", "create", "update", "watch"],
            }
        )
    if LOCAL in platforms(values):
        (local,) = load("local-rules.yaml", values["namespace"])
        rules += local["rules"]
    return rules + audit_logs.rules(values)


def _bucket(values: Values) -> list[Manifest]:
    """Where OIDC documents are, for the programs that make roles."""
    if not values["oidc-storage-provider-s3-bucket-name"]:
        return []
    data = {
        "name": values["oidc-storage-provider-s3-bucket-name"],
        "region": values["oidc-storage-provider-s3-region"],
    }
    return [_config_map("oidc-storage-provider-s3-config", "kube-public", data)]


def _trust(values: Values) -> list[Manifest]:
    found = load("trust.yaml", values["namespace"])
    if path := values["additional-trust-bundle"]:
        data = {"ca-bundle.crt": read_file(path).decode()}
        return [_config_map("user-ca-bundle", values["namespace"], data), *found]
    return found


def _feature_gate(values: Values) -> Manifest:
    enabled = "true" if values["tech-preview-no-upgrade"] else "false"
    return _config_map("feature-gate", values["namespace"], {"TechPreviewEnabled": enabled})


def _monitoring(values: Values) -> list[Manifest]:
    namespace = values["namespace"]
    role, binding, monitor = load("monitoring.yaml", namespace)
    if values["platform-monitoring"] == "None":
        binding["subjects"] = [
            {
                "kind": "ServiceAccount",
                "name": "prometheus-user-workload",
                "namespace": "openshift-user-workload-monitoring",
            }
        ]
    rules = [_rules("metrics", namespace)]
    if values["slos-alerts"]:
        rules.append(_rules("alerts", "openshift-monitoring"))
    if not values["monitoring-objects"]:
        return [role, binding]
    boards = [dashboard_template(namespace)] if values["monitoring-dashboards"] else []
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
