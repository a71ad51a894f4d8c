"""A live cluster, broken in twelve places one after the other: what does `explain` name first?

HYPERSHIFT_E2E_CLUSTER names an embedded cluster to do this on; each test mends what it broke.
"""

import base64
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.e2e.conftest import cluster  # noqa: F401 - a fixture
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]
PATIENCE = 420.0
NAME = os.environ.get("HYPERSHIFT_E2E_HOSTED", "broken")


@pytest.fixture(scope="module")
def hosted(
    cluster: Cluster,  # noqa: F811 - the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    """A cluster with one node, which is destroyed in the end; one that is there is used."""
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp("explain"))
    found = cluster.try_kubectl("get", "hostedcluster", NAME, "-n", made.namespace)
    if found.returncode:
        made.create(nodes=1)
    yield made
    if found.returncode:
        made.destroy()


def causes(hosted: Hosted, name: str = NAME, kind: str = "cluster") -> list[str]:
    """The objects that `explain` names, the first cause first."""
    done = hosted.hypershift(
        "explain", kind, name, "-n", hosted.namespace, "-o", "json", check=False
    )
    assert done.returncode in (0, 3), done.stderr
    found = [each["object"] for each in json.loads(done.stdout)["causes"]]
    return [f"{each['kind']} {each['namespace']}/{each['name']}" for each in found]


def names_first(hosted: Hosted, wanted: str, **which: str) -> Callable[[], bool]:
    """Whether `explain` names an object first; a name that ends in * is only begun."""

    def check() -> bool:
        found = causes(hosted, **which)
        assert found, "nothing is found"
        fits = found[0].startswith(wanted[:-1]) if wanted.endswith("*") else found[0] == wanted
        assert fits, found
        return True

    return check


def is_well(hosted: Hosted) -> bool:
    found = causes(hosted)
    assert not found, found
    return True


@contextmanager
def mended(hosted: Hosted, mend: Callable[[], object]) -> Iterator[None]:
    """Begin with a cluster that is well, and end with one."""
    until(lambda: is_well(hosted), PATIENCE, every=5)
    try:
        yield
    finally:
        mend()
    until(lambda: is_well(hosted), PATIENCE, every=5)


def restart(hosted: Hosted, app: str) -> None:
    """Have a pod of the control plane made anew."""
    words = ("delete", "pod", "-n", hosted.plane, "-l", f"app={app}", "--wait=false")
    hosted.management.kubectl(*words)


def hurry(hosted: Hosted, app: str) -> None:
    """Do not wait for a controller that was refused to try again: it takes its time."""
    words = ("delete", "replicaset", "-n", hosted.plane, "-l", f"app={app}", "--wait=false")
    hosted.management.kubectl(*words)


def test_a_release_image_that_does_not_exist(hosted: Hosted) -> None:
    image = hosted.resource()["spec"]["release"]["image"]

    def release(reference: str) -> None:
        hosted.patch(json.dumps({"spec": {"release": {"image": reference}}}))

    with mended(hosted, lambda: release(image)):
        release(image.rpartition(":")[0] + ":9.9.9")
        until(names_first(hosted, f"HostedCluster {hosted.namespace}/{NAME}"), PATIENCE, 5)


def test_a_pull_secret_that_is_gone(hosted: Hosted) -> None:
    name = hosted.resource()["spec"]["pullSecret"]["name"]
    secret = hosted.management.get("secret", name, "-n", hosted.namespace)
    for field in ("resourceVersion", "uid", "creationTimestamp"):
        secret["metadata"].pop(field)
    with mended(hosted, lambda: hosted.management.apply(secret)):
        hosted.management.kubectl("delete", "secret", name, "-n", hosted.namespace)
        until(names_first(hosted, f"Secret {hosted.namespace}/{name}"), PATIENCE, 5)


