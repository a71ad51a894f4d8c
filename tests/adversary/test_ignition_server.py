"""One object of one tenant never ends the shared ignition server, nor does a flood (H3)."""

import asyncio
import contextlib
from typing import Any

import pytest
from tests.unit.servers.ignition.world import a_token, a_world, headers, serving, status

from hypershift.kit import Manifest, SystemClock
from hypershift.kit.supervise import supervised
from hypershift.servers.ignition import Settings, app
from hypershift.servers.ignition.identity import MOST_NAMES, identity, usable_addresses


def a_plane(name: str, address: Any, created: str = "2026-01-01T00:00:00Z") -> Manifest:
    port = {"type": "NodePort", "nodePort": {"address": address}}
    services = [{"service": "Ignition", "servicePublishingStrategy": port}]
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": name, "namespace": f"clusters-{name}", "creationTimestamp": created},
        "spec": {"services": services},
    }


def labelled(address: str) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": "ignition-server-ca-cert",
            "namespace": "attacker",
            "labels": {"hypershift.openshift.io/ignition-named": "true"},
            "annotations": {"hypershift.openshift.io/ignition-address": address},
        },
    }


async def test_a_labelled_secret_of_a_tenant_changes_nothing(unused_tcp_port: int) -> None:
    kube = a_world(a_token(), labelled("b\u00fccher.example"))
    async with serving(kube, unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 200


async def test_no_address_of_a_tenants_secret_is_certified() -> None:
    kube = a_world(labelled("victim.example"))
    made = await identity(kube, Settings(), SystemClock())
    assert b"victim.example" not in _der(made.serving.certificate)


def _der(pem: bytes) -> bytes:
    from cryptography import x509  # noqa: PLC0415 - here alone
    from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415 - here alone

    return x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)


@pytest.mark.parametrize(
    "address",
    ["b\u00fccher.example", "a b", "x" * 64, "-x.example", "x..example", "*", "x\n", {"a": 1}, 7],
)
def test_an_address_that_fits_no_certificate_is_left_out(address: Any) -> None:
    planes = [a_plane("bad", address), a_plane("good", "good.example")]
    found = usable_addresses(planes)
    assert "good.example" in found
    assert found <= {"good.example", "7"}


def test_control_planes_of_another_shape_are_passed_by() -> None:
    odd = a_plane("odd", "x")
    odd["spec"] = {"services": "nonsense"}
    assert usable_addresses([odd, a_plane("good", "good.example")]) == {"good.example"}


def test_names_fit_into_a_certificate_and_the_oldest_stay() -> None:
    old = a_plane("old", "old.example", "2020-01-01T00:00:00Z")
    many = [a_plane(f"n{one}", f"{'x' * 60}.{one}.example") for one in range(2000)]
    found = usable_addresses([*many, old])
    assert "old.example" in found
    assert sum(map(len, found)) <= MOST_NAMES


async def test_the_server_starts_with_an_address_that_fits_no_certificate(
    unused_tcp_port: int,
) -> None:
    kube = a_world(a_token(), a_plane("bad", "b\u00fccher.example"))
    async with serving(kube, unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 200


async def test_a_server_that_fails_starts_again() -> None:
    lives = 0

    class Quick(SystemClock):
        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds / 1000)

    async def serve() -> None:
        nonlocal lives
        lives += 1
        if lives < 4:
            raise ValueError("one odd object")
        await asyncio.sleep(60)

    task = asyncio.create_task(supervised("test", serve, Quick()))
    await asyncio.sleep(0.2)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert lives == 4


async def test_a_flood_of_unknown_tokens_is_cut_and_known_machines_are_served(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "BURST", 5)
    monkeypatch.setattr(app, "EVERY", 60.0)
    kube = a_world(a_token())
    async with serving(kube, unused_tcp_port) as session:
        assert await status(session, "/ignition", **headers()) == 200
        answers = [
            await status(session, "/ignition", **headers(TargetConfigVersionHash=f"{one:08x}"))
            for one in range(20)
        ]
        assert answers.count(511) <= 5
        assert answers.count(503) >= 15
        assert await status(session, "/ignition", **headers()) == 200
