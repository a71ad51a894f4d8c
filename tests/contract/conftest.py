"""The same questions to two servers: the simulator, and a real kube-apiserver on etcd."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.lib.contract.api import WIDGET, WIDGETS, Api
from tests.lib.server import RealServer, available, real_server
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kube import Client, NotFound, kinds

_numbers = itertools.count()


@pytest.fixture(scope="session")
def real() -> Iterator[RealServer]:
    if not available():
        pytest.skip("etcd and kube-apiserver are not here: `hypershift parts fetch` gets them")
    with (
        tempfile.TemporaryDirectory(prefix="hypershift-contract-") as directory,
        real_server(Path(directory)) as server,
    ):
        yield server


async def _install(client: Client) -> None:
    """Serve the custom kind; its group appears a moment after its definition."""
    await client.apply(WIDGETS)
    for _ in range(100):
        try:
            await client.list(WIDGET)
        except NotFound:
            await asyncio.sleep(0.1)
        else:
            return


@pytest.fixture(params=["sim", pytest.param("real", marks=pytest.mark.integration)])
async def api(request: pytest.FixtureRequest) -> AsyncIterator[Api]:
    """A namespace of its own on one of the two servers."""
    async with AsyncExitStack() as stack:
        if request.param == "sim":
            simulated = SimServer()
            api = Api(lambda manager: Client(SimTransport(simulated), manager=manager), simulated)
        else:
            server: RealServer = request.getfixturevalue("real")
            api = Api(server.client, server)
        stack.push_async_callback(api.close)
        await _install(api.client())
        api.namespace = f"contract-{next(_numbers)}"
        await api.client().create(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": api.namespace}}
        )
        yield api
        await api.client().delete(kinds.NAMESPACE, api.namespace)
