"""Pushes from the machines' network (finding C6 of the red-team review), with the real registry.

The two units of the embedded cluster run with their real configuration, on addresses of a test.
A network namespace behind a pair of links stands for a machine or a pod: it reaches the address of
the bridge, and has a loopback of its own.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from hypershift import oci, parts
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import registry, registry_push

pytestmark = pytest.mark.integration

REFERENCE = oci.parse("registry.hypershift.local/kubernetes/release:1")
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
ATTACK = """
import sys, urllib.request, urllib.error
for method, url in (line.split() for line in sys.stdin):
    asked = urllib.request.Request(url, method=method, data=b"{}" if method != "GET" else None)
    for header in ("Accept", "Content-Type"):
        asked.add_header(header, "application/vnd.oci.image.manifest.v1+json")
    try:
        print(urllib.request.urlopen(asked, timeout=60).status)
    except urllib.error.HTTPError as error:
        print(error.code)
    except OSError as error:
        print("unreachable")
"""


@dataclass(frozen=True, slots=True)
class Elsewhere(Plan):
    """A plan on addresses that no embedded cluster has."""

    @property
    def gateway(self) -> IPv4Address:
        return IPv4Address("10.250.79.1")

    @property
    def loopback(self) -> IPv4Address:
        return IPv4Address("127.250.79.1")


PLAN = Elsewhere(0)


@pytest.fixture
def neighbour() -> Iterator[int]:
    """A process in a network namespace of its own, linked to the gateway's address."""
    if os.geteuid():
        pytest.skip("needs root, to make a network namespace")
    holder = subprocess.Popen(
        ("unshare", "--net", "sh", "-c", "echo; exec sleep 600"), stdout=subprocess.PIPE
    )
    assert holder.stdout
    holder.stdout.readline()
    try:
        _link(holder.pid)
        yield holder.pid
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def _link(pid: int) -> None:
    from pyroute2 import IPRoute, NetNS  # noqa: PLC0415 - needs root anyway

    with IPRoute() as host:
        host.link("add", ifname="adv0", kind="veth", peer={"ifname": "adv1", "net_ns_pid": pid})
        near = host.link_lookup(ifname="adv0")[0]
        host.addr("add", index=near, address=str(PLAN.gateway), prefixlen=24)
        host.link("set", index=near, state="up")
    with NetNS(f"/proc/{pid}/ns/net", flags=0) as guest:
        for name in ("lo", "adv1"):
            guest.link("set", index=guest.link_lookup(ifname=name)[0], state="up")
        far = guest.link_lookup(ifname="adv1")[0]
        guest.addr("add", index=far, address="10.250.79.2", prefixlen=24)


@pytest.fixture
async def running(tmp_path: Path, neighbour: int) -> AsyncIterator[int]:
    """Both units, as the embedded cluster configures them."""
    where = Layout(tmp_path / "a", "a")
    where.make()
    program = (await parts.ensure(("registry",), report=lambda _line: None))["registry"]
    processes = []
    for module in (registry, registry_push):
        (where.config / module.FILE).write_text(module.configuration(where, PLAN))
        unit = module.unit(where, PLAN, program)
        quiet = subprocess.DEVNULL
        started = await asyncio.create_subprocess_exec(
            *unit.argv, env=dict(unit.environment), stdout=quiet, stderr=quiet
        )
        processes.append(started)
    try:
        for address in (PLAN.registry, PLAN.pushes):
            await _answering(address)
        yield neighbour
    finally:
        for process in processes:
            process.kill()
            await process.wait()


async def _answering(address: str) -> None:
    host, _, port = address.partition(":")
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection(host, int(port))
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise TimeoutError(address)


def attack(pid: int, *requests: str) -> list[str]:
    """What a machine gets for requests."""
    command = ("nsenter", "--net", "--target", str(pid), sys.executable, "-c", ATTACK)
    done = subprocess.run(
        command, input="\n".join(requests), capture_output=True, text=True, check=True
    )
    return done.stdout.split()


async def test_a_machine_reads_images_and_can_neither_push_nor_delete(
    running: int, tmp_path: Path
) -> None:
    layout = oci.Layout(tmp_path / "layout")
    layers = [layout.put_layer(oci.Tree().add("a", oci.file("one")))]
    image = oci.assemble(layers, oci.Settings(), "amd64")
    layout.put_image(image)
    mirrors = {REFERENCE.host: f"http://{PLAN.pushes}"}
    async with oci.Registry(mirrors) as client:
        await oci.push_image(client, layout, image.descriptor, REFERENCE)
    base = f"http://{PLAN.registry}/v2/kubernetes/release"
    blob, manifest = image.layers[0].digest, image.descriptor.digest
    got = await asyncio.to_thread(
        attack,
        running,
        f"GET {base}/manifests/1",
        f"PUT {base}/manifests/1",
        f"PUT {base}/manifests/other",
        f"POST {base}/blobs/uploads/",
        f"DELETE {base}/manifests/{manifest}",
        f"DELETE {base}/manifests/1",
        f"DELETE {base}/blobs/{blob}",
        f"PATCH {base}/blobs/uploads/x",
        f"PUT http://{PLAN.pushes}/v2/kubernetes/release/manifests/1",
        f"GET {base}/blobs/{blob}",
    )
    assert got[0] == got[-1] == "200"
    assert set(got[1:-2]) <= {"404", "405"}
    assert got[1] == got[2] == "405"
    assert got[-2] == "unreachable"
    async with oci.Registry({REFERENCE.host: f"http://{PLAN.registry}"}) as client:
        assert (await client.pull(REFERENCE)).descriptor.digest == manifest
        with pytest.raises(oci.InvalidImage, match="405"):
            await client.push_manifest(REFERENCE, MANIFEST, b"{}")
