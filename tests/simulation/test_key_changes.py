"""Keys change while everything goes wrong, and nothing that is stored is ever lost.

The user changes the key by naming another Secret, or by writing another key into the same one;
processes die between any two writes. Never is anything stored that an API server cannot read; in
the end everything is encrypted with the key of the spec, and no other key is configured.
"""

import asyncio
import random
from base64 import b64encode
from contextlib import suppress
from typing import Any

import pytest
from tests.lib.planes import Operator, a_cluster, controllers, encrypted, prepare
from tests.lib.seeds import seeds
from tests.lib.sim.faults import Fault, crashes, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World, stream
from tests.lib.stored import Stored
from tests.lib.workloads import PLAIN, Workloads, keys_of

from hypershift.controlplane.kube_apiserver.encryption import SECRET
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config import reencryption
from hypershift.runtime import Controller, condition_of

STORY, MOST = 240.0, 6000.0
#: What is refused is tried again after a minute, and says nothing new when it is refused again.
QUIET = 150.0
NAME, PLACE = "blue", "clusters-blue"


def key_controllers() -> list[Controller[Any]]:
    """Every controller that keys concern."""
    return [*controllers(), reencryption.controller()]


class Owner:
    """Changes keys, sometimes faster than they can be rolled."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng

    async def live(self, *, encrypted_from_the_start: bool) -> None:
        wish = a_cluster(NAME, controllerAvailabilityPolicy="HighlyAvailable")
        if encrypted_from_the_start:
            wish["spec"]["secretEncryption"] = encrypted("a")
        await self._client.create(wish)
        await asyncio.sleep(self._rng.uniform(0, 60))
        for moment in sorted(self._rng.uniform(60, STORY) for _ in range(6)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            act = self._rng.choice((self._name_another, self._name_another, self._write_another))
            with suppress(ApiError):
                await act(self._rng.choice("abc"))

    async def _name_another(self, letter: str) -> None:
        patch = {"spec": {"secretEncryption": encrypted(letter)}}
        await self._client.patch(kinds.HOSTED_CLUSTER, NAME, patch, "clusters")

    async def _write_another(self, letter: str) -> None:
        key = b64encode(self._rng.randbytes(32)).decode()
        await self._client.patch(kinds.SECRET, f"key-{letter}", {"data": {"key": key}}, "clusters")


def told(world: World) -> list[str]:
    """What is not as it should be, now that the world is quiet."""
    found: list[str] = []
    for plane in world.server.all(kinds.HOSTED_CONTROL_PLANE):
        condition = condition_of(plane, "EtcdDataEncryptionUpToDate") or {}
        if condition.get("status") != "True":
            found.append(f"not up to date: {condition}")
        section = plane["status"].get("secretEncryption") or {}
        if "targetKey" in section or "activeKey" not in section:
            found.append(f"a change is still under way: {section}")
        if any("completionTime" not in one for one in section.get("history") or ()):
            found.append(f"history is open: {section['history']}")
    return found


def left_over(world: World, stored: Stored) -> list[str]:
    secrets = {
        (one["metadata"]["namespace"], one["metadata"]["name"]): one
        for one in world.server.all(kinds.SECRET)
    }
    configured = keys_of(secrets.get((PLACE, SECRET)))
    keys = [one for one in configured if one != PLAIN]
    if len(keys) != 1 or configured[0] == PLAIN:
        return [f"the servers have {configured}"]
    others = stored.keys(PLACE) - set(keys)
    return [f"still stored with {sorted(others)}, not {keys}"] if others else []


def tell(seed: int, faults: tuple[Fault, ...], *, plain: bool = False) -> list[str]:
    return run_quietly(_tell(seed, faults, plain=plain))


async def _tell(seed: int, faults: tuple[Fault, ...], *, plain: bool) -> list[str]:
    world = World(seed, list, faults)
    workloads = Workloads(world.client("player"), lambda: world.changes)
    stored = Stored(workloads, world.client("users"), world.stream("users"))
    operator = Operator(world, 0)
    operator.make = key_controllers
    operator.remote_client = stored.connect
    world.processes = [operator]
    await prepare(world.client("owner"))
    world.start()
    world.spawn(workloads.run(), "player")
    world.spawn(stored.run(), "users")
    try:
        owner = Owner(world.client("owner"), world.stream("owner"))
        await owner.live(encrypted_from_the_start=not plain)
        found = await _end(world, stored)
        return [*found, *dict.fromkeys([*workloads.complaints, *stored.complaints])]
    finally:
        await world.stop()


async def _end(world: World, stored: Stored) -> list[str]:
    stored.moody = False  # what is refused again and again is quiet as well
    if not await world.settle(quiet=QUIET, most=MOST):
        return ["the world never came to rest"]
    found = [*told(world), *left_over(world, stored)]
    if written := await world.second_look(QUIET):
        found.append(f"a second look wrote {written} times")
    return found


@pytest.mark.parametrize("seed", seeds(12, least=4))
def test_whatever_happens_everything_stored_can_be_read(seed: int) -> None:
    faults = drawn(stream(seed, "faults"), until=STORY, processes=1, most=12)
    assert tell(seed, faults, plain=seed % 4 == 3) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    assert tell(3000, crashes(80, first=20, every=3.1)) == []


def test_encryption_that_begins_late_covers_what_was_stored_before() -> None:
    assert tell(4000, (), plain=True) == []
