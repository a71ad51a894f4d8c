"""Other clusters that a controller looks into: their clients, caches and watches come and go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hypershift.kube import Client
from hypershift.kube.informers import Informer, Informers
from hypershift.kube.limits import GUEST
from hypershift.runtime.sharding.owned_buckets import current_cluster

if TYPE_CHECKING:
    from hypershift.runtime.controller import Watch

Factory = Callable[[bytes], Client]


def client_of(kubeconfig: bytes) -> Client:
    """A client for the kubeconfig of a Secret: values alone, of a server that is not trusted."""
    return Client.from_secret(kubeconfig, limits=GUEST)


@dataclass(slots=True)
class Cluster:
    """One other cluster: how to talk to it and what is cached of it."""

    name: str
    digest: str
    client: Client
    informers: Informers
    users: dict[str, None] = field(default_factory=dict)


class Clusters:
    """The other clusters of one manager, shared by its controllers."""

    def __init__(
        self, informers: Callable[[Client], Informers], factory: Factory = client_of
    ) -> None:
        """`factory` makes the client of a kubeconfig, `informers` its caches."""
        self._informers, self._factory = informers, factory
        self._clusters: dict[str, Cluster] = {}

    def __iter__(self) -> Any:
        return iter(tuple(self._clusters.values()))

    def get(self, name: str) -> Cluster | None:
        """A cluster that at least one caller uses."""
        return self._clusters.get(name)

    async def ensure(self, name: str, kubeconfig: bytes, user: str) -> Cluster:
        """The cluster of that name; another kubeconfig means a new connection."""
        mark = sha256(kubeconfig).hexdigest()
        known = self._clusters.get(name)
        if known is not None and known.digest == mark:
            known.users[user] = None
            return known
        client = self._factory(kubeconfig)
        cluster = Cluster(name, mark, client, self._informers(client), {user: None})
        self._clusters[name] = cluster
        if known is not None:
            await _close(known)
        return cluster

    async def drop(self, name: str, user: str) -> None:
        """One user less; the last one closes the connection."""
        cluster = self._clusters.get(name)
        if cluster is None:
            return
        cluster.users.pop(user, None)
        if not cluster.users:
            del self._clusters[name]
            await _close(cluster)

    async def close(self) -> None:
        """Close every connection."""
        clusters, self._clusters = tuple(self._clusters.values()), {}
        for cluster in clusters:
            await _close(cluster)


async def _close(cluster: Cluster) -> None:
    await cluster.informers.close()
    await cluster.client.close()


@dataclass(slots=True)
class _Subscription:
    cluster: Cluster
    kube: Client
    ends: list[Callable[[], None]]
    informers: list[Informer]
    home: str = ""
    """The cluster whose pass connected."""


class Remotes:
    """The other clusters as one controller uses them: a change there wakes a key here."""

    def __init__(
        self,
        clusters: Clusters,
        user: str,
        listen: "Callable[[Informer, Watch], Callable[[], None]]",
        cached: Callable[[Client, Informers, str], Client],
    ) -> None:
        """`listen` connects an informer to the controller's queue, `cached` dresses a client."""
        self._clusters, self._user = clusters, user
        self._listen, self._cached = listen, cached
        self._subscriptions: dict[str, _Subscription] = {}

    async def connect(
        self, name: str, kubeconfig: bytes, watches: "Sequence[Watch]" = ()
    ) -> Client:
        """A cached client for a cluster, whose watches wake this controller; repeat at will."""
        cluster = await self._clusters.ensure(name, kubeconfig, self._user)
        known = self._subscriptions.get(name)
        if known is None or known.cluster is not cluster:
            if known is not None:
                _end(known)
            self._subscriptions[name] = self._subscribe(cluster, watches)
        return self._subscriptions[name].kube

    def get(self, name: str) -> Client | None:
        """The cached client of a connected cluster."""
        known = self._subscriptions.get(name)
        return known.kube if known is not None else None

    def problem(self, name: str) -> str:
        """Which limits a cluster exceeds, and so is followed no more; empty while all is well."""
        known = self._subscriptions.get(name)
        return known.cluster.informers.problem if known is not None else ""

    async def drop_others(self, ours: Callable[[str], bool]) -> None:
        """Drop the connections that passes over clusters of other replicas have made."""
        for name, known in tuple(self._subscriptions.items()):
            if known.home and not ours(known.home):
                await self.drop(name)

    async def drop(self, name: str) -> None:
        """The cluster is gone, or no longer our concern."""
        known = self._subscriptions.pop(name, None)
        if known is None:
            return
        _end(known)
        for informer in known.informers:
            await known.cluster.informers.release(informer)
        await self._clusters.drop(name, self._user)

    def _subscribe(self, cluster: Cluster, watches: "Sequence[Watch]") -> _Subscription:
        kube = self._cached(cluster.client, cluster.informers, self._user)
        subscription = _Subscription(cluster, kube, [], [], current_cluster())
        for watch in watches:
            informer = cluster.informers.acquire(
                watch.selection, indexes=watch.indexes, optional=watch.optional
            )
            subscription.informers.append(informer)
            subscription.ends.append(self._listen(informer, watch))
        return subscription


def _end(subscription: _Subscription) -> None:
    for end in subscription.ends:
        end()
