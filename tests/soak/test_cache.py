"""A cache through kills of API server and etcd, expired versions and thousands of changes."""

import asyncio
import contextlib
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.lib.server import RealServer, available, real_server

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.kube.shape import slim
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope

pytestmark = [pytest.mark.soak, pytest.mark.integration, pytest.mark.timeout(1800)]

OBJECTS = int(os.environ.get("HYPERSHIFT_SOAK_OBJECTS", "5000"))
KILLS = int(os.environ.get("HYPERSHIFT_SOAK_KILLS", "4"))
NAMESPACE = "soak"


@pytest.fixture
def server() -> Iterator[RealServer]:
    if not available():
        pytest.skip("etcd and kube-apiserver are not here: `hypershift parts fetch` gets them")
    with (
        tempfile.TemporaryDirectory(prefix="hypershift-soak-") as directory,
        real_server(Path(directory)) as running,
    ):
        yield running


def config_map(number: int, text: str) -> Manifest:
    metadata = {"name": f"c{number:05d}", "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"x": text}}


async def write(
    client: Client, rng: random.Random, stop: asyncio.Event, done: Counter[str]
) -> None:
    """Create, change and delete at random until told to stop; a server may be away."""
    while not stop.is_set():
        number = rng.randrange(OBJECTS)
        try:
            if rng.random() < 0.15:
                await client.delete(kinds.CONFIG_MAP, f"c{number:05d}", NAMESPACE)
            else:
                await client.apply(config_map(number, str(rng.random())))
            done["writes"] += 1
        except ApiError:
            done["refused"] += 1
            await asyncio.sleep(0.2)


async def misfortune(server: RealServer, rng: random.Random) -> None:
    """Kill the API server, etcd or both, some times with the history compacted meanwhile."""
    for number in range(KILLS):
        await asyncio.sleep(rng.uniform(2, 5))
        if number % 2:
            await server.compact()
        for name in (("kube-apiserver",), ("etcd",), ("kube-apiserver", "etcd"))[number % 3]:
            server.kill(name)
        await asyncio.sleep(rng.uniform(0.1, 1))
        if number % 3:
            await asyncio.to_thread(server.start_etcd)
        if number % 3 != 1:
            await asyncio.to_thread(server.start_api)


async def test_a_cache_equals_a_fresh_list_after_kills_and_expiry(server: RealServer) -> None:
    rng = random.Random(7)  # noqa: S311 (a soak that can be repeated)
    last: dict[Key, str] = {}

    async def look(scope: Scope) -> Outcome:
        last[scope.key] = scope.object["metadata"]["resourceVersion"]
        return Done()

    controller = Controller(
        name="soak",
        resource=kinds.CONFIG_MAP,
        scope=Scope,
        normal=(look,),
        namespace=NAMESPACE,
        manages_status=False,
    )
    async with server.client("soak") as client, server.client("writer") as writer:
        await _prepare(writer)
        manager = Manager(client, [controller])
        running = asyncio.create_task(manager.run())
        stop = asyncio.Event()
        done: Counter[str] = Counter()
        writers = [asyncio.create_task(write(writer, rng, stop, done)) for _ in range(32)]
        await misfortune(server, rng)
        await asyncio.sleep(3)
        stop.set()
        await asyncio.gather(*writers)
        stopped = time.monotonic()
        live = {key_of(one): slim(one) for one in await _listed(writer)}
        async with _settled(manager, live) as cached:
            assert cached == live
        settled = time.monotonic() - stopped
        assert {key: last.get(key) for key in live} == {
            key: one["metadata"]["resourceVersion"] for key, one in live.items()
        }
        informer = next(iter(manager.informers))
        sys.stderr.write(
            f"{len(live)} of {OBJECTS} objects are left after {done['writes']} writes and"
            f" {done['refused']} without an answer, {KILLS} kills and"
            f" {informer.reflector.relists} lists; the cache was equal {settled:.1f} s later\n"
        )
        manager.stop()
        await running


async def _prepare(writer: Client) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    await writer.create(namespace)
    numbers = iter(range(OBJECTS))

    async def fill() -> None:
        for number in numbers:
            await writer.apply(config_map(number, "first"))

    await asyncio.gather(*(fill() for _ in range(32)))


async def _listed(client: Client) -> list[Manifest]:
    for _ in range(60):
        with contextlib.suppress(ApiError):
            return await client.list(kinds.CONFIG_MAP, NAMESPACE)
        await asyncio.sleep(1)
    raise AssertionError("the server did not come back")


@contextlib.asynccontextmanager
async def _settled(
    manager: Manager, live: dict[Key, Manifest]
) -> AsyncIterator[dict[Key, Manifest]]:
    """The cache once it has caught up and its keys were looked at, or after two minutes anyway."""
    informer = next(iter(manager.informers))
    cached: dict[Key, Manifest] = {}
    for _ in range(240):
        cached = {key_of(one): one for one in informer.cache.values()}
        if cached == live and manager.runners["soak"].queue.idle:
            break
        await asyncio.sleep(0.5)
    yield cached
