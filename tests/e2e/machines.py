"""What the tests of machines stand on: a bridge, an image, an API server that machines reach."""

import asyncio
import copy
import functools
import ipaddress
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.lib.server import RealServer

from hypershift import oci, parts, payload
from hypershift.ignition import (
    Config,
    NodeSettings,
    Storage,
    directory,
    encode,
    file,
    merge,
    node_config,
)
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Client, kinds
from hypershift.local.machine import (
    Attachment,
    Limits,
    Machine,
    MachineSpec,
    Metadata,
    rootfs,
    users,
)
from hypershift.local.machine.spec import link_of

SCOPE = "e2e-machine"
BRIDGE = "hse2em"
NETWORK = ipaddress.ip_network("10.250.76.0/24")
GATEWAY = NETWORK[1]
IMAGE = f"{payload.REPOSITORY}/busybox:{parts.KUBERNETES}"
PAUSE = f"{payload.REPOSITORY}/pause:{parts.KUBERNETES}"
FLAGS = (
    "--bind-address=0.0.0.0",
    "--allow-privileged=true",
    "--kubelet-preferred-address-types=InternalIP",
)
CNI = {
    "cniVersion": "1.0.0",
    "name": "pods",
    "plugins": [
        {
            "type": "bridge",
            "bridge": "cni0",
            "isGateway": True,
            "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.250.75.0/24"}]]},
        }
    ],
}


def needs_root() -> None:
    """Skip where machines cannot be made."""
    if os.geteuid() != 0:
        pytest.skip("machines are made of namespaces and mounts: root is needed")


@functools.cache
def release() -> payload.Payload:
    """The release that machines boot, made of parts that are here already."""
    try:
        absent = parts.missing(parts.EMBEDDED)
    except HypershiftError as error:
        pytest.skip(f"parts cannot be found: {error}")
    if absent:
        pytest.skip(f"parts are missing: {', '.join(part.id for part in absent)}")
    return asyncio.run(payload.build(parts.KUBERNETES))


def machine_os(base: Path) -> Path:
    """The release's machine-os image, extracted below `base`."""
    made = release()
    return rootfs.tree_from_layout(made.layout, made.images["machine-os"].digest, base)


