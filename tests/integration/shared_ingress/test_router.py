"""The real HAProxy with the configuration that we generate: names, ids, ranges, reloads."""

import asyncio
import ssl
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from tests.lib.router import Client, Router, Traffic, a_member, backends, haproxy, host

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]

ADDRESSES = {"blue": "127.77.0.1", "green": "127.77.0.2", "red": "127.77.0.3"}
#: As many as one address has to serve; each is an endpoint of TLS that answers with its name.
FIFTY = {f"one-{number}": f"127.79.0.{number}" for number in range(1, 51)}
#: An address of the loopback at which nobody listens.
NOBODY = "127.77.0.99"
CUT = (OSError, EOFError, ssl.SSLError)


def proxy_header(cluster: str, claimed: str = "9.9.9.9") -> bytes:
    """What the proxy of a node says first: PROXY v2 with the cluster's id, and any address."""
    tlv = b"\x20" + struct.pack(">H", len(cluster)) + cluster.encode()
    ends = IPv4Address(claimed).packed + IPv4Address("172.20.0.1").packed
    body = ends + struct.pack(">HH", 40000, 6443) + tlv
    return b"\r\n\r\n\x00\r\nQUIT\n\x21\x11" + struct.pack(">H", len(body)) + body


@asynccontextmanager
async def serving(
    folder: Path, servers: Mapping[str, str], served: Mapping[str, str]
) -> AsyncIterator[Router]:
    """The proxy in front of some clusters, with these API servers to reach."""
    program = await haproxy(folder)
    made = Router(folder, program)
    with backends(program, folder, dict(servers)):
        await made.serve([a_member(name, address) for name, address in served.items()])
        made.start()
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture
async def router(tmp_path: Path) -> AsyncIterator[Router]:
    first = {name: ADDRESSES[name] for name in ("blue", "green")}
    async with serving(tmp_path, ADDRESSES, first) as made:
        yield made


async def test_the_name_chooses_the_cluster(router: Router) -> None:
    for name in ("blue", "green"):
        assert await Client(router.names, host(name)).once() == name
        assert await Client(router.names, host(name).upper()).once() == name


async def test_an_unknown_name_reaches_nobody(router: Router) -> None:
    with pytest.raises(CUT):
        await Client(router.names, "kubernetes.default.svc").once()


async def test_nodes_are_told_apart_by_the_id_in_the_proxy_header(router: Router) -> None:
    for name in ("blue", "green"):
        node = Client(router.nodes, "kubernetes.default.svc", beginning=proxy_header(f"id-{name}"))
        assert await node.once() == name
    for wrong in (proxy_header("id-nobody"), b""):
        with pytest.raises(CUT):
            await Client(router.nodes, "kubernetes.default.svc", beginning=wrong).once()


async def refused(client: Client) -> None:
    """A client gets no answer, once the process of before the reload accepts nobody."""
    for _ in range(100):
        try:
            await client.once()
        except CUT:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{client.source} was served as {client.name}")


async def test_allowed_ranges_are_about_who_connects_not_about_what_a_header_says(
    router: Router,
) -> None:
    allowed = a_member("blue", ADDRESSES["blue"], allowed=["127.0.1.0/24"])
    await router.serve([allowed, a_member("green", ADDRESSES["green"])])
    lying = proxy_header("id-blue", claimed="127.0.1.5")
    for port, name, first in (
        (router.names, host("blue"), b""),
        (router.nodes, "kubernetes.default.svc", lying),
    ):
        assert await Client(port, name, beginning=first, source="127.0.1.5").once() == "blue"
        await refused(Client(port, name, beginning=first, source="127.0.2.5"))
    assert await Client(router.names, host("green"), source="127.0.2.5").once() == "green"


async def test_reloads_cut_no_connection_and_fail_no_request(router: Router) -> None:
    members = [a_member(name, ADDRESSES[name]) for name in ("blue", "green")]
    traffic = Traffic(router.names)
    async with traffic.of(("blue", "green")):
        for number in range(8):
            more = [a_member("red", ADDRESSES["red"])] if number % 2 == 0 else []
            await router.serve([*members, *more])
            await asyncio.sleep(0.3)
    assert traffic.failures == []
    assert traffic.answers > 50


async def test_a_configuration_that_the_proxy_refuses_changes_nothing(router: Router) -> None:
    await router.load("nonsense")
    assert await Client(router.names, host("blue")).once() == "blue"
    assert "frontend" in router.loader.file.read_text()


async def test_processes_of_before_a_reload_end_with_their_last_connection(
    router: Router,
) -> None:
    client = Client(router.names, host("blue"))
    await client.connect()
    await router.serve([a_member("blue", ADDRESSES["blue"])])
    assert len(router.workers) == 2
    assert await client.ask() == "blue"
    await client.close()
    for _ in range(200):
        if len(router.workers) == 1:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(router.workers)


async def test_a_back_end_that_does_not_exist_costs_its_own_cluster_alone(router: Router) -> None:
    members = [a_member(name, ADDRESSES[name]) for name in ("blue", "green")]
    without_server = a_member("red", NOBODY)
    without_service = replace(a_member("grey", NOBODY), services={})
    traffic = Traffic(router.names)
    async with traffic.of(("blue", "green")):
        await router.serve([*members, without_server, without_service])
        for number in range(5):
            await refused(Client(router.names, host("red")))
            await refused(Client(router.names, host("grey")))
            if "clusters-red-apiserver" in router.said():
                break
            await asyncio.sleep(number)
    assert '"clusters-red-apiserver"/' in router.said()
    assert "grey" not in router.loader.file.read_text()
    assert traffic.failures == []
    assert traffic.answers > 50


async def test_fifty_clusters_are_reached_by_one_address_while_others_come_and_go(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, FIFTY, FIFTY) as router:
        for name in FIFTY:
            assert await Client(router.names, host(name)).once() == name
            header = proxy_header(f"id-{name}")
            node = Client(router.nodes, "kubernetes.default.svc", beginning=header)
            assert await node.once() == name
        *stay, going = FIFTY
        traffic = Traffic(router.names)
        async with traffic.of(stay):
            for names in (stay, FIFTY, stay, FIFTY):
                await router.serve([a_member(name, FIFTY[name]) for name in names])
                await asyncio.sleep(0.5)
        assert traffic.failures == []
        assert traffic.answers > 2 * len(stay)
        assert await Client(router.names, host(going)).once() == going
