"""The scratch control plane as manifests: a namespace that lets nothing in, and one Pod."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hypershift.api import annotations
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import METADATA_RANGES, Key, Manifest
from hypershift.operators.hypershift.etcd_backup.rules.job import PROGRAM, USER

INPUTS: Final = "inputs"
PULL_SECRET: Final = "pull-secret"  # noqa: S105 (a name)
#: One Job in a namespace that lives as long as it.
JOB: Final = "restore-proof"
APP: Final = "restore-proof"
BACKUP: Final = f"{annotations.PREFIX}proven-backup"
BACKUP_UID: Final = f"{annotations.PREFIX}proven-backup-uid"
FETCH, UNPACK, COMPARE = "fetch", "unpack", "compare"
FOLDER, TOOLS = "/proof", "/proof-inputs"
DATA: Final = f"{FOLDER}/data"
#: Seconds that a proof may take.
DEADLINE: Final = 1800
#: A snapshot of 8 GiB and what is unpacked from it.
MOST: Final = "24Gi"
#: What one of the programs may use; the rest of the node is other clusters'.
LIMITS: Final = {"cpu": "2", "memory": "8Gi"}
_RESTRICTED = "pod-security.kubernetes.io/enforce"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Everything that a scratch control plane is made from."""

    namespace: str
    backup: Key
    uid: str
    image: str  # of our programs
    etcd_image: str
    api_image: str
    service_network: str
    #: Content of the Secret of inputs, base64: signed addresses, the manifest's key, authorities.
    inputs: dict[str, str]
    pull_secret: str = ""  # base64
    has_bundle: bool = False
    #: Ranges that the cluster's control plane is kept from, and so this one.
    kept_from: tuple[str, ...] = ()
    user: int | None = USER  # None: the management cluster chooses


