"""The shared ingress's proxy with 200 clusters: beside the direct way, and while it reloads."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from tests.bench.figure import Figure
from tests.lib.router import Client, Router, Traffic, a_member, appears, backends, haproxy, host

from hypershift.operators.hypershift.shared_ingress.rules.config import Member

CLUSTERS, ASKED, RELOADS = 200, 5, 10
#: Clients of each kind for each cluster that is asked: 50 in all.
CLIENTS = 5
SECONDS, VISIBLE = 4.0, timedelta(seconds=2)
ADDRESSES = {f"asked-{number}": f"127.78.0.{number + 1}" for number in range(ASKED)}
NEW = "new"


def members(count: int) -> list[Member]:
    """Clusters, of which the first few answer."""
    idle = (a_member(f"idle-{number}", "127.78.1.1") for number in range(count - ASKED))
    return [*(a_member(name, address) for name, address in ADDRESSES.items()), *idle]


@contextmanager
def running(folder: Path) -> Iterator[Router]:
    """The proxy with its clusters, and API servers behind it."""
    program = asyncio.run(haproxy(folder))
    router = Router(folder, program)
    with backends(program, folder, ADDRESSES | {NEW: "127.78.0.99"}):
        asyncio.run(router.serve(members(ASKED)))
        router.start()
        try:
            yield router
        finally:
            router.stop()


async def _asked(traffic: Traffic, names: list[str]) -> Traffic:
    async with traffic.of(names, CLIENTS):
        await asyncio.sleep(SECONDS)
    return traffic


async def _reloaded(router: Router) -> tuple[Traffic, float]:
    """Clients of some clusters while another one comes and goes, and how soon it was seen."""
    traffic, slowest = Traffic(router.names), 0.0
    every = members(CLUSTERS)
    async with traffic.of(list(ADDRESSES), CLIENTS):
        for _ in range(RELOADS):
            begin = asyncio.get_running_loop().time()
            await router.serve([*every, a_member(NEW, "127.78.0.99")])
            await appears(Client(router.names, host(NEW)), NEW, VISIBLE * 10)
            slowest = max(slowest, asyncio.get_running_loop().time() - begin)
            await router.serve(every)
    return traffic, slowest


def _resident(router: Router) -> int:
    """KiB of the newest process that carries connections."""
    status = Path(f"/proc/{router.workers[-1]}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def figures() -> Iterator[Figure]:
    """The direct way and the shared one in turns, then reloads."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as router:
        few = _resident(router)
        asyncio.run(router.serve(members(CLUSTERS)))
        name, address = next(iter(ADDRESSES.items()))
        rounds = [
            (
                asyncio.run(_asked(Traffic(6443, address), [name])),
                asyncio.run(_asked(Traffic(router.names), [name])),
            )
            for _ in range(3)
        ]
        many = _resident(router)
        traffic, slowest = asyncio.run(_reloaded(router))
    rates = sorted(shared.answers / direct.answers for direct, shared in rounds)
    p99 = sorted(_p99(shared.times) / _p99(direct.times) for direct, shared in rounds)
    each = (many - few) / (CLUSTERS - ASKED)
    yield Figure("router: requests per second, beside the direct way", rates[1], "x", least=0.9)
    yield Figure("router: p99, beside the direct way", p99[1], "x", most=1 / 0.9)
    yield Figure("router: memory per cluster", each, "KiB")
    yield Figure("router: failed requests of 50 clients in 20 reloads", len(traffic.failures), "",
                 most=0)  # fmt: skip
    yield Figure("router: requests in 20 reloads", traffic.answers, "")
    yield Figure("router: longest request in 20 reloads", max(traffic.times), "s")
    yield Figure("router: a new cluster of 200 is served", slowest, "s", most=2.0)
