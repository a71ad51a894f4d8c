"""The words in which our API is written: shapes, fields, rules and gates.

A shape is a frozen struct, and what its types cannot say stands beside each field:

    class AutoScaling(Shape):
        max: Annotated[Int32, Field("The most nodes this pool may grow to.", minimum=1)]

`hypershift.api.schema` derives the CustomResourceDefinitions from these declarations and
`hypershift.api.view` reads and writes objects with them. A field without a default is required.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from hypershift.api.struct import Shape

__all__ = [
    "Anything",
    "Constraints",
    "Field",
    "Gated",
    "Go",
    "Int32",
    "Int64",
    "IntOrString",
    "Quantity",
    "Refers",
    "Rule",
    "Shape",
    "Time",
    "Value",
    "constrained",
    "constraints_of",
    "immutable",
    "members",
]


@dataclass(frozen=True, slots=True)
class Rule:
    """A CEL rule that the API server checks, and the sentence it answers with.

    `gate` puts the rule in force only while that gate is on, or with a leading `-` only while off.
    """

    rule: str
    message: str = ""
    message_expression: str = ""
    field_path: str = ""
    reason: str = ""
    gate: str = ""


def immutable(message: str) -> Rule:
    """A rule that holds a value at what it was first set to."""
    return Rule("self == oldSelf", message)


@dataclass(frozen=True, slots=True)
class Gated:
    """An enum value that exists only while a gate is on."""

    value: str | int
    gate: str


def members(values: type[StrEnum], **gates: str) -> tuple[str | Gated, ...]:
    """The values of an enum; those named in `gates` exist only while that gate is on."""
    words = [str(each.value) for each in values]
    return tuple(Gated(word, gates[word]) if word in gates else word for word in words)


class Go(StrEnum):
    """How Go's JSON encoder writes a field, where its type alone does not decide it.

    A struct is written however empty it is, every other field only while it holds something.
    """

    ALWAYS = "always"  # no `omitempty`: the zero value of an absent field is written
    OMIT = "omitempty"
    OMIT_ZERO = "omitzero"  # a struct that is left out while everything in it is empty
    POINTER = "pointer"  # left out only where it was not given
    NULL = "null"  # a pointer without `omitempty`
    DURATION = "duration"  # a pointer to a duration, which Go spells in its own way


class Refers(StrEnum):
    """Kind of the user's object that a field names and that a control plane gets a copy of."""

    CONFIG_MAP = "ConfigMap"
    SECRET = "Secret"  # noqa: S105 - a kind, not a secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a value must look like, beyond its Python type; every part is optional.

    `items` and `values` speak about the elements of a list and the values of a map. `default` is
    for objects and lists: the default of a scalar is the Python default of its field. `required`
    marks a field that has a default and yet is required, `optional` one that our code always sees
    although the API server does not insist on it. `go` and `refers` are read by
    `hypershift.api.go_json` and `hypershift.api.references`; there, fields are declared in the
    order of Go's struct.
    """

    format: str = ""
    pattern: str = ""
    enum: tuple[str | int | Gated, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    min_properties: int | None = None
    max_properties: int | None = None
    list_type: str = ""
    list_keys: tuple[str, ...] = ()
    map_type: str = ""
    nullable: bool = False
    required: bool = False
    optional: bool = False
    default: Any = None
    rules: tuple[Rule, ...] = ()
    items: "Value | None" = None
    values: "Value | None" = None
    gate: str = ""
    go: Go | None = None
    refers: Refers | None = None


@dataclass(frozen=True, slots=True)
class Field(Value):
    """A field's meaning, in words first: unit, default, and what a change does."""

    description: str = field(kw_only=False)


#: Numbers as Kubernetes types them.
Int32 = Annotated[int, Value(format="int32")]
Int64 = Annotated[int, Value(format="int64")]

#: A moment, RFC 3339.
Time = Annotated[str, Value(format="date-time")]

#: A number of something or, with a percent sign, a share of it.
IntOrString = int | str

#: An amount with an optional SI or binary suffix: `500m`, `8Gi`.
Quantity = Annotated[
    int | str,
    Value(
        pattern=r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
        r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
    ),
]

#: An object whose fields the schema leaves open.
Anything = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What an object must fulfil as a whole."""

    rules: tuple[Rule, ...] = ()
    min_properties: int | None = None
    max_properties: int | None = None
    map_type: str = ""
    keep_unknown: bool = False


_CONSTRAINTS: dict[type, Constraints] = {}
_NONE = Constraints()
S = TypeVar("S", bound=type)


def constrained(*rules: Rule, **limits: Any) -> Callable[[S], S]:
    """Give a shape rules and limits of its own; the order of rules is part of the API."""

    def keep(shape: S) -> S:
        _CONSTRAINTS[shape] = Constraints(rules=rules, **limits)
        return shape

    return keep


def constraints_of(shape: type) -> Constraints:
    """What `constrained` said about a shape."""
    return _CONSTRAINTS.get(shape, _NONE)
