"""Worlds whose processes share the shops: nobody writes for a shop that the table gives another."""

from collections import Counter
from collections.abc import Iterator

import msgspec
from tests.lib.sim.sample import REGISTRY
from tests.lib.sim.server import SimServer
from tests.lib.sim.world import LEASES, SHARDS, Witness

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import Request, Response, kinds
from hypershift.kube.transport import WRITES
from hypershift.runtime import Manager
from hypershift.runtime.sharding import BUCKETS, Table, bucket_of
from hypershift.runtime.sharding.table import table_of

PROCESSES = 3
_DONE = range(200, 300)


def cluster(shop: Manifest) -> str:
    """Every shop is a cluster of its own, so that three of them have something to share."""
    return str(key_of(shop))


def table(server: SimServer) -> Table:
    """The table of owners at this moment."""
    lease = server.find(kinds.LEASE, SHARDS, LEASES)
    return table_of(lease) if lease else Table()


class OneWriter(Witness):
    """Compares the writer of each object with the owner of its shop, at that very moment."""

    def __init__(self) -> None:
        """See no process yet; `server` comes with the world."""
        self.server: SimServer | None = None
        self.violations: list[str] = []
        self.writers: dict[str, dict[str, None]] = {}
        self._lives: dict[str, str] = {}

    def started(self, process: str, manager: Manager) -> None:
        assert manager.shards is not None
        self._lives[process] = manager.shards.life

    def __call__(self, process: str, request: Request, response: Response) -> None:
        if request.method not in WRITES or "/leases" in request.path:
            return
        if response.status not in _DONE or self.server is None:
            return
        shop = shop_of(request, response)
        owner = table(self.server).owners.get(bucket_of(shop), "nobody")
        self.writers.setdefault(shop, {})[process] = None
        if owner != self._lives[process]:
            self.violations.append(f"{process} wrote {request} while {shop} was {owner}'s")


def shop_of(request: Request, response: Response) -> str:
    """The shop that a request is about: everything is named after its shop."""
    steps = request.path.split("/namespaces/")[1].split("/")
    namespace = steps[0]
    name = steps[2] if len(steps) > 2 else msgspec.json.decode(response.body)["metadata"]["name"]
    if namespace == REGISTRY:
        namespace, name = name.split(".")
    return str(Key(namespace, name.split("-")[0]))


def complaints(server: SimServer) -> Iterator[str]:
    """What is wrong with the shares of a world at rest."""
    shares = Counter(table(server).owners.values())
    if len(shares) != PROCESSES or sum(shares.values()) != BUCKETS:
        yield f"the buckets are not shared by all processes: {dict(shares)}"
    elif max(shares.values()) - min(shares.values()) > 1:
        yield f"the shares are not even: {dict(shares)}"
