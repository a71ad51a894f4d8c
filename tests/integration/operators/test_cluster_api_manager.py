"""Cluster API's real manager with the rights of one control plane namespace, and the one of all.

A Dedicated cluster and a Shared one lie side by side. The manager of all Shared clusters makes no
machine of the Dedicated one; that one's own manager does, with its Role alone.
"""

import asyncio
import copy
import json
import subprocess
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from tests.integration.api.installing import install
from tests.lib.ports import free_port
from tests.lib.server import RealServer, available, real_server

from hypershift import parts
from hypershift.api import NodePool, read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.schema import crds
from hypershift.api.well_known import SHARED_MANAGER, WATCH_FILTER
from hypershift.kit import Manifest, labels_of
from hypershift.kube import Client, kinds
from hypershift.local.addons.cluster_api import one_version
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api
from hypershift.operators.hypershift.node_pool.rules.machine_deployment import (
    Wanted,
    machine_deployment,
)

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

DEDICATED, SHARED, INFRA = "clusters-dedicated", "clusters-shared", "demo-x7k2j"
LOCAL = "infrastructure.local.hypershift.io"
WATCHED = {SHARED: {WATCH_FILTER: SHARED_MANAGER}, DEDICATED: {}}
SECONDS = 60.0
T = TypeVar("T")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RealServer]:
    if not available() or parts.missing(("cluster-api",)):
        pytest.skip("the parts etcd, kube-apiserver and cluster-api are not here")
    with real_server(tmp_path) as running:
        yield running


@pytest.fixture
async def client(server: RealServer) -> AsyncIterator[Client]:
    async with server.client() as found:
        theirs = [one_version(each) for each in await parts.cluster_api_crds()]
        for each in theirs:
            each["spec"].pop("conversion", None)
        await install(found, [*crds(gates=("LocalPlatform",)), *theirs])
        await found.apply(cluster_api.cluster_role())
        for namespace in (DEDICATED, SHARED):
            for manifest in objects(namespace):
                await found.create(manifest)
        yield found


async def test_each_manager_makes_the_machines_of_its_own_clusters(
    server: RealServer, client: Client
) -> None:
    with running(server, f"--watch-filter={SHARED_MANAGER}", name="shared"):
        await until(lambda: machines(client, SHARED))
        await asyncio.sleep(3)
        assert await machines(client, DEDICATED) == []
        spec = read(HostedClusterSpec, {"platform": {"type": "Local"}})
        own = cluster_api.Manager(DEDICATED, "cluster-api", spec, cluster_api.flags(None))
        for manifest in cluster_api.manifests(own):
            await client.apply(manifest)
        words = (f"--namespace={DEDICATED}", *_flags(cluster_api.flags(None)))
        account = f"system:serviceaccount:{DEDICATED}:cluster-api"
        with running(server, *words, name="own", account=account) as log:
            (made,) = await until(lambda: machines(client, DEDICATED))
            await until(lambda: client.list(kinds.LOCAL_MACHINE, DEDICATED))
            await client.delete(kinds.MACHINE_DEPLOYMENT, "pool", DEDICATED)
            await until(lambda: gone(client, DEDICATED))
    assert WATCH_FILTER not in labels_of(made)
    assert "forbidden" not in log.read_text()


async def test_a_cluster_that_is_shared_again_keeps_its_machines(
    server: RealServer, client: Client
) -> None:
    with running(server, f"--watch-filter={SHARED_MANAGER}", name="shared"):
        before = await until(lambda: machines(client, SHARED))
        for labels in ({WATCH_FILTER: None}, WATCHED[SHARED]):
            patch = {"metadata": {"labels": labels}}
            await client.patch(kinds.CAPI_CLUSTER, INFRA, patch, SHARED)
            template = {"spec": {"template": {"metadata": {"labels": labels}}}}
            await client.patch(kinds.MACHINE_DEPLOYMENT, "pool", patch | template, SHARED)
            await asyncio.sleep(3)
        after = await machines(client, SHARED)
    assert {one["metadata"]["uid"] for one in after} == {one["metadata"]["uid"] for one in before}


@contextmanager
def running(server: RealServer, *words: str, name: str, account: str = "") -> Iterator[Path]:
    """Run the manager beside the API server, as a service account if one is named."""
    home = server.directory / name
    home.mkdir()
    pair = cluster_api.certificates("any", datetime.now(UTC))["data"]
    for file, value in pair.items():
        (home / file).write_bytes(b64decode(value))
    config = copy.deepcopy(server.kubeconfig)
    if account:
        config["users"][0]["user"] |= {"as": account}
    (home / "kubeconfig").write_text(json.dumps(config))
    log = home / "log"
    argv = [
        str(parts.path("cluster-api")),
        f"--kubeconfig={home / 'kubeconfig'}",
        "--leader-elect=false",
        f"--webhook-cert-dir={home}",
        f"--webhook-port={free_port()}",
        f"--health-addr=127.0.0.1:{free_port()}",
        "--diagnostics-address=0",
        "--feature-gates=MachineSetPreflightChecks=false",
        "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",
        *words,
    ]
    with log.open("wb") as out, subprocess.Popen(argv, stdout=out, stderr=out) as process:
        try:
            yield log
        finally:
            process.kill()


def _flags(flags: tuple[str, ...]) -> Iterator[str]:
    """The flags of the Deployment, but for the ports of a pod."""
    return (each for each in flags if "diagnostics" not in each)


def objects(namespace: str) -> Iterator[Manifest]:
    """A cluster with one machine, before anybody has looked at it."""
    place, labels = {"namespace": namespace}, WATCHED[namespace]
    reference = {"apiGroup": LOCAL, "kind": "LocalCluster", "name": "demo"}
    endpoint = {"host": "192.0.2.1", "port": 6443}
    template: Manifest = {
        "apiVersion": f"{LOCAL}/v1beta1",
        "kind": "LocalMachineTemplate",
        "metadata": {"name": "pool-1", **place},
        "spec": {"template": {"spec": {"cpu": "1", "memory": "1Gi", "image": "machine-os"}}},
    }
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    yield {
        "apiVersion": f"{LOCAL}/v1beta1",
        "kind": "LocalCluster",
        "metadata": {"name": "demo", **place},
        "spec": {"controlPlaneEndpoint": endpoint},
    }
    yield template
    yield {
        "apiVersion": kinds.CAPI_CLUSTER.api_version,
        "kind": "Cluster",
        "metadata": {"name": INFRA, "labels": labels, **place},
        "spec": {"infrastructureRef": reference, "controlPlaneEndpoint": endpoint},
    }
    replace = {"strategy": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    pool: Manifest = {
        "metadata": {"name": "pool", "namespace": "clusters"},
        "spec": {
            "replicas": 1,
            "platform": {"type": "Local"},
            "management": {"upgradeType": "Replace", "replace": replace},
        },
    }
    wanted = Wanted(
        read(NodePool, pool),
        namespace,
        "demo",
        INFRA,
        "1.35.8",
        "user-data",
        "hash",
        template,
        "",
        labels,
    )
    deployment = machine_deployment(wanted, from_zero=False)
    deployment["spec"]["replicas"] = 1
    yield deployment


async def machines(client: Client, namespace: str) -> list[Manifest]:
    return list(await client.list(kinds.MACHINE, namespace))


async def gone(client: Client, namespace: str) -> bool:
    return not await machines(client, namespace)


async def until(look: Callable[[], Awaitable[T]]) -> T:
    async with asyncio.timeout(SECONDS):
        while not (found := await look()):  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.2)
    return found
