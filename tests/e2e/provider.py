"""The Local machine provider at work: what it needs around it, and its objects."""

import asyncio
import base64
import json
import ssl
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from tests.e2e import machines

from hypershift import parts, pki
from hypershift.api.schema import LOCAL_PLATFORM, FeatureSet, crds
from hypershift.ignition import Header, Mirror, Resource, encode, pointer
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.kube import Resource as KubeResource
from hypershift.local.provider import Fleet, Settings, controllers
from hypershift.runtime import Manager

NAMESPACE = "clusters-demo"
INFRA = "demo-x7k2j"
LOCAL = "infrastructure.local.hypershift.io/v1beta1"
CAPI = "cluster.x-k8s.io/v1beta2"
TOKEN = "Bearer dG9rZW4="
REGISTRY = f"http://{machines.GATEWAY}:5000"


def node_settings() -> dict[str, Any]:
    release = machines.release()
    return {
        "sandbox_image": str(release.reference("pause")),
        "mirrors": (Mirror("registry.hypershift.local", (REGISTRY,)),),
    }


async def install(client: Client) -> None:
    theirs = await parts.cluster_api_crds()
    ours = crds(FeatureSet.DEFAULT, (LOCAL_PLATFORM,))
    wanted = ("clusters.cluster", "machines.cluster", "localclusters", "localmachine")
    for definition in [*ours, *theirs]:
        if definition["metadata"]["name"].startswith(wanted):
            definition["spec"].pop("conversion", None)
            await client.create(definition)
    for resource in (kinds.MACHINE, kinds.CAPI_CLUSTER, kinds.LOCAL_MACHINE, kinds.LOCAL_CLUSTER):
        await machines.until("kind served", partial(_served, client, resource))
    await client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})


async def _served(client: Client, resource: KubeResource) -> bool:
    try:
        await client.list(resource)
    except Exception:  # noqa: BLE001 - any answer but a list means not yet
        return False
    return True


def objects(user_data: bytes, on: machines.Cluster) -> Iterator[Manifest]:
    place = {"namespace": NAMESPACE}
    endpoint = {"host": str(machines.GATEWAY), "port": on.port}
    shape = {"cpu": "1", "memory": "1Gi", "image": str(machines.release().reference("machine-os"))}
    reference = {"apiGroup": "infrastructure.local.hypershift.io", "kind": "LocalCluster"}
    yield a_secret("user-data", user_data)
    yield a_secret(f"{INFRA}-kubeconfig", json.dumps(on.kubeconfig).encode())
    yield {
        "apiVersion": LOCAL,
        "kind": "LocalCluster",
        "metadata": {
            **place,
            "name": "demo",
            "labels": {"cluster.x-k8s.io/cluster-name": INFRA},
        },
        "spec": {"controlPlaneEndpoint": endpoint},
    }
    yield {
        "apiVersion": LOCAL,
        "kind": "LocalMachineTemplate",
        "metadata": {**place, "name": "pool"},
        "spec": {"template": {"spec": shape}},
    }
    yield {
        "apiVersion": CAPI,
        "kind": "Cluster",
        "metadata": {**place, "name": INFRA},
        "spec": {
            "infrastructureRef": {**reference, "name": "demo"},
            "controlPlaneEndpoint": endpoint,
        },
    }


async def mark_provisioned(client: Client) -> None:
    """What Cluster API's own controller would say of the Cluster."""
    status = {"status": {"initialization": {"infrastructureProvisioned": True}}}
    await client.patch(kinds.CAPI_CLUSTER, INFRA, status, NAMESPACE, subresource="status")


async def create_machine(client: Client) -> None:
    """A Machine and its LocalMachine, as a MachineSet makes them."""
    group = "infrastructure.local.hypershift.io"
    owner = await client.create(
        {
            "apiVersion": CAPI,
            "kind": "Machine",
            "metadata": {"name": "worker-1", "namespace": NAMESPACE},
            "spec": {
                "clusterName": INFRA,
                "bootstrap": {"dataSecretName": "user-data"},
                "infrastructureRef": {
                    "apiGroup": group,
                    "kind": "LocalMachine",
                    "name": "worker-1",
                },
            },
        }
    )
    shape = {"cpu": "1", "memory": "1Gi", "image": str(machines.release().reference("machine-os"))}
    reference = {
        "apiVersion": CAPI,
        "kind": "Machine",
        "name": "worker-1",
        "uid": owner["metadata"]["uid"],
    }
    await client.create(
        {
            "apiVersion": LOCAL,
            "kind": "LocalMachine",
            "metadata": {
                "name": "worker-1",
                "namespace": NAMESPACE,
                "ownerReferences": [reference],
            },
            "spec": shape,
        }
    )


