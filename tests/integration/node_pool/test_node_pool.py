"""NodePool and ignition server on a real API server; machines are what is missing."""

import asyncio
import json
import ssl
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import aiohttp
import pytest
from tests.lib.ports import free_port
from tests.lib.server import RealServer, available, real_server

from hypershift import parts
from hypershift.api.schema.manifests import crds
from hypershift.ignition import decode
from hypershift.kit import Manifest, Secret, key_of
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import node_pool, ownership
from hypershift.operators.hypershift.ownership import Owner
from hypershift.release import Product, Release
from hypershift.runtime import Manager
from hypershift.servers import ignition

pytestmark = pytest.mark.integration
IMAGE = "registry.example/release:1.35.8"
PULL_SECRET = '{"auths":{}}'
KUBECONFIG = "clusters: [{name: c, cluster: {server: 'https://10.80.32.5:6443'}}]\n"


class Releases:
    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        images = {name: f"registry.example/{name}:1" for name in ("haproxy", "pause", "machine-os")}
        return Release("1.35.8", Product.KUBERNETES, images, image)


def a_secret(name: str, namespace: str, **data: str) -> Manifest:
    coded = {
        key.replace("__", "."): b64encode(text.encode()).decode() for key, text in data.items()
    }
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": coded}


def a_cluster() -> Manifest:
    ways = [
        {"service": service, "servicePublishingStrategy": {"type": "LoadBalancer"}}
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {
            "infraID": "demo-7x2kq",
            "release": {"image": IMAGE},
            "pullSecret": {"name": "pull"},
            "sshKey": {"name": "ssh"},
            "platform": {"type": "Local", "local": {}},
            "networking": {
                "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
                "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
            },
            "services": ways,
            "dns": {"baseDomain": "example.com"},
        },
    }


def a_pool(name: str = "workers", **spec: Any) -> Manifest:
    replace = {
        "strategy": "RollingUpdate",
        "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
    }
    usual: Manifest = {
        "clusterName": "demo",
        "release": {"image": IMAGE},
        "replicas": 2,
        "management": {"upgradeType": "Replace", "autoRepair": False, "replace": replace},
        "platform": {"type": "Local", "local": {}},
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": usual | spec,
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available():
        pytest.skip("the parts etcd and kube-apiserver are not here")
    with real_server(tmp_path_factory.mktemp("management")) as started:
        asyncio.run(prepare(started))
        yield started


async def prepare(server: RealServer) -> None:
    async with server.client() as client:
        definitions = [*crds(gates=("LocalPlatform",)), *await parts.cluster_api_crds()]
        for definition in definitions:
            await client.create(definition)
        for definition in definitions:
            await until(lambda one=definition: _established(client, one))  # type: ignore[misc] # bound now
        for name in ("clusters", "hypershift", "clusters-demo"):
            await client.apply(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        await client.apply(a_secret("pull", "clusters", __dockerconfigjson=PULL_SECRET))
        await client.apply(a_secret("demo-admin-kubeconfig", "clusters", kubeconfig=KUBECONFIG))
        await client.apply(a_secret("pull-secret", "clusters-demo", __dockerconfigjson=PULL_SECRET))
        await client.apply(a_secret("bootstrap-kubeconfig", "clusters-demo", kubeconfig=KUBECONFIG))
        await client.apply(
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "kubelet-client-ca", "namespace": "clusters-demo"},
                "data": {"ca.crt": "CA"},
            }
        )
        await _cluster(client)


async def _established(client: Client, definition: Manifest) -> bool:
    found = await client.get(kinds.CUSTOM_RESOURCE_DEFINITION, definition["metadata"]["name"])
    conditions = (found.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


async def _cluster(client: Client) -> None:
    cluster = await client.create(a_cluster())
    mark = ownership.mark(Owner(key_of(cluster), cluster["metadata"]["uid"]))
    await client.patch(kinds.NAMESPACE, "clusters-demo", {"metadata": {"annotations": mark}})
    status = {
        "ignitionEndpoint": "127.0.0.1",
        "kubeconfig": {"name": "demo-admin-kubeconfig"},
    }
    await client.patch(
        kinds.HOSTED_CLUSTER, "demo", {"status": status}, "clusters", subresource="status"
    )
    spec = a_cluster()["spec"]
    for unwanted in ("release",):
        spec.pop(unwanted)
    plane = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": "demo", "namespace": "clusters-demo"},
        "spec": spec
        | {
            "releaseImage": IMAGE,
            "issuerURL": "https://kubernetes.default.svc",
            "etcd": {
                "managementType": "Managed",
                "managed": {"storage": {"type": "PersistentVolume"}},
            },
        },
    }
    await client.create(plane)


async def until(what: Callable[[], Awaitable[Any]], seconds: float = 30) -> Any:
    async with asyncio.timeout(seconds):
        while True:
            if found := await what():
                return found
            await asyncio.sleep(0.1)


@pytest.fixture
async def port() -> int:
    return free_port()


