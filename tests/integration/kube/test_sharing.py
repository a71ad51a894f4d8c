"""Three real processes share clusters: one is killed, one frozen, one leaves; never two writers."""

import asyncio
import os
import signal
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, aclosing
from typing import Any

import pytest
from tests.lib.server import RealServer

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.kube.shape import version_of
from hypershift.runtime.sharding import BUCKETS, Table, bucket_of
from hypershift.runtime.sharding.table import table_of

pytestmark = pytest.mark.integration

NAMES = tuple(f"c{number}" for number in range(12))
#: A replica that writes its own name into its ConfigMaps several times a second.
PROGRAM = textwrap.dedent(
    """
    import asyncio, json, sys, time
    from dataclasses import replace
    from datetime import timedelta
    from pathlib import Path
    from hypershift.kit import key_of
    from hypershift.kube import Client, config, kinds
    from hypershift.kube.http import HttpTransport
    from hypershift.runtime import Controller, Manager, Outcome, Scope, Sharding, Wait, \\
        run_until_signal

    count = 0
    log = open(sys.argv[1] + ".log", "w", buffering=1)

    class Logged(HttpTransport):
        async def request(self, request):
            def permit():
                began = time.monotonic()
                request.permit()  # what is not permitted is not sent
                log.write(f"{began} {json.loads(request.body)['data']['count']}\\n")

            noted = replace(request, permit=permit) if request.method == "PATCH" else request
            return await super().request(noted)

    async def write(scope: Scope) -> Outcome:
        global count
        count += 1
        patch = {"data": {"by": manager.shards.life, "count": str(count)}}
        await scope.kube.patch(kinds.CONFIG_MAP, scope.key.name, patch, "default")
        return Wait("Again", after=timedelta(milliseconds=200))

    async def main() -> None:
        global manager
        controller = Controller(
            name="writer", resource=kinds.CONFIG_MAP, scope=Scope, normal=(write,),
            namespace="default", labels="board=yes", manages_status=False, workers=12,
            cluster=lambda manifest: key_of(manifest).name)
        sharding = Sharding("shards", "default", sys.argv[2], duration=5, renew_deadline=3,
                            retry=0.5, patience=2)
        client = Client(Logged(config.load(Path(sys.argv[1]))), manager="writer")
        manager = Manager(client, [controller], sharding=sharding, grace=2.0)
        await run_until_signal(manager)
        await client.close()

    asyncio.run(main())
    """
)


class Record:
    """Every version of the boards and of the table; resource versions put them in one order."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.boards: dict[int, tuple[str, str, int]] = {}
        self.tables: dict[int, Table] = {}

    async def follow(self, resource: Any, labels: str, see: Callable[[Manifest], None]) -> None:
        async with aclosing(self._client.watch(resource, "default", labels)) as events:
            async for event in events:
                see(event.object)

    def board(self, manifest: Manifest) -> None:
        if data := manifest.get("data"):
            name = manifest["metadata"]["name"]
            self.boards[version_of(manifest)] = (name, data["by"], int(data["count"]))

    def lease(self, manifest: Manifest) -> None:
        if manifest["metadata"]["name"] == "shards":
            self.tables[version_of(manifest)] = table_of(manifest)

    def last(self, name: str) -> str:
        written = sorted(self.boards.items(), reverse=True)
        return next((by for _, (at, by, _) in written if at == name), "")

    @property
    def table(self) -> Table:
        return self.tables[max(self.tables)] if self.tables else Table()

    def strangers(self) -> list[tuple[str, int]]:
        """Writes by somebody who was not the owner when the server took them: who and which."""
        versions = sorted(self.tables)
        found = []
        for version, (name, by, count) in self.boards.items():
            before = [one for one in versions if one < version]
            owner = self.tables[before[-1]].owners.get(bucket_of(name)) if before else None
            if owner != by:
                found.append((by.partition("_")[0], count))
        return found


def _sent(server: RealServer, name: str) -> Iterator[tuple[int, float]]:
    """The writes of a replica by number, and when each was sent."""
    for line in (server.directory / f"{name}.kubeconfig.log").read_text().splitlines():
        moment, count = line.split()
        yield int(count), float(moment)


async def until(what: Callable[[], bool]) -> float:
    """How long until something is so."""
    started = time.monotonic()
    async with asyncio.timeout(90):
        while not what():  # noqa: ASYNC110 (what is true in other processes sends us no event)
            await asyncio.sleep(0.1)
    return time.monotonic() - started


async def test_three_processes_share_clusters_through_kill_freeze_and_leave(
    server: RealServer, spawn: Any
) -> None:
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(server.client())
        for name in NAMES:
            metadata = {"name": name, "namespace": "default", "labels": {"board": "yes"}}
            await client.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
        record = Record(client)
        follow = [
            asyncio.create_task(record.follow(kinds.CONFIG_MAP, "board=yes", record.board)),
            asyncio.create_task(record.follow(kinds.LEASE, "", record.lease)),
        ]
        one, two, three = [
            await stack.enter_async_context(spawn(PROGRAM, name))
            for name in ("one", "two", "three")
        ]

        def shared_by(*names: str) -> bool:
            """Whether exactly these own the clusters and have written since they do."""
            owners = record.table.owners
            return {owner.partition("_")[0] for owner in owners.values()} == set(names) and all(
                record.last(name) == owners.get(bucket_of(name)) for name in NAMES
            )

        await until(lambda: shared_by("one", "two", "three"))
        assert len(record.table.owners) == BUCKETS
        one.kill()
        killed = await until(lambda: shared_by("two", "three"))
        os.kill(two.pid, signal.SIGSTOP)
        stopped = time.monotonic()
        frozen = await until(lambda: shared_by("three"))
        os.kill(two.pid, signal.SIGCONT)
        await two.wait()  # it sees that it was given up, and ends
        await stack.enter_async_context(spawn(PROGRAM, "four"))
        await until(lambda: shared_by("three", "four"))
        three.terminate()
        left = await until(lambda: shared_by("four"))
        assert await three.wait() == 0
        for task in follow:
            task.cancel()
        await asyncio.gather(*follow, return_exceptions=True)
        sent = dict(_sent(server, "two"))
        assert max(sent.values()) < stopped, "the frozen one sent something after it woke up"
        # What was on the wire when it froze may arrive late; there is no other stranger.
        assert all(who == "two" and count in sent for who, count in record.strangers())
        sys.stderr.write(
            f"clusters of a killed replica went on after {killed:.1f} s, of a frozen one after"
            f" {frozen:.1f} s of a 5 s lease, of one that left after {left:.1f} s;"
            f" {len(record.boards)} writes, {len(record.strangers())} of them late from the wire\n"
        )
