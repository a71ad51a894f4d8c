"""What a Job may do for the time of a backup: read etcd's client certificate, and reach etcd."""

from hypershift.kit import METADATA_RANGES, Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.rules.credentials import Credentials, Mode

CLIENT_ID = "azure.workload.identity/client-id"
_RBAC = "rbac.authorization.k8s.io"


def account(namespace: str, credentials: Credentials) -> Manifest:
    """The ServiceAccount of every backup's Job."""
    metadata: Manifest = {"name": names.ACCOUNT, "namespace": namespace}
    if credentials.mode is Mode.AZURE_WORKLOAD_IDENTITY:
        metadata["annotations"] = {CLIENT_ID: credentials.client}
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}


def role(namespace: str) -> Manifest:
    """The right to read one Secret and one ConfigMap of the control plane namespace."""
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "Role",
        "metadata": {"name": names.ACCOUNT, "namespace": namespace},
        "rules": [
            _may_get("secrets", "etcd-client-tls"),
            _may_get("configmaps", "etcd-ca"),
        ],
    }


def _may_get(resource: str, name: str) -> Manifest:
    return {"apiGroups": [""], "resources": [resource], "resourceNames": [name], "verbs": ["get"]}


def binding(namespace: str, operator: str) -> Manifest:
    """Give that right to the Job's account."""
    subject = {"kind": "ServiceAccount", "name": names.ACCOUNT, "namespace": operator}
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": names.ACCOUNT, "namespace": namespace},
        "roleRef": {"apiGroup": _RBAC, "kind": "Role", "name": names.ACCOUNT},
        "subjects": [subject],
    }


def policy(namespace: str, operator: str) -> Manifest:
    """Let the Job's Pod in the operator's namespace reach etcd."""
    peer = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": operator}},
        "podSelector": {"matchLabels": {"app": names.APP, names.HCP_NAMESPACE: namespace}},
    }
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": names.POLICY, "namespace": namespace},
        "spec": {
            "podSelector": {"matchLabels": {"app": "etcd"}},
            "ingress": [{"from": [peer], "ports": [{"protocol": "TCP", "port": 2379}]}],
            "policyTypes": ["Ingress"],
        },
    }


def confinement(operator: str) -> Manifest:
    """Keep Jobs from metadata services: the cluster's own etcd image runs in them.

    Its owner may have chosen it, and the node's role in its cloud is none of theirs. A Job whose
    credentials are the machine's own asks there itself.
    """
    families = {"0.0.0.0/0": ".", "::/0": ":"}
    peers: list[Manifest] = [
        {"ipBlock": {"cidr": every, "except": [one for one in METADATA_RANGES if sign in one]}}
        for every, sign in families.items()
    ]
    # To some networks pods and nodes are no addresses.
    peers.append({"namespaceSelector": {}})
    dns = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    asks = {"key": names.ASKS_METADATA, "operator": "DoesNotExist"}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": names.CONFINEMENT, "namespace": operator},
        "spec": {
            "podSelector": {"matchLabels": {"app": names.APP}, "matchExpressions": [asks]},
            "egress": [{"to": peers}, {"ports": dns}],
            "policyTypes": ["Egress"],
        },
    }


#: What goes when no backup of the control plane needs it any more; the policy first.
TEMPORARY = (
    (kinds.NETWORK_POLICY, names.POLICY),
    (kinds.ROLE_BINDING, names.ACCOUNT),
    (kinds.ROLE, names.ACCOUNT),
)


async def grant(kube: Client, namespace: str, operator: str) -> None:
    """Give a Job its rights in a control plane namespace."""
    for manifest in (
        role(namespace),
        binding(namespace, operator),
        policy(namespace, operator),
    ):
        await kube.apply(manifest)


async def revoke(kube: Client, live: Client, namespace: str) -> None:
    """Take them away; without any there is nothing to write."""
    for resource, name in TEMPORARY:
        if await live.find(resource, name, namespace) is not None:
            await kube.delete(resource, name, namespace)
