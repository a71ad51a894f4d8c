"""Leadership: one at a time, checked before every write, given back, lost in time."""

import asyncio
from contextlib import nullcontext
from typing import Any

import pytest
from tests.lib.stage import Stage, leadership, play

from hypershift.kube import Request, Resource, Response, Unavailable, kinds
from hypershift.kube.websocket import socket_of
from hypershift.runtime import Controller, Done, LeadershipLost, NotLeader, Outcome, Scope
from hypershift.runtime.leader import Elector, GatedTransport

THING = Resource("test.io", "v1", "things", "Thing")


def counting(name: str, calls: list[str]) -> Controller[Scope]:
    async def work(scope: Scope) -> Outcome:
        calls.append(name)
        scope.status["by"] = name
        return Done()

    return Controller(name="thing", resource=THING, scope=Scope, normal=(work,))


def holder(stage: Stage) -> str:
    lease = stage.server.find(kinds.LEASE, "operator", "kube-system")
    return str(lease["spec"]["holderIdentity"]) if lease else ""


def test_one_of_two_works_and_the_other_takes_over_at_once_when_it_stops() -> None:
    async def story(stage: Stage) -> None:
        calls: list[str] = []
        first = stage.manage(counting("one", calls), leadership=leadership("one"))
        await asyncio.sleep(1)
        stage.manage(counting("two", calls), leadership=leadership("two"))
        await stage.create(THING, "a")
        await asyncio.sleep(10)
        assert set(calls) == {"one"}
        await stage.stop(first)
        await asyncio.sleep(4)
        assert holder(stage) == "two"
        await stage.create(THING, "b")
        await asyncio.sleep(1)
        assert calls[-1] == "two"

    play(story, kinds=[THING])


def test_a_leader_that_dies_is_replaced_after_its_lease() -> None:
    async def story(stage: Stage) -> None:
        calls: list[str] = []
        client = stage.client()
        first = stage.manage(counting("one", calls), leadership=leadership("one"), client=client)
        await asyncio.sleep(1)
        stage.manage(counting("two", calls), leadership=leadership("two"))
        await asyncio.sleep(5)
        client.transport.die()  # type: ignore[attr-defined]  # the simulator's transport can
        died = asyncio.get_running_loop().time()
        took: list[float] = []
        stage.server.store.listen(
            lambda _: (
                took.append(asyncio.get_running_loop().time() - died)
                if holder(stage) == "two"
                else None
            )
        )
        await asyncio.sleep(25)
        assert 8 < took[0] < 20
        with pytest.raises(LeadershipLost):
            await stage.task(first)

    play(story, kinds=[THING])


def test_a_frozen_leader_sends_nothing_when_it_wakes() -> None:
    class Freezing:
        """A clock and a network that stand still for one process."""

        def __init__(self, stage: Stage) -> None:
            self._stage = stage
            self.offset = 0.0

        def now(self) -> Any:
            return self._stage.clock.now()

        def monotonic(self) -> float:
            return self._stage.clock.monotonic() + self.offset

        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    async def story(stage: Stage) -> None:
        clock = Freezing(stage)
        elector = Elector(stage.user, leadership("one"), clock=clock, rng=stage.rng)
        await elector.acquire()
        elector.check()
        clock.offset = 9.9
        elector.check()
        clock.offset = 10.1
        with pytest.raises(NotLeader):
            elector.check()
        with pytest.raises(LeadershipLost):
            await elector.keep()

    play(story)


def test_no_write_passes_the_gate_of_a_deposed_leader() -> None:
    async def story(stage: Stage) -> None:
        held: list[str] = []

        async def work(scope: Scope) -> Outcome:
            held.append("begin")
            await asyncio.sleep(60)
            scope.status["late"] = True
            return Done()

        controller = Controller(name="thing", resource=THING, scope=Scope, normal=(work,))
        client = stage.client()
        first = stage.manage(controller, leadership=leadership("one"), client=client)
        await asyncio.sleep(1)
        await stage.create(THING, "a")
        await asyncio.sleep(1)
        assert held == ["begin"]
        client.transport.die()  # type: ignore[attr-defined]  # the simulator's transport can
        with pytest.raises(LeadershipLost):
            await stage.task(first)
        await asyncio.sleep(120)
        assert not (await stage.user.get(THING, "a", "default")).get("status")
        sent = [one for one in stage.requests if "/things/" in one.path and one.method == "PATCH"]
        assert sent == []

    play(story, kinds=[THING])


def test_an_unreachable_server_does_not_make_leaders() -> None:
    class Down:
        async def request(self, request: Request) -> Response:
            raise Unavailable(0, "Down", attempt=str(request))

        async def close(self) -> None:
            return None

    async def story(stage: Stage) -> None:
        stage.user.transport = Down()
        client = type(stage.user)(Down(), rng=stage.rng)
        elector = Elector(client, leadership("one"), clock=stage.clock, rng=stage.rng)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60):
                await elector.acquire()
        assert not elector.leading

    play(story)


def test_transitions_are_counted_and_times_are_micro_times() -> None:
    async def story(stage: Stage) -> None:
        for name in ("one", "two"):
            elector = Elector(stage.user, leadership(name), clock=stage.clock, rng=stage.rng)
            await elector.acquire()
            await elector.release()
        lease = stage.server.find(kinds.LEASE, "operator", "kube-system")
        assert lease is not None
        assert lease["spec"]["leaseTransitions"] == 1
        assert lease["spec"]["renewTime"].endswith("Z")
        assert "." in lease["spec"]["renewTime"]

    play(story)


class _Wire:
    """A transport that only notes which sockets were asked for."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    async def request(self, request: Request) -> Response:
        raise NotImplementedError(str(request))

    def socket(self, request: Request, protocol: str) -> Any:
        self.opened.append(f"{request} {protocol}")
        return nullcontext()

    async def close(self) -> None:
        return None


class _Term:
    """An elector that leads while it is told to."""

    def __init__(self) -> None:
        self.leading = True

    def check(self) -> None:
        if not self.leading:
            raise NotLeader("not now")


def test_commands_in_pods_pass_while_we_lead_and_not_afterwards() -> None:
    wire, term = _Wire(), _Term()
    gated = GatedTransport(wire, term)  # type: ignore[arg-type]  # all that it asks of an elector
    request = Request("GET", "/api/v1/namespaces/a/pods/b/exec")
    socket_of(gated, request, "v5.channel.k8s.io")
    assert wire.opened == [f"{request} v5.channel.k8s.io"]
    term.leading = False
    with pytest.raises(NotLeader):
        socket_of(gated, request, "v5.channel.k8s.io")
