"""Authorities are replaced while everything goes wrong, and nobody is ever refused.

Processes die between any two writes, requests come at any time and twice. Every replica shows and
trusts what it was started with; whoever runs beside it must accept that, in every moment, and no
token of a service account is refused while it lives. In the end the last request is done, and no
key of a replacement is left.
"""

import asyncio
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import pytest
from tests.lib.parties import LIFE, Parties
from tests.lib.planes import Operator, a_cluster, controllers, prepare
from tests.lib.seeds import seeds
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World, stream

from hypershift.api import annotations
from hypershift.ignition.authority import NAME as IGNITION
from hypershift.ignition.authority import has_followed
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.controlplane import succession
from hypershift.pki import (
    SUCCESSION_SECRET,
    Algorithm,
    Part,
    PrivateKey,
    Stage,
    Wanted,
    new_authority,
    new_key,
    read_succession,
    reconcile,
    settled,
    token_keys,
)
from hypershift.pki import succession as pki_succession
from hypershift.pki.succession import decoded
from hypershift.runtime import Controller, condition_of
from hypershift.servers import ignition
from hypershift.servers.ignition import replace as replace_ignition

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
    """Both controllers, with real keys, and that of an ignition server's authority."""
    own = ignition.Settings(namespace=PLACE, control_plane=PLACE)
    return [*controllers(issue=issue), replace_ignition.controller(own)]


async def _ask(client: Client, request: str, only: str) -> None:
    marks = {
        annotations.ROTATE_AUTHORITIES: request,
        annotations.ROTATE_AUTHORITIES_GRACE: "20s",
        annotations.ROTATE_AUTHORITIES_ONLY: only or None,
        annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME: f"{LIFE:.0f}s",
    }
    for _ in range(20):
        with suppress(ApiError):
            patch = {"metadata": {"annotations": marks}}
            await client.patch(kinds.HOSTED_CLUSTER, NAME, patch, "clusters")
            return


async def _make_ignition_authority(client: Client) -> None:
    """As a server of the cluster's own does when it starts."""
    made = new_authority("ignition-root-ca", datetime.now(UTC))
    data = {"tls.crt": made.pair.certificate, "tls.key": made.pair.key.reveal()}
    secret: Manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": IGNITION, "namespace": PLACE},
        "data": {name: b64encode(value).decode() for name, value in data.items()},
    }
    while True:
        with suppress(ApiError):
            await client.create(secret)
            return
        await asyncio.sleep(1)


#: When replacements are asked for, and of what.
Requests = Sequence[tuple[float, str]]


async def _live(client: Client, requests: Requests, policy: str) -> str:
    await client.create(a_cluster(NAME, controllerAvailabilityPolicy=policy))
    await _make_ignition_authority(client)
    for index, (moment, only) in enumerate(requests):
        await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
        await _ask(client, f"request-{index}", only)
    return f"request-{len(requests) - 1}"


def told(world: World, request: str, only: str) -> list[str]:
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
    authority = secrets[IGNITION]
    if only != Part.TOKEN_KEYS and not has_followed(authority, request):
        found.append("the ignition server has its old authority")
    left = {"old.crt", "cross.crt"} & authority["data"].keys()
    return [*found, *(f"{name} is left" for name in (*data, *left) if "." in name)]


async def _tell(seed: int, faults: tuple[Fault, ...], requests: Requests, policy: str) -> list[str]:
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
        request = await _live(world.client("owner"), requests, policy)
        if not await world.settle(quiet=QUIET, most=MOST):
            return ["the world never came to rest"]
        found = told(world, request, requests[-1][1])
        if written := await world.second_look(QUIET):
            found.append(f"a second look wrote {written} times")
        return [*found, *dict.fromkeys(parties.complaints)]
    finally:
        await world.stop()


def tell(
    seed: int, faults: tuple[Fault, ...], requests: Requests, policy: str = "HighlyAvailable"
) -> list[str]:
    return run_quietly(_tell(seed, faults, requests, policy))


@pytest.mark.parametrize("only", ["", *Part])
def test_without_faults(only: str) -> None:
    assert tell(1000, (), [(90.0, only)], "SingleReplica") == []


def test_a_second_request_waits_for_the_first_one() -> None:
    requests = [(90.0, ""), (120.0, Part.AUTHORITIES), (150.0, Part.TOKEN_KEYS)]
    assert tell(1001, (), requests, "SingleReplica") == []


@pytest.mark.parametrize("seed", seeds(12, least=4))
def test_whatever_happens_nobody_is_refused(seed: int) -> None:
    rng = stream(seed, "requests")
    moments = sorted(rng.uniform(0, STORY) for _ in range(rng.randint(1, 2)))
    requests = [(moment, rng.choice(("", "", *Part))) for moment in moments]
    faults = drawn(stream(seed, "faults"), until=STORY + 300, processes=1, most=12)
    assert tell(seed, faults, requests, rng.choice(["SingleReplica", "HighlyAvailable"])) == []


@pytest.mark.parametrize("kind", [Kind.CRASH_BEFORE, Kind.CRASH_AFTER])
def test_a_process_that_dies_again_and_again_between_two_writes_gets_there(kind: Kind) -> None:
    faults = tuple(Fault(60 + index * 3.1, kind) for index in range(120))
    assert tell(3000, faults, [(70.0, "")], "SingleReplica") == []


def test_a_key_that_signs_before_it_is_accepted_everywhere_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(token_keys, "read", hasty)
    assert any("are refused" in text for text in tell(4000, (), [(90.0, Part.TOKEN_KEYS)]))


def hasty(data: Mapping[str, bytes], *, signs: bool, both: bool) -> token_keys.TokenKeys | None:
    """As the product's, and the successor signs from the beginning."""
    found = READ(data, signs=signs, both=both)
    return replace(found, signs=True) if found else None


READ = token_keys.read


def test_a_key_that_is_dropped_while_its_tokens_live_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(succession, "settled", lambda now: settled(now - timedelta(hours=1)))
    assert any("are refused" in text for text in tell(4001, (), [(90.0, Part.TOKEN_KEYS)]))


def test_a_token_that_a_secret_keeps_and_nobody_renews_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pki_succession.Succession, "next_stage", property(straight))
    found = tell(4002, (), [(90.0, Part.TOKEN_KEYS)])
    assert any("that a Secret keeps" in text for text in found)


def straight(found: pki_succession.Succession) -> Stage:
    """The stages without that of tokens."""
    return {Stage.TRUST: Stage.REISSUE, Stage.REISSUE: Stage.DROP}.get(found.stage, Stage.DONE)