async def forget_machine(client: Client) -> None:
    """The Machine and its node go, as Cluster API would have it."""
    await client.delete(kinds.MACHINE, "worker-1", NAMESPACE)
    await client.delete(kinds.NODE, "worker-1")


async def is_removed(client: Client, fleet: Fleet) -> None:
    began = time.monotonic()
    await client.delete(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE)
    await machines.until("object gone", lambda: _gone(client))
    machines.measured("deletion_seconds", time.monotonic() - began)
    assert not list(fleet.all())


async def _gone(client: Client) -> bool:
    return await client.find(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE) is None


def a_secret(name: str, value: bytes) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "data": {"value": base64.b64encode(value).decode()},
    }


@asynccontextmanager
async def provider(tmp_path: Path, on: machines.Cluster) -> AsyncIterator[Fleet]:
    settings = Settings(
        kubeconfig=tmp_path / "unused",
        machines=tmp_path / "machines",
        trees=tmp_path / "trees",
        scope=machines.SCOPE,
        bridge=machines.BRIDGE,
        network=IPv4Network(machines.NETWORK),
        pool=IPv4Network("10.250.76.128/25"),
        gateway=str(machines.GATEWAY),
        resolvers=(str(machines.GATEWAY),),
        zones=("a", "b"),
        mirrors={"registry.hypershift.local": REGISTRY},
    )
    fleet = Fleet(settings)
    manager = Manager(on.client, controllers(fleet))
    task = asyncio.create_task(manager.run())
    try:
        yield fleet
    finally:
        manager.stop()
        await task


@contextmanager
def registry(tmp_path: Path) -> Iterator[None]:
    """The real registry on the bridge."""
    place = tmp_path / "registry"
    place.mkdir()
    config = place / "config.yaml"
    config.write_text(
        "version: 0.1\nlog: {level: warn, accesslog: {disabled: true}}\n"
        f"storage: {{filesystem: {{rootdirectory: {place / 'data'}}}}}\n"
        f"http: {{addr: '{machines.GATEWAY}:5000'}}\n"
    )
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(parts.path("registry")), "serve", str(config)],
            stdout=log,
            stderr=log,
            env={"OTEL_TRACES_EXPORTER": "none"},
        )
    try:
        _await_port(5000)
        yield
    finally:
        process.kill()
        process.wait()


def _await_port(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        result = subprocess.run(
            ["/bin/sh", "-c", f"exec 3<>/dev/tcp/{machines.GATEWAY}/{port}"],
            check=False,
            executable="/bin/bash",
            capture_output=True,
        )
        if result.returncode == 0:
            return
        time.sleep(0.05)
    raise TimeoutError(port)


@contextmanager
def ignition_server(tmp_path: Path, config: bytes) -> Iterator[bytes]:
    """Serves the real configuration to who shows the token; yields the stub that points there."""
    now = datetime.now(UTC)
    authority = pki.new_authority("ignition", now)
    leaf = pki.Leaf("ignition", ip_addresses=frozenset({str(machines.GATEWAY)}))
    pair = authority.issue(leaf, now)
    (tmp_path / "pair").write_bytes(pair.certificate + pair.key.reveal())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "pair")
    server = ThreadingHTTPServer((str(machines.GATEWAY), 0), handler(config))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    source = Resource(
        source=f"https://{machines.GATEWAY}:{server.server_address[1]}/ignition",
        http_headers=(Header(name="Authorization", value=TOKEN),),
    )
    try:
        yield encode(pointer(source, (authority.pem,)))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def handler(config: bytes) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.headers["Authorization"] == TOKEN
            self.send_response(200 if known else 401)
            self.end_headers()
            self.wfile.write(config if known else b"")

        def log_message(self, *_: object) -> None:
            pass

    return Handler
