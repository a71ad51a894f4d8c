"""Worlds with operators in them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from tests.integration.operators.management import collected, prepare
from tests.integration.operators.running import Replicas, clean, operators
from tests.integration.operators.samples import a_cluster, a_secret
from tests.integration.operators.world import World
from tests.lib.server import RealServer, available, real_server

from hypershift import parts
from hypershift.kit import Manifest


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available() or parts.missing(("kube-controller-manager",)):
        pytest.skip("the parts etcd, kube-apiserver and kube-controller-manager are not here")
    directory = tmp_path_factory.mktemp("management")
    with real_server(directory) as started, collected(started, directory):
        yield started


@pytest.fixture(scope="module")
def prepared(server: RealServer) -> RealServer:
    asyncio.run(prepare(server))
    return server


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
async def replicas(prepared: RealServer) -> AsyncIterator[Replicas]:
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


@pytest.fixture
def cluster() -> Callable[..., Manifest]:
    return a_cluster


@pytest.fixture
def secret() -> Callable[..., Manifest]:
    return a_secret
