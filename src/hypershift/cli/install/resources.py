"""Every object of an installation but the definitions, in the order in which it is applied."""

from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.cli.install.assets import load
from hypershift.cli.install.credentials import Credential, credential, pull_secret
from hypershift.cli.install.external_dns import external_dns
from hypershift.cli.install.operator import operator
from hypershift.cli.install.webhooks import webhooks
from hypershift.kit import Manifest

RHOBS = "monitoring.rhobs/v1"


def resources(values: Values) -> list[Manifest]:
    """The objects that the flags describe."""
    namespace, found = values["namespace"], credentials(values)
    return [
        *load("priority-classes.yaml", namespace),
        *_namespace(values),
        *_access(values),
        *(load("admin-access.yaml", namespace) if values["enable-admin-rbac-generation"] else []),
        *webhooks(values),
        *pull_secret(values),
        *_made(found["oidc"]),
        *_made(found["private"]),
        *_bucket(values, found["oidc"]),
        *_made(found["scale-from-zero"]),
        *_trust(values),
        *external_dns(values, found["external-dns"]),
        *operator(values, found),
        _feature_gate(values),
        *_monitoring(values),
        *(load("shared-ingress.yaml", namespace) if values["managed-service"] else []),
    ]


def credentials(values: Values) -> dict[str, Credential | None]:
    """What the operator and external-dns show to clouds."""
    cloud = values["private-platform"].lower()
    private = None
    if cloud in ("aws", "azure"):
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
        "external-dns": credential(values, "external-dns", "external-dns-credentials"),
    }


def _made(found: Credential | None) -> list[Manifest]:
    return found.made if found else []


def _namespace(values: Values) -> list[Manifest]:
    (namespace,) = load("namespace.yaml", values["namespace"])
    if values["platform-monitoring"] == "None":
        del namespace["metadata"]["labels"]["openshift.io/cluster-monitoring"]
    return [namespace]


def _access(values: Values) -> list[Manifest]:
    found = load("access.yaml", values["namespace"])
    account = next(each for each in found if each["kind"] == "ServiceAccount")
    identity = values["azure-pls-managed-identity-client-id"]
    if identity and values["private-platform"] == "Azure":
        account["metadata"]["annotations"] = {"azure.workload.identity/client-id": identity}
    role = next(each for each in found if each["kind"] == "ClusterRole")
    role["rules"] += _further_rules(values)
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
    return rules


def _bucket(values: Values, oidc: Credential | None) -> list[Manifest]:
    """Where OIDC documents are, for the programs that make roles."""
    if oidc is None:
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
    role, binding, monitor, rules = load("monitoring.yaml", values["namespace"])
    if values["platform-monitoring"] == "None":
        binding["subjects"] = [
            {
                "kind": "ServiceAccount",
                "name": "prometheus-user-workload",
                "namespace": "openshift-user-workload-monitoring",
            }
        ]
    if values["rhobs-monitoring"]:
        monitor["apiVersion"] = rules["apiVersion"] = RHOBS
    return [role, binding, monitor, rules]


def _config_map(name: str, namespace: str, data: dict[str, str]) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
