"""The measured side of the cache benchmark, in a process of its own."""

import asyncio
import gc
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from hypershift.kit import Key
from hypershift.kube import Client, kinds
from hypershift.kube.informers import Informers
from hypershift.kube.reflector import Selection
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope

RATE, SECONDS = 1000, 10


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


async def fill(client: Client, namespace: str, *, watch_list: bool) -> dict[str, float]:
    async with Informers(client, watch_list=watch_list) as informers:
        gc.collect()
        before, started = resident(), time.monotonic()
        informer = informers.acquire(Selection(kinds.CONFIG_MAP, namespace))
        await informer.wait()
        seconds = time.monotonic() - started
        gc.collect()
        return {"seconds": seconds, "memory": resident() - before, "objects": len(informer.cache)}


async def latency(client: Client, namespace: str) -> dict[str, float]:
    sent: dict[Key, float] = {}
    took: list[float] = []

    async def look(scope: Scope) -> Outcome:
        if scope.key in sent:
            took.append(time.monotonic() - sent.pop(scope.key))
        return Done()

    controller = Controller(
        name="bench",
        resource=kinds.CONFIG_MAP,
        scope=Scope,
        normal=(look,),
        namespace=namespace,
        manages_status=False,
        workers=8,
    )
    manager = Manager(client, [controller])
    running = asyncio.create_task(manager.run())
    await _idle(manager)
    rng, done = random.Random(0), 0  # noqa: S311 (which object is written)
    started, cpu = time.monotonic(), time.process_time()

    async def write() -> None:
        nonlocal done
        while (number := done) < RATE * SECONDS:
            done += 1
            await asyncio.sleep(max(0.0, started + number / RATE - time.monotonic()))
            key = Key(namespace, f"c{rng.randrange(1000):05d}")
            sent[key] = time.monotonic()
            patch = {"metadata": {"annotations": {"at": str(number)}}}
            await client.patch(kinds.CONFIG_MAP, key.name, patch, key.namespace)

    await asyncio.gather(*(write() for _ in range(64)))
    elapsed = time.monotonic() - started
    await _idle(manager)
    spent = time.process_time() - cpu
    manager.stop()
    await running
    took.sort()
    return {
        "p50": took[len(took) // 2],
        "p99": took[int(len(took) * 0.99)],
        "rate": done / elapsed,
        "cpu": spent / max(1, done),
    }


async def _idle(manager: Manager) -> None:
    quiet = 0
    while quiet < 5:
        await asyncio.sleep(0.2)
        runner = manager.runners.get("bench")
        ready = runner is not None and not runner.unsynced and runner.queue.idle
        quiet = quiet + 1 if ready else 0


async def main(mode: str, config: str, namespace: str) -> dict[str, Any]:
    async with Client.connect(Path(config)) as client:
        if mode == "latency":
            return await latency(client, namespace)
        return await fill(client, namespace, watch_list=mode == "watchlist")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(*sys.argv[1:4]))))
