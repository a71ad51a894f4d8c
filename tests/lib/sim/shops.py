"""The sample operator's user, its neighbours, and what has to be true of shops."""

import asyncio
import base64
import random
from collections.abc import Iterator
from contextlib import suppress

from tests.lib.sim.sample import (
    FINALIZER,
    GROUP,
    REGISTRY,
    SHOP,
    SHOP_LABEL,
    WORKER,
    entry_name,
)
from tests.lib.sim.server import SimServer
from tests.lib.sim.store import Commit

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.kube.compare import digest
from hypershift.runtime import condition_of, is_true

NAMESPACES = ("north", "south")
MESSAGES = ("hello", "welcome", "closed")
PLACES = (Key("north", "bakery"), Key("south", "bakery"), Key("north", "books"))


def shop(key: Key, rng: random.Random) -> Manifest:
    """A Shop as a user writes one, now and then wrong."""
    replicas = rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 9))
    return {
        "apiVersion": SHOP.api_version,
        "kind": SHOP.kind,
        "metadata": {"name": key.name, "namespace": key.namespace},
        "spec": {"replicas": replicas, "message": rng.choice(MESSAGES)},
    }


class User:
    """Creates, changes and deletes shops, and sometimes meddles with what belongs to them."""

    def __init__(self, client: Client, rng: random.Random, watchman: "Watchman") -> None:
        """Act through `client`; `watchman` knows what is our own fault."""
        self._client, self._rng, self._watchman = client, rng, watchman

    async def prepare(self) -> None:
        """Make the namespaces."""
        for name in (*NAMESPACES, REGISTRY):
            await self._client.create(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )

    async def live(self, until: float, acts: int) -> None:
        """Do `acts` things before that time."""
        moments = sorted(self._rng.uniform(0.0, until) for _ in range(acts))
        for moment in moments:
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            try:
                await self._act(self._rng.choice(PLACES))
            except ApiError:
                continue  # it is not there, or there already: users make such mistakes

    async def _act(self, key: Key) -> None:
        act = self._rng.choices(
            (self._create, self._change, self._delete, self._meddle), (4, 3, 3, 2)
        )[0]
        await act(key)

    async def _create(self, key: Key) -> None:
        await self._client.create(shop(key, self._rng))

    async def _change(self, key: Key) -> None:
        spec = shop(key, self._rng)["spec"]
        await self._client.patch(SHOP, key.name, {"spec": spec}, key.namespace)

    async def _delete(self, key: Key) -> None:
        await self._client.delete(SHOP, key.name, key.namespace)

    async def _meddle(self, key: Key) -> None:
        name, namespace = key.name, key.namespace
        match self._rng.randrange(5):
            case 0:
                await self._client.delete(kinds.CONFIG_MAP, f"{name}-settings", namespace)
            case 1:
                patch: Manifest = {"data": {"message": "vandal"}}
                await self._client.patch(kinds.CONFIG_MAP, f"{name}-settings", patch, namespace)
            case 2:
                await self._client.delete(WORKER, f"{name}-0", namespace)
            case 3:
                self._watchman.meddling = True
                await self._client.delete(kinds.CONFIG_MAP, entry_name(key), REGISTRY)
                self._watchman.meddling = False
            case _:
                patch = {"metadata": {"labels": {"vandal": "here"}}}
                await self._client.patch(kinds.SERVICE, name, patch, namespace)

    async def close_all(self) -> None:
        """Delete every Shop."""
        for one in await self._client.list(SHOP):
            key = key_of(one)
            await self._client.delete(SHOP, key.name, key.namespace)


async def host_workers(server: SimServer, client: Client, rng: random.Random) -> None:
    """Play the node: a new Worker becomes ready, a dying one is let go."""
    changed: asyncio.Queue[Key] = asyncio.Queue()

    def see(change: Commit) -> None:
        if change.resource == WORKER and change.new is not None:
            changed.put_nowait(change.new.key)

    server.store.listen(see)
    while True:
        key = await changed.get()
        await asyncio.sleep(rng.uniform(0.05, 0.5))
        worker = server.find(WORKER, key.name, key.namespace)
        if worker is not None:
            with suppress(ApiError):  # it changed meanwhile, and that change wakes us again
                await _host(client, key, worker)


async def _host(client: Client, key: Key, worker: Manifest) -> None:
    metadata = worker["metadata"]
    if metadata.get("deletionTimestamp"):
        patch: Manifest = {"metadata": {"finalizers": None, "uid": metadata["uid"]}}
        await client.patch(WORKER, key.name, patch, key.namespace)
    elif not (worker.get("status") or {}).get("ready"):
        patch = {"status": {"ready": True}}
        await client.patch(WORKER, key.name, patch, key.namespace, subresource="status")


