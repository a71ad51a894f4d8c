"""A move between two simulated management clusters, with commands that die at any write."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest
from tests.lib.sim.dying import Life, a_dying_client
from tests.lib.stage import Stage, play
from tests.unit.operators.hypershift.recovery.test_manifest import a_secret, an_object

from hypershift.cli.backup import StorageOptions
from hypershift.cli.cluster.wait import Progress
from hypershift.cli.recovery import move as moves
from hypershift.cli.recovery import source as sources
from hypershift.cli.recovery.move import Move, MoveOptions
from hypershift.cli.recovery.source import Source
from hypershift.cli.recovery.store import StoreOptions
from hypershift.kit import Key, Manifest, UsageError, annotations_of
from hypershift.kube import Client, Conflict, NotFound, kinds
from hypershift.operators.hypershift.recovery.manifest import bare

HOME, PLANE, TARGET = "clusters", "clusters-demo", "the-other-management-cluster"
OPTIONS = MoveOptions(
    storage=StorageOptions(
        storage_type="S3",
        aws_bucket="snapshots",
        aws_region="eu-west-1",
        aws_kms_key_arn="",
        key_prefix="",
        credentials_secret="store",
    ),
    store=StoreOptions(aws_region="eu-west-1", credentials_file="", manifest_key_file=""),
    abort=False,
    keep_source=False,
    kubeconfig="",
    namespace=HOME,
    subject="demo",
    to="",
)
TRUE = [{"type": "Available", "status": "True", "reason": "AsExpected"}]


class Operator:
    """What an operator and its cluster do, as far as a move can see it."""

    def __init__(self, stage: Stage) -> None:
        self.user, self.said = stage.user, ""

    async def run(self) -> None:
        while True:
            with suppress(NotFound, Conflict):
                await self.look()
            await asyncio.sleep(0.2)

    async def look(self) -> None:
        cluster = await self.user.find(kinds.HOSTED_CLUSTER, "demo", HOME)
        if cluster is None:
            for one in (
                *await self.user.list(kinds.NODE_POOL),
                *await self.user.list(kinds.SECRET),
            ):
                await self.user.delete(
                    kinds_of(one), one["metadata"]["name"], one["metadata"]["namespace"]
                )
            await self.user.delete(kinds.NAMESPACE, PLANE)
            return
        paused = cluster["spec"].get("pausedUntil")
        if plane := await self.user.find(kinds.HOSTED_CONTROL_PLANE, "demo", PLANE):
            if plane["spec"].get("pausedUntil") != paused:
                await self.user.patch(
                    kinds.HOSTED_CONTROL_PLANE, "demo", {"spec": {"pausedUntil": paused}}, PLANE
                )
            await self.follow_api()
            await self.back_up()
        if not paused:
            await self.serve()

    async def follow_api(self) -> None:
        """The Deployment's pods come and go."""
        wanted = (await self.user.get(kinds.DEPLOYMENT, "kube-apiserver", PLANE))["spec"][
            "replicas"
        ]
        for number in range(2):
            name = f"kube-apiserver-{number}"
            there = await self.user.find(kinds.POD, name, PLANE)
            if there and number >= wanted:
                await self.user.delete(kinds.POD, name, PLANE, grace_period=0)
            if not there and number < wanted:
                metadata = {"name": name, "namespace": PLANE, "labels": {"app": "kube-apiserver"}}
                pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}
                await self.user.create(pod | {"spec": {"containers": []}})

    async def back_up(self) -> None:
        for found in await self.user.list(kinds.HCP_ETCD_BACKUP, PLANE):
            assert await running(self.user) == 0, "a backup was taken while the API served"
            told = {"type": "BackupCompleted", "status": "True", "reason": "BackupSucceeded"}
            status = {"snapshotURL": "s3://snapshots/demo/1.db", "conditions": [told]}
            name = found["metadata"]["name"]
            await self.user.patch(
                kinds.HCP_ETCD_BACKUP, name, {"status": status}, PLANE, subresource="status"
            )

    async def serve(self) -> None:
        """The control plane comes up, and pools get nodes."""
        status = {"status": {"conditions": TRUE}}
        await self.user.patch(kinds.HOSTED_CLUSTER, "demo", status, HOME, subresource="status")
        for pool in await self.user.list(kinds.NODE_POOL, HOME):
            status = {"status": {"replicas": pool["spec"]["replicas"]}}
            name = pool["metadata"]["name"]
            await self.user.patch(kinds.NODE_POOL, name, status, HOME, subresource="status")


def kinds_of(one: Manifest) -> Any:
    return {"NodePool": kinds.NODE_POOL, "Secret": kinds.SECRET}[one["kind"]]


async def running(user: Client) -> int:
    """How many API servers the source has."""
    return len(await user.list(kinds.POD, PLANE, "app=kube-apiserver"))


async def a_source(stage: Stage, platform: str = "None") -> None:
    """A cluster with a pool and keys that runs with two API servers."""
    for name in (HOME, PLANE):
        await stage.create(kinds.NAMESPACE, name)
    spec = {
        "infraID": "demo-x",
        "platform": {"type": platform},
        "etcd": {"managementType": "Managed", "managed": {"storage": {"type": "PersistentVolume"}}},
        "pullSecret": {"name": "pull"},
        "release": {"image": "r"},
        "services": [],
    }
    await stage.user.create(bare(an_object("HostedCluster", "demo", spec=spec)))
    pool = {"clusterName": "demo", "replicas": 2}
    await stage.user.create(bare(an_object("NodePool", "demo", spec=pool)))
    await stage.user.create(bare(an_object("HostedControlPlane", "demo", PLANE, spec={})))
    await stage.user.create(bare(a_secret("pull")))
    await stage.user.create(bare(a_secret("root-ca", PLANE, ca_key=b"k")))
    deployment = {"metadata": {"namespace": PLANE}, "spec": {"replicas": 2}}
    await stage.create(kinds.DEPLOYMENT, "kube-apiserver", **deployment)


