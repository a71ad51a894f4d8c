"""A lost quorum is brought back by commands that may die at any of their steps."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from tests.lib.sim.dying import Life, a_dying_client
from tests.lib.stage import Stage, play

from hypershift.cli.cluster.wait import Progress
from hypershift.cli.recovery import etcd as fixing
from hypershift.cli.recovery.etcd import Etcd, Fix, advice, known_from, look, peers_of
from hypershift.controlplane.etcd import rescue
from hypershift.controlplane.etcd.rescue import Finding, State, finding
from hypershift.kit import Key, Manifest, UsageError, annotations_of
from hypershift.kube import Client, Conflict, ExecResult, NotFound, kinds

PLANE, SURVIVOR = "clusters-demo", "etcd-1"
NAMES = ("etcd-0", "etcd-1", "etcd-2")
PEERS = {name: f"https://{name}.etcd-discovery.{PLANE}.svc:2380" for name in NAMES}
STATUS = [{"Status": {"header": {"revision": 70}, "raftTerm": 3, "raftIndex": 90}}]
CORRUPT = {"terminated": {"message": "panic: wal: crc mismatch"}}
OPTIONS = Fix(
    etcd="etcd",
    give_up=(),
    kubeconfig="",
    namespace="clusters",
    subject="demo",
    timeout=timedelta(minutes=15),
    yes=True,
)


class Plane:
    """The members' pods and disks, and what etcd makes of them."""

    def __init__(self, stage: Stage) -> None:
        self.user, self.life = stage.user, Life(1000)
        self.lost: set[str] = set()
        self.token, self.restores, self.forgotten = "", 0, False
        #: Looks for which the survivor's old process goes on.
        self.ending = 0

    async def run(self) -> None:
        while True:
            with suppress(NotFound, Conflict):
                for name in NAMES:
                    await self.member(name)
            await asyncio.sleep(0.3)

    async def member(self, name: str) -> None:
        """The StatefulSet makes what is missing; a member is ready in a quorum of the new."""
        where = {"metadata": {"name": name, "namespace": PLANE}}
        claim = await self.user.find(kinds.PERSISTENT_VOLUME_CLAIM, f"data-{name}", PLANE)
        if claim is None:
            identity = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
            metadata = {"name": f"data-{name}", "namespace": PLANE}
            claim = await self.user.create(identity | {"metadata": metadata, "spec": {}})
            assert not (self.token and self.ending), "a member joins the old cluster"
        if await self.user.find(kinds.POD, name, PLANE) is None:
            pod = {"apiVersion": "v1", "kind": "Pod", **where, "spec": {"containers": []}}
            await self.user.create(pod)
        ready = "True" if name in await self.joined() else "False"
        state: Manifest = {"name": "etcd", "state": {"running": {}}}
        if claim["metadata"]["uid"] in self.lost:
            state = {"name": "etcd", "state": {"waiting": {}}, "lastState": CORRUPT}
        status = {
            "conditions": [{"type": "Ready", "status": ready}],
            "containerStatuses": [state],
        }
        await self.user.patch(kinds.POD, name, {"status": status}, PLANE, subresource="status")

    async def joined(self) -> set[str]:
        """Members of the new cluster; one that joins too early asks the old process."""
        claims = await self.user.list(kinds.PERSISTENT_VOLUME_CLAIM, PLANE)
        whole = {
            one["metadata"]["name"].removeprefix("data-")
            for one in claims
            if one["metadata"]["uid"] not in self.lost
        }
        return whole if self.token and len(whole) > 1 else set()

    async def exec(
        self, _client: Client, pod: str, _place: str, command: Sequence[str], **_: Any
    ) -> ExecResult:
        if rescue.RESTORE in command:
            self.life.writes -= 1
            if self.life.writes < 0:
                raise OSError("the command is dead")
            assert pod == SURVIVOR
            if self.token != command[4]:
                self.restores, self.ending = self.restores + 1, 3
            self.token = command[4]
        if rescue.RUNS in command:
            self.ending = max(0, self.ending - 1)
            return ExecResult(b"" if self.ending else self.token.encode(), b"", 0)
        if rescue.FORGET in command:
            assert len(await self.joined()) > 1, "the old data was needed"
            self.forgotten = True
        if "status" in command:
            serves = pod == SURVIVOR and not self.token
            return ExecResult(json.dumps(STATUS).encode(), b"", int(not serves))
        return ExecResult(self.token.encode(), b"", 0)


