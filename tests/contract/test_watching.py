"""watch: order, versions, selectors, bookmarks, initial events, ends and expiry."""

import asyncio

import msgspec
import pytest
from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kube import ApiError, Gone, kinds
from hypershift.kube.reflector import INITIAL_EVENTS_END


async def test_a_watch_from_nowhere_tells_what_is_there(api: Api) -> None:
    for name in ("b", "a"):
        await api.client().create(api.widget(name))
    events = await api.events(WIDGET, 2)
    assert {(one.type, one.object["metadata"]["name"]) for one in events} == {
        ("ADDED", "a"),
        ("ADDED", "b"),
    }


async def test_a_watch_from_a_version_tells_what_came_after_in_order(api: Api) -> None:
    client = api.client()
    first = await client.create(api.widget("a", size=1))
    await client.create(api.widget("b"))
    await client.patch(WIDGET, "a", {"spec": {"size": 2}}, api.namespace)
    await client.delete(WIDGET, "b", api.namespace)
    events = await api.events(WIDGET, 3, since=version(first))
    assert [(one.type, one.object["metadata"]["name"]) for one in events] == [
        ("ADDED", "b"),
        ("MODIFIED", "a"),
        ("DELETED", "b"),
    ]
    versions = [int(version(one.object)) for one in events]
    assert versions == sorted(versions)
    assert versions[0] > int(version(first))


async def test_a_deletion_has_a_version_of_its_own(api: Api) -> None:
    made = await api.client().create(api.widget())
    await api.client().delete(WIDGET, "one", api.namespace)
    (event,) = await api.events(WIDGET, 1, since=version(made))
    assert event.type == "DELETED"
    assert int(version(event.object)) > int(version(made))
    assert event.object["metadata"]["uid"] == made["metadata"]["uid"]


async def test_a_list_and_a_watch_from_its_version_miss_nothing(api: Api) -> None:
    await api.client().create(api.widget("a"))
    listing = await api.client().listing(WIDGET, api.namespace)
    await api.client().create(api.widget("b"))
    (event,) = await api.events(WIDGET, 1, since=listing.resource_version)
    assert event.object["metadata"]["name"] == "b"


async def test_changes_arrive_while_the_watch_is_open(api: Api) -> None:
    listing = await api.client().listing(WIDGET, api.namespace)
    watching = asyncio.create_task(api.events(WIDGET, 2, since=listing.resource_version))
    await asyncio.sleep(0.2)
    await api.client().create(api.widget())
    await api.client().patch(WIDGET, "one", {"spec": {"size": 2}}, api.namespace)
    assert [one.type for one in await watching] == ["ADDED", "MODIFIED"]


async def test_marking_for_deletion_is_a_modification(api: Api) -> None:
    widget = api.widget()
    widget["metadata"]["finalizers"] = ["a.io/x"]
    made = await api.client().create(widget)
    await api.client().delete(WIDGET, "one", api.namespace)
    await api.client().patch(WIDGET, "one", {"metadata": {"finalizers": None}}, api.namespace)
    events = await api.events(WIDGET, 2, since=version(made))
    assert [one.type for one in events] == ["MODIFIED", "DELETED"]
    assert events[0].object["metadata"]["deletionTimestamp"]


async def test_a_write_that_changes_nothing_is_no_event(api: Api) -> None:
    made = await api.client().create(api.widget(size=1))
    await api.client().patch(WIDGET, "one", {"spec": {"size": 1}}, api.namespace)
    await api.client().patch(WIDGET, "one", {"spec": {"size": 2}}, api.namespace)
    (event,) = await api.events(WIDGET, 1, since=version(made))
    assert event.object["spec"] == {"size": 2}