class Both:
    """Two management clusters with their operators."""

    def __init__(self, source: Stage) -> None:
        self.source, self.target = source, Stage(seed=1)

    @contextmanager
    def operators(self) -> Iterator[None]:
        tasks = [asyncio.create_task(Operator(one).run()) for one in (self.source, self.target)]
        tasks.append(asyncio.create_task(self.watch()))
        try:
            yield
        finally:
            for task in tasks:
                if task.done() and not task.cancelled():
                    task.result()
                task.cancel()

    async def watch(self) -> None:
        """Never do both sides serve the same cluster."""
        while True:
            there = await self.target.user.find(kinds.HOSTED_CLUSTER, "demo", HOME)
            if there and not there["spec"].get("pausedUntil"):
                assert await running(self.source.user) == 0
            await asyncio.sleep(0.1)

    def a_move(self, writes: int = 1000, storage_type: str = "S3") -> Move:
        life = Life(writes)
        here, there = (
            a_dying_client(one.server, one.rng, life) for one in (self.source, self.target)
        )
        source = Source(here, Key(HOME, "demo"), TARGET, Progress())
        storage = replace(OPTIONS.storage, storage_type=storage_type)
        return Move(source, there, replace(OPTIONS, storage=storage))


@pytest.fixture(autouse=True)
def _store(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        def address(self) -> str:
            return "https://store/1.db?x"

    monkeypatch.setattr("hypershift.cli.recovery.store.snapshot_of", lambda *_: Found())


async def check_works(stage: Stage) -> None:
    """The cluster and its pool are there, and nothing holds them still."""
    for resource in (kinds.HOSTED_CLUSTER, kinds.NODE_POOL):
        found = await stage.user.get(resource, "demo", HOME)
        assert not found["spec"].get("pausedUntil")


async def try_move(both: Both, writes: int) -> bool:
    try:
        await moves.move(both.a_move(writes))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("writes", range(16))
def test_a_move_that_dies_at_any_of_its_writes_is_continued(writes: int) -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        with both.operators():
            await asyncio.sleep(1)
            await try_move(both, writes)
            await asyncio.sleep(1)
            assert await try_move(both, 1000)
            assert await source.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is None
            await check_works(both.target)
            assert await both.target.user.get(kinds.SECRET, "root-ca", PLANE)
        await both.target.close()

    play(story)


@pytest.mark.parametrize("writes", range(14))
def test_a_move_that_died_is_undone(writes: int) -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        with both.operators():
            await asyncio.sleep(1)
            await try_move(both, writes)
            found = await source.user.find(kinds.HOSTED_CLUSTER, "demo", HOME)
            if found is None:
                pytest.skip("it has moved")
            if "hypershift.openshift.io/moving-to" not in annotations_of(found):
                return
            with suppress(OSError):
                await moves.abort(both.a_move(writes % 4))
            with suppress(UsageError):  # the abort that died may have been done
                await moves.abort(both.a_move())
            await asyncio.sleep(2)
            assert await running(source.user) == 2
            await check_works(source)
            assert await both.target.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is None
            assert await source.user.list(kinds.HCP_ETCD_BACKUP) == []
            assert await try_move(both, 1000)
        await both.target.close()

    play(story)


def test_machines_at_the_source_go_without_asking_the_api_that_is_stopped() -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        await source.create(kinds.MACHINE, "m", metadata={"namespace": PLANE}, spec={})
        with both.operators():
            await moves.move(both.a_move())
        machine = await source.user.get(kinds.MACHINE, "m", PLANE)
        assert set(sources.UNASKED) <= annotations_of(machine).keys()
        assert machine["spec"]["deletion"]["nodeDeletionTimeoutSeconds"] == 1
        await both.target.close()

    play(story)


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ({"spec": {"pausedUntil": "true"}}, "it is paused"),
        ({"spec": {"platform": {"type": "AWS"}}}, "nodes of platform AWS cannot follow"),
        ({"spec": {"etcd": {"managementType": "Unmanaged"}}}, "its etcd is not ours"),
        (
            {"metadata": {"annotations": {"hypershift.openshift.io/moving-to": "a-third"}}},
            "being moved to another",
        ),
    ],
)
def test_what_cannot_be_moved_is_refused_before_anything_is_written(
    patch: Manifest, why: str
) -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        await source.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, HOME)
        with pytest.raises(UsageError, match=why):
            await moves.move(both.a_move(writes=0))
        await both.target.close()

    play(story)


def test_a_store_that_cannot_be_read_is_refused_before_anything_is_written() -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        with pytest.raises(UsageError, match="a move goes by a bucket"):
            await moves.move(both.a_move(writes=0, storage_type="AzureBlob"))
        await both.target.close()

    play(story)


def test_a_source_that_takes_no_backups_is_refused_before_its_servers_are_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(source: Stage) -> None:
        both = Both(source)
        await a_source(source)
        wanted = both.a_move(writes=0)

        async def unknown(*_: Any, **__: Any) -> None:
            raise NotFound(404, message="the server could not find the requested resource")

        monkeypatch.setattr(wanted.source.client, "list", unknown)
        with pytest.raises(UsageError, match="takes no backups"):
            await moves.move(wanted)
        await both.target.close()

    play(story)
