"""The real konnectivity agent finds its server through a CONNECT proxy, when it is told of one."""

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.controlplane.pods import Machine, a_machine, start
from tests.unit.component.clusters import NAMESPACE, NOW
from tests.unit.operators.guest_config.scopes import VALUES, named

from hypershift import parts, pki
from hypershift.kit import Manifest, data_of
from hypershift.operators.guest_config.rules import catalog

PARTS = ("konnectivity-server", "konnectivity-agent")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(parts.missing(PARTS)), reason="konnectivity is not here"),
]

#: No loopback address: programs reach those without any proxy.
HOST, PROXY_PORT = "192.0.2.1", 3128
#: A CONNECT proxy that says what it was asked for.
PROXY = f"""
import asyncio

async def pump(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()

async def serve(reader, writer):
    head = await reader.readuntil(b"\\r\\n\\r\\n")
    method, target = head.split(b" ", 2)[:2]
    print(method.decode(), target.decode(), flush=True)
    host, _, port = target.decode().rpartition(":")
    there = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
    await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))

async def main():
    server = await asyncio.start_server(serve, "{HOST}", {PROXY_PORT})
    await server.serve_forever()

asyncio.run(main())
"""


@pytest.fixture
def machine() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(prefix="hs-") as folder,
        a_machine(f"hs-px-{os.getpid()}", Path(folder), {}) as made,
    ):
        made.run("ip", "address", "add", f"{HOST}/32", "dev", "lo")
        yield made


def test_an_agent_reaches_its_server_through_the_proxy_of_its_cluster(machine: Machine) -> None:
    site = pki.Site(NAMESPACE, "demo", openshift=False, konnectivity_host=HOST)
    now = NOW.now(NOW.tzinfo)
    made = pki.by_kind_and_name(pki.reconcile({}, pki.wanted(site), now))
    serve(machine, made)
    machine.spawn("proxy", [sys.executable, "-c", PROXY], {})
    agent, ca = made["Secret", "konnectivity-agent"], made["ConfigMap", "konnectivity-ca-bundle"]
    url = f"http://{HOST}:{PROXY_PORT}"
    values = replace(
        VALUES,
        konnectivity_host=HOST,
        konnectivity_ca=ca["data"]["ca.crt"],
        konnectivity_cert=data_of(agent, "tls.crt"),
        konnectivity_key=data_of(agent, "tls.key"),
        proxy={"HTTP_PROXY": url, "HTTPS_PROXY": url, "NO_PROXY": "10.132.0.0/14,.svc"},
    )
    objects = catalog.manifests(values)
    known = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    start(machine, named(objects, "DaemonSet", "konnectivity-agent"), known)
    machine.wait_for("http://127.0.0.1:2041/readyz", who="konnectivity-agent")
    asked = (machine.directory / "proxy.log").read_text().splitlines()
    assert f"CONNECT {HOST}:8091" in asked


def serve(machine: Machine, made: dict[tuple[str, str], Manifest]) -> None:
    """Start the server with its own certificates."""
    files = machine.directory / "server"
    files.mkdir()
    words = ["--mode=http-connect", "--server-port=8090", "--agent-port=8091", "--health-port=2051"]
    for flag, name in (("server", "konnectivity-server"), ("cluster", "konnectivity-cluster")):
        for kind, key in (("cert", "tls.crt"), ("key", "tls.key")):
            (files / f"{flag}.{kind}").write_bytes(data_of(made["Secret", name], key))
            words.append(f"--{flag}-{kind}={files}/{flag}.{kind}")
        (files / "ca").write_text(
            str(made["ConfigMap", "konnectivity-ca-bundle"]["data"]["ca.crt"])
        )
        words.append(f"--{flag}-ca-cert={files}/ca")
    program = str(parts.path("konnectivity-server"))
    machine.spawn("konnectivity-server", [program, *words], {})