class Watchman:
    """Sees every change and notes what must never happen."""

    def __init__(self, server: SimServer) -> None:
        """Listen to the server."""
        self._server = server
        self._words: dict[str, str] = {}
        self.violations: list[str] = []
        server.store.listen(self._see)

    def _see(self, change: Commit) -> None:
        if change.resource == kinds.SECRET:
            self._check_word(change)
        if change.resource == SHOP and change.new is None and change.old is not None:
            self._check_goodbye(change.old.key)
        if change.resource == kinds.CONFIG_MAP and change.new is None and change.old is not None:
            self._check_entry(change.old.manifest)

    def _check_word(self, change: Commit) -> None:
        """A credential is made once in the life of its Shop."""
        if change.new is None:
            return
        manifest = change.new.manifest
        owner = manifest["metadata"]["ownerReferences"][0]["uid"]
        word = manifest["data"]["word"]
        if self._words.setdefault(owner, word) != word:
            self.violations.append(f"the credential of {manifest['metadata']['name']} changed")

    def _check_goodbye(self, key: Key) -> None:
        """A Shop goes last."""
        if left := _workers(self._server, key):
            self.violations.append(f"shop {key} went before its {len(left)} workers")
        entry = self._server.find(kinds.CONFIG_MAP, entry_name(key), REGISTRY)
        if entry is not None:
            self.violations.append(f"shop {key} went before its entry")

    def _check_entry(self, manifest: Manifest) -> None:
        """An entry outlives the workers, unless somebody else deleted it while the Shop lives."""
        named = (manifest["metadata"].get("annotations") or {}).get(f"{GROUP}/shop")
        if not named:
            return
        key = Key(*named.split("/"))
        owner = self._server.find(SHOP, key.name, key.namespace)
        dying = owner is None or owner["metadata"].get("deletionTimestamp")
        if dying and _workers(self._server, key) and not self.meddling:
            self.violations.append(f"the entry of {key} went before its workers")

    meddling = False


def _workers(server: SimServer, key: Key) -> list[Manifest]:
    return [
        one
        for one in server.all(WORKER, key.namespace)
        if one["metadata"]["labels"].get(SHOP_LABEL) == key.name
    ]


def complaints(server: SimServer) -> Iterator[str]:
    """What is not as the shops say; nothing when the world has converged."""
    for one in server.all(SHOP):
        if one["metadata"].get("deletionTimestamp"):
            yield f"shop {key_of(one)} is still being deleted"
        elif not 0 <= one["spec"]["replicas"] <= 5:
            if (condition_of(one, "Valid") or {}).get("status") != "False":
                yield f"shop {key_of(one)} is not reported as invalid"
        else:
            yield from _of_shop(server, one)
    yield from _strays(server)


def _of_shop(server: SimServer, one: Manifest) -> Iterator[str]:
    key = key_of(one)
    entry = server.find(kinds.CONFIG_MAP, entry_name(key), REGISTRY)
    if entry is None or entry["data"].get("uid") != one["metadata"]["uid"]:
        yield f"shop {key} is not in the registry"
    if server.find(kinds.SERVICE, key.name, key.namespace) is None:
        yield f"shop {key} has no service"
    if FINALIZER not in (one["metadata"].get("finalizers") or ()):
        yield f"shop {key} has no finalizer"
    yield from _of_settings(server, one)
    yield from _of_workers(server, one)
    yield from _of_status(one)


def _of_settings(server: SimServer, one: Manifest) -> Iterator[str]:
    key = key_of(one)
    secret = server.find(kinds.SECRET, f"{key.name}-credential", key.namespace)
    settings = server.find(kinds.CONFIG_MAP, f"{key.name}-settings", key.namespace)
    if secret is None:
        yield f"shop {key} has no credential"
    if settings is None or settings["data"].get("message") != one["spec"]["message"]:
        yield f"shop {key} has other settings: {settings and settings['data']}"
    elif secret is not None and settings["data"].get("mark") != _mark(secret):
        yield f"shop {key} has settings for another credential"


def _of_workers(server: SimServer, one: Manifest) -> Iterator[str]:
    key, wanted = key_of(one), one["spec"]["replicas"]
    alive = [w for w in _workers(server, key) if not w["metadata"].get("deletionTimestamp")]
    names = sorted(worker["metadata"]["name"] for worker in alive)
    if names != [f"{key.name}-{number}" for number in range(wanted)]:
        yield f"shop {key} wants {wanted} workers and has {names}"
    for worker in alive:
        owners = {reference["uid"] for reference in worker["metadata"]["ownerReferences"]}
        if one["metadata"]["uid"] not in owners:
            yield f"worker {key_of(worker)} belongs to an earlier shop"


def _of_status(one: Manifest) -> Iterator[str]:
    key, wanted, status = key_of(one), one["spec"]["replicas"], one.get("status") or {}
    if status.get("ready") != wanted or not is_true(one, "Ready"):
        yield f"shop {key} reports {status.get('ready')} ready of {wanted}"
    if status.get("observedGeneration") != one["metadata"]["generation"]:
        yield f"shop {key} reports an old generation"


def _mark(secret: Manifest) -> str:
    return digest(base64.b64decode(secret["data"]["word"]).decode())


def _strays(server: SimServer) -> Iterator[str]:
    """Objects whose Shop is not there."""
    shops = {key_of(one) for one in server.all(SHOP)}
    for entry in server.all(kinds.CONFIG_MAP, REGISTRY):
        named = (entry["metadata"].get("annotations") or {}).get(f"{GROUP}/shop", "")
        if named and Key(*named.split("/")) not in shops:
            yield f"the registry still has {named}"
    for resource in (WORKER, kinds.SECRET, kinds.CONFIG_MAP, kinds.SERVICE):
        for one in server.all(resource):
            label = (one["metadata"].get("labels") or {}).get(SHOP_LABEL)
            if label and Key(one["metadata"]["namespace"], label) not in shops:
                yield f"{resource} {key_of(one)} is orphaned"
