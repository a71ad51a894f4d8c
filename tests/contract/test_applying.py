"""Server-side apply: ownership of fields, conflicts, force, and what goes when nobody wants it."""

import asyncio

from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kit import Manifest
from hypershift.kube import Conflict, NotFound, kinds


async def test_apply_creates_what_is_not_there(api: Api) -> None:
    made = await api.client().apply(api.config_map(x="1"))
    assert made["data"] == {"x": "1"}
    (entry,) = made["metadata"]["managedFields"]
    assert (entry["manager"], entry["operation"]) == ("alice", "Apply")
    assert entry["fieldsV1"] == {"f:data": {"f:x": {}}}


async def test_applying_the_same_again_changes_no_version(api: Api) -> None:
    made = await api.client().apply(api.widget(size=1))
    await asyncio.sleep(1.1)  # ownership carries times in whole seconds, which must not count
    assert version(await api.client().apply(api.widget(size=1))) == version(made)


async def test_a_field_that_is_no_longer_applied_goes(api: Api) -> None:
    await api.client().apply(api.config_map(a="1", b="2"))
    assert (await api.client().apply(api.config_map(a="1")))["data"] == {"a": "1"}


async def test_the_last_field_that_is_no_longer_applied_takes_its_map_along(api: Api) -> None:
    await api.client().apply(api.config_map(a="1"))
    bare = api.config_map()
    del bare["data"]
    assert not (await api.client().apply(bare)).get("data")


async def test_a_map_that_was_applied_empty_can_grow(api: Api) -> None:
    await api.client().apply(api.widget())
    grown = await api.client().apply(api.widget(size=1, deep={"x": 1}))
    assert grown["spec"] == {"size": 1, "deep": {"x": 1}}
    shrunk = await api.client().apply(api.widget(deep={}))
    assert list(shrunk["spec"]) == ["deep"]
    assert not shrunk["spec"]["deep"]


async def test_an_empty_map_of_labels_is_not_kept(api: Api) -> None:
    for manifest in (api.config_map(), api.widget()):
        manifest["metadata"]["labels"] = {}
        made = await api.client().apply(manifest)
        assert "labels" not in made["metadata"]


