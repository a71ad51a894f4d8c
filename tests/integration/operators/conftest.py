"""A management cluster for operators: real API server, real garbage collection, no kubelets.

`World` plays what is missing: the cloud that gives Services their addresses and the kubelets that
make workloads ready.
"""

import asyncio
import subprocess
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift import parts
from hypershift.api.schema.manifests import crds
from hypershift.controlplane import catalog
from hypershift.kit import InvalidSpec, Manifest, Secret
from hypershift.kube import Client, NotFound, Request, Response, kinds
from hypershift.kube.transport import WRITES
from hypershift.operators import controlplane
from hypershift.operators.hypershift import Settings, hosted_cluster, served_groups
from hypershift.release import Product, Release
from hypershift.runtime import Controller, Manager, Sharding
from hypershift.testing.server import RealServer, available, real_server

RELEASE = "registry.example/kubernetes/release"
TAGS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "konnectivity-server",
    "konnectivity-agent",
    "machine-os",
)


class Releases:
    """A registry that knows a few versions; anything else is not there."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        name, _, version = image.rpartition(":")
        if name != RELEASE:
            raise InvalidSpec(f"release image {image} is not there")
        digest = "0" * 64
        images = {tag: f"registry.example/{tag}-{version}@sha256:{digest}" for tag in TAGS}
        return Release(version, Product.KUBERNETES, images, image, architecture="amd64")


@dataclass
class World:
    """The management cluster and the parts of it that this test plays."""

    client: Client
    reachable: bool = True
    playing: bool = True
    asked: list[str] = field(default_factory=list)

    async def check(self, host: str, port: int) -> str:
        self.asked.append(f"{host}:{port}")
        return "" if self.reachable else f"{host} is not reachable"

    async def play(self) -> None:
        while True:
            if self.playing:
                await self._give_addresses()
                await self._make_ready()
            await asyncio.sleep(0.1)

    async def _give_addresses(self) -> None:
        for service in await self.client.list(kinds.SERVICE):
            status = (service.get("status") or {}).get("loadBalancer") or {}
            if service["spec"].get("type") == "LoadBalancer" and not status.get("ingress"):
                given = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
                await self._status(service, given)

    async def _make_ready(self) -> None:
        for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT):
            for workload in await self.client.list(resource):
                wanted = ready_status(workload)
                known = workload.get("status") or {}
                if any(known.get(name) != value for name, value in wanted.items()):
                    await self._status(workload, wanted)

    async def _status(self, found: Manifest, status: Manifest) -> None:
        resource = kinds.resource_of(found)
        metadata = found["metadata"]
        with suppress(NotFound):
            await self.client.patch(
                resource,
                metadata["name"],
                {"status": status},
                metadata["namespace"],
                subresource="status",
            )

    async def until(
        self, what: Callable[[], Awaitable[Any]], seconds: float = 90, about: str = ""
    ) -> Any:
        """Wait until something holds, and give it."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    if found := await what():
                        return found
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"still not so after {seconds} s: {about or what}") from None

    async def condition(self, name: str, kind: str, status: str, reason: str = "") -> Manifest:
        """Wait until a HostedCluster's condition says this."""

        async def says() -> Manifest | None:
            cluster = await self.client.find(kinds.HOSTED_CLUSTER, name, "clusters")
            known = ((cluster or {}).get("status") or {}).get("conditions") or ()
            for found in known:
                if found["type"] == kind and found["status"] == status:
                    return found if reason in ("", found["reason"]) else None
            return None

        found: Manifest = await self.until(says, about=f"{name}: {kind}={status} {reason}")
        return found

    async def versions(self) -> dict[tuple[str, ...], str]:
        """The resource version of every object that operators write."""
        found: dict[tuple[str, ...], str] = {}
        for resource in (*WRITTEN, kinds.NAMESPACE, kinds.HOSTED_CLUSTER):
            for item in await self.client.list(resource):
                metadata = item["metadata"]
                place = (resource.kind, metadata.get("namespace", ""), metadata["name"])
                found[place] = metadata["resourceVersion"]
        return found


