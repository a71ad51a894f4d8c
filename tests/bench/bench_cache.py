"""50,000 ConfigMaps on a real API server: memory, first list against curl, latency of updates."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure
from tests.lib.server import RealServer, available, real_server

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds

OBJECTS = int(os.environ.get("HYPERSHIFT_BENCH_OBJECTS", "50000"))
NAMESPACE = "bench"
RATE, SECONDS = 1000, 10


def config_map(number: int) -> Manifest:
    metadata = {"name": f"c{number:05d}", "namespace": NAMESPACE}
    data = {"text": f"{number:08d}" * 128}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


async def fill(server: RealServer) -> None:
    async with server.client() as client:
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        await client.create(namespace)
        numbers = iter(range(OBJECTS))

        async def write() -> None:
            for number in numbers:
                await client.create(config_map(number))

        await asyncio.gather(*(write() for _ in range(64)))


async def pages(client: Client) -> tuple[list[str], int]:
    """The paths of all pages, and the bytes that they hold."""
    paths, token, size = [], "", 0
    while True:
        query = f"?limit=500&continue={token}" if token else "?limit=500"
        paths.append(kinds.CONFIG_MAP.collection(NAMESPACE) + query)
        body = await client.raw(
            "GET", kinds.CONFIG_MAP.collection(NAMESPACE), query={"limit": "500", "continue": token}
        )
        size += len(body)
        token = json.loads(body)["metadata"].get("continue", "")
        if not token:
            return paths, size


def curl(server: RealServer, paths: list[str]) -> float:
    """How long curl takes for the same pages over one connection."""
    base = f"https://127.0.0.1:{server.port}"
    command = ["curl", "--silent", "--cacert", str(server.directory / "ca.crt")]
    command += ["--header", "Authorization: Bearer administrator"]
    for path in paths:
        command += ["--output", "/dev/null", base + path]
    started = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - started


def config_of(server: RealServer) -> Path:
    """The kubeconfig of the server, as a file."""
    config = server.directory / "kubeconfig.json"
    config.write_text(json.dumps(server.kubeconfig))
    return config


def child_command(server: RealServer, mode: str) -> list[str]:
    """Measure in a process of its own, so that memory and time are the cache's alone."""
    return [
        sys.executable,
        "-m",
        "tests.bench.cache_child",
        mode,
        str(config_of(server)),
        NAMESPACE,
    ]


def child(server: RealServer, mode: str) -> dict[str, float]:
    """What a child measured."""
    answer = subprocess.run(child_command(server, mode), check=True, capture_output=True)
    measured: dict[str, float] = json.loads(answer.stdout)
    return measured


def figures() -> Iterator[Figure]:
    if not available():
        sys.stderr.write("  skipped: etcd and kube-apiserver are not here\n")
        return
    with (
        tempfile.TemporaryDirectory(prefix="hypershift-bench-") as directory,
        real_server(
            Path(directory),
            flags=("--max-requests-inflight=2000", "--max-mutating-requests-inflight=1000"),
        ) as server,
    ):
        asyncio.run(fill(server))
        yield from _measured(server)


def _measured(server: RealServer) -> Iterator[Figure]:
    paths, size = asyncio.run(_pages(server))
    for mode in ("pages", "watchlist"):
        cached = child(server, mode)
        yield Figure(f"cache memory / JSON size ({mode})", cached["memory"] / size, "x", most=3.0)
        if mode == "pages" and shutil.which("curl"):
            reference = curl(server, paths)
            ratio = cached["seconds"] / reference
            yield Figure("first list / curl of the same pages", ratio, "x", most=2.0)
            yield Figure("curl of the same pages", reference, "s")
        yield Figure(f"first list of {OBJECTS} ({mode})", cached["seconds"], "s")
    yield from _latency(server)


def _latency(server: RealServer) -> Iterator[Figure]:
    """The way of an update at a steady rate, and which process had no time left."""
    follower = subprocess.Popen(
        child_command(server, "latency"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert follower.stdin is not None
    assert follower.stdout is not None
    assert follower.stdout.readline() == "ready\n"
    before = {name: processor_time(pid) for name, pid in server.pids.items()}
    started = time.monotonic()
    writer = [sys.executable, "-m", "tests.bench.cache_writer", str(config_of(server)), NAMESPACE]
    answer = subprocess.run([*writer, str(RATE), str(SECONDS)], check=True, capture_output=True)
    elapsed = time.monotonic() - started
    written = json.loads(answer.stdout)
    measured = json.loads(follower.communicate(f"{written['sent']}\n")[0])
    yield Figure("update to reconcile p99", measured["p99"] * 1000, "ms")
    yield Figure("update to reconcile p50", measured["p50"] * 1000, "ms")
    yield Figure(f"updates reached of {RATE} offered", written["rate"], "/s")
    yield Figure("updates refused", written["wrong"], "")
    yield Figure("CPU per event", measured["cpu"] * 1e6, "us")
    yield Figure("the follower's cores", measured["cpu"] * written["sent"] / elapsed, "cores")
    yield Figure("the writer's cores", written["cpu"] / elapsed, "cores")
    for name, pid in server.pids.items():
        cores = (processor_time(pid) - before[name]) / elapsed
        yield Figure(f"{name}'s cores meanwhile", cores, "cores")


def processor_time(pid: int) -> float:
    """Seconds of processor that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _pages(server: RealServer) -> tuple[list[str], int]:
    async with server.client() as client:
        return await pages(client)
