"""A simulated server, a network that can break, and informers that follow it."""

import random
from collections.abc import Callable, Coroutine
from typing import Any

from tests.lib import virtual
from tests.lib.sim.faults import Fault, Kind, Network
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Key
from hypershift.kube import Client, Request, Response, kinds
from hypershift.kube.informers import Informers, Listeners
from hypershift.kube.reflector import Timeouts

RNG = random.Random(0)  # noqa: S311 (tests repeat themselves)


class Place:
    """A server, a client with a network that can break, and informers on it."""

    def __init__(self, *, watch_list: bool = True, listeners: Listeners = Listeners.ALL) -> None:
        self.server = SimServer()
        self.network = Network(RNG, lambda: None)
        self.requests: list[Request] = []
        transport = SimTransport(self.server, interference=self.network)
        send = transport.request

        async def counted(request: Request) -> Response:
            self.requests.append(request)
            return await send(request)

        transport.request = counted  # type: ignore[method-assign]  # counts what passes
        patience = Timeouts(silence=70.0)
        self.informers = Informers(
            Client(transport),
            rng=RNG,
            patience=patience,
            watch_list=watch_list,
            listeners=listeners,
        )
        self.user = Client(SimTransport(self.server), manager="user")

    async def put(self, name: str, **data: str) -> None:
        metadata = {"name": name, "namespace": "default"}
        manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        await self.user.apply(manifest)

    def fault(self, kind: Kind) -> None:
        if kind is Kind.EXPIRE:
            self.server.store.compact()
        self.network.arm(Fault(0.0, kind))


def play(story: Callable[[Place], Coroutine[Any, Any, None]], **options: Any) -> Place:
    async def main() -> Place:
        place = Place(**options)
        async with place.informers:
            await story(place)
        return place

    return virtual.run(main())


def names(informer: Any) -> set[str]:
    return {one["metadata"]["name"] for one in informer.cache.values()}


def same_as_server(place: Place, informer: Any) -> bool:
    live = {Key("default", one["metadata"]["name"]): one
            for one in place.server.all(kinds.CONFIG_MAP, "default")}  # fmt: skip
    cached = {Key("default", one["metadata"]["name"]): one for one in informer.cache.values()}
    return live == cached
