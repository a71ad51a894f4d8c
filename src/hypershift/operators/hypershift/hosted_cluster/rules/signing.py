"""What the PKI operator of one cluster may do: its own signers' requests, and no other cluster's.

Requests are objects of the whole management cluster. The names of signers carry the control plane
namespace, so a role of each cluster's own keeps its operator from signing for another one.
"""

from collections.abc import Mapping
from typing import Any

from hypershift.kit import Manifest

ACCOUNT = "control-plane-pki-operator"
CLASSES = ("customer-break-glass", "sre-break-glass")
#: Its own Role is the original's, whose operator asks for the control plane by name alone.
PLANES = f"{ACCOUNT}-planes"
_GROUP = "certificates.k8s.io"
_RBAC = "rbac.authorization.k8s.io"
_READ = ["get", "list", "watch"]


def manifests(namespace: str, labels: Mapping[str, str]) -> list[Manifest]:
    """The roles, each before its binding; those of the whole cluster carry `labels`."""
    cluster_roles = {
        f"{namespace}-csr-approver": [
            _rule(["certificatesigningrequests"], _READ),
            _rule(["certificatesigningrequests/approval"], ["update"]),
            _signers(namespace, "approve"),
        ],
        f"{namespace}-csr-signer": [
            _rule(["certificatesigningrequests"], _READ),
            _rule(["certificatesigningrequests/status"], ["patch"]),
            _signers(namespace, "sign"),
        ],
    }
    found: list[Manifest] = []
    for name, rules in cluster_roles.items():
        metadata = {"name": name, "labels": dict(labels)}
        found += _bound("ClusterRole", metadata, rules, namespace)
    planes = {"apiGroups": ["hypershift.openshift.io"], "resources": ["hostedcontrolplanes"]}
    metadata = {"name": PLANES, "namespace": namespace}
    return [*found, *_bound("Role", metadata, [{**planes, "verbs": _READ}], namespace)]


def _bound(
    kind: str, metadata: dict[str, Any], rules: list[Manifest], namespace: str
) -> list[Manifest]:
    role = {"apiVersion": f"{_RBAC}/v1", "kind": kind, "metadata": metadata, "rules": rules}
    subject = {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace}
    binding = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": f"{kind}Binding",
        "metadata": dict(metadata),
        "roleRef": {"apiGroup": _RBAC, "kind": kind, "name": metadata["name"]},
        "subjects": [subject],
    }
    return [role, binding]


def _rule(resources: list[str], verbs: list[str]) -> Manifest:
    return {"apiGroups": [_GROUP], "resources": resources, "verbs": verbs}


def _signers(namespace: str, verb: str) -> Manifest:
    names = [f"hypershift.openshift.io/{namespace}.{one}" for one in CLASSES]
    return _rule(["signers"], [verb]) | {"resourceNames": names}
