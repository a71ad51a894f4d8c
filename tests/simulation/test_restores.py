"""A cluster is lost and restored while operators and commands die: its keys stay what they were.

The operator must take the namespace that the command made for its own, and sign with the keys that
lie in it, whenever either of them dies between two writes.
"""

import asyncio
from base64 import b64decode
from typing import Any

import pytest
from tests.lib import planes
from tests.lib.planes import Operator, a_cluster, encrypted, prepare
from tests.lib.seeds import seeds
from tests.lib.sim.dying import Life, a_dying_client
from tests.lib.sim.faults import Fault, crashes, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.store import Commit, Record
from tests.lib.sim.world import World, stream
from tests.lib.workloads import Workloads

from hypershift.cli.cluster.wait import Progress
from hypershift.cli.recovery.restore import Restore, bring_back
from hypershift.component import edit
from hypershift.component.encryption_keys import key_name
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import ownership, recovery
from hypershift.pki import Algorithm, PrivateKey, certificate_from_pem, new_key
from hypershift.runtime import is_true

#: Quiet is longer than a watch may stay silent before it is opened again.
QUIET, MOST, STORY = 100.0, 3000.0, 600.0
CLUSTER, PLACE = Key("clusters", "blue"), "clusters-blue"
URL = "https://store.example.org/1.db?signature"
KEYS: tuple[PrivateKey, ...] = tuple(new_key(Algorithm.ECDSA_P256) for _ in range(2))


class Story:
    """A cluster's life, its loss, and its second life."""

    def __init__(self, seed: int, faults: tuple[Fault, ...]) -> None:
        self.world = World(seed, list, faults)
        self.workloads = Workloads(self.world.client("player"), lambda: self.world.changes)
        self.user, self.rng = self.world.client("user"), self.world.stream("user")
        self.world.processes = [Operator(self.world, 0)]
        self.lasting: dict[str, Manifest] = {}

    async def tell(self, patch: pytest.MonkeyPatch) -> list[str]:
        patch.setattr(planes, "TAGS", (*planes.TAGS, "controlplane-operator"))
        patch.setattr(planes, "key", lambda _: KEYS[0])
        await prepare(self.user)
        self.world.start()
        self.world.spawn(self.workloads.run(), "player")
        try:
            manifest = await self.first_life()
            await self.lose()
            # Whatever is made from here on is made with another key.
            patch.setattr(planes, "key", lambda _: KEYS[1])
            await self.restore(manifest)
            return await self.end()
        finally:
            await self.world.stop()

    async def first_life(self) -> recovery.ClusterManifest:
        await self.user.create(a_cluster("blue", secretEncryption=encrypted("a")))
        assert await self.world.settle(quiet=QUIET, most=MOST)
        manifest = await recovery.gather(self.user, CLUSTER)
        self.lasting = {one["metadata"]["name"]: one["data"] for one in manifest.keys}
        assert {"root-ca", "sa-signing-key", "kas-secret-encryption-config"} <= self.lasting.keys()
        return manifest

    async def lose(self) -> None:
        await self.user.delete(kinds.HOSTED_CLUSTER, "blue", "clusters")
        assert await self.world.settle(quiet=QUIET, most=MOST)
        assert await self.user.find(kinds.NAMESPACE, PLACE) is None
        await self.user.delete(kinds.SECRET, "pull", "clusters")

    async def restore(self, manifest: recovery.ClusterManifest) -> None:
        """Type the command until it is done; the last one lives."""
        for life in (self.rng.randrange(12), self.rng.randrange(30), 1000):
            client = a_dying_client(self.world.server, self.rng, Life(life))
            try:
                await bring_back(Restore(client, manifest, "s3://b/1.db", URL, Progress()))
            except OSError:
                await asyncio.sleep(self.rng.uniform(0, 40))

    async def end(self) -> list[str]:
        # A clock that jumps while nothing happens is seen by the next look: let every fault be
        # over, and look once, before a look must find nothing to write.
        await asyncio.sleep(max(0.0, STORY - asyncio.get_running_loop().time()))
        await self.world.restart_calmly()
        if not await self.world.settle(quiet=QUIET, most=MOST):
            return ["the world never came to rest"]
        found = [text async for text in self.wrong()]
        written: list[Commit] = []
        self.world.server.store.listen(written.append)
        await self.world.restart_calmly()
        await asyncio.sleep(QUIET)
        if written:
            now = self.world.clock.now()
            found.append(f"a second look at {now} wrote {len(written)} times")
            found += map(described, written)
        return found

    async def wrong(self) -> Any:
        """Yield what is not as it was, or not as it should be."""
        cluster = await self.user.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
        if not is_true(cluster, "Available"):
            yield f"not available: {cluster.get('status')}"
        space = await self.user.get(kinds.NAMESPACE, PLACE)
        if ownership.uid_mark(space) != cluster["metadata"]["uid"]:
            yield "the namespace is not the cluster's"
        for name, data in self.lasting.items():
            live = await self.user.find(kinds.SECRET, name, PLACE)
            if live is None or live["data"] != data:
                yield f"Secret {name} is another one"
        etcd = await self.user.find(kinds.STATEFUL_SET, "etcd", PLACE)
        inits = (edit.pod_of(etcd)["spec"].get("initContainers") if etcd else None) or ()
        fetch: Manifest = next((one for one in inits if one["name"] == "etcd-fetch"), {})
        if f"--decrypts=aescbc/{key_name(b'a' * 32)}" not in fetch.get("args", ()):
            yield f"members do not know the key: {fetch}"
        if await self.user.find(kinds.SECRET, "pull", "clusters") is None:
            yield "the pull secret is missing"


def described(change: Commit) -> str:
    """What was written; of a certificate also which one was there, as time may be the reason."""
    before = [
        f"{name} was valid from {found.not_valid_before_utc} to {found.not_valid_after_utc}"
        for name, text in data_texts(change.old)
        if (found := certificate_from_pem(text))
    ]
    record = change.new or change.old
    assert record is not None
    return f"{change.resource.kind} {record.key} {'; '.join(before)}"


def data_texts(record: Record | None) -> list[tuple[str, bytes]]:
    if record is None or record.resource != kinds.SECRET:
        return []
    return [(name, b64decode(text)) for name, text in (record.manifest.get("data") or {}).items()]


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        return run_quietly(_tell(seed, faults, patch))


async def _tell(seed: int, faults: tuple[Fault, ...], patch: pytest.MonkeyPatch) -> list[str]:
    return await Story(seed, faults).tell(patch)


@pytest.mark.parametrize("seed", seeds(10, least=3))
def test_whatever_dies_a_restored_cluster_has_its_old_keys(seed: int) -> None:
    assert tell(seed, drawn(stream(seed, "faults"), until=STORY, processes=1, most=20)) == []


def test_an_operator_that_dies_again_and_again_keeps_the_keys() -> None:
    assert tell(2000, crashes(100, first=20, every=4.7)) == []
