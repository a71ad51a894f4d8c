"""replace and patch: optimistic locks, status, generation, finalizers, and what never changes."""

import pytest
from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kube import Conflict, Invalid, NotFound, kinds


async def test_replace_at_the_current_version_works(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    made["data"] = {"x": "2"}
    new = await api.client().replace(made)
    assert new["data"] == {"x": "2"}
    assert int(version(new)) > int(version(made))


async def test_replace_at_an_old_version_is_a_conflict(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    await api.client().replace(made | {"data": {"x": "2"}})
    error = await refusal(api.client().replace(made | {"data": {"x": "3"}}))
    assert isinstance(error, Conflict)
    assert "the object has been modified" in error.message


async def test_replace_without_a_version_wins_for_a_config_map(api: Api) -> None:
    await api.client().create(api.config_map(x="1"))
    assert (await api.client().replace(api.config_map(x="2")))["data"] == {"x": "2"}


async def test_replace_without_a_version_is_invalid_for_a_custom_object(api: Api) -> None:
    await api.client().create(api.widget(size=1))
    assert isinstance(await refusal(api.client().replace(api.widget(size=2))), Invalid)


async def test_replace_of_nothing_is_not_found(api: Api) -> None:
    assert isinstance(await refusal(api.client().replace(api.config_map("none"))), NotFound)


async def test_replace_with_another_uid_is_a_conflict(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    made["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000"
    assert isinstance(await refusal(api.client().replace(made)), Conflict)


async def test_replacing_with_the_same_changes_no_version(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    assert version(await api.client().replace(made)) == version(made)


async def test_patching_with_the_same_changes_no_version(api: Api) -> None:
    made = await api.client().create(api.widget(size=1))
    patch = {"spec": {"size": 1}}
    assert version(await api.client().patch(WIDGET, "one", patch, api.namespace)) == version(made)


async def test_merge_patch_sets_and_removes(api: Api) -> None:
    await api.client().create(api.config_map(a="1", b="2"))
    patch = {"data": {"a": None, "c": "3"}}
    new = await api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace)
    assert new["data"] == {"b": "2", "c": "3"}


async def test_merge_patch_replaces_lists_whole(api: Api) -> None:
    await api.client().create(api.widget(items=[{"n": 1}, {"n": 2}]))
    patch = {"spec": {"items": [{"n": 3}]}}
    new = await api.client().patch(WIDGET, "one", patch, api.namespace)
    assert new["spec"]["items"] == [{"n": 3}]


async def test_patch_at_an_old_version_is_a_conflict(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    await api.client().replace(made | {"data": {"x": "2"}})
    patch = {"metadata": {"resourceVersion": version(made)}, "data": {"x": "3"}}
    error = await refusal(api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace))
    assert isinstance(error, Conflict)


async def test_patch_with_another_uid_is_invalid(api: Api) -> None:
    await api.client().create(api.config_map())
    patch = {"metadata": {"uid": "00000000-0000-0000-0000-000000000000"}}
    error = await refusal(api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace))
    assert isinstance(error, Invalid)


async def test_patch_of_nothing_is_not_found(api: Api) -> None:
    error = await refusal(api.client().patch(WIDGET, "none", {"spec": {}}, api.namespace))
    assert isinstance(error, NotFound)


async def test_json_patch_adds_tests_and_removes(api: Api) -> None:
    await api.client().create(api.widget(size=1, tags=["a"]))
    patch = [
        {"op": "test", "path": "/spec/size", "value": 1},
        {"op": "add", "path": "/spec/tags/-", "value": "b"},
        {"op": "remove", "path": "/spec/size"},
    ]
    new = await api.client().patch(WIDGET, "one", patch, api.namespace, kind="json")
    assert new["spec"] == {"tags": ["a", "b"]}


async def test_json_patch_tests_texts_with_odd_characters(api: Api) -> None:
    text = 'a&b<c>d \u2028 \u00e9 "quoted" \\ \n'
    await api.client().create(api.widget(text=text))
    patch = [
        {"op": "test", "path": "/spec/text", "value": text},
        {"op": "replace", "path": "/spec/text", "value": "x&y"},
    ]
    new = await api.client().patch(WIDGET, "one", patch, api.namespace, kind="json")
    assert new["spec"] == {"text": "x&y"}


async def test_json_patch_keeps_nulls_in_lists(api: Api) -> None:
    await api.client().create(api.widget())
    patch = [{"op": "add", "path": "/status", "value": {"history": [{"ended": None}]}}]
    new = await api.client().patch(
        WIDGET, "one", patch, api.namespace, kind="json", subresource="status"
    )
    assert new["status"] == {"history": [{"ended": None}]}


async def test_json_patch_replaces_even_what_is_not_there(api: Api) -> None:
    await api.client().create(api.widget(size=1))
    patch = [{"op": "replace", "path": "/spec/none", "value": 1}]
    new = await api.client().patch(WIDGET, "one", patch, api.namespace, kind="json")
    assert new["spec"] == {"size": 1, "none": 1}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "test", "path": "/spec/size", "value": 9},
        {"op": "remove", "path": "/spec/none"},
        {"op": "add", "path": "/spec/none/deeper", "value": 1},
    ],
)
async def test_a_json_patch_that_does_not_fit_is_invalid(
    api: Api, operation: dict[str, object]
) -> None:
    made = await api.client().create(api.widget(size=1))
    attempt = api.client().patch(WIDGET, "one", [operation], api.namespace, kind="json")
    assert isinstance(await refusal(attempt), Invalid)
    assert version(await api.client().get(WIDGET, "one", api.namespace)) == version(made)


