"""get, find and list: what is there, at which version, chosen by selectors and cut into pages."""

import msgspec
import pytest
from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kit import Manifest
from hypershift.kube import NotFound, kinds
from hypershift.kube.client import Client


async def test_get_gives_the_object_as_created(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    found = await api.client().get(kinds.CONFIG_MAP, "one", api.namespace)
    assert found == made


async def test_get_of_nothing_is_not_found(api: Api) -> None:
    error = await refusal(api.client().get(kinds.CONFIG_MAP, "none", api.namespace))
    assert isinstance(error, NotFound)
    assert (error.status, error.reason, error.details["name"]) == (404, "NotFound", "none")


async def test_find_of_nothing_is_none(api: Api) -> None:
    assert await api.client().find(WIDGET, "none", api.namespace) is None


async def test_a_kind_that_is_not_served_is_not_found(api: Api) -> None:
    with pytest.raises(NotFound):
        await api.client().resource("nobody.example.io/v1", "Nothing")


async def test_discovery_knows_custom_kinds(api: Api) -> None:
    found = await api.client().resource(WIDGET.api_version, "Widget")
    assert found == WIDGET


async def test_list_is_ordered_by_name_and_carries_kinds(api: Api) -> None:
    for name in ("b", "c", "a"):
        await api.client().create(api.config_map(name))
    found = await api.client().list(kinds.CONFIG_MAP, api.namespace, labels="!kubernetes.io/auto")
    names = [one["metadata"]["name"] for one in found if one["metadata"]["name"] in "abc"]
    assert names == ["a", "b", "c"]
    assert {(one["apiVersion"], one["kind"]) for one in found} == {("v1", "ConfigMap")}


async def test_list_sees_one_namespace_or_all(api: Api) -> None:
    await api.client().create(api.widget("mine"))
    assert len(await api.client().list(WIDGET, api.namespace)) == 1
    everywhere = await api.client().list(WIDGET)
    assert api.namespace in {one["metadata"]["namespace"] for one in everywhere}
    assert await api.client().list(WIDGET, "kube-system") == []


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        ("tier=a", ["1"]),
        ("tier!=a", ["2", "3"]),
        ("tier", ["1", "2"]),
        ("!tier", ["3"]),
        ("tier in (a,b)", ["1", "2"]),
        ("tier notin (a)", ["2", "3"]),
        ("tier=b,zone=z", ["2"]),
        ("tier==a", ["1"]),
    ],
)
async def test_label_selectors_choose(api: Api, selector: str, chosen: list[str]) -> None:
    labels = {"1": {"tier": "a"}, "2": {"tier": "b", "zone": "z"}, "3": {"other": "x"}}
    for name, own in labels.items():
        widget = api.widget(name)
        widget["metadata"]["labels"] = own
        await api.client().create(widget)
    found = await api.client().list(WIDGET, api.namespace, labels=selector)
    assert [one["metadata"]["name"] for one in found] == chosen


async def test_field_selector_chooses_by_name(api: Api) -> None:
    for name in ("a", "b"):
        await api.client().create(api.config_map(name))
    found = await api.client().list(kinds.CONFIG_MAP, api.namespace, fields="metadata.name=b")
    assert [one["metadata"]["name"] for one in found] == ["b"]


async def test_pages_show_one_moment(api: Api) -> None:
    for number in range(5):
        await api.client().create(api.widget(f"w{number}"))
    listing = await api.client().listing(WIDGET, api.namespace, page=2)
    assert [one["metadata"]["name"] for one in listing.items] == [f"w{n}" for n in range(5)]


async def test_an_object_created_between_two_pages_is_not_in_the_second(api: Api) -> None:
    client = api.client()
    for number in range(3):
        await client.create(api.widget(f"w{number}"))
    first = await _page(client, api, "")
    await client.create(api.widget("w9"))
    second = await _page(client, api, first["metadata"]["continue"])
    assert [one["metadata"]["name"] for one in second["items"]] == ["w2"]
    assert second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]


async def _page(client: Client, api: Api, token: str) -> Manifest:
    query = {"limit": "2", "continue": token}
    answer: Manifest = msgspec.json.decode(
        await client.raw("GET", WIDGET.collection(api.namespace), query=query)
    )
    return answer


async def test_a_list_is_at_least_as_new_as_the_last_write(api: Api) -> None:
    made = await api.client().create(api.widget())
    listing = await api.client().listing(WIDGET, api.namespace)
    assert int(listing.resource_version) >= int(version(made))


async def test_readyz_answers_ok(api: Api) -> None:
    assert await api.client().raw("GET", "/readyz") == b"ok"
