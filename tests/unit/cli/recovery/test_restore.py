"""Restoring a cluster step by step, in a simulated management cluster."""

import asyncio
import json
from typing import Any

import pytest
from tests.lib.sim.dying import Life, a_dying_client
from tests.lib.stage import Stage, play
from tests.unit.operators.hypershift.recovery.test_manifest import (
    AES,
    a_manifest,
    a_secret,
    an_object,
)

from hypershift.cli.cluster.wait import Progress
from hypershift.cli.recovery import nodes, restore, store
from hypershift.cli.recovery.restore import Restore
from hypershift.kit import Manifest, UsageError, annotations_of, key_of
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import ownership, recovery
from hypershift.operators.hypershift.recovery.manifest import bare

URL, ADDRESS = "s3://bucket/demo/1.db", "https://store.example.org/1.db?signature"


def a_restore(client: Client, **spec: Any) -> Restore:
    return Restore(client, a_manifest(**spec), URL, ADDRESS, Progress())


async def check_whole(stage: Stage) -> None:
    """Everything of the manifest is there, once, and the operator may begin."""
    cluster = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    assert cluster["spec"].get("pausedUntil") is None
    assert annotations_of(cluster)[recovery.RESTORED_FROM] == URL
    space = await stage.user.get(kinds.NAMESPACE, "clusters-demo")
    assert ownership.uid_mark(space) == cluster["metadata"]["uid"]
    pools = await stage.user.list(kinds.NODE_POOL, "clusters")
    assert [key_of(one).name for one in pools] == ["demo"]
    secrets = await stage.user.list(kinds.SECRET)
    assert sorted(map(str, map(key_of, secrets))) == ["clusters-demo/root-ca", "clusters/key"]


@pytest.mark.parametrize("writes", range(9))
def test_a_restore_that_dies_at_any_of_its_writes_is_continued(writes: int) -> None:
    async def story(stage: Stage) -> None:
        try:
            dying = a_dying_client(stage.server, stage.rng, Life(writes))
            await restore.bring_back(a_restore(dying))
        except OSError:
            paused = await stage.user.find(kinds.HOSTED_CLUSTER, "demo", "clusters")
            # Whatever is missing, the operator does not begin without the keys.
            assert paused is None or paused["spec"]["pausedUntil"] == "true"
        await restore.bring_back(a_restore(stage.client()))
        await check_whole(stage)
        before = len(stage.writes)
        await restore.bring_back(a_restore(stage.client()))
        assert stage.writes[before:] == []

    play(story)


def test_a_cluster_that_is_there_is_not_touched() -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, "clusters")
        await stage.user.create(bare(an_object("HostedCluster", "demo", spec={})))
        with pytest.raises(UsageError, match="is there already"):
            await restore.bring_back(a_restore(stage.client()))
        assert stage.writes == []

    play(story)


def test_a_namespace_that_is_there_is_not_taken() -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, "clusters-demo")
        with pytest.raises(UsageError, match="clusters-demo is there already"):
            await restore.bring_back(a_restore(stage.client()))
        assert stage.writes == []

    play(story)


def test_a_secret_with_other_content_is_not_written_over() -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, "clusters")
        await stage.user.create(bare(a_secret("key", key=b"another")))
        with pytest.raises(UsageError, match="Secret clusters/key is there with other content"):
            await restore.bring_back(a_restore(stage.client()))
        assert stage.writes == []

    play(story)


def test_a_member_that_refuses_the_snapshot_ends_the_wait() -> None:
    async def story(stage: Stage) -> None:
        wanted = a_restore(stage.client())
        await restore.bring_back(wanted)
        plane = an_object("HostedControlPlane", "demo", "clusters-demo", spec={})
        await stage.user.create(bare(plane))
        told = {"type": "EtcdSnapshotRestored", "status": "False", "message": "it was damaged"}
        patch = {"status": {"conditions": [told]}}
        place = ("demo", patch, "clusters-demo")
        await stage.user.patch(kinds.HOSTED_CONTROL_PLANE, *place, subresource="status")
        with pytest.raises(UsageError, match="not restored: it was damaged"):
            await asyncio.wait_for(restore.until_available(wanted), 60)

    play(story)


class Shelf:
    """A store with a few objects."""

    def __init__(self, **objects: bytes) -> None:
        self.objects = {key.replace("_", "."): value for key, value in objects.items()}

    def get(self, key: str, longest: int) -> bytes:
        return self.objects[key][:longest]


def a_snapshot(manifest: bytes = b"", contents: Any = None) -> store.Snapshot:
    listed = json.dumps(contents or {}).encode()
    return store.Snapshot(URL, Shelf(a_db_manifest=manifest, a_db_contents_json=listed), "a.db")


def test_a_snapshot_with_a_key_that_the_manifest_lacks_is_refused() -> None:
    found = a_snapshot(contents={"encryptedWith": ["aescbc/key-1"]})
    with pytest.raises(UsageError, match="aescbc/key-1"):
        restore.check_keys(a_manifest(secretEncryption=AES), found)
    restore.check_keys(a_manifest(), a_snapshot(contents={"encryptedWith": []}))


def test_a_manifest_that_was_sealed_with_another_key_is_refused() -> None:
    key = recovery.seal_key(b"k" * 32)
    made = recovery.sealed(recovery.packed(a_manifest()), key)
    assert a_snapshot(made).manifest(key) == a_manifest()
    with pytest.raises(UsageError, match="another key"):
        a_snapshot(made).manifest(recovery.seal_key(b"o" * 32))


def a_node(name: str, provider: str = "") -> Manifest:
    return {"metadata": {"name": name}, "spec": {"providerID": provider} if provider else {}}


def test_nodes_of_machines_that_are_gone_are_found_and_others_left() -> None:
    machines: list[Manifest] = [{"spec": {"providerID": "local://x/new"}}, {"spec": {}}]
    every = [a_node("old", "local://x/old"), a_node("new", "local://x/new"), a_node("by-hand")]
    assert nodes.lost(every, machines) == ["old"]
