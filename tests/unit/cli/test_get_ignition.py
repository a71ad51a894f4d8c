"""`get ignition`: the payload of a pool as its server gives it, secrets masked."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.servers.ignition.world import HASH, TOKEN, a_token, a_world, serving

from hypershift.cli.get import ignition
from hypershift.ignition.authority import NAME as AUTHORITY
from hypershift.kit import Manifest, Secret, UsageError
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool.rules import user_data


def given(pool: str) -> ignition.GetIgnition:
    return ignition.GetIgnition(kubeconfig="", namespace="", subject=pool)


def a_deployment() -> Manifest:
    data = {"bootstrap": {"dataSecretName": f"user-data-workers-{HASH}"}}
    return {
        "apiVersion": kinds.MACHINE_DEPLOYMENT.api_version,
        "kind": "MachineDeployment",
        "metadata": {"name": "workers", "namespace": "clusters-demo"},
        "spec": {"template": {"spec": data}},
    }


async def with_user_data(kube: MemoryClient, port: int) -> None:
    authority = await kube.get(kinds.SECRET, AUTHORITY, "hypershift")
    document = user_data.document(
        endpoint=f"127.0.0.1:{port}",
        authority=base64.b64decode(authority["data"]["tls.crt"]),
        token=Secret(TOKEN),
        pool="clusters/workers",
        config_hash=HASH,
    )
    kube.put(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": f"user-data-workers-{HASH}", "namespace": "clusters-demo"},
            "data": {"value": base64.b64encode(document.encode()).decode()},
        }
    )


@pytest.fixture
def kube(monkeypatch: pytest.MonkeyPatch) -> MemoryClient:
    world = a_world(a_token(), a_deployment())

    @asynccontextmanager
    async def management(_: Any) -> AsyncIterator[MemoryClient]:
        yield world

    monkeypatch.setattr(ignition, "management", management)
    return world


async def test_a_pools_payload_is_shown_without_its_secrets(
    kube: MemoryClient, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(kube, unused_tcp_port):
        await with_user_data(kube, unused_tcp_port)
        assert await ignition.run(given("workers")) == 0
    shown = capsys.readouterr().out
    document = json.loads(shown[shown.index("{\n") :])  # logs come first
    assert {unit["name"] for unit in document["systemd"]["units"]} >= {"kubelet.service"}
    files = {one["path"]: one["contents"]["source"] for one in document["storage"]["files"]}
    assert files["/var/lib/kubelet/config.json"] == "<masked>"
    assert TOKEN not in shown


async def test_what_cannot_be_shown_is_said(kube: MemoryClient, unused_tcp_port: int) -> None:
    for pool, why in (
        ("nobody", "there is no node pool nobody in namespace clusters"),
        ("workers", "has no configuration for machines yet"),
    ):
        with pytest.raises(UsageError, match=why):
            await ignition.run(given(pool))
    async with serving(kube, unused_tcp_port):
        await with_user_data(kube, unused_tcp_port)
    with pytest.raises(UsageError, match="gave no configuration"):
        await ignition.run(given("workers"))
