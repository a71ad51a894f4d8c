"""Reflectors against the simulator: gaps, silence, expiry, refusals, and no busy loop."""

import asyncio
from typing import Any

from tests.lib.sim.faults import Kind
from tests.unit.kube.places import Place, names, play, same_as_server

from hypershift.kit import Manifest
from hypershift.kube import Request, Resource, Response, kinds
from hypershift.kube.reflector import Selection


async def changes_around(place: Place, kind: Kind) -> None:
    await place.put("kept", x="1")
    await place.put("gone")
    informer = place.informers.acquire(Selection(kinds.CONFIG_MAP))
    await informer.wait()
    place.fault(kind)
    await place.put("kept", x="2")
    await place.put("new")
    await place.user.delete(kinds.CONFIG_MAP, "gone", "default")
    await asyncio.sleep(200)
    assert same_as_server(place, informer)


def test_a_cut_watch_goes_on_where_it_was() -> None:
    place = play(lambda place: changes_around(place, Kind.CUT))
    lists = [one for one in place.requests if one.parameter("sendInitialEvents")]
    assert len(lists) == 1


def test_a_silent_watch_is_left_and_opened_again() -> None:
    play(lambda place: changes_around(place, Kind.SILENCE))


def test_an_expired_version_means_a_new_list_and_only_differences() -> None:
    async def story(place: Place) -> None:
        await place.put("same")
        informer = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await informer.wait()
        told: list[str] = []
        informer.subscribe(
            lambda change: told.extend(o["metadata"]["name"] for o in change.objects)
        )
        del told[:]
        place.fault(Kind.SILENCE)
        await place.put("other")
        place.server.store.compact()
        await asyncio.sleep(200)
        assert set(told) == {"other"}
        assert informer.reflector.relists == 2

    play(story)


def test_without_watch_list_pages_do_the_same() -> None:
    play(lambda place: changes_around(place, Kind.EXPIRE), watch_list=False)


def test_a_server_without_watch_list_is_listed() -> None:
    async def story(place: Place) -> None:
        refused = 0
        send = place.informers.client.transport.request

        async def old_server(request: Request) -> Response:
            nonlocal refused
            if request.parameter("sendInitialEvents"):
                refused += 1
                return Response(422, {}, b'{"reason":"Invalid","message":"sendInitialEvents"}')
            return await send(request)

        place.informers.client.transport.request = old_server  # type: ignore[method-assign]  # an older server
        await place.put("a")
        informer = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await asyncio.sleep(1)
        assert names(informer) == {"a"}
        place.fault(Kind.EXPIRE)
        await place.put("b")
        await asyncio.sleep(60)
        assert names(informer) == {"a", "b"}
        assert refused == 1

    play(story)


def test_a_server_that_refuses_is_asked_less_and_less_often() -> None:
    async def story(place: Place) -> None:
        place.informers.acquire(Selection(Resource("none.io", "v1", "things", "Thing")))
        await asyncio.sleep(600)

    assert 15 < len(play(story).requests) < 60


def test_a_server_that_ends_every_watch_at_once_does_not_spin_us() -> None:
    async def story(place: Place) -> None:
        async def ending(request: Request) -> Response:
            place.requests.append(request)
            body = b"" if request.parameter("watch") else b'{"metadata":{"resourceVersion":"5"}}'
            return Response(200, {}, body)

        place.informers.client.transport.request = ending  # type: ignore[method-assign]  # a broken proxy
        place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await asyncio.sleep(300)

    assert len(play(story).requests) < 60


def test_an_optional_kind_that_is_not_served_is_empty_until_it_is() -> None:
    thing = Resource("late.io", "v1", "things", "Thing")

    async def story(place: Place) -> None:
        informer = place.informers.acquire(Selection(thing), optional=True)
        await informer.wait()
        assert len(informer.cache) == 0
        place.server.catalog.add(thing)
        manifest = {"apiVersion": "late.io/v1", "kind": "Thing"}
        metadata = {"name": "a", "namespace": "default"}
        await place.user.create(manifest | {"metadata": metadata})
        await asyncio.sleep(60)
        assert names(informer) == {"a"}

    play(story)


def test_one_watch_serves_all_and_ends_with_the_last() -> None:
    async def story(place: Place) -> None:
        first = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        second = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await first.wait()
        assert first is second
        assert len(place.server.watches) == 1
        await place.informers.release(first)
        assert len(place.server.watches) == 1
        await place.informers.release(second)
        await asyncio.sleep(0)
        assert len(place.server.watches) == 0

    play(story)


def test_an_object_that_does_not_parse_does_not_end_the_watch() -> None:
    async def story(place: Place) -> None:
        informer = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await informer.wait()
        show = place.server.show

        def odd(record: Any) -> Manifest:
            return {"kind": "ConfigMap"} if record.key.name == "odd" else show(record)

        place.server.show = odd  # type: ignore[method-assign]  # a server with a bad day
        for watch in place.server.watches.values():
            watch._show = odd  # noqa: SLF001 (the open watch too)
        await place.put("odd")
        place.server.show = show  # type: ignore[method-assign]  # a better day
        await place.put("good")
        await asyncio.sleep(60)
        assert names(informer) == {"odd", "good"}

    play(story)


def test_managed_fields_are_not_kept() -> None:
    async def story(place: Place) -> None:
        await place.put("a")
        informer = place.informers.acquire(Selection(kinds.CONFIG_MAP))
        await informer.wait()
        (one,) = informer.cache.values()
        assert "managedFields" not in one["metadata"]

    play(story)
