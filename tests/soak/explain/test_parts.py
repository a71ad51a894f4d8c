"""Parts that are down, or out of date, and what `explain` names first then."""

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.e2e.embedded import until
from tests.e2e.hosted import Hosted
from tests.soak.explain.patient import PATIENCE, mended, names_first

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]


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
