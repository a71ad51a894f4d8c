"""delete: preconditions, finalizers, propagation, and the answers on which cached reads lean."""

from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kube import Conflict, Invalid, kinds


async def test_a_deleted_object_is_gone_and_the_answer_names_its_uid(api: Api) -> None:
    made = await api.client().create(api.config_map())
    answer = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    assert answer is not None
    assert (answer["kind"], answer["status"]) == ("Status", "Success")
    assert answer["details"]["uid"] == made["metadata"]["uid"]
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace) is None


async def test_deleting_a_custom_object_answers_the_same_way(api: Api) -> None:
    made = await api.client().create(api.widget())
    answer = await api.client().delete(WIDGET, "one", api.namespace)
    assert answer is not None
    assert answer["details"]["uid"] == made["metadata"]["uid"]


async def test_deleting_nothing_is_no_error(api: Api) -> None:
    assert await api.client().delete(WIDGET, "none", api.namespace) is None


async def test_delete_with_another_uid_is_a_conflict(api: Api) -> None:
    await api.client().create(api.config_map())
    uid = "00000000-0000-0000-0000-000000000000"
    error = await refusal(api.client().delete(kinds.CONFIG_MAP, "one", api.namespace, uid=uid))
    assert isinstance(error, Conflict)
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace)


async def test_delete_at_an_old_version_is_a_conflict(api: Api) -> None:
    made = await api.client().create(api.config_map(x="1"))
    await api.client().replace(made | {"data": {"x": "2"}})
    attempt = api.client().delete(
        kinds.CONFIG_MAP, "one", api.namespace, resource_version=version(made)
    )
    assert isinstance(await refusal(attempt), Conflict)


async def test_a_finalizer_keeps_the_object_and_marks_it(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x"]))
    answer = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    assert answer is not None
    assert answer["metadata"]["deletionTimestamp"]
    assert answer["metadata"]["finalizers"] == ["a.io/x"]
    await _release(api)


async def test_deleting_again_changes_nothing(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x"]))
    first = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    second = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    assert first is not None
    assert second is not None
    assert version(first) == version(second)
    await _release(api)


async def test_dropping_the_last_finalizer_ends_the_object(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x"]))
    marked = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    last = await _release(api)
    assert marked is not None
    assert last["metadata"]["deletionTimestamp"]
    assert "finalizers" not in last["metadata"]
    assert version(last) == version(marked)
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace) is None


async def test_one_of_two_finalizers_still_keeps_it(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x", "b.io/y"]))
    await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    patch = {"metadata": {"finalizers": ["b.io/y"]}}
    await api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace)
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace)
    await _release(api)


async def test_no_finalizer_is_added_to_a_dying_object(api: Api) -> None:
    await api.client().create(api.config_map(finalizers=["a.io/x"]))
    await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    patch = {"metadata": {"finalizers": ["a.io/x", "b.io/y"]}}
    error = await refusal(api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace))
    assert isinstance(error, Invalid)
    await _release(api)


async def test_a_dying_object_can_still_change(api: Api) -> None:
    await api.client().create(api.config_map(x="1", finalizers=["a.io/x"]))
    await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    new = await api.client().patch(kinds.CONFIG_MAP, "one", {"data": {"x": "2"}}, api.namespace)
    assert new["data"] == {"x": "2"}
    assert new["metadata"]["deletionTimestamp"]
    await _release(api)


async def test_deletion_counts_as_a_generation(api: Api) -> None:
    widget = api.widget(size=1)
    widget["metadata"]["finalizers"] = ["a.io/x"]
    await api.client().create(widget)
    marked = await api.client().delete(WIDGET, "one", api.namespace)
    assert marked is not None
    assert marked["metadata"]["generation"] == 2
    await api.client().patch(WIDGET, "one", {"metadata": {"finalizers": None}}, api.namespace)


async def test_foreground_deletion_waits_for_dependents(api: Api) -> None:
    await api.client().create(api.config_map())
    marked = await api.client().delete(
        kinds.CONFIG_MAP, "one", api.namespace, propagation="Foreground"
    )
    assert marked is not None
    assert marked["metadata"]["finalizers"] == ["foregroundDeletion"]
    await _release(api)


async def test_orphaning_waits_for_dependents_to_be_released(api: Api) -> None:
    await api.client().create(api.config_map())
    marked = await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace, propagation="Orphan")
    assert marked is not None
    assert marked["metadata"]["finalizers"] == ["orphan"]
    await _release(api)


async def test_delete_collection_deletes_what_the_selector_chooses(api: Api) -> None:
    for name, tier in (("a", "x"), ("b", "y"), ("c", "x")):
        await api.client().create(api.config_map(name, labels={"tier": tier}))
    await api.client().delete_collection(kinds.CONFIG_MAP, api.namespace, labels="tier=x")
    left = await api.client().list(kinds.CONFIG_MAP, api.namespace, labels="tier")
    assert [one["metadata"]["name"] for one in left] == ["b"]


async def test_a_dry_run_deletes_nothing(api: Api) -> None:
    await api.client().create(api.config_map())
    path = kinds.CONFIG_MAP.item("one", api.namespace)
    await api.client().raw("DELETE", path, query={"dryRun": "All"})
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace)


async def _release(api: Api) -> dict[str, dict[str, str]]:
    patch = {"metadata": {"finalizers": None}}
    return await api.client().patch(kinds.CONFIG_MAP, "one", patch, api.namespace)
