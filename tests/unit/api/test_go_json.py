"""Go's JSON encoding, derived from the declarations of our shapes."""

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from hypershift.api.configuration import ClusterConfiguration
from hypershift.api.facts import declared, nested
from hypershift.api.go_json import go_json
from hypershift.api.shape import Field, Go, Shape


class Inner(Shape):
    """A struct in another."""

    name: Annotated[str, Field("Shown however empty.", go=Go.ALWAYS)] = ""
    note: Annotated[str | None, Field("Left out while empty.")] = None


class Outer(Shape):
    """One field for each way in which Go writes one."""

    zebra: Annotated[Inner | None, Field("A struct.")] = None
    pointer: Annotated[Inner | None, Field("A pointer.", go=Go.POINTER)] = None
    null: Annotated[Inner | None, Field("A pointer without omitempty.", go=Go.NULL)] = None
    zero: Annotated[Inner | None, Field("A struct with omitzero.", go=Go.OMIT_ZERO)] = None
    items: Annotated[tuple[Inner, ...], Field("A list.", go=Go.ALWAYS)] = ()
    labels: Annotated[Mapping[str, str] | None, Field("A map.")] = None
    flag: Annotated[bool, Field("A flag.", go=Go.ALWAYS)] = False
    age: Annotated[str | None, Field("A duration.", go=Go.DURATION)] = None


def test_fields_stand_in_the_order_of_declaration_and_some_are_shown_although_absent() -> None:
    assert list(go_json(Outer, {}).items()) == [
        ("zebra", {"name": ""}),
        ("null", None),
        ("items", None),
        ("flag", False),
    ]


@pytest.mark.parametrize(
    ("given", "field", "shown"),
    [
        ({"pointer": {}}, "pointer", {"name": ""}),
        ({"zero": {"note": "x"}}, "zero", {"name": "", "note": "x"}),
        ({"items": []}, "items", []),
        ({"items": [{"note": ""}]}, "items", [{"name": ""}]),
        ({"labels": {"b": "1", "a": "2"}}, "labels", {"a": "2", "b": "1"}),
        ({"age": "90m"}, "age", "1h30m0s"),
    ],
)
def test_a_field_that_was_given_is_shown_as_go_shows_it(
    given: dict[str, Any], field: str, shown: Any
) -> None:
    found = go_json(Outer, given)[field]
    assert found == shown
    assert not isinstance(found, dict) or list(found) == list(shown)


@pytest.mark.parametrize("given", [{"zero": {"name": ""}}, {"labels": {}}, {"unknown": 1}])
def test_what_says_nothing_is_left_out(given: dict[str, Any]) -> None:
    assert go_json(Outer, given).keys() == {"zebra", "null", "items", "flag"}


def everything(shape: type[Shape]) -> dict[str, Any]:
    """An object in which every field of a shape is given, and is not empty."""
    return {facts.wire: something(facts.type, facts.value.go) for facts in declared(shape)}


def something(hint: Any, go: Go | None) -> Any:
    if inner := nested(hint):
        value = everything(inner.shape)
        return [value] if inner.many else value
    if go is Go.DURATION:
        return "5m0s"
    return {"k": "v"} if "Mapping" in str(hint) else ["x"] if "tuple" in str(hint) else "x"


def test_no_field_of_the_configuration_can_be_forgotten() -> None:
    whole = everything(ClusterConfiguration)
    assert go_json(ClusterConfiguration, whole) == whole