def test_a_quota_that_allows_nothing(hosted: Hosted) -> None:
    metadata = {"name": "tight", "namespace": hosted.plane}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata,
        "spec": {"hard": {"pods": "0"}},
    }

    def mend() -> None:
        words = ("delete", "resourcequota", "tight", "-n", hosted.plane, "--ignore-not-found")
        hosted.management.kubectl(*words)
        hurry(hosted, "kube-scheduler")

    with mended(hosted, mend):
        hosted.management.apply(quota)
        restart(hosted, "kube-scheduler")
        until(names_first(hosted, f"ResourceQuota {hosted.plane}/tight"), PATIENCE, 5)


def test_a_storage_class_that_does_not_exist(hosted: Hosted) -> None:
    other = Hosted(hosted.management, "no-storage", hosted.files)
    try:
        other.create("--etcd-storage-class", "nowhere", wait=False)
        until(names_first(hosted, "StorageClass /nowhere", name=other.name), PATIENCE, 5)
    finally:
        other.destroy()


def test_a_network_policy_of_somebody_else(hosted: Hosted) -> None:
    policy = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "deny-all", "namespace": hosted.plane},
        "spec": {
            "podSelector": {"matchLabels": {"app": "kube-apiserver"}},
            "policyTypes": ["Egress"],
        },
    }
    mend = ("delete", "networkpolicy", "deny-all", "-n", hosted.plane, "--ignore-not-found")
    with mended(hosted, lambda: hosted.management.kubectl(*mend)):
        hosted.management.apply(policy)
        restart(hosted, "kube-apiserver")
        until(names_first(hosted, f"NetworkPolicy {hosted.plane}/deny-all"), PATIENCE, 5)


class Ignition:
    """The way that machines take to their configuration, closed and opened."""

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted
        words = ("service", "ignition-server", "-n", "hypershift")
        self.selector = hosted.management.get(*words)["spec"]["selector"]

    def close(self) -> None:
        self._select({**self.selector, "closed": "yes"})

    def open(self) -> None:
        self._select({**self.selector, "closed": None})

    def _select(self, selector: Manifest) -> None:
        patch = json.dumps({"spec": {"selector": selector}})
        words = ("patch", "service", "ignition-server", "-n", "hypershift", "--type=merge")
        self.hosted.management.kubectl(*words, "-p", patch)


def scale(hosted: Hosted, nodes: int) -> None:
    patch = json.dumps({"spec": {"replicas": nodes}})
    words = ("patch", "nodepool", NAME, "-n", hosted.namespace, "--type=merge", "-p", patch)
    hosted.management.kubectl(*words)


def new_machine(hosted: Hosted) -> Manifest:
    """Ask for one more machine, and wait until it boots."""
    before = {each["metadata"]["name"] for each in hosted.management.get("machines", "-A")}
    scale(hosted, 2)

    def found() -> Manifest:
        machines = hosted.management.get("machines", "-n", hosted.plane)
        made = [each for each in machines if each["metadata"]["name"] not in before]
        assert made, "there is no new machine"
        assert made[0]["status"]["addresses"]
        result: Manifest = made[0]
        return result

    made: Manifest = until(found, PATIENCE, 5)
    return made


@contextmanager
def one_node_again(hosted: Hosted, ignition: Ignition) -> Iterator[None]:
    def mend() -> None:
        ignition.open()
        scale(hosted, 1)

        def gone() -> bool:
            return len(hosted.management.get("machines", "-n", hosted.plane)) == 1

        until(gone, PATIENCE, 5)

    with mended(hosted, mend):
        yield


