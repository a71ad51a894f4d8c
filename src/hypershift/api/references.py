"""Which objects of its user an object refers to: derived from the fields that name them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hypershift.api.facts import declared, nested
from hypershift.api.shape import Refers
from hypershift.api.struct import Shape


class Reference(NamedTuple):
    """An object that a field names, and the path of that field."""

    kind: Refers
    name: str
    field: str


def references(shape: type[Shape], given: Mapping[str, Any]) -> Iterator[Reference]:
    """Yield what an object refers to, by `Field(refers=...)`, in the order of declaration."""
    for facts in declared(shape):
        value, inner = given.get(facts.wire), nested(facts.type)
        if not value or inner is None:
            continue
        if kind := facts.value.refers:
            if name := value.get("name"):
                yield Reference(kind, name, facts.wire)
            continue
        for item in value if inner.many else (value,):
            for found in references(inner.shape, item):
                yield found._replace(field=f"{facts.wire}.{found.field}")
