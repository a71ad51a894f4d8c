"""The measured side of the cache benchmark, in a process of its own."""

import asyncio
import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

from hypershift.kit import Key, annotations_of
from hypershift.kube import Client, kinds
from hypershift.kube.informers import Informers
from hypershift.kube.reflector import Selection
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope


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
    """Follow what others write until told to stop; an update says itself when it was sent."""
    took: list[float] = []
    seen: dict[Key, str] = {}

    async def look(scope: Scope) -> Outcome:
        sent = annotations_of(scope.object).get("at", "")
        if sent and seen.get(scope.key) != sent:
            seen[scope.key] = sent
            took.append(time.monotonic() - float(sent))
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
    took.clear()
    cpu = time.process_time()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    written = int(await asyncio.to_thread(sys.stdin.readline))
    await _idle(manager)
    spent = time.process_time() - cpu
    manager.stop()
    await running
    took.sort()
    return {
        "p50": took[len(took) // 2],
        "p99": took[int(len(took) * 0.99)],
        "passes": len(took),
        "cpu": spent / max(1, written),
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