async def test_fields_of_others_stay(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1"))
    both = await api.client("bob").apply(api.config_map(b="2"))
    assert both["data"] == {"a": "1", "b": "2"}


async def test_a_field_of_two_owners_stays_when_one_lets_go(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1", b="2"))
    await api.client("bob").apply(api.config_map(b="2"))
    left = await api.client("alice").apply(api.config_map(a="1"))
    assert left["data"] == {"a": "1", "b": "2"}


async def test_another_value_for_a_field_of_others_is_a_conflict(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1"))
    error = await refusal(api.client("bob").apply(api.config_map(a="2"), force=False))
    assert isinstance(error, Conflict)
    (cause,) = error.details["causes"]
    assert cause["reason"] == "FieldManagerConflict"
    assert cause["field"] == ".data.a"
    assert "alice" in cause["message"]


async def test_the_same_value_is_no_conflict(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1"))
    shared = await api.client("bob").apply(api.config_map(a="1"), force=False)
    assert {one["manager"] for one in shared["metadata"]["managedFields"]} == {"alice", "bob"}


async def test_force_takes_the_field_away(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1"))
    taken = await api.client("bob").apply(api.config_map(a="2"), force=True)
    assert taken["data"] == {"a": "2"}
    assert [one["manager"] for one in taken["metadata"]["managedFields"]] == ["bob"]


async def test_apply_without_force_conflicts_with_an_update(api: Api) -> None:
    await api.client("alice").create(api.config_map(a="1"))
    error = await refusal(api.client("bob").apply(api.config_map(a="2"), force=False))
    assert isinstance(error, Conflict)


async def test_what_an_update_changed_is_no_longer_ours(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1", b="2"))
    await api.client("bob").patch(kinds.CONFIG_MAP, "one", {"data": {"a": "9"}}, api.namespace)
    left = await api.client("alice").apply(api.config_map(b="2"))
    assert left["data"] == {"a": "9", "b": "2"}


async def test_drift_is_repaired_by_applying_again(api: Api) -> None:
    await api.client("alice").apply(api.config_map(a="1"))
    await api.client("bob").patch(kinds.CONFIG_MAP, "one", {"data": {"a": "9"}}, api.namespace)
    assert (await api.client("alice").apply(api.config_map(a="1")))["data"] == {"a": "1"}


async def test_lists_of_custom_objects_are_atomic(api: Api) -> None:
    await api.client("alice").apply(api.widget(items=[{"name": "a"}]))
    taken = await api.client("bob").apply(api.widget(items=[{"name": "b"}]))
    assert taken["spec"]["items"] == [{"name": "b"}]


async def test_finalizers_of_two_appliers_are_a_set(api: Api) -> None:
    await api.client("alice").apply(api.config_map(finalizers=["a.io/x"]))
    both = await api.client("bob").apply(api.config_map(finalizers=["b.io/y"]))
    assert sorted(both["metadata"]["finalizers"]) == ["a.io/x", "b.io/y"]
    left = await api.client("alice").apply(api.config_map())
    assert left["metadata"]["finalizers"] == ["b.io/y"]
    await api.client("bob").apply(api.config_map())


async def test_owners_of_two_appliers_are_kept_by_uid(api: Api) -> None:
    first = await api.client().create(api.widget("first"))
    second = await api.client().create(api.widget("second"))
    await api.client("alice").apply(api.config_map(ownerReferences=[_owner(first)]))
    both = await api.client("bob").apply(api.config_map(ownerReferences=[_owner(second)]))
    uids = {one["uid"] for one in both["metadata"]["ownerReferences"]}
    assert uids == {first["metadata"]["uid"], second["metadata"]["uid"]}


def _owner(manifest: Manifest) -> Manifest:
    identity = {name: manifest[name] for name in ("apiVersion", "kind")}
    return identity | {name: manifest["metadata"][name] for name in ("name", "uid")}


async def test_containers_are_kept_by_name(api: Api) -> None:
    await api.client("alice").apply(_deployment(api, {"name": "main", "image": "a:1"}))
    both = await api.client("bob").apply(_deployment(api, {"name": "side", "image": "b:1"}))
    containers = both["spec"]["template"]["spec"]["containers"]
    assert [(one["name"], one["image"]) for one in containers] == [("main", "a:1"), ("side", "b:1")]
    left = await api.client("bob").apply(
        _deployment(api, {"name": "main", "image": "a:1"}), force=False
    )
    assert [one["name"] for one in left["spec"]["template"]["spec"]["containers"]] == ["main"]


async def test_one_field_of_a_container_can_be_anothers(api: Api) -> None:
    await api.client("alice").apply(_deployment(api, {"name": "main", "image": "a:1"}))
    limited = {"name": "main", "workingDir": "/srv"}
    both = await api.client("bob").apply(_deployment(api, limited))
    (container,) = both["spec"]["template"]["spec"]["containers"]
    assert (container["image"], container["workingDir"]) == ("a:1", "/srv")
    again = await api.client("alice").apply(_deployment(api, {"name": "main", "image": "a:2"}))
    (container,) = again["spec"]["template"]["spec"]["containers"]
    assert (container["image"], container["workingDir"]) == ("a:2", "/srv")


def _deployment(api: Api, container: Manifest) -> Manifest:
    labels = {"app": "x"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "one", "namespace": api.namespace},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }


async def test_apply_at_an_old_version_is_a_conflict(api: Api) -> None:
    made = await api.client().apply(api.config_map(a="1"))
    await api.client().apply(api.config_map(a="2"))
    old = api.config_map(a="3")
    old["metadata"]["resourceVersion"] = version(made)
    assert isinstance(await refusal(api.client().apply(old)), Conflict)


async def test_apply_with_managed_fields_is_a_bad_request(api: Api) -> None:
    made = await api.client().apply(api.config_map(a="1"))
    del made["metadata"]["resourceVersion"]
    assert (await refusal(api.client().apply(made))).status == 400


async def test_apply_to_the_status_changes_the_status_alone(api: Api) -> None:
    await api.client().apply(api.widget(size=1))
    wish = api.widget(size=9) | {"status": {"ready": True}}
    new = await api.client("reporter").apply(wish, subresource="status")
    assert (new["spec"], new["status"]) == ({"size": 1}, {"ready": True})
    entry = next(one for one in new["metadata"]["managedFields"] if one["manager"] == "reporter")
    assert entry["subresource"] == "status"


async def test_apply_to_the_main_endpoint_leaves_the_status(api: Api) -> None:
    made = await api.client().apply(api.widget(size=1) | {"status": {"ready": True}})
    assert "status" not in made


async def test_apply_to_the_status_of_nothing_is_not_found(api: Api) -> None:
    wish = api.widget("none") | {"status": {"ready": True}}
    error = await refusal(api.client().apply(wish, subresource="status"))
    assert isinstance(error, NotFound)


async def test_a_dry_run_applies_nothing(api: Api) -> None:
    await api.client().apply(api.config_map(a="1"))
    shown = await api.client().apply(api.config_map(a="2"), dry_run=True)
    assert shown["data"] == {"a": "2"}
    found = await api.client().get(kinds.CONFIG_MAP, "one", api.namespace)
    assert found["data"] == {"a": "1"}


async def test_generation_counts_applied_changes(api: Api) -> None:
    await api.client().apply(api.widget(size=1))
    assert (await api.client().apply(api.widget(size=2)))["metadata"]["generation"] == 2
    assert (await api.client().get(WIDGET, "one", api.namespace))["metadata"]["generation"] == 2


async def test_a_service_port_gets_its_defaults(api: Api) -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "one", "namespace": api.namespace},
        "spec": {"clusterIP": "None", "selector": {"a": "b"}, "ports": [{"port": 80}]},
    }
    made = await api.client().apply(service)
    (port,) = made["spec"]["ports"]
    assert (port["protocol"], port["targetPort"]) == ("TCP", 80)
    assert version(await api.client().apply(service)) == version(made)
