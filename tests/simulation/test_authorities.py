"""Authorities are replaced while everything goes wrong, and nobody is ever refused.

Processes die between any two writes, requests come at any time and twice. Every replica shows and
trusts what it was started with; whoever runs beside it must accept that, in every moment. In the
end the last request is done, and no key of a replacement is left.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any

import pytest
from tests.lib.parties import Parties
from tests.lib.planes import Operator, a_cluster, controllers, prepare
from tests.lib.seeds import seeds
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World, stream

from hypershift.api import annotations
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, kinds
from hypershift.pki import (
    SUCCESSION_SECRET,
    Algorithm,
    PrivateKey,
    Stage,
    Wanted,
    new_key,
    read_succession,
    reconcile,
)
from hypershift.pki.succession import decoded
from hypershift.runtime import Controller, condition_of

STORY, QUIET, MOST = 400.0, 150.0, 6000.0
NAME, PLACE = "blue", "clusters-blue"
RSA = lru_cache(new_key)


def keys(algorithm: Algorithm) -> PrivateKey:
    return RSA(algorithm) if algorithm is Algorithm.RSA_2048 else new_key(algorithm)


async def issue(
    existing: Mapping[tuple[str, str], Manifest], plan: Wanted, now: datetime
) -> list[Manifest]:
    """Make keys of which no two are the same: the story is about who signed what."""
    return reconcile(existing, plan, now, keys=keys)


def with_real_keys() -> list[Controller[Any]]:
    """Both controllers, with real keys."""
    return controllers(issue=issue)


async def _ask(client: Client, request: str) -> None:
    marks = {annotations.ROTATE_AUTHORITIES: request, annotations.ROTATE_AUTHORITIES_GRACE: "40s"}
    for _ in range(20):
        with suppress(ApiError):
            patch = {"metadata": {"annotations": marks}}
            await client.patch(kinds.HOSTED_CLUSTER, NAME, patch, "clusters")
            return


async def _live(client: Client, moments: list[float], policy: str) -> str:
    await client.create(a_cluster(NAME, controllerAvailabilityPolicy=policy))
    for index, moment in enumerate(moments):
        await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
        await _ask(client, f"request-{index}")
    return f"request-{len(moments) - 1}"


def told(world: World, request: str) -> list[str]:
    """What is not as it should be, now that the world is quiet."""
    (plane,) = world.server.all(kinds.HOSTED_CONTROL_PLANE)
    condition = condition_of(plane, "AuthoritiesRotated") or {}
    found: list[str] = []
    if condition.get("status") != "True" or request not in condition.get("message", ""):
        found.append(f"not done: {condition}")
    secrets = {one["metadata"]["name"]: one for one in world.server.all(kinds.SECRET)}
    data = decoded(secrets[SUCCESSION_SECRET])
    state = read_succession(data)
    if state is None or state.stage is not Stage.DONE or state.request != request:
        found.append(f"the Secret tells {state}")
    return [*found, *(f"{name} is left" for name in data if "." in name)]


async def _tell(
    seed: int, faults: tuple[Fault, ...], moments: list[float], policy: str
) -> list[str]:
    world = World(seed, list, faults)
    parties = Parties(world.client("player"), world.stream("player"), PLACE)
    operator = Operator(world, 0)
    operator.make = with_real_keys
    world.processes = [operator]
    await prepare(world.client("owner"))
    world.start()
    world.spawn(parties.run(), "player")
    world.spawn(parties.live(), "parties")
    try:
        request = await _live(world.client("owner"), moments, policy)
        if not await world.settle(quiet=QUIET, most=MOST):
            return ["the world never came to rest"]
        found = told(world, request)
        if written := await world.second_look(QUIET):
            found.append(f"a second look wrote {written} times")
        return [*found, *dict.fromkeys(parties.complaints)]
    finally:
        await world.stop()


def tell(
    seed: int, faults: tuple[Fault, ...], moments: list[float], policy: str = "HighlyAvailable"
) -> list[str]:
    return run_quietly(_tell(seed, faults, moments, policy))


def test_without_faults() -> None:
    assert tell(1000, (), [90.0], "SingleReplica") == []


def test_a_second_request_waits_for_the_first_one() -> None:
    assert tell(1001, (), [90.0, 120.0, 150.0], "SingleReplica") == []


@pytest.mark.parametrize("seed", seeds(12, least=4))
def test_whatever_happens_nobody_is_refused(seed: int) -> None:
    rng = stream(seed, "requests")
    moments = sorted(rng.uniform(0, STORY) for _ in range(rng.randint(1, 2)))
    faults = drawn(stream(seed, "faults"), until=STORY + 300, processes=1, most=12)
    assert tell(seed, faults, moments, rng.choice(["SingleReplica", "HighlyAvailable"])) == []


@pytest.mark.parametrize("kind", [Kind.CRASH_BEFORE, Kind.CRASH_AFTER])
def test_a_process_that_dies_again_and_again_between_two_writes_gets_there(kind: Kind) -> None:
    faults = tuple(Fault(60 + index * 3.1, kind) for index in range(120))
    assert tell(3000, faults, [70.0], "SingleReplica") == []
