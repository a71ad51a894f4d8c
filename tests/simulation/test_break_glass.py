"""Break-glass access and its end, in a world where everything goes wrong.

Whatever happened, in the end requests that were approved have certificates, a revocation is
complete, certificates from before it are refused by every API server, and a second look writes
nothing.
"""

import asyncio
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from tests.lib.seeds import seeds
from tests.lib.signers import (
    NAMESPACE,
    Servers,
    a_plane,
    a_request,
    a_revocation,
    an_approval,
)
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World, stream

from hypershift.api.conditions import RevocationCondition
from hypershift.kit import data_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.pki import CLASSES, CUSTOMER, Environment, controllers
from hypershift.runtime import is_true

STORY, QUIET, MOST = 120.0, 200.0, 6000.0


async def _signed(client: Client, name: str) -> bytes:
    """The certificate of a request, once it has one."""
    for _ in range(1000):
        await asyncio.sleep(1)
        found = await client.find(kinds.CERTIFICATE_SIGNING_REQUEST, name)
        if text := ((found or {}).get("status") or {}).get("certificate"):
            return b64decode(text)
    raise AssertionError(f"{name} was never signed: {found}")


async def _ask(client: Client) -> list[bytes]:
    for which in CLASSES:
        await client.create(a_request(which, which.prefix))
        await client.create(an_approval(which.prefix))
    return [await _signed(client, which.prefix) for which in CLASSES]


async def _story(world: World, servers: Servers) -> AsyncIterator[str]:
    client = world.client("user")
    customer, sre = await _ask(client)
    secret = await client.get(kinds.SECRET, CUSTOMER.client, NAMESPACE)
    ready_made = data_of(secret, "tls.crt")
    await client.create(a_revocation(CUSTOMER.name))
    await client.create(a_revocation(CUSTOMER.name, "again"))
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the world never came to rest"
        return
    for request in world.server.all(kinds.CERTIFICATE_REVOCATION_REQUEST):
        for kind in RevocationCondition:
            if not is_true(request, kind):
                yield f"{request['metadata']['name']}: {kind} does not hold: {request['status']}"
    for old in (customer, ready_made):
        if servers.accepted_anywhere(old):
            yield "a certificate from before the revocation is accepted"
    if not servers.accepted_everywhere(sre):
        yield "the other signer's certificates do not work any more"
    for which in CLASSES:
        found = await client.get(kinds.SECRET, which.client, NAMESPACE)
        if not servers.accepted_everywhere(data_of(found, "tls.crt")):
            yield f"{which.client} is not accepted"


async def _tell(seed: int, faults: tuple[Fault, ...], *, late: bool) -> list[str]:
    played: list[Servers] = []

    def made() -> tuple[object, ...]:
        return controllers(Environment(check=played[0].check))

    world = World(seed, made, faults)  # type: ignore[arg-type]
    servers = Servers(world.client("kubelet"))
    played.append(servers)
    await servers.prepare()
    await world.client("owner").create(a_plane())
    world.start()
    world.spawn(servers.follow() if late else servers.run(), "servers")
    try:
        found = [one async for one in _story(world, servers)]
        if written := await world.second_look(QUIET):
            found.append(f"a second look wrote {written} times")
        return found
    finally:
        with suppress(ApiError):
            await world.stop()


def tell(seed: int, faults: tuple[Fault, ...], *, late: bool = False) -> list[str]:
    return run_quietly(_tell(seed, faults, late=late))


@pytest.mark.parametrize("seed", seeds(2, least=8))
def test_whatever_happens_a_revocation_ends_access_and_is_complete(seed: int) -> None:
    drawn_ = drawn(stream(seed, "faults"), until=STORY, processes=1, most=12)
    assert tell(seed, tuple(one for one in drawn_ if one.kind is not Kind.JUMP)) == []


def test_without_faults_too() -> None:
    assert tell(1000, ()) == []


def test_kubelets_that_do_not_look_by_themselves_are_asked_to() -> None:
    assert tell(1001, (), late=True) == []


@pytest.mark.parametrize("kind", [Kind.CRASH_BEFORE, Kind.CRASH_AFTER, Kind.LOST_ANSWER])
def test_a_process_that_dies_at_each_of_its_writes_gets_there(kind: Kind) -> None:
    """Every write of the whole flow meets a fault: one is always armed for the next."""
    assert tell(2000, tuple(Fault(index * 3.5, kind) for index in range(60))) == []
