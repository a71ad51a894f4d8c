"""The rights on signing requests that a control plane's break-glass signers need.

Requests belong to the whole management cluster, so these are cluster-wide; the names of signers
keep one cluster from another's.
"""

from hypershift.api import labels
from hypershift.kit import Key, Manifest
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.pki.rules.signer import CLASSES

GROUP, RBAC = "certificates.k8s.io", "rbac.authorization.k8s.io"
REQUESTS = "certificatesigningrequests"
ACCOUNT = "control-plane-pki-operator"


def approver_role(cluster: Key) -> Manifest:
    """Approve requests for the cluster's signers."""
    return _role(cluster, "approver", f"{REQUESTS}/approval", "update", "approve")


def signer_role(cluster: Key) -> Manifest:
    """Sign requests for the cluster's signers."""
    return _role(cluster, "signer", f"{REQUESTS}/status", "patch", "sign")


def binding(cluster: Key, role: Manifest, namespace: str) -> Manifest:
    """Give a role to the operator in a namespace."""
    return {
        **_named(cluster, "ClusterRoleBinding", role["metadata"]["name"]),
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role["metadata"]["name"]},
        "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace}],
    }


def _role(
    cluster: Key,
    role: str,
    subresource: str,
    verb: str,
    signers_verb: str,
) -> Manifest:
    namespace = control_plane_namespace(cluster)
    signers = [one.signer_name(namespace) for one in CLASSES]
    return {
        **_named(cluster, "ClusterRole", f"{namespace}-csr-{role}"),
        "rules": [
            _rule(REQUESTS, "get", "list", "watch"),
            _rule(subresource, verb),
            {**_rule("signers", signers_verb), "resourceNames": signers},
        ],
    }


def _rule(resource: str, *verbs: str) -> Manifest:
    return {"apiGroups": [GROUP], "resources": [resource], "verbs": list(verbs)}


def _named(cluster: Key, kind: str, name: str) -> Manifest:
    owner = {labels.OWNER_NAMESPACE: cluster.namespace, labels.OWNER_NAME: cluster.name}
    metadata = {"name": name, "labels": owner}
    return {"apiVersion": f"{RBAC}/v1", "kind": kind, "metadata": metadata}