@contextmanager
def living(plane: Plane, patch: pytest.MonkeyPatch) -> Iterator[None]:
    async def run(client: Client, pod: str, place: str, command: Any, **more: Any) -> ExecResult:
        return await plane.exec(client, pod, place, command, **more)

    patch.setattr(Client, "exec", run)
    task = asyncio.create_task(plane.run())
    try:
        yield
    finally:
        if task.done() and not task.cancelled():
            task.result()
        task.cancel()


async def uid(stage: Stage, name: str) -> str:
    found = await stage.user.get(kinds.PERSISTENT_VOLUME_CLAIM, f"data-{name}", PLANE)
    return str(found["metadata"]["uid"])


async def try_fix(stage: Stage, plane: Plane, writes: int) -> bool:
    """One command that lives for so many writes; whether it came to its end."""
    plane.life = Life(writes)
    client = a_dying_client(stage.server, stage.rng, plane.life)
    etcd = Etcd(client, PLANE, "etcd", PEERS, Progress())
    try:
        found = finding([await look(etcd, name, ()) for name in NAMES])
        assert found.state is State.RESCUABLE
        assert found.survivor == SURVIVOR
        assert await fixing.save(etcd, found) >= 2
    except OSError:
        return False
    return True


@pytest.mark.parametrize("writes", range(11))
def test_a_command_that_dies_at_any_of_its_steps_is_continued(
    writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.NAMESPACE, PLANE)
        plane = Plane(stage)
        with living(plane, monkeypatch):
            await asyncio.sleep(2)
            before = {name: await uid(stage, name) for name in NAMES}
            plane.lost = {before[name] for name in NAMES if name != SURVIVOR}
            await asyncio.sleep(2)
            if not await try_fix(stage, plane, writes):
                await asyncio.sleep(2)
                assert await try_fix(stage, plane, 1000)
            await asyncio.sleep(2)
            after = {name: await uid(stage, name) for name in NAMES}
            assert {name for name in NAMES if before[name] == after[name]} == {SURVIVOR}
            assert plane.restores == 1
            assert plane.forgotten
            claims = await stage.user.list(kinds.PERSISTENT_VOLUME_CLAIM, PLANE)
            marks = {rescue.RESCUED, rescue.EMPTIED}
            assert not any(marks & annotations_of(one).keys() for one in claims)

    play(story)


def test_members_are_read_from_the_workload() -> None:
    words = ",".join(f"{name}={url}" for name, url in PEERS.items())
    containers = [{"name": "etcd", "args": ["--x=y", f"--initial-cluster={words}"]}]
    workload = {"spec": {"template": {"spec": {"containers": containers}}}}
    assert peers_of(workload) == PEERS
    containers[0]["args"] = []
    with pytest.raises(UsageError, match="hosted Kubernetes"):
        peers_of(workload)


def test_what_a_member_knows_is_read_from_etcdctl() -> None:
    assert known_from(STATUS) == rescue.Known(term=3, index=90, revision=70)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (Finding(State.WHOLE), "nothing to fix"),
        (Finding(State.SERVES, rebuilt=("etcd-2",)), "the operator rebuilds etcd-2"),
        (Finding(State.WAITS), "have to reach each other"),
        (Finding(State.WAITS, awaited=("etcd-2",)), "--give-up etcd-2"),
        (Finding(State.HOPELESS), "--from s3://snapshots/demo/1.db"),
        (Finding(State.RESCUABLE, "etcd-1", ("etcd-0",)), "etcd-1 has the newest data"),
    ],
)
def test_what_the_user_is_told(found: Finding, wanted: str) -> None:
    etcd = Etcd(Client.__new__(Client), PLANE, "etcd", PEERS, Progress())
    cluster = {"status": {"lastSuccessfulEtcdBackupURL": "s3://snapshots/demo/1.db"}}
    assert wanted in "\n".join(advice(found, etcd, OPTIONS, cluster))
    assert OPTIONS.key == Key("clusters", "demo")