def namespace(name: str, backup: Key, uid: str) -> Manifest:
    """The namespace, with the mark of the backup whose turn it is."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": name,
            "labels": {_RESTRICTED: "restricted"},
            "annotations": {BACKUP: str(backup), BACKUP_UID: uid},
        },
    }


def objects(order: Order) -> Iterator[Manifest]:
    """Yield what has to be there before the Job, the policy first."""
    yield _policy(order)
    yield _secret(order, INPUTS, "Opaque", order.inputs)
    if order.pull_secret:
        content = {DOCKER_CONFIG: order.pull_secret}
        yield _secret(order, PULL_SECRET, "kubernetes.io/dockerconfigjson", content)


def _policy(order: Order) -> Manifest:
    """No ingress; egress to stores and name servers, to nothing that a control plane may not reach.

    Programs whose images the cluster's owner may have chosen run there.
    """
    dns = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    closed = (*order.kept_from, *METADATA_RANGES)
    outside = [
        {"ipBlock": {"cidr": every, "except": [one for one in closed if sign in one]}}
        for every, sign in {"0.0.0.0/0": ".", "::/0": ":"}.items()
    ]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": APP, "namespace": order.namespace},
        "spec": {
            "podSelector": {},
            "ingress": [],
            "egress": [{"to": outside}, {"ports": dns}],
            "policyTypes": ["Ingress", "Egress"],
        },
    }


def kept_from(policies: Iterable[Manifest]) -> tuple[str, ...]:
    """The ranges that NetworkPolicies of a control plane except from what its pods may reach."""
    rules = (rule for one in policies for rule in one["spec"].get("egress") or ())
    blocks = (peer.get("ipBlock") or {} for rule in rules for peer in rule.get("to") or ())
    found = {one for block in blocks for one in block.get("except") or ()}
    return tuple(sorted(found - set(METADATA_RANGES)))


def _secret(order: Order, name: str, kind: str, data: dict[str, str]) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": kind,
        "metadata": {"name": name, "namespace": order.namespace},
        "data": data,
    }


def job(order: Order) -> Manifest:
    """The Job; it runs once, and its end is final."""
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": JOB, "namespace": order.namespace, "labels": {"app": APP}},
        "spec": {
            "activeDeadlineSeconds": DEADLINE,
            "backoffLimit": 0,
            "template": {"metadata": {"labels": {"app": APP}}, "spec": _pod(order)},
        },
    }


def _pod(order: Order) -> Manifest:
    security: Manifest = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    if order.user is not None:
        security |= {"runAsUser": order.user, "fsGroup": order.user}
    # The signed addresses and the manifest's key are for the container that fetches alone: the
    # cluster's owner may have chosen the images of the others.
    volumes = [
        {"name": "proof", "emptyDir": {"sizeLimit": MOST}},
        {"name": INPUTS, "secret": {"secretName": INPUTS}},
    ]
    pod: Manifest = {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "restartPolicy": "Never",
        "securityContext": security,
        "volumes": volumes,
        "initContainers": [_fetch(order), _unpack(order), _etcd(order), _api_server(order)],
        "containers": [_compare(order)],
    }
    if order.pull_secret:
        pod["imagePullSecrets"] = [{"name": PULL_SECRET}]
    return pod


def _fetch(order: Order) -> Manifest:
    command = [PROGRAM, "restore-proof-fetch", "--folder", FOLDER]
    command += ["--manifest-key-file", f"{TOOLS}/{MANIFEST_KEY}"]
    if order.has_bundle:
        command += ["--trust", f"{TOOLS}/{BUNDLE}"]
    names = [name for name in ADDRESSES if name in order.inputs]
    container = _container(FETCH, order.image, command)
    container["env"] = [
        {"name": name, "valueFrom": {"secretKeyRef": {"name": INPUTS, "key": name}}}
        for name in names
    ]
    container["volumeMounts"].append({"name": INPUTS, "mountPath": TOOLS, "readOnly": True})
    return container


#: Keys of the Secret of inputs, the first three as the program has them in its environment.
ADDRESSES: Final = ("PROOF_SNAPSHOT_URL", "PROOF_CONTENTS_URL", "PROOF_MANIFEST_URL")
MANIFEST_KEY: Final = "manifest-key"
BUNDLE: Final = "ca-bundle.crt"


def _unpack(order: Order) -> Manifest:
    command = ["etcdutl", "snapshot", "restore", f"{FOLDER}/snapshot.db", "--data-dir", DATA]
    return _container(UNPACK, order.etcd_image, command)


def _etcd(order: Order) -> Manifest:
    command = [
        *("etcd", f"--data-dir={DATA}"),
        *("--listen-client-urls=http://127.0.0.1:2379", "--listen-peer-urls=http://127.0.0.1:2380"),
        "--advertise-client-urls=http://127.0.0.1:2379",
        # As many bytes as a snapshot may have.
        "--quota-backend-bytes=10737418240",
    ]
    return _container("etcd", order.etcd_image, command, sidecar=True)


def _api_server(order: Order) -> Manifest:
    """It calls no other server: no webhooks, no servers of the guest's own, nothing outside."""
    apart = ("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook", "ValidatingAdmissionPolicy")
    command = [
        "kube-apiserver",
        "--anonymous-auth=false",
        "--authorization-mode=RBAC",
        "--bind-address=127.0.0.1",
        f"--disable-admission-plugins={','.join(apart)}",
        f"--egress-selector-config-file={FOLDER}/egress.yaml",
        f"--encryption-provider-config={FOLDER}/encryption.yaml",
        "--endpoint-reconciler-type=none",
        # Nothing is compacted: the comparison reads the revision of the snapshot.
        "--etcd-compaction-interval=0",
        "--etcd-servers=http://127.0.0.1:2379",
        "--secure-port=6443",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={FOLDER}/service-account.pub",
        f"--service-account-signing-key-file={FOLDER}/service-account.key",
        f"--service-cluster-ip-range={order.service_network}",
        f"--tls-cert-file={FOLDER}/server.crt",
        f"--tls-private-key-file={FOLDER}/server.key",
        f"--token-auth-file={FOLDER}/tokens.csv",
    ]
    return _container("kube-apiserver", order.api_image, command, sidecar=True)


def _compare(order: Order) -> Manifest:
    command = [PROGRAM, "restore-proof-compare", "--folder", FOLDER, "--canary", order.uid]
    return _container(COMPARE, order.image, command)


def _container(name: str, image: str, command: list[str], *, sidecar: bool = False) -> Manifest:
    container: Manifest = {
        "name": name,
        "image": image,
        "command": command,
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": dict(LIMITS)},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": "proof", "mountPath": FOLDER}],
    }
    # It runs beside what comes after it, and ends when that has ended.
    return container | ({"restartPolicy": "Always"} if sidecar else {})