WRITTEN = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.SERVICE,
    kinds.NETWORK_POLICY,
    kinds.DEPLOYMENT,
    kinds.STATEFUL_SET,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.HOSTED_CONTROL_PLANE,
    kinds.CAPI_CLUSTER,
    kinds.LOCAL_CLUSTER,
)


def ready_status(workload: Manifest) -> Manifest:
    replicas = workload["spec"].get("replicas", 1)
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    status: Manifest = dict.fromkeys(counts, replicas)
    status["observedGeneration"] = workload["metadata"]["generation"]
    if workload["kind"] == "Deployment":
        live = (workload.get("status") or {}).get("conditions")
        status["conditions"] = live or [
            {
                "type": "Available",
                "status": "True",
                "reason": "Played",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
                "lastUpdateTime": "2026-01-01T00:00:00Z",
            }
        ]
    return {name: value for name, value in status.items() if value != []}


def a_cluster(name: str = "demo", **spec: Any) -> Manifest:
    """A HostedCluster on the local platform, whose every service has a load balancer."""
    ways = [
        {"service": service, "servicePublishingStrategy": {"type": "LoadBalancer"}}
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    base = {
        "release": {"image": f"{RELEASE}:1.35.8"},
        "pullSecret": {"name": "pull"},
        "sshKey": {"name": "ssh"},
        "controllerAvailabilityPolicy": "SingleReplica",
        "platform": {"type": "Local", "local": {}},
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
        "services": ways,
        "dns": {"baseDomain": "example.com"},
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": base | spec,
    }


def a_secret(name: str, **data: str) -> Manifest:
    coded = {key: b64encode(value.encode()).decode() for key, value in data.items()}
    metadata = {"name": name, "namespace": "clusters"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": coded}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available() or parts.missing(("kube-controller-manager",)):
        pytest.skip("the parts etcd, kube-apiserver and kube-controller-manager are not here")
    directory = tmp_path_factory.mktemp("management")
    with real_server(directory) as started, collected(started, directory):
        yield started


class collected:  # noqa: N801 - reads as what it does
    """Namespaces and owned objects go away, as on every cluster."""

    def __init__(self, server: RealServer, directory: Path) -> None:
        self._kubeconfig = directory / "kubeconfig"
        self._kubeconfig.write_text(yaml.safe_dump(server.kubeconfig))
        self._kubeconfig.chmod(0o600)
        self._log = (directory / "controller-manager.log").open("ab")

    def __enter__(self) -> None:
        self._process = subprocess.Popen(
            [
                str(parts.path("kube-controller-manager")),
                f"--kubeconfig={self._kubeconfig}",
                "--controllers=namespace-controller,garbage-collector-controller",
                "--leader-elect=false",
                "--secure-port=0",
                "--kube-api-qps=1000",
                "--kube-api-burst=2000",
            ],
            stdout=self._log,
            stderr=self._log,
        )

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()


@pytest.fixture(scope="module")
def prepared(server: RealServer) -> RealServer:
    asyncio.run(prepare(server))
    return server


async def prepare(server: RealServer) -> None:
    async with server.client() as client:
        definitions = [*crds(gates=("LocalPlatform",)), *await parts.cluster_api_crds()]
        for definition in definitions:
            await client.create(definition)
        for name in ("clusters", "hypershift"):
            await client.apply(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        await client.apply(a_secret("ssh", **{"id_rsa.pub": "ssh-ed25519 A"}))
        pull = a_secret("pull", **{".dockerconfigjson": '{"auths":{}}'})
        await client.apply(pull | {"type": "kubernetes.io/dockerconfigjson"})
        await client.apply(endpoints("192.0.2.100"))
        await established(client, definitions)


async def established(client: Client, definitions: list[Manifest]) -> None:
    for definition in definitions:
        for _ in range(100):
            found = await client.get(
                kinds.CUSTOM_RESOURCE_DEFINITION, definition["metadata"]["name"]
            )
            conditions = (found.get("status") or {}).get("conditions") or ()
            if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
                break
            await asyncio.sleep(0.1)


def endpoints(address: str) -> Manifest:
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "name": "kubernetes",
            "namespace": "default",
            "labels": {"kubernetes.io/service-name": "kubernetes"},
        },
        "addressType": "IPv4",
        "endpoints": [{"addresses": [address]}],
        "ports": [{"port": 6443, "name": "https"}],
    }


@pytest.fixture
async def world(prepared: RealServer) -> AsyncIterator[World]:
    """The world, with the operators running in it."""
    async with prepared.client() as client, prepared.client("operator") as theirs:
        made = World(client)
        manager = await operators(theirs, made)
        playing = asyncio.create_task(made.play())
        running = asyncio.create_task(manager.run())
        try:
            yield made
            await clean(made)
        finally:
            manager.stop()
            playing.cancel()
            await asyncio.gather(running, playing, return_exceptions=True)
    await asyncio.sleep(0.3)  # connections say goodbye after their session is closed


@pytest.fixture
async def replicas(prepared: RealServer) -> AsyncIterator["Replicas"]:
    """The world, where replicas that share clusters can be started and stopped."""
    async with prepared.client() as client:
        made = Replicas(prepared, World(client))
        playing = asyncio.create_task(made.world.play())
        try:
            yield made
            await clean(made.world)
        finally:
            for name in tuple(made.running):
                await made.stop(name)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
    await asyncio.sleep(0.3)  # connections say goodbye after their session is closed


@dataclass
class Replicas:
    """Operators that share the clusters of a world, and what each of them wrote."""

    server: RealServer
    world: World
    running: dict[str, tuple[Manager, "asyncio.Task[None]"]] = field(default_factory=dict)
    wrote: dict[str, list[str]] = field(default_factory=dict)

    async def start(self, name: str) -> Manager:
        client = self.server.client("operator")
        transport, wrote = client.transport, self.wrote.setdefault(name, [])
        send = transport.request

        async def request(request: Request) -> Response:
            if request.method in WRITES:
                wrote.append(request.path)
            return await send(request)

        transport.request = request  # type: ignore[method-assign]  # a witness, for this test
        sharding = Sharding("shards", "hypershift", name, 5.0, 3.0, 0.5, 5.0)
        manager = await operators(client, self.world, sharding=sharding)
        self.running[name] = manager, asyncio.create_task(manager.run())
        return manager

    async def stop(self, name: str) -> None:
        manager, running = self.running.pop(name)
        manager.stop()
        await asyncio.gather(running, return_exceptions=True)
        await manager.client.close()


async def operators(client: Client, world: World, **options: Any) -> Manager:
    groups = await served_groups(client)
    releases = Releases()
    clusters = hosted_cluster.Environment(Settings(), releases)
    planes = controlplane.Environment(
        controlplane.Settings(), releases, catalog, groups, world.check
    )
    controllers: list[Controller[Any]] = [
        hosted_cluster.controller(clusters),
        controlplane.controller(planes),
    ]
    return Manager(client, controllers, **options)


async def clean(world: World) -> None:
    """Delete every cluster of a test, so that the next one finds an empty world."""
    for found in await world.client.list(kinds.HOSTED_CLUSTER):
        await world.client.delete(kinds.HOSTED_CLUSTER, found["metadata"]["name"], "clusters")

    async def gone() -> bool:
        return not await world.client.list(kinds.HOSTED_CLUSTER)

    await world.until(gone, 60, "clusters are gone")


@pytest.fixture
def cluster() -> Callable[..., Manifest]:
    return a_cluster


@pytest.fixture
def secret() -> Callable[..., Manifest]:
    return a_secret
