"""Schemas out of shapes."""

from typing import Any

import pytest
from tests.unit.api.shapes import CarSpec, Wheel

from hypershift.api.schema.derive import schema_of

OFF: frozenset[str] = frozenset()
NEON = frozenset({"Neon"})


def properties(gates: frozenset[str] = OFF) -> dict[str, Any]:
    found: dict[str, Any] = schema_of(CarSpec, gates)["properties"]
    return found


def test_a_field_without_a_default_is_required() -> None:
    assert schema_of(CarSpec, OFF)["required"] == ["color"]


def test_every_field_carries_its_description() -> None:
    assert properties()["color"]["description"] == "Paint."


def test_the_python_default_of_a_scalar_is_the_default_of_the_schema() -> None:
    assert schema_of(Wheel, OFF)["properties"]["size"] == {
        "type": "integer",
        "format": "int32",
        "minimum": 0,
        "maximum": 40,
        "default": 18,
        "description": "Inches.",
    }


def test_an_object_states_its_default_beside_the_field() -> None:
    assert properties()["engine"]["default"] == {"fuel": "none"}


def test_an_empty_list_is_no_default() -> None:
    assert "default" not in properties()["wheels"]


@pytest.mark.parametrize(("gates", "values"), [(OFF, 2), (NEON, 3)])
def test_an_enum_value_behind_a_gate_exists_only_while_it_is_on(
    gates: frozenset[str], values: int
) -> None:
    assert len(properties(gates)["color"]["enum"]) == values


def test_a_field_behind_a_gate_exists_only_while_it_is_on() -> None:
    assert "radio" not in properties()
    assert properties(NEON)["radio"]["default"] is False


def test_rules_keep_their_order_and_follow_their_gates() -> None:
    def messages(gates: frozenset[str]) -> list[str]:
        return [rule["message"] for rule in schema_of(CarSpec, gates)["x-kubernetes-validations"]]

    assert messages(OFF) == ["no wheels", "no grey"]
    assert messages(frozenset({"Dull"})) == ["no wheels", "no red"]


def test_a_list_of_objects_keeps_its_kind_and_keys() -> None:
    wheels = properties()["wheels"]
    assert wheels["x-kubernetes-list-type"] == "map"
    assert wheels["x-kubernetes-list-map-keys"] == ["name"]
    assert wheels["maxItems"] == 4
    assert wheels["items"]["required"] == ["name"]


def test_elements_have_limits_of_their_own() -> None:
    assert properties()["plates"]["items"] == {"type": "string", "maxLength": 8}
    assert properties()["tags"]["additionalProperties"] == {"type": "string", "maxLength": 63}


def test_a_quantity_is_a_number_or_a_string_of_a_certain_form() -> None:
    load = properties()["load"]
    assert load["x-kubernetes-int-or-string"] is True
    assert load["anyOf"] == [{"type": "integer"}, {"type": "string"}]
    assert load["pattern"].startswith("^")
    assert load["x-kubernetes-validations"] == [
        {"rule": "self == oldSelf", "message": "load stays"}
    ]


def test_a_number_or_string_has_no_type() -> None:
    assert "type" not in properties()["share"]


def test_what_may_be_null_says_so() -> None:
    assert properties()["built"] == {
        "type": "string",
        "format": "date-time",
        "nullable": True,
        "description": "When.",
    }


def test_limits_of_the_object_stand_on_the_object() -> None:
    assert schema_of(CarSpec, OFF)["minProperties"] == 1
