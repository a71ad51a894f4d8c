"""Hostile hosted clusters: what their API answers costs our process little (H4, H5).

The servers listen on loopback with TLS and are reached as the operator reaches a guest.
"""

import asyncio
import gc
import json
import random
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from tests.adversary import hostile
from tests.adversary.hostile import Guest
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest
from hypershift.kit.documents import loaded
from hypershift.kube import ApiError, Client, LimitExceeded, Resource, Unavailable, kinds
from hypershift.kube.client import Listing
from hypershift.kube.informers import Informers, Listeners
from hypershift.kube.limits import GUEST
from hypershift.kube.reflector import Selection, Timeouts
from hypershift.kube.shape import Shared, version_number
from hypershift.operators.guest_config.reencryption.rewriting import Rewriter
from hypershift.runtime.remotes import client_of

MIB = 1 << 20
#: What one hostile answer may leave behind, far below the 256 MiB that the servers send.
ROOM = 80 * MIB


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@asynccontextmanager
async def guest_of(
    directory: Path, answer: Callable[[Guest, web.Request], Any]
) -> AsyncIterator[tuple[Guest, Client]]:
    async with (
        hostile.serving(directory, answer) as guest,
        client_of(guest.kubeconfig) as client,
        asyncio.timeout(25),
    ):
        yield guest, client


@pytest.mark.parametrize(
    "answer", [hostile.endless_body, hostile.many_values, hostile.bomb, hostile.deep]
)
async def test_no_answer_takes_more_memory_than_its_limit(tmp_path: Path, answer: Any) -> None:
    before = resident()
    async with guest_of(tmp_path, answer) as (guest, client):
        with pytest.raises(ApiError):
            await client.list(kinds.NODE)
        assert guest.sent < 128 * MIB
    assert resident() - before < ROOM


async def test_a_log_of_one_line_is_not_read_for_ever(tmp_path: Path) -> None:
    before = resident()
    async with guest_of(tmp_path, hostile.endless_body) as (guest, client):
        with pytest.raises(LimitExceeded, match="longer than 3 MiB"):
            await client.logs("agent", "kube-system", tail=1, most=1024)
        assert guest.requests[0].query["limitBytes"] == "1024"
    assert resident() - before < ROOM


async def test_a_line_of_a_watch_ends(tmp_path: Path) -> None:
    before = resident()
    async with guest_of(tmp_path, hostile.endless_line) as (_, client):
        with pytest.raises(LimitExceeded, match="a line of the stream is longer"):
            await anext(client.watch(kinds.NODE))
    assert resident() - before < ROOM


async def test_a_list_ends(tmp_path: Path) -> None:
    before = resident()
    async with guest_of(tmp_path, hostile.endless_pages) as (guest, client):
        with pytest.raises(LimitExceeded, match="the list takes more than"):
            await client.list(kinds.CONFIG_MAP)
        assert len(guest.requests) < 1000
    assert resident() - before < ROOM


@pytest.mark.parametrize("answer", [hostile.silence, hostile.drip])
async def test_no_answer_takes_longer_than_its_deadline(tmp_path: Path, answer: Any) -> None:
    assert GUEST.seconds <= 15
    async with hostile.serving(tmp_path, answer) as guest:
        limits = replace(GUEST, seconds=0.5)
        document = loaded(guest.kubeconfig)
        async with (
            Client.from_kubeconfig_dict(document, limits=limits) as client,
            asyncio.timeout(5),
        ):
            with pytest.raises(Unavailable, match="no answer in time"):
                await client.list(kinds.NODE)


async def test_a_flood_of_events_is_read_at_a_steady_rate(tmp_path: Path) -> None:
    seen = 0
    async with hostile.serving(tmp_path, hostile.endless_events) as guest:
        limits = replace(GUEST, rate=100 * 1024)
        async with Client.from_kubeconfig_dict(loaded(guest.kubeconfig), limits=limits) as client:
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    async for _ in client.watch(kinds.NODE):
                        seen += 1
    # Ten seconds' worth at 8 KiB for an event, and what one chunk brings at once.
    assert 0 < seen < 2000


async def test_a_server_that_lies_about_versions_is_asked_less_and_less(tmp_path: Path) -> None:
    async with guest_of(tmp_path, hostile.lies) as (guest, client):
        patience = Timeouts(first_retry=0.2)
        async with Informers(client, rng=random.Random(1), patience=patience) as informers:  # noqa: S311
            informers.acquire(Selection(kinds.NODE))
            await asyncio.sleep(2)
        assert len(guest.requests) < 30


