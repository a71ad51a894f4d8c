"""The base of every shape: a struct that is frozen, built by keyword, and knows its wire names."""

from typing import TYPE_CHECKING, Any, NamedTuple, dataclass_transform

import msgspec

from hypershift.api.names import wire_name

if TYPE_CHECKING:
    # msgspec's stubs mark Struct itself, so a type checker would not see our defaults.
    @dataclass_transform(frozen_default=True, kw_only_default=True)
    class ShapeMeta(type):
        """Makes a class a shape."""

    class Shape(metaclass=ShapeMeta):
        """A JSON object of our API; `hypershift.api.view` leaves names it does not know alone."""

else:

    class ShapeMeta(msgspec.StructMeta):
        """Makes a class a shape."""

        def __new__(cls, name, bases, namespace):  # noqa: ANN001, ANN204 - as msgspec has it
            options = {"frozen": True, "kw_only": True, "rename": wire_name}
            return super().__new__(cls, name, bases, namespace, **options)

    class Shape(msgspec.Struct, metaclass=ShapeMeta):
        """A JSON object of our API; `hypershift.api.view` leaves names it does not know alone."""


class StructField(NamedTuple):
    """A field as declared: its Python and wire names, its type, its default if it has one."""

    name: str
    wire: str
    type: Any
    default: Any
    required: bool


def struct_fields(shape: type[Shape]) -> tuple[StructField, ...]:
    """The fields of a shape, inherited ones included, in the order of declaration."""
    return tuple(
        StructField(info.name, info.encode_name, info.type, info.default, info.required)
        for info in msgspec.structs.fields(shape)  # type: ignore[arg-type]  # a Struct at run time
    )
