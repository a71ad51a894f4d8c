"""Which objects of its user an object refers to: derived from the fields that name them."""

from collections.abc import Iterator
from typing import NamedTuple

from hypershift.api.facts import declared, nested
from hypershift.api.shape import Refers
from hypershift.api.struct import Shape


class Reference(NamedTuple):
    """An object that a field names, and the path of that field."""

    kind: Refers
    name: str
    field: str


def references(given: Shape) -> Iterator[Reference]:
    """Yield what an object refers to, by `Field(refers=...)`, in the order of declaration."""
    for facts in declared(type(given)):
        value, inner = getattr(given, facts.name), nested(facts.type)
        if not value or inner is None:
            continue
        if kind := facts.value.refers:
            if name := value.name:
                yield Reference(kind, name, facts.wire)
            continue
        for item in value if inner.many else (value,):
            for found in references(item):
                yield found._replace(field=f"{facts.wire}.{found.field}")
