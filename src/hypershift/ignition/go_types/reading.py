"""How Go reads a document into a struct: what it drops and refuses, and what it shows afterwards.

Reading drops unknown fields (a strict reader notes them) and refuses wrong types in Go's words; the
result carries every field that Go writes although it is empty (`fips: false`, `config: null`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any

from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest, from_rfc3339
from hypershift.kit.quantity import canonical

#: How JSON values are called in Go's decoding errors.
_GO_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (str, "string"),
    (int, "number"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
)
_LAYOUT = "2006-01-02T15:04:05Z07:00"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: in which struct, under which names, and in which item of a list."""

    struct: str
    path: str = ""
    item: str = ""  # the path with the numbers of items
    #: Fields that no struct has, for readers that mind.
    unknown: list[str] = field(default_factory=list)

    def at(self, struct: str, name: str) -> "Place":
        """A field of a struct that stands here."""
        path = f"{self.path}.{name}" if self.path else name
        item = f"{self.item}.{name}" if self.item else name
        return replace(self, struct=struct, path=path, item=item)

    def number(self, index: int) -> "Place":
        """An item of a list that stands here."""
        return replace(self, item=f"{self.item}[{index}]")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one kind of value; `zero` is what a null among others of its kind becomes."""

    read: Callable[[Any, Place], Any]
    zero: Any = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A Go struct: its name, its fields, the zero values that it always shows, and its pointers.

    What a pointer holds is shown however empty it is.
    """

    name: str
    fields: Mapping[str, Reader]
    always: Mapping[str, Any] = field(default_factory=dict)
    pointers: frozenset[str] = frozenset()
    package: str = "v1"

    def decoded(self, value: Manifest, place: Place) -> Manifest:
        """The fields that Go writes again, in whatever order."""
        result = dict(self.always)
        for name in sorted(value):
            here, reader = place.at(self.name, name), self.fields.get(name)
            if reader is None:
                place.unknown.append(here.item)
            elif value[name] is not None:
                decoded = reader.read(value[name], here)
                if decoded or name in self.always or name in self.pointers:
                    result[name] = decoded
        return result


def name_of(value: Any) -> str:
    """What Go calls the type of a JSON value."""
    return next((name for kind, name in _GO_NAMES if isinstance(value, kind)), "null")


def mismatch(value: Any, place: Place, wanted: str, *, shown: str = "") -> InvalidSpec:
    """A value of another type than the field's."""
    where = f"struct field {place.struct}.{place.path}"
    return InvalidSpec(
        f"json: cannot unmarshal {shown or name_of(value)} into Go {where} of type {wanted}"
    )


def _plain(kind: type, go_name: str, zero: Any) -> Reader:
    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, kind):
            raise mismatch(value, place, go_name)
        return value

    return Reader(read, zero)


def number(go_name: str) -> Reader:
    """An integer; YAML's `5.0` is one."""

    def read(value: Any, place: Place) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise mismatch(value, place, go_name)
        if isinstance(value, float) and not value.is_integer():
            raise mismatch(value, place, go_name, shown=f"number {to_json(value)}")
        return int(value)

    return Reader(read, 0)


def several(item: Reader, go_name: str = "[]string") -> Reader:
    """A list."""

    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, list):
            raise mismatch(value, place, go_name)
        return [
            item.zero if one is None else item.read(one, place.number(index))
            for index, one in enumerate(value)
        ]

    return Reader(read)


def struct(wanted: Struct) -> Reader:
    """A struct."""

    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            raise mismatch(value, place, f"{wanted.package}.{wanted.name}")
        return wanted.decoded(value, place)

    return Reader(read, dict(wanted.always))


def structs(wanted: Struct) -> Reader:
    """A list of structs."""
    return several(struct(wanted), f"[]{wanted.package}.{wanted.name}")


def _map(value: Any, place: Place) -> Any:
    if not isinstance(value, dict):
        raise mismatch(value, place, "map[string]string")
    return {key: "" if one is None else STRING.read(one, place) for key, one in value.items()}


def _raw(value: Any, place: Place) -> Any:
    del place
    return value


def _quantity(value: Any, place: Place) -> Any:
    del place
    return canonical(str(value))


def _time(value: Any, place: Place) -> str:
    text = STRING.read(value, place)
    try:
        moment = from_rfc3339(text)
    except ValueError:
        why = f'parsing time "{text}" as "{_LAYOUT}": cannot parse "{text}" as "2006"'
        raise InvalidSpec(why) from None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


STRING = _plain(str, "string", "")
BOOL = _plain(bool, "bool", zero=False)
INT32, INT64 = number("int32"), number("int64")
STRINGS = several(STRING)
MAP = Reader(_map)
RAW = Reader(_raw)
QUANTITY = Reader(_quantity)
TIME = Reader(_time)
