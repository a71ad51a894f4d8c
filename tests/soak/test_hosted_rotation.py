"""Certificates that live for minutes: every one is renewed in time, and no client notices.

HYPERSHIFT_SOAK_VALIDITY and HYPERSHIFT_SOAK_MINUTES choose how short and how long.
"""

import base64
import os
import time
from collections.abc import Iterator

import pytest
from cryptography import x509
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(7200)]

VALIDITY = os.environ.get("HYPERSHIFT_SOAK_VALIDITY", "20m")
MINUTES = float(os.environ.get("HYPERSHIFT_SOAK_MINUTES", "45"))
MARK = "hypershift.openshift.io/certificate"
LOOK = 15.0


@pytest.fixture
def short_lived(zones: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    flags = (
        "--control-plane-availability-policy=HighlyAvailable",
        f"--annotations={MARK}-validity={VALIDITY}",
        f"--annotations={MARK}-renewal=0.5",
    )
    with a_hosted_cluster(zones, "short-lived", tmp_path_factory.mktemp("h"), *flags) as made:
        yield made


def test_no_request_fails_while_certificates_rotate(short_lived: Hosted) -> None:
    seen: dict[str, set[int]] = {}
    expired: list[str] = []
    began = time.monotonic()
    with Traffic(short_lived.kubeconfig) as traffic:
        while time.monotonic() < began + MINUTES * 60:
            for name, certificate in certificates(short_lived):
                serials = seen.setdefault(name, set())
                if serials and certificate.serial_number not in serials:
                    print(f"{time.monotonic() - began:.0f} s: new {name}", flush=True)  # noqa: T201
                serials.add(certificate.serial_number)
                if certificate.not_valid_after_utc.timestamp() < time.time():
                    expired.append(name)
            del short_lived.kubeconfig
            traffic.renew(short_lived.kubeconfig)
            time.sleep(LOOK)
    rotations = {name: len(serials) - 1 for name, serials in seen.items()}
    print(f"rotations: {sum(rotations.values())}, by certificate: {rotations}")  # noqa: T201
    print(traffic.log)  # noqa: T201
    assert expired == []
    assert min(rotations.values()) >= 1
    assert traffic.log.failed == []
    assert traffic.lost() == []


def certificates(hosted: Hosted) -> Iterator[tuple[str, x509.Certificate]]:
    """The leaf certificates of a control plane."""
    for secret in hosted.management.get("secrets", "-n", hosted.plane):
        for key, value in (secret.get("data") or {}).items():
            if key.endswith(".crt") and key != "ca.crt":
                certificate = x509.load_pem_x509_certificate(base64.b64decode(value))
                if certificate.issuer != certificate.subject:
                    yield f"{secret['metadata']['name']}/{key}", certificate