def test_a_version_that_is_no_number_is_the_oldest() -> None:
    assert [version_number(text) for text in ("\u00b2", "9" * 5000, "-1", "x", "12")] == [
        0, 0, 0, 0, 12,
    ]  # fmt: skip


async def test_large_objects_of_an_honest_server_are_listed_in_smaller_pages(
    tmp_path: Path,
) -> None:
    """A page of a hundred Secrets of a megabyte is over the limit; all of them are still seen."""
    stored = [
        {"metadata": {"name": f"s{number}", "namespace": "x", "uid": str(number)}, "v": "x" * MIB}
        for number in range(7)
    ]

    async def honest(guest: Guest, request: web.Request) -> web.StreamResponse:
        del guest
        begin = int(request.query.get("continue", "0"))
        end = begin + int(request.query["limit"])
        more = {"continue": str(end)} if end < len(stored) else {}
        metadata = {"resourceVersion": "7", **more}
        return web.json_response({"metadata": metadata, "items": stored[begin:end]})

    async with guest_of(tmp_path, honest) as (_, client):
        found = await client.list(kinds.SECRET, only=(("metadata", "name"),))
    assert [one["metadata"]["name"] for one in found] == [f"s{number}" for number in range(7)]
    assert all("v" not in one for one in found)


async def test_caches_of_a_cluster_have_a_budget_and_others_go_on(tmp_path: Path) -> None:
    """A guest with more nodes than fit is reported and forgotten; its other kinds are followed."""

    async def crowded(guest: Guest, request: web.Request) -> web.StreamResponse:
        if request.query.get("watch"):
            return await guest.stream(request)
        size = 20_000 if request.path.endswith("/nodes") else 3
        items = [
            {"metadata": {"name": f"n{one}", "uid": str(one), "resourceVersion": "4"}}
            for one in range(size)
        ]
        begin = int(request.query.get("continue", "0"))
        end = begin + int(request.query["limit"])
        more = {"continue": str(end)} if end < size else {}
        return web.json_response(
            {"metadata": {"resourceVersion": "5", **more}, "items": items[begin:end]}
        )

    async with hostile.serving(tmp_path, crowded) as guest:
        limits = replace(GUEST, cache=MIB)
        async with (
            Client.from_kubeconfig_dict(loaded(guest.kubeconfig), limits=limits) as client,
            Informers(client, watch_list=False, listeners=Listeners.ONE) as informers,
            asyncio.timeout(20),
        ):
            few = informers.acquire(Selection(kinds.CLUSTER_ROLE))
            many = informers.acquire(Selection(kinds.NODE))
            await few.wait()
            while not informers.problem:  # noqa: ASYNC110 - a server's doing
                await asyncio.sleep(0.05)
            assert "nodes" in informers.problem
            assert "1 MiB" in informers.problem
            assert (len(few.cache), len(many.cache), many.synced) == (3, 0, False)


def test_shared_strings_have_an_end() -> None:
    shared = Shared(most=100)
    for number in range(1000):
        assert shared(f"label-{number}") == f"label-{number}"
    assert len(shared) <= 100
    assert shared("x" * 10_000) not in json.dumps(sorted(shared._known))  # noqa: SLF001


async def test_refusing_everything_takes_no_memory() -> None:
    """A hosted API server lists what it likes, and explains at length why nothing is rewritten."""
    many = [{"metadata": {"name": f"s{number}", "namespace": "x"}} for number in range(1000)]

    class Refusing(MemoryClient):
        async def listing(self, resource: Resource, *_: Any, **__: Any) -> Listing:
            return Listing(many if resource is kinds.SECRET else [], "1")

        async def patch(self, *_: Any, **__: Any) -> Manifest:
            raise ApiError(400, "No", "x" * 8000)

    rewriter, guest = Rewriter(), Refusing()
    tracemalloc.start()
    try:
        for _ in range(9):  # three times everything
            work = await rewriter.step("clusters-demo", "key", guest, ["secrets"])
        assert tracemalloc.get_traced_memory()[0] < MIB
    finally:
        tracemalloc.stop()
    assert len(work.refused) == len(many)
    assert "1000 of 1000 objects are refused, first secrets x/s" in work.problem
    assert len(work.problem) < 700