@pytest.fixture
async def kube(server: RealServer, port: int) -> AsyncIterator[Client]:
    settings = ignition.Settings(address="127.0.0.1", port=port)
    releases = Releases()
    async with server.client() as client, server.client("operator") as theirs:
        manager = Manager(
            theirs,
            [
                node_pool.controller(node_pool.Environment(releases)),
                *ignition.controllers(settings, releases),
            ],
        )
        running = asyncio.create_task(manager.run())
        async with ignition.running(theirs, releases, settings):
            yield client
            for pool in await client.list(kinds.NODE_POOL, "clusters"):
                await client.delete(kinds.NODE_POOL, pool["metadata"]["name"], "clusters")
            await until(lambda: _none(client, kinds.NODE_POOL))
        manager.stop()
        await asyncio.gather(running, return_exceptions=True)
    await asyncio.sleep(0.3)  # connections say goodbye after their session is closed


async def _none(client: Client, resource: Any) -> bool:
    return not await client.list(resource)


async def condition(kube: Client, kind: str, name: str = "workers") -> Manifest | None:
    pool = await kube.get(kinds.NODE_POOL, name, "clusters")
    known = (pool.get("status") or {}).get("conditions") or ()
    return next((one for one in known if one["type"] == kind), None)


async def test_a_pool_gets_machines_and_a_machine_gets_its_configuration(
    kube: Client, port: int
) -> None:
    await kube.create(a_pool())
    live = await until(lambda: kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo"))
    assert live["spec"]["replicas"] == 2
    spec = live["spec"]["template"]["spec"]
    template = spec["infrastructureRef"]["name"]
    assert await kube.get(kinds.LOCAL_MACHINE_TEMPLATE, template, "clusters-demo")
    secret = await kube.get(kinds.SECRET, spec["bootstrap"]["dataSecretName"], "clusters-demo")
    document = json.loads(b64decode(secret["data"]["value"]))
    payload = await fetch(document, port)
    assert {unit.name for unit in decode(payload).systemd.units} >= {"kubelet.service"}

    async def reached() -> bool:
        found = await condition(kube, "ReachedIgnitionEndpoint") or {}
        return found.get("status") == "True"

    await until(reached)
    valid = await condition(kube, "ValidGeneratedPayload") or {}
    assert (valid["status"], valid["reason"]) == ("True", "AsExpected")


async def fetch(document: Manifest, port: int) -> bytes:
    """What a machine does with its user data."""
    merge = document["ignition"]["config"]["merge"][0]
    authority = document["ignition"]["security"]["tls"]["certificateAuthorities"][0]["source"]
    context = ssl.create_default_context(cadata=b64decode(authority.partition(",")[2]).decode())
    headers = {one["name"]: one["value"] for one in merge["httpHeaders"]}
    url = merge["source"].replace("127.0.0.1", f"127.0.0.1:{port}")
    connector = aiohttp.TCPConnector(ssl=context)
    async with aiohttp.ClientSession(connector=connector) as session:
        for _ in range(100):
            async with session.get(url, headers=headers) as answer:
                if answer.status == 200:
                    return await answer.read()
            await asyncio.sleep(0.1)
    raise AssertionError("the ignition server never answered")


async def test_nothing_is_written_once_everything_is_as_it_shall_be(kube: Client) -> None:
    await kube.create(a_pool())
    await until(lambda: kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo"))
    await asyncio.sleep(2)
    before = await versions(kube)
    await asyncio.sleep(3)
    assert await versions(kube) == before


async def versions(kube: Client) -> dict[tuple[str, str], str]:
    written = (
        kinds.SECRET,
        kinds.MACHINE_DEPLOYMENT,
        kinds.LOCAL_MACHINE_TEMPLATE,
        kinds.NODE_POOL,
    )
    return {
        (kind.kind, one["metadata"]["name"]): one["metadata"]["resourceVersion"]
        for kind in written
        for one in await kube.list(kind)
    }


async def test_a_scaled_pool_scales_its_machines(kube: Client) -> None:
    await kube.create(a_pool())
    await until(lambda: kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo"))
    await kube.patch(kinds.NODE_POOL, "workers", {"spec": {"replicas": 5}}, "clusters")

    async def scaled() -> bool:
        live = await kube.get(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo")
        return bool(live["spec"]["replicas"] == 5)

    await until(scaled)


async def test_bad_configuration_is_a_condition_and_others_go_on(kube: Client) -> None:
    await kube.create(a_pool("bad", config=[{"name": "missing"}]))
    await kube.create(a_pool())

    async def refused() -> bool:
        found = await condition(kube, "ValidMachineConfig", "bad") or {}
        return found.get("message") == 'configmaps "missing" not found'

    await until(refused)
    await until(lambda: kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo"))


async def test_a_deleted_pool_leaves_nothing(kube: Client) -> None:
    await kube.create(a_pool())
    await until(lambda: kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo"))
    await kube.delete(kinds.NODE_POOL, "workers", "clusters")
    await until(lambda: _none(kube, kinds.NODE_POOL))
    assert await _none(kube, kinds.MACHINE_DEPLOYMENT)
    assert await _none(kube, kinds.LOCAL_MACHINE_TEMPLATE)
    secrets = await kube.list(kinds.SECRET, "clusters-demo")
    assert not [one for one in secrets if "workers" in one["metadata"]["name"]]