async def test_generation_counts_changes_of_the_spec_alone(api: Api) -> None:
    client = api.client()
    await client.create(api.widget(size=1))
    labelled = await client.patch(
        WIDGET, "one", {"metadata": {"labels": {"a": "b"}}}, api.namespace
    )
    assert labelled["metadata"]["generation"] == 1
    resized = await client.patch(WIDGET, "one", {"spec": {"size": 2}}, api.namespace)
    assert resized["metadata"]["generation"] == 2
    reported = await client.patch(
        WIDGET, "one", {"status": {"ready": True}}, api.namespace, subresource="status"
    )
    assert reported["metadata"]["generation"] == 2


async def test_the_status_endpoint_changes_the_status_alone(api: Api) -> None:
    await api.client().create(api.widget(size=1))
    patch = {
        "spec": {"size": 9},
        "metadata": {"labels": {"a": "b"}},
        "status": {"ready": True},
    }
    new = await api.client().patch(WIDGET, "one", patch, api.namespace, subresource="status")
    assert new["spec"] == {"size": 1}
    assert new["status"] == {"ready": True}


async def test_the_main_endpoint_leaves_the_status(api: Api) -> None:
    client = api.client()
    await client.create(api.widget(size=1))
    await client.patch(
        WIDGET, "one", {"status": {"ready": True}}, api.namespace, subresource="status"
    )
    new = await client.patch(
        WIDGET, "one", {"status": {"ready": False}, "spec": {"size": 2}}, api.namespace
    )
    assert new["status"] == {"ready": True}
    replaced = await client.replace(new | {"status": {"ready": False}, "spec": {"size": 3}})
    assert replaced["status"] == {"ready": True}


async def test_replace_status_at_an_old_version_is_a_conflict(api: Api) -> None:
    client = api.client()
    made = await client.create(api.widget(size=1))
    await client.patch(WIDGET, "one", {"spec": {"size": 2}}, api.namespace)
    error = await refusal(client.replace_status(made | {"status": {"ready": True}}))
    assert isinstance(error, Conflict)


async def test_a_config_map_has_no_status_endpoint(api: Api) -> None:
    await api.client().create(api.config_map())
    attempt = api.client().patch(
        kinds.CONFIG_MAP, "one", {"data": {}}, api.namespace, subresource="status"
    )
    assert isinstance(await refusal(attempt), NotFound)


async def test_uid_and_creation_time_never_change(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    patch = {"metadata": {"creationTimestamp": "2001-01-01T00:00:00Z"}, "data": {"x": "2"}}
    new = await api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace)
    for field in ("uid", "creationTimestamp"):
        assert new["metadata"][field] == made["metadata"][field]


async def test_nobody_sets_a_deletion_time_by_writing_it(api: Api) -> None:
    await api.client().create(api.config_map())
    patch = {"metadata": {"deletionTimestamp": "2031-01-01T00:00:00Z", "labels": {"a": "b"}}}
    error = await refusal(api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace))
    assert isinstance(error, Invalid)


async def test_finalizers_are_replaced_whole_by_a_merge_patch(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x", "a.io/y"]))
    patch = {"metadata": {"finalizers": ["a.io/y"]}}
    new = await api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace)
    assert new["metadata"]["finalizers"] == ["a.io/y"]
    cleared = {"metadata": {"finalizers": None}}
    await api.client().patch(kinds.CONFIG_MAP, "one", cleared, api.namespace)


async def test_a_change_moves_its_field_to_the_writer(api: Api) -> None:
    await api.client("alice").create(api.widget(size=1, color="red"))
    new = await api.client("bob").patch(
        WIDGET, "one", {"spec": {"size": 2}}, api.namespace, manager="bob"
    )
    owners = {one["manager"]: one["fieldsV1"]["f:spec"] for one in new["metadata"]["managedFields"]}
    assert "f:size" in owners["bob"]
    assert "f:size" not in owners["alice"]
    assert "f:color" in owners["alice"]


async def test_a_service_keeps_its_address_through_every_write(api: Api) -> None:
    made = await api.client().create(api.service("one"))
    address = made["spec"]["clusterIP"]
    replaced = await api.client().replace(api.service("one", type="NodePort"))
    applied = await api.client("other").apply(api.service("one", type="LoadBalancer"))
    assert replaced["spec"]["clusterIP"] == applied["spec"]["clusterIP"] == address


async def test_the_address_of_a_service_cannot_be_chosen_anew(api: Api) -> None:
    await api.client().create(api.service("one"))
    patch = {"spec": {"clusterIP": "None"}}
    error = await refusal(api.client().patch(kinds.SERVICE, "one", patch, api.namespace))
    assert isinstance(error, Invalid)
    assert "may not change once set" in error.message
