"""Views keep what they do not know."""

import copy
from typing import Any

import pytest
from tests.unit.api.shapes import Car, CarSpec, CarStatus, Wheel

from hypershift.api import HostedControlPlane, NodePool, decode, encode, read, replace, write
from hypershift.kit import InvalidSpec


def a_car() -> dict[str, Any]:
    return {
        "apiVersion": "cars.example.com/v1",
        "kind": "Car",
        "metadata": {"name": "beetle", "managedFields": [{"manager": "x"}]},
        "spec": {
            "color": "ultraviolet",
            "wings": 2,
            "wheels": [
                {"name": "left", "size": 15, "brand": "a"},
                {"name": "right", "size": 15, "brand": "b"},
            ],
        },
    }


def test_a_value_that_an_enum_does_not_know_yet_can_be_read() -> None:
    assert read(Car, a_car()).spec.color == "ultraviolet"


def test_writing_what_was_read_changes_nothing() -> None:
    assert write(a_car(), read(Car, a_car())) == a_car()


def test_a_change_keeps_unknown_fields_beside_it() -> None:
    car = read(Car, a_car())
    left, right = car.spec.wheels
    changed = replace(car.spec, color="red", wheels=(replace(left, size=17), right))
    wanted = copy.deepcopy(a_car())
    wanted["spec"]["color"] = "red"
    wanted["spec"]["wheels"][0]["size"] = 17
    assert write(a_car(), replace(car, spec=changed)) == wanted


def test_an_item_that_moves_takes_its_unknown_fields_along() -> None:
    car = read(Car, a_car())
    turned = replace(car, spec=replace(car.spec, wheels=car.spec.wheels[::-1]))
    assert [each["brand"] for each in write(a_car(), turned)["spec"]["wheels"]] == ["b", "a"]


def test_an_item_that_goes_takes_nothing_else_with_it() -> None:
    car = read(Car, a_car())
    fewer = replace(car, spec=replace(car.spec, wheels=car.spec.wheels[1:]))
    assert write(a_car(), fewer)["spec"]["wheels"] == [{"name": "right", "size": 15, "brand": "b"}]


def test_a_new_item_begins_without_anybody_elses_fields() -> None:
    car = read(Car, a_car())
    spare = Wheel(name="spare")
    more = replace(car, spec=replace(car.spec, wheels=(*car.spec.wheels, spare)))
    assert write(a_car(), more)["spec"]["wheels"][2] == {"name": "spare"}


def test_what_is_unset_disappears() -> None:
    car = read(Car, a_car())
    bare = replace(car, spec=replace(car.spec, wheels=()))
    assert "wheels" not in write(a_car(), bare)["spec"]


def test_a_status_appears_where_there_was_none() -> None:
    car = read(Car, a_car())
    driven = replace(car, status=CarStatus(kilometres=3))
    assert write(a_car(), driven)["status"] == {"kilometres": 3}


def test_a_new_object_is_written_without_what_was_not_given() -> None:
    assert encode(Car(spec=CarSpec(color="red"))) == {"spec": {"color": "red"}}


def test_json_and_manifests_read_alike() -> None:
    body = b'{"spec": {"color": "red", "wheels": [{"name": "left"}]}}'
    assert decode(Car, body) == Car(spec=CarSpec(color="red", wheels=(Wheel(name="left"),)))


def test_what_cannot_be_read_is_said_with_its_place() -> None:
    with pytest.raises(InvalidSpec, match="Car cannot be read: Expected `str`, got `int`") as told:
        read(Car, {"spec": {"color": 3}})
    assert told.value.field == "spec.color"


def test_an_object_that_has_not_been_at_the_api_server_gets_its_defaults() -> None:
    pool = read(
        NodePool,
        {
            "spec": {
                "clusterName": "demo",
                "management": {"upgradeType": "Replace"},
                "platform": {"type": "KubeVirt", "kubevirt": {}},
                "release": {"image": "registry.example.com/release:1"},
            }
        },
    )
    assert pool.spec.platform.kubevirt is not None
    assert pool.spec.platform.kubevirt.root_volume.type == "Persistent"
    assert pool.spec.arch == "amd64"


def test_an_object_older_than_a_required_field_reads_zero_values() -> None:
    plane = read(HostedControlPlane, {"spec": {"platform": {"type": "None"}, "services": None}})
    assert (plane.spec.infra_id, plane.spec.services, plane.spec.etcd.management_type) == (
        "",
        (),
        "",
    )
    assert plane.spec.controller_availability_policy == "HighlyAvailable"


def test_a_value_of_an_enum_that_a_newer_version_wrote_is_read_as_it_is() -> None:
    plane = read(HostedControlPlane, {"spec": {"platform": {"type": "Moon"}}})
    assert plane.spec.platform.type == "Moon"


def test_the_object_that_cannot_be_read_is_named() -> None:
    metadata = {"name": "demo", "namespace": "clusters-demo"}
    with pytest.raises(InvalidSpec, match="HostedControlPlane clusters-demo/demo cannot be read"):
        read(HostedControlPlane, {"metadata": metadata, "spec": {"infraID": 3}})


@pytest.mark.parametrize("broken", [{"spec": "text"}, {"spec": []}, {"metadata": 3}, {"spec": 7}])
def test_whatever_is_stored_reading_it_fails_in_one_way(broken: dict[str, Any]) -> None:
    with pytest.raises(InvalidSpec, match="cannot be read"):
        read(HostedControlPlane, broken)
