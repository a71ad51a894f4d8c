"""create: what the server adds, and what it refuses."""

from ipaddress import ip_address

from tests.lib.contract.api import WIDGET, Api, refusal, version

from hypershift.kube import AlreadyExists, Forbidden, Invalid, NotFound, kinds
from hypershift.kube.calls import Caller


async def test_the_server_names_version_uid_and_time(api: Api) -> None:
    made = await api.client().create(api.config_map())
    metadata = made["metadata"]
    assert metadata["uid"]
    assert metadata["creationTimestamp"].endswith("Z")
    assert int(metadata["resourceVersion"]) > 0


async def test_versions_grow_over_all_kinds(api: Api) -> None:
    first = await api.client().create(api.config_map())
    second = await api.client().create(api.widget())
    assert int(version(second)) > int(version(first))


async def test_a_second_of_the_same_name_already_exists(api: Api) -> None:
    await api.client().create(api.config_map())
    error = await refusal(api.client().create(api.config_map()))
    assert isinstance(error, AlreadyExists)
    assert error.status == 409


async def test_the_same_name_after_a_delete_is_another_object(api: Api) -> None:
    first = await api.client().create(api.config_map())
    await api.client().delete(kinds.CONFIG_MAP, "one", api.namespace)
    second = await api.client().create(api.config_map())
    assert first["metadata"]["uid"] != second["metadata"]["uid"]


async def test_generate_name_gives_different_names(api: Api) -> None:
    manifest = api.config_map()
    manifest["metadata"] = {"generateName": "some-", "namespace": api.namespace}
    names = {(await api.client().create(manifest))["metadata"]["name"] for _ in range(3)}
    assert len(names) == 3
    assert all(name.startswith("some-") and len(name) == 10 for name in names)


async def test_no_name_is_invalid(api: Api) -> None:
    manifest = api.config_map()
    del manifest["metadata"]["name"]
    assert isinstance(await refusal(api.client().create(manifest)), Invalid)


async def test_a_name_with_capitals_is_invalid(api: Api) -> None:
    assert isinstance(await refusal(api.client().create(api.widget("Bad_Name"))), Invalid)


async def test_a_version_on_a_new_object_is_a_bad_request(api: Api) -> None:
    manifest = api.config_map()
    manifest["metadata"]["resourceVersion"] = "7"
    error = await refusal(api.client().create(manifest))
    assert "resourceVersion should not be set" in error.message


async def test_a_namespace_that_is_not_there_is_not_found(api: Api) -> None:
    manifest = api.config_map()
    manifest["metadata"]["namespace"] = "nowhere"
    error = await refusal(api.client().create(manifest))
    assert isinstance(error, NotFound)
    assert error.details["kind"] == "namespaces"


async def test_a_terminating_namespace_takes_nothing_new(api: Api) -> None:
    name = f"{api.namespace}-ending"
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    await api.client().create(namespace)
    ending = await api.client().delete(kinds.NAMESPACE, name)
    assert ending is not None
    assert ending["status"]["phase"] == "Terminating"
    manifest = api.config_map()
    manifest["metadata"]["namespace"] = name
    assert isinstance(await refusal(api.client().create(manifest)), Forbidden)


async def test_status_of_a_new_custom_object_is_dropped(api: Api) -> None:
    made = await api.client().create(api.widget(size=1) | {"status": {"ready": True}})
    assert "status" not in made
    assert made["metadata"]["generation"] == 1


async def test_a_dry_run_creates_nothing(api: Api) -> None:
    made = await api.client().create(api.config_map(), dry_run=True)
    assert made["metadata"]["uid"]
    assert await api.client().find(kinds.CONFIG_MAP, "one", api.namespace) is None


async def test_string_data_of_a_secret_becomes_data(api: Api) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s", "namespace": api.namespace},
        "stringData": {"word": "hello"},
    }
    made = await api.client().create(secret)
    assert made["data"] == {"word": "aGVsbG8="}
    assert "stringData" not in made
    assert made["type"] == "Opaque"


async def test_a_new_object_belongs_to_whoever_created_it(api: Api) -> None:
    made = await api.client("alice").create(api.widget(size=1))
    (entry,) = made["metadata"]["managedFields"]
    assert (entry["manager"], entry["operation"]) == ("alice", "Update")
    assert "f:size" in entry["fieldsV1"]["f:spec"]


async def test_a_custom_object_in_a_wrong_namespace_is_a_bad_request(api: Api) -> None:
    manifest = api.widget()
    manifest["metadata"]["namespace"] = "kube-system"
    caller: Caller = api.client()._call  # noqa: SLF001 (a request that the client would not make)
    error = await refusal(caller.object("POST", WIDGET.collection(api.namespace), body=manifest))
    assert error.status == 400


async def test_a_service_has_an_address_of_its_own_and_gets_one_when_made_again(api: Api) -> None:
    """A real server draws by lot, so that a name may be given the address that it had before."""
    first = await api.client().create(api.service("one"))
    second = await api.client().apply(api.service("two"))
    await api.client().delete(kinds.SERVICE, "one", api.namespace)
    third = await api.client().create(api.service("one"))
    addresses = [one["spec"]["clusterIP"] for one in (first, second, third)]
    assert addresses[1] not in (addresses[0], addresses[2])
    assert all(ip_address(address) for address in addresses)


async def test_a_headless_service_and_a_name_elsewhere_have_no_address(api: Api) -> None:
    headless = await api.client().create(api.service("one", clusterIP="None"))
    elsewhere = {"type": "ExternalName", "externalName": "example.com"}
    named = await api.client().create(api.service("two", **elsewhere))
    assert headless["spec"]["clusterIP"] == "None"
    assert "clusterIP" not in named["spec"]