def test_an_ignition_server_that_cannot_be_reached(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        new_machine(hosted)
        until(names_first(hosted, "Service hypershift/ignition-server"), PATIENCE, 5)


def test_a_token_that_expired(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        machine = new_machine(hosted)
        user_data = machine["spec"]["bootstrap"]["dataSecretName"]
        token = f"token-{user_data.removeprefix('user-data-')}"
        hosted.management.kubectl("delete", "secret", token, "-n", hosted.plane)
        ignition.open()
        until(names_first(hosted, f"Secret {hosted.plane}/{token}"), PATIENCE, 5)


def test_a_certificate_request_that_is_refused(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        machine = new_machine(hosted)
        addresses = machine["status"]["addresses"]
        [host] = [each["address"] for each in addresses if each["type"] == "Hostname"]
        # A node of that name is there already: whoever asks for its certificate is not believed.
        hosted.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": host}})
        try:
            ignition.open()
            until(names_first(hosted, "CertificateSigningRequest /*"), PATIENCE, 5)
        finally:
            hosted.kubectl("delete", "node", host)


def expired() -> tuple[str, str]:
    """A certificate of yesterday, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "yesterday")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now - timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    form = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pair = (made.public_bytes(Encoding.PEM), key.private_bytes(*form))
    certificate, private = (base64.b64encode(each).decode() for each in pair)
    return certificate, private


def test_a_certificate_that_expired(hosted: Hosted) -> None:
    secret, mark = "kas-server-crt", "hypershift.openshift.io/disable-pki-reconciliation"

    def mend() -> None:
        hosted.annotate(f"{mark}-")
        hosted.management.kubectl("delete", "secret", secret, "-n", hosted.plane)

    with mended(hosted, mend):
        hosted.annotate(f"{mark}=true")
        certificate, private = expired()
        patch = json.dumps({"data": {"tls.crt": certificate, "tls.key": private}})
        words = ("patch", "secret", secret, "-n", hosted.plane, "--type=merge", "-p", patch)

        def spoil() -> bool:
            hosted.management.kubectl(*words)
            return names_first(hosted, f"Secret {hosted.plane}/{secret}")()

        until(spoil, PATIENCE, 5)


def test_a_management_node_that_is_down(hosted: Hosted) -> None:
    [node, *_] = [each["metadata"]["name"] for each in hosted.management.get("nodes")]
    with mended(hosted, lambda: hosted.management.machine("start", node)):
        hosted.management.machine("kill", node)
        until(names_first(hosted, f"Node /{node}"), PATIENCE, 5)


def test_a_worker_that_is_down(hosted: Hosted) -> None:
    [machine] = hosted.management.get("localmachines", "-n", hosted.plane)
    name = machine["metadata"]["name"]
    host = f"{hosted.plane}.{name}"
    with mended(hosted, lambda: hosted.management.machine("start", host)):
        hosted.management.machine("kill", host)
        until(names_first(hosted, f"LocalMachine {hosted.plane}/{name}"), PATIENCE, 5)


def test_etcd_without_quorum(hosted: Hosted) -> None:
    def pause(*, active: bool) -> None:
        hosted.patch(json.dumps({"spec": {"pausedUntil": "true" if active else None}}))

    words = ("patch", "statefulset", "etcd", "-n", hosted.plane, "--type=strategic", "-p")
    asleep = {"name": "etcd", "command": ["sleep", "100000"]}
    patch = {"spec": {"template": {"spec": {"containers": [asleep]}}}}

    def mend() -> None:
        pause(active=False)
        hosted.management.kubectl("delete", "statefulset", "etcd", "-n", hosted.plane)

    with mended(hosted, mend):
        pause(active=True)
        hosted.management.kubectl(*words, json.dumps(patch))
        until(names_first(hosted, f"StatefulSet {hosted.plane}/etcd"), PATIENCE, 5)


def test_a_webhook_without_a_server(hosted: Hosted) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"]}
    config = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "guards"},
        "webhooks": [
            {
                "name": "guard.example.com",
                "clientConfig": {"service": {"name": "guard", "namespace": "default"}},
                "rules": [{**rule, "resources": ["pods"]}],
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": hosted.plane}},
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
            }
        ],
    }

    def mend() -> None:
        words = ("delete", "validatingwebhookconfiguration", "guards", "--ignore-not-found")
        hosted.management.kubectl(*words)
        hurry(hosted, "kube-scheduler")

    with mended(hosted, mend):
        hosted.management.apply(config)
        restart(hosted, "kube-scheduler")
        until(names_first(hosted, "ValidatingWebhookConfiguration /guards"), PATIENCE, 5)
