"""The machine approver dials no address that a hosted cluster names, nor waits for one (H5, M1)."""

import asyncio
import random
from base64 import b64encode
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from typing import Any

import pytest
import structlog
from tests.lib.memory import MemoryClient
from tests.unit.operators.machine_approver.requests import BASE, SERVING, a_machine

from hypershift.kit import Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.machine_approver import kubelet
from hypershift.operators.machine_approver.approve import AT_ONCE, approve
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.pki import new_authority
from hypershift.pki.kubelet_request import KUBERNETES, OPENSHIFT, Bootstrapper, Csr
from hypershift.runtime import Context, Wait
from hypershift.runtime.events import Events, Memory

NAMESPACE = "clusters-demo"
OURS, THEIRS = (new_authority(name, BASE).pem for name in ("ours", "theirs"))


class Clock(SystemClock):
    def now(self) -> datetime:
        return BASE


def an_object(resource: Any, name: str, namespace: str = "", **fields: Any) -> Manifest:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": metadata,
    } | fields


def a_request(csr: Csr) -> Manifest:
    found = an_object(
        kinds.CERTIFICATE_SIGNING_REQUEST,
        csr.name,
        spec={
            "signerName": csr.signer,
            "username": csr.user,
            "groups": list(csr.groups),
            "usages": list(csr.usages),
            "request": b64encode(csr.request).decode(),
        },
    )
    found["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    return found


def a_guest(*requests: Manifest) -> MemoryClient:
    """A cluster whose Node and bundle lead to an address of its owner's choice."""
    bundle = {"ca-bundle.crt": THEIRS.decode()}
    status = {
        "addresses": [{"type": "InternalIP", "address": "10.96.0.1"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 443}},
    }
    return MemoryClient(
        an_object(kinds.CONFIG_MAP, "csr-controller-ca", "openshift-config-managed", data=bundle),
        an_object(kinds.NODE, "test", status=status),
        *requests,
    )


def a_scope(
    guest: MemoryClient, machine: Manifest, boot: Bootstrapper = OPENSHIFT
) -> ApproverScope:
    nothing: Any = None
    machine = an_object(kinds.MACHINE, "m", NAMESPACE) | {"status": machine["status"]}
    machine["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    signer = {"ca.crt": b64encode(OURS).decode()}
    kube = MemoryClient(
        machine, an_object(kinds.SECRET, "cluster-signer-ca", NAMESPACE, data=signer)
    )
    plane = an_object(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
    events = Events(kube, plane, source="approver", clock=Clock(), memory=Memory())
    context = Context(
        kube=kube, live=kube, clock=Clock(), events=events, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    scope = ApproverScope(plane, context)
    scope.guest, scope.bootstrapper = guest, boot
    return scope


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Whom the approver dials, and with which authority; nobody answers."""
    found: list[tuple[Any, ...]] = []

    async def refuse(*called: Any) -> Any:
        found.append(called)
        raise kubelet.NotShown("nobody is there")

    monkeypatch.setattr(kubelet, "certificate", refuse)
    return found


async def test_the_address_and_the_authority_are_the_management_sides(
    dialled: list[tuple[Any, ...]],
) -> None:
    scope = a_scope(a_guest(a_request(SERVING)), a_machine(("InternalIP", "10.0.0.9"), node="test"))
    await approve(scope)
    assert dialled == [("10.0.0.9", OURS.decode())]


async def test_nobody_is_dialled_for_a_kubernetes_cluster(dialled: list[tuple[Any, ...]]) -> None:
    machine = a_machine(("InternalIP", "10.0.0.9"), node="test")
    await approve(a_scope(a_guest(a_request(SERVING)), machine, KUBERNETES))
    assert dialled == []


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "::1"])
async def test_no_machine_has_an_address_of_our_own_host(
    dialled: list[tuple[Any, ...]], address: str
) -> None:
    scope = a_scope(a_guest(a_request(SERVING)), a_machine(("InternalIP", address), node="test"))
    await approve(scope)
    assert dialled == []


async def test_kubelets_that_never_answer_are_asked_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hundred requests at thirty seconds each held a worker for an hour."""
    running, most = 0, 0

    async def hang(*_: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(60)

    monkeypatch.setattr(kubelet, "certificate", hang)
    module = import_module("hypershift.operators.machine_approver.approve")
    monkeypatch.setattr(module, "JUDGING", 0.2)
    requests = [a_request(replace(SERVING, name=f"csr-{one}")) for one in range(50)]
    scope = a_scope(a_guest(*requests), a_machine(("InternalIP", "10.0.0.9"), node="test"))
    async with asyncio.timeout(5):
        assert isinstance(await approve(scope), Wait)
    assert most == AT_ONCE


async def test_a_request_that_makes_no_sense_keeps_no_other_waiting(
    dialled: list[tuple[Any, ...]],
) -> None:
    broken = a_request(replace(SERVING, name="broken"))
    broken["spec"]["request"] = "not base64!"
    other = a_request(replace(SERVING, name="other"))
    other["spec"] = "nonsense"
    guest = a_guest(broken, other, a_request(SERVING))
    await approve(a_scope(guest, a_machine(("InternalIP", "10.0.0.9"), node="test")))
    assert len(dialled) >= 1
