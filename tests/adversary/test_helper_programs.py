"""The small programs beside containers and in backups against text and files of other parties."""

import asyncio
import time

import pytest

from hypershift.api import read
from hypershift.api.etcd_backup import BackupStorage
from hypershift.controlplane.etcd.snapshot.bolt import (
    HEADER,
    LEAF,
    LEAF_ELEMENT,
    Database,
    NotASnapshot,
)
from hypershift.helpers.konnectivity.https_proxy import HttpsProxy
from hypershift.helpers.konnectivity.resolver import Resolver
from hypershift.helpers.konnectivity.socks5_proxy import Socks5Proxy
from hypershift.helpers.konnectivity.tunnel import Tunnel
from hypershift.helpers.streams import Stream, authority
from hypershift.operators.hypershift.etcd_backup import access
from hypershift.operators.hypershift.etcd_backup.rules.credentials import Credentials, Mode
from hypershift.operators.hypershift.etcd_backup.rules.job import ACCOUNT_TOKEN, FETCH, Order, job

SMUGGLED = b"a.example:1 HTTP/1.1\r\nHost: victim\r\n\r\nCONNECT victim"


async def heads_of(say: bytes, *, socks: bool) -> list[bytes]:
    """What a konnectivity server is asked when a client of a proxy says this."""
    heads: list[bytes] = []

    async def konnectivity(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.read(4096))
        writer.close()

    async def proxied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await proxy(Stream(reader, writer))
        except (OSError, EOFError, ValueError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(konnectivity, "127.0.0.1", 0) as server:
        way = Tunnel("127.0.0.1", server.sockets[0].getsockname()[1])
        proxy = Socks5Proxy(way, Resolver(way, disabled=True)) if socks else HttpsProxy(way)
        async with await asyncio.start_server(proxied, "127.0.0.1", 0) as front:
            port = front.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(say)
            await reader.read()
            writer.close()
    return [head for head in heads if head]


def socks_request(name: bytes) -> bytes:
    return b"\x05\x01\x00" + b"\x05\x01\x00\x03" + bytes((len(name),)) + name + b"\x01\xbb"


async def test_a_name_with_a_line_break_becomes_no_second_request() -> None:
    assert await heads_of(socks_request(SMUGGLED), socks=True) == []
    ordinary = await heads_of(socks_request(b"a.example"), socks=True)
    assert ordinary == [b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n"]


async def test_a_target_with_strange_bytes_is_refused_by_the_http_proxy() -> None:
    for target in (b"a\x00b:443", b"a\tb:443", b"a\nb:443", b"\xc3\xa4:443", b"x" * 300 + b":443"):
        assert await heads_of(b"CONNECT " + target + b" HTTP/1.1\r\n\r\n", socks=False) == []


@pytest.mark.parametrize("host", ["", "a b", "a\r\nb", "a/b", "a@b", "ä", "a\x00"])
def test_only_names_and_addresses_are_hosts(host: str) -> None:
    with pytest.raises(ValueError, match="not a host"):
        authority(host, 443)


def a_job(mode: Mode, image: str = "evil.example/etcd:1") -> dict[str, dict[str, object]]:
    stanza = {"bucket": "b", "region": "r", "keyPrefix": "p", "credentials": {"name": "store"}}
    storage = read(BackupStorage, {"storageType": "S3", "s3": stanza})
    metadata = {"name": "one", "namespace": "team-blue", "uid": "u"}
    made = job(
        Order(
            backup={"metadata": metadata},
            plane={"metadata": {"name": "blue", "namespace": "team-blue"}},
            storage=storage,
            credentials=Credentials(mode, "store", role="arn:aws:iam::1:role/x"),
            namespace="hypershift",
            image="registry.example/hypershift:1",
            etcd_image=image,
        )
    )
    template: dict[str, dict[str, object]] = made["spec"]["template"]
    return template


@pytest.mark.parametrize("mode", list(Mode))
def test_the_clusters_own_etcd_image_gets_no_token_and_no_credentials(mode: Mode) -> None:
    """All backups share one account, and a consumer may have chosen the image of etcd."""
    template = a_job(mode)
    pod = template["spec"]
    assert pod["automountServiceAccountToken"] is False
    every = [*pod["initContainers"], *pod["containers"]]  # type: ignore[misc]
    for container in every:
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        if container["image"] == "evil.example/etcd:1":
            assert set(mounts) == {"etcd-certs", "etcd-backup"}
        assert (ACCOUNT_TOKEN in mounts.values()) == (container["name"] == FETCH)
    if mode is Mode.AZURE_WORKLOAD_IDENTITY:
        skipped = template["metadata"]["annotations"]
        assert skipped == {"azure.workload.identity/skip-containers": "fetch-certs;snapshot"}


@pytest.mark.parametrize("mode", list(Mode))
def test_what_the_clusters_own_etcd_image_writes_has_an_end(mode: Mode) -> None:
    pod = a_job(mode)["spec"]
    written = [each for each in pod["volumes"] if "emptyDir" in each]  # type: ignore[attr-defined]
    assert written
    assert all(each["emptyDir"].get("sizeLimit") for each in written)


@pytest.mark.parametrize("mode", list(Mode))
def test_no_job_with_an_image_of_the_cluster_asks_who_the_node_is(mode: Mode) -> None:
    """A metadata service lends the role of the node to whoever asks from it."""
    policy = access.confinement("hypershift")["spec"]
    (asks,) = policy["podSelector"]["matchExpressions"]
    found = a_job(mode)["metadata"]["labels"]
    assert policy["podSelector"]["matchLabels"].items() <= found.items()  # type: ignore[attr-defined]
    assert (asks["key"] in found) == (mode is Mode.AZURE_MANAGED_IDENTITY)  # type: ignore[operator]
    assert policy["policyTypes"] == ["Egress"]
    blocks = [peer["ipBlock"] for peer in policy["egress"][0]["to"] if "ipBlock" in peer]
    blocked = {one for block in blocks for one in block["except"]}
    assert {"169.254.0.0/16", "fd00:ec2::254/128"} <= blocked
    assert {each["port"] for rule in policy["egress"] for each in rule.get("ports", ())} == {53}


def a_leaf(elements: int, value: int, *, pages: int, size: int = 4096) -> Database:
    """A page whose elements all have the same value: a small file that reads as a large one."""
    data = bytearray(pages * size)
    HEADER.pack_into(data, 0, 0, LEAF, elements, pages - 1)
    end = HEADER.size + elements * LEAF_ELEMENT.size
    for index in range(elements):
        at = HEADER.size + index * LEAF_ELEMENT.size
        LEAF_ELEMENT.pack_into(data, at, 0, end - at, 0, value)
    return Database(memoryview(bytes(data)), size, 0, pages)


def test_values_that_lie_in_each_other_cost_no_more_than_their_page() -> None:
    pages = 2048
    database = a_leaf(60_000, 6_000_000, pages=pages)
    began = time.process_time()
    with pytest.raises(NotASnapshot, match="in each other"):
        list(database._elements(database._page(0), backwards=False))  # noqa: SLF001 - the walk itself
    assert time.process_time() - began < 2


def test_a_page_that_is_the_whole_file_is_visited_once() -> None:
    database = a_leaf(1, 16, pages=64)
    database._page(0)  # noqa: SLF001 - the walk itself
    with pytest.raises(NotASnapshot, match="twice"):
        database._page(0)  # noqa: SLF001 - the walk itself
