"""One watch of a server listens for all, and who listens when that one is gone."""

import asyncio

from tests.lib.sim.faults import Kind
from tests.unit.kube.places import Place, play, same_as_server

from hypershift.kube import Request, kinds
from hypershift.kube.informers import Listeners
from hypershift.kube.reflector import Selection

FIRST, SECOND = Selection(kinds.CONFIG_MAP), Selection(kinds.SECRET)
A_WHILE = 200.0


def listening(requests: list[Request]) -> set[str]:
    """The kinds whose watches ask for signs of life."""
    return {one.path.rpartition("/")[2] for one in requests if one.parameter("allowWatchBookmarks")}


def test_the_first_listens_for_all() -> None:
    async def story(place: Place) -> None:
        for selection in (FIRST, SECOND):
            await place.informers.acquire(selection).wait()

    assert listening(play(story, listeners=Listeners.ONE).requests) == {"configmaps"}
    assert listening(play(story).requests) == {"configmaps", "secrets"}


def test_when_it_hears_nothing_all_connect_again() -> None:
    async def story(place: Place) -> None:
        await place.informers.acquire(SECOND).wait()
        quiet = place.informers.acquire(FIRST)
        await quiet.wait()
        place.fault(Kind.SILENCE)
        await place.put("new")
        await asyncio.sleep(A_WHILE)
        assert same_as_server(place, quiet)

    play(story, listeners=Listeners.ONE)


def test_when_it_goes_another_listens() -> None:
    async def story(place: Place) -> None:
        first = place.informers.acquire(FIRST)
        second = place.informers.acquire(SECOND)
        await first.wait()
        await second.wait()
        await place.informers.release(first)
        await asyncio.sleep(1)
        assert second.reflector.listens
        assert "secrets" in listening(place.requests)

    play(story, listeners=Listeners.ONE)


def test_a_kind_that_may_not_be_there_does_not_listen_for_others() -> None:
    async def story(place: Place) -> None:
        place.informers.acquire(FIRST, optional=True)
        await place.informers.acquire(SECOND).wait()

    assert listening(play(story, listeners=Listeners.ONE).requests) == {"secrets"}


def test_the_silence_of_a_server_is_that_of_the_one_who_listens() -> None:
    async def story(place: Place) -> None:
        listener = place.informers.acquire(FIRST)
        quiet = place.informers.acquire(SECOND)
        await quiet.wait()
        await asyncio.sleep(A_WHILE)
        assert place.informers.heard_at(quiet) == place.informers.heard_at(listener)

    play(story, listeners=Listeners.ONE)
