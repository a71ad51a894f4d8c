"""People who want more than break-glass access to their own cluster."""

import random
from base64 import b64decode
from typing import Any, cast

import structlog
from cryptography import x509
from tests.lib.memory import MemoryClient
from tests.lib.signers import (
    NAMESPACE,
    a_plane,
    a_request,
    an_approval,
)

from hypershift.kit import Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.pki import CLASSES, CUSTOMER, SRE, Environment
from hypershift.operators.pki.controller import NORMAL
from hypershift.operators.pki.rules.rotation import certificates, verifies
from hypershift.operators.pki.scope import SignerScope
from hypershift.runtime import Context, Events
from hypershift.runtime.events import Memory
from hypershift.runtime.phases import run

GREEN = "clusters-green"


async def passes(kube: MemoryClient, namespace: str = NAMESPACE) -> None:
    """Look at a control plane as often as an answer takes."""
    for _ in range(3):
        plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, namespace.partition("-")[2], namespace)
        clock = SystemClock()
        log = structlog.get_logger()
        context = Context(
            kube,
            kube,
            clock,
            Events(kube, plane, source="test", clock=clock, memory=Memory()),
            log,
            cast(Any, None),  # no other cluster is asked
            random.Random(1),  # noqa: S311 - repeatable
        )
        report = await run(NORMAL, SignerScope(plane, context, Environment()), stop_on_error=True)
        assert report.errors == []


async def request(kube: MemoryClient, name: str = "alice") -> Manifest:
    found = await kube.get(kinds.CERTIFICATE_SIGNING_REQUEST, name)
    status: Manifest = found.get("status") or {}
    return status


def planes(*objects: Manifest) -> MemoryClient:
    return MemoryClient(a_plane(), a_plane(GREEN, "green"), *objects)


def words(status: Manifest) -> list[str]:
    return [one["type"] for one in status.get("conditions") or ()]


async def test_an_honest_request_is_signed_by_its_own_signer() -> None:
    kube = planes(a_request(CUSTOMER), an_approval("alice"))
    await passes(kube)
    read = x509.load_pem_x509_certificate(b64decode((await request(kube))["certificate"]))
    bundle = await kube.get(kinds.CONFIG_MAP, CUSTOMER.bundle, NAMESPACE)
    other = await kube.get(kinds.CONFIG_MAP, SRE.bundle, NAMESPACE)
    assert verifies(read, certificates(bundle))
    assert not verifies(read, certificates(other))


async def test_an_approval_in_another_clusters_namespace_approves_nothing() -> None:
    kube = planes(a_request(CUSTOMER), an_approval("alice", GREEN))
    await passes(kube)
    await passes(kube, GREEN)
    assert await request(kube) == {}


async def test_a_request_for_another_clusters_signer_is_not_signed_by_ours() -> None:
    kube = planes(a_request(CUSTOMER, namespace=GREEN), an_approval("alice"))
    await passes(kube)
    await passes(kube, GREEN)
    assert await request(kube) == {}


async def test_a_customer_does_not_get_a_certificate_of_the_other_class() -> None:
    asked = a_request(CUSTOMER, common_name=f"{SRE.common_name_prefix}alice")
    kube = planes(asked, an_approval("alice"))
    await passes(kube)
    status = await request(kube)
    assert "certificate" not in status
    assert words(status) == ["Approved", "Failed"]
    assert status["conditions"][1]["reason"] == "SignerValidationFailure"


async def test_a_serving_certificate_is_not_signed() -> None:
    asked = a_request(CUSTOMER, usages=("client auth", "server auth"))
    kube = planes(asked, an_approval("alice"))
    await passes(kube)
    assert words(await request(kube)) == ["Approved", "Failed"]


async def test_a_denied_request_is_never_signed() -> None:
    asked = a_request(CUSTOMER) | {"status": {"conditions": [{"type": "Denied"}]}}
    kube = planes(asked, an_approval("alice"))
    await passes(kube)
    assert await request(kube) == asked["status"]


async def test_nothing_is_made_for_a_control_plane_with_another_pki() -> None:
    plane = a_plane(**{"hypershift.openshift.io/disable-pki-reconciliation": "true"})
    kube = MemoryClient(plane, a_request(CUSTOMER), an_approval("alice"))
    await passes(kube)
    assert kube.writes == []
    found = [await kube.find(kinds.SECRET, one.signer, NAMESPACE) for one in CLASSES]
    assert found == [None, None]