async def test_an_object_that_leaves_the_selector_is_deleted_for_the_watcher(api: Api) -> None:
    client = api.client()
    widget = api.widget()
    widget["metadata"]["labels"] = {"tier": "a"}
    made = await client.create(widget)
    await client.patch(WIDGET, "one", {"metadata": {"labels": {"tier": "b"}}}, api.namespace)
    await client.patch(WIDGET, "one", {"metadata": {"labels": {"tier": "a"}}}, api.namespace)
    events = await api.events(WIDGET, 2, since=version(made), labels="tier=a")
    assert [one.type for one in events] == ["DELETED", "ADDED"]


async def test_a_watch_sees_one_namespace(api: Api) -> None:
    listing = await api.client().listing(kinds.CONFIG_MAP)
    other = api.config_map("other")
    other["metadata"]["namespace"] = "default"
    await api.client().apply(other)
    await api.client().create(api.config_map("mine"))
    events = await api.events(kinds.CONFIG_MAP, 1, since=listing.resource_version, labels="!x")
    assert events[0].object["metadata"]["name"] == "mine"
    await api.client().delete(kinds.CONFIG_MAP, "other", "default")


async def test_initial_events_end_with_a_bookmark(api: Api) -> None:
    await api.client().create(api.widget("a"))
    last = await api.client().create(api.widget("b"))
    events = await api.events(WIDGET, 3, initial_events=True)
    assert [one.type for one in events] == ["ADDED", "ADDED", "BOOKMARK"]
    mark = events[2].object["metadata"]
    assert mark["annotations"][INITIAL_EVENTS_END] == "true"
    assert int(mark["resourceVersion"]) >= int(version(last))
    assert events[2].object["kind"] == "Widget"


async def test_initial_events_of_an_empty_kind_are_a_bookmark(api: Api) -> None:
    (event,) = await api.events(WIDGET, 1, initial_events=True)
    assert event.type == "BOOKMARK"


async def test_changes_follow_the_initial_events(api: Api) -> None:
    await api.client().create(api.widget("a"))
    watching = asyncio.create_task(api.events(WIDGET, 3, initial_events=True))
    await asyncio.sleep(0.3)
    await api.client().create(api.widget("b"))
    events = await watching
    assert [one.type for one in events] == ["ADDED", "BOOKMARK", "ADDED"]


async def test_initial_events_need_a_version_match(api: Api) -> None:
    path = WIDGET.collection(api.namespace)
    query = {"watch": "true", "sendInitialEvents": "true", "allowWatchBookmarks": "true"}
    error = await refusal(api.client().raw("GET", path, query=query))
    assert error.status == 422


async def test_a_watch_ends_when_its_time_is_over(api: Api) -> None:
    listing = await api.client().listing(WIDGET, api.namespace)
    stream = api.client().watch(
        WIDGET, api.namespace, resource_version=listing.resource_version, timeout=1
    )
    async with asyncio.timeout(10):
        assert [event async for event in stream] == []


async def test_two_watches_see_the_same(api: Api) -> None:
    listing = await api.client().listing(WIDGET, api.namespace)
    since = listing.resource_version
    for number in range(5):
        await api.client().create(api.widget(f"w{number}"))
    first, second = await asyncio.gather(
        api.events(WIDGET, 5, since=since), api.events(WIDGET, 5, since=since)
    )
    assert first == second


async def test_an_old_version_is_gone(api: Api) -> None:
    made = await api.client().create(api.widget("a"))
    await api.client().create(api.widget("b"))
    await api.expire()
    with pytest.raises(Gone):
        await api.events(WIDGET, 1, since=version(made))


async def test_an_old_page_is_gone(api: Api) -> None:
    for number in range(4):
        await api.client().create(api.config_map(f"c{number}"))
    path = kinds.CONFIG_MAP.collection(api.namespace)
    first = msgspec.json.decode(await api.client().raw("GET", path, query={"limit": "1"}))
    await api.client().create(api.config_map("late"))
    await api.expire()
    query = {"limit": "1", "continue": first["metadata"]["continue"]}
    error: ApiError = await refusal(api.client().raw("GET", path, query=query))
    assert isinstance(error, Gone)
