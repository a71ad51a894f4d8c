"""Volumes of audit logs with Kubernetes' own controllers: made with a pod, kept when it is gone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from tests.integration.operators.management import collected, prepare
from tests.integration.operators.samples import a_cluster
from tests.lib.server import RealServer, available, real_server

from hypershift import parts
from hypershift.api import annotations, labels
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.audit_logs.controller import of_config, of_pods
from hypershift.runtime import Manager, condition_of

PLANE = "clusters-logged"
#: What makes pods and claims, and lets claims go that no pod uses.
CONTROLLERS = (
    "replicaset-controller",
    "ephemeral-volume-controller",
    "persistentvolumeclaim-protection-controller",
)
pytestmark = pytest.mark.integration


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available() or parts.missing(("kube-controller-manager",)):
        pytest.skip("the parts etcd, kube-apiserver and kube-controller-manager are not here")
    directory = tmp_path_factory.mktemp("management")
    with real_server(directory) as started, collected(started, directory, *CONTROLLERS):
        asyncio.run(prepare(started))
        yield started


def a_replica_set() -> Manifest:
    """As the Deployment of API servers makes it, of what matters here."""
    marks = {"app": "kube-apiserver", labels.HOSTED_CONTROL_PLANE: PLANE}
    claim = {
        "metadata": {"labels": {"app": "kube-apiserver"}},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    volume = {"name": "logs", "ephemeral": {"volumeClaimTemplate": claim}}
    pod = {
        "automountServiceAccountToken": False,
        "containers": [{"name": "kube-apiserver", "image": "registry.example/server:1"}],
        "volumes": [volume],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "kube-apiserver-1", "namespace": PLANE},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": marks},
            "template": {"metadata": {"labels": marks}, "spec": pod},
        },
    }


async def until(check: Callable[[], Awaitable[bool]], what: str) -> None:
    for _ in range(300):
        if await check():
            return
        await asyncio.sleep(0.2)
    pytest.fail(f"never: {what}")


async def claims(client: Client) -> dict[str, list[str]]:
    """The claims, and the kinds that own each."""
    found = await client.list(kinds.PERSISTENT_VOLUME_CLAIM, PLANE)
    return {
        one["metadata"]["name"]: [
            owner["kind"] for owner in one["metadata"].get("ownerReferences") or ()
        ]
        for one in found
    }


async def test_the_claim_of_a_pod_that_is_gone_stays_with_its_rollout(server: RealServer) -> None:
    async with server.client() as client, server.client("operator") as theirs:
        cluster = a_cluster("logged")
        made = await client.create(cluster)
        mark = {
            annotations.CLUSTER: "clusters/logged",
            annotations.CLUSTER_UID: made["metadata"]["uid"],
        }
        space = {"apiVersion": "v1", "kind": "Namespace"}
        await client.create({**space, "metadata": {"name": PLANE, "annotations": mark}})
        account = {"apiVersion": "v1", "kind": "ServiceAccount"}
        await client.create({**account, "metadata": {"name": "default", "namespace": PLANE}})
        config = {
            "apiVersion": kinds.AUDIT_LOG_PERSISTENCE_CONFIG.api_version,
            "kind": kinds.AUDIT_LOG_PERSISTENCE_CONFIG.kind,
            "metadata": {"name": "cluster"},
            "spec": {"enabled": True},
        }
        await client.create(config)
        manager = Manager(theirs, [of_config(), of_pods()])
        running = asyncio.create_task(manager.run())
        try:
            await client.create(a_replica_set())

            async def is_kept() -> bool:
                return ["Pod", "ReplicaSet"] in (await claims(client)).values()

            await until(is_kept, "the ReplicaSet owns the claim as well")
            (first,) = await claims(client)
            pod = first.removesuffix("-logs")
            await client.delete(kinds.POD, pod, PLANE, grace_period=0)

            async def has_two() -> bool:
                found = await claims(client)
                return len(found) == 2 and found[first] == ["ReplicaSet"]

            await until(has_two, "the first claim has lost its pod, the second one is there")
            await asyncio.sleep(5)
            assert first in await claims(client)

            await client.delete(kinds.REPLICA_SET, "kube-apiserver-1", PLANE)

            async def is_empty() -> bool:
                return not await claims(client)

            await until(is_empty, "the claims go with their rollout")
            said = await client.get(kinds.AUDIT_LOG_PERSISTENCE_CONFIG, "cluster")
            found = condition_of(said, "StorageFound") or {}
            assert (found["status"], found["reason"]) == ("False", "StorageClassNotFound")
        finally:
            manager.stop()
            await asyncio.gather(running, return_exceptions=True)
    await asyncio.sleep(0.3)  # connections say goodbye after their session is closed
