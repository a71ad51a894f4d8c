"""One object of one tenant never ends the shared ignition server, nor does a flood (H3)."""

import asyncio
import contextlib
from typing import Any

import pytest
from tests.unit.servers.ignition.world import (
    a_token,
    a_world,
    headers,
    scope_of,
    serving,
    status,
)

from hypershift.api.annotations import PREFIX
from hypershift.ignition.token import EXPIRES_AT
from hypershift.kit import Manifest, SystemClock
from hypershift.kit.supervise import supervised
from hypershift.kube import kinds
from hypershift.runtime import Stop
from hypershift.runtime.phases import run
from hypershift.servers.ignition import Settings, app, tokens
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


def a_namespace(name: str, **marks: str) -> Manifest:
    metadata = {"name": name, "annotations": {f"{PREFIX}{key}": marks[key] for key in marks}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


@pytest.mark.parametrize(
    "space",
    [
        a_namespace("attacker"),
        a_namespace("attacker", cluster="clusters/demo"),
        a_namespace("attacker", cluster="attacker"),
        a_namespace("elsewhere"),
    ],
    ids=["plain", "of another cluster", "no cluster", "gone"],
)
async def test_what_looks_like_a_token_in_a_users_namespace_is_left_alone(space: Manifest) -> None:
    forged = a_token(**{EXPIRES_AT: "2000-01-01T00:00:00Z"})
    forged["metadata"]["namespace"] = "attacker"
    kube = a_world(forged, space)
    secret = await kube.get(kinds.SECRET, forged["metadata"]["name"], "attacker")
    report = await run(tokens.NORMAL, scope_of(kube, secret))
    assert isinstance(report.stop, Stop)
    assert report.after is None  # thousands of them cost one look each
    assert kube.writes == []


async def test_a_token_beside_its_control_plane_is_looked_after() -> None:
    made = a_token(**{EXPIRES_AT: "2000-01-01T00:00:00Z"})
    kube = a_world(made, a_namespace("clusters-demo", cluster="clusters/demo"))
    secret = await kube.get(kinds.SECRET, made["metadata"]["name"], "clusters-demo")
    await run(tokens.NORMAL, scope_of(kube, secret))
    assert [verb for verb, kind, _ in kube.writes if kind == "Secret"] == ["delete"]


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