@contextmanager
def bridge() -> Iterator[None]:
    """A bridge of the test's own, with the address that machines take for their gateway."""
    _ip("link", "add", BRIDGE, "type", "bridge")
    try:
        _ip("addr", "add", f"{GATEWAY}/{NETWORK.prefixlen}", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        yield
    finally:
        _ip("link", "del", BRIDGE)


def a_machine(
    tree: Path,
    tmp_path: Path,
    name: str = "m1",
    number: int = 11,
    *,
    own_users: bool = True,
    cpu: int | None = None,
    memory: int | None = None,
) -> Machine:
    """A machine on the test's bridge; with users of its own, as new ones have them."""
    return Machine(
        MachineSpec(
            name=name,
            scope=SCOPE,
            os_tree=tree,
            directory=tmp_path / name,
            network=Attachment(
                bridge=BRIDGE,
                address=f"{NETWORK[number]}/{NETWORK.prefixlen}",
                gateway=str(GATEWAY),
            ),
            metadata=Metadata(
                hostname=name, instance_id=f"i-{name}", provider_id=f"local://e2e/{name}", zone="a"
            ),
            limits=Limits(cpu=cpu, memory=memory),
            ids=users.ids(SCOPE, name, tmp_path) if own_users else None,
        )
    )


@dataclass(frozen=True, slots=True)
class Cluster:
    """An API server that machines can join, as administrator."""

    client: Client
    user_data: bytes
    #: As machines reach it.
    kubeconfig: Manifest
    port: int


@asynccontextmanager
async def cluster(tmp_path: Path, **node: Any) -> AsyncIterator[Cluster]:
    """etcd and kube-apiserver reachable from the bridge; kubelets come in with its token."""
    place = tmp_path / "api"
    place.mkdir()
    server = RealServer(place, flags=FLAGS)
    try:
        await asyncio.to_thread(server.start)
        async with server.client() as client:
            kubeconfig = _kubeconfig(server)
            yield Cluster(client, _user_data(server, kubeconfig, node), kubeconfig, server.port)
    finally:
        server.stop()


def _kubeconfig(server: RealServer) -> Manifest:
    kubeconfig = copy.deepcopy(server.kubeconfig)
    kubeconfig["clusters"][0]["cluster"] |= {
        "server": f"https://{GATEWAY}:{server.port}",
        "tls-server-name": "127.0.0.1",
    }
    return kubeconfig


def _user_data(server: RealServer, kubeconfig: Manifest, node: dict[str, Any]) -> bytes:
    settings = NodeSettings(
        authority=(server.directory / "ca.crt").read_text(),
        kubeconfig=kubeconfig,
        bootstrap=False,
        sandbox_image=node.get("sandbox_image", PAUSE),
        mirrors=node.get("mirrors", ()),
        cluster_dns=("10.0.0.10",),
        # The API server of the test has no certificate for kubelets: they let everybody in.
        kubelet={
            "serverTLSBootstrap": False,
            "rotateCertificates": False,
            "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
            "authorization": {"mode": "AlwaysAllow"},
        },
    )
    network = Config(
        storage=Storage(
            directories=(directory("/var/lib/e2e"),),
            files=(file("/etc/cni/net.d/10-pods.conflist", json.dumps(CNI)),),
        )
    )
    return encode(merge(node_config(settings), network))


async def load_images(machine: Machine, tmp_path: Path) -> None:
    """Give a machine the images of the test, as a user without a registry would."""
    archive = tmp_path / "images.tar"
    if not archive.exists():
        await asyncio.to_thread(oci.write_archive, release().layout, (IMAGE, PAUSE), archive)
    await asyncio.to_thread(shutil.copy, archive, machine.var / "lib/e2e-images.tar")
    command = ("ctr", "-n", "k8s.io", "images", "import", "/var/lib/e2e-images.tar")
    code, said = await machine.exec(*command)
    assert code == 0, said


def a_pod(node: str, script: str, name: str = "probe", **spec: Any) -> dict[str, Any]:
    """A pod on a node that runs a shell script once, as privileged as a pod can be."""
    container = {
        "name": "main",
        "image": IMAGE,
        "imagePullPolicy": "Never",
        "command": ["/bin/sh", "-c", script],
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "host", "mountPath": "/host"}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "nodeName": node,
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 1,
            "automountServiceAccountToken": False,
            "tolerations": [{"operator": "Exists"}],
            "containers": [container],
            "volumes": [{"name": "host", "hostPath": {"path": "/"}}],
            **spec,
        },
    }


async def until(
    what: str, holds: Callable[[], Any], seconds: float = 60.0, every: float = 0.1
) -> Any:
    """Wait for something to become true; its value."""
    try:
        async with asyncio.timeout(seconds):
            while not (value := await holds()):  # noqa: ASYNC110 - the world has no event for us
                await asyncio.sleep(every)
    except TimeoutError:
        raise AssertionError(f"{what} did not happen within {seconds} s") from None
    return value


async def node_ready(client: Client, name: str) -> bool:
    """Whether a node says that it is ready."""
    node = await client.find(kinds.NODE, name)
    conditions = (node or {}).get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


async def pod_phase(client: Client, name: str = "probe") -> str:
    """The phase of a pod."""
    pod = await client.find(kinds.POD, name, "default")
    return str((pod or {}).get("status", {}).get("phase", ""))


def measured(name: str, value: float) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {name}: {value:.2f}\n")


def traces(directory: Path) -> dict[str, set[str]]:
    """What the test's machines have on the host now; others may have theirs beside us.

    A namespace lives as long as a process or a mount holds it, so that these two tell of it.
    """
    links = {link_of(SCOPE, name) for name in ("m1", "m2")}
    mounts = Path("/proc/self/mounts").read_text().splitlines()
    groups = {str(one) for one in Path("/sys/fs/cgroup").glob(f"*/hypershift/{SCOPE}")}
    return {
        "links": {name for name in links if Path(f"/sys/class/net/{name}").exists()},
        "mounts": {line for line in mounts if str(directory) in line or " nsfs " in line},
        "groups": groups,
        "processes": {entry.name for entry in Path("/proc").iterdir() if _ours(entry)},
    }


def _ours(entry: Path) -> bool:
    try:
        return entry.name.isdigit() and f"hypershift/{SCOPE}/" in (entry / "cgroup").read_text()
    except OSError:
        return False


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
