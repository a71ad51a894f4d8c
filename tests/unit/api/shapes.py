"""A small API of our own, so that tests say what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.kind import AGE, Column, Kind, Resource, Scale, condition_column, served
from hypershift.api.shape import (
    Anything,
    Field,
    Gated,
    Int32,
    IntOrString,
    Quantity,
    Rule,
    Shape,
    Time,
    Value,
    constrained,
    immutable,
)


class Wheel(Shape):
    """A wheel."""

    name: Annotated[str, Field("Which one.", min_length=1)]
    size: Annotated[Int32, Field("Inches.", minimum=0, maximum=40)] = 18


@constrained(
    Rule("has(self.wheels)", "no wheels"),
    Rule("self.color != 'red'", "no red", gate="Dull"),
    Rule("self.color != 'grey'", "no grey", gate="-Dull"),
    min_properties=1,
)
class CarSpec(Shape):
    """What a car should be."""

    color: Annotated[
        str, Field("Paint.", enum=("red", "grey", Gated("glow", "Neon")), max_length=9)
    ]
    wheels: Annotated[
        tuple[Wheel, ...],
        Field("Wheels.", list_type="map", list_keys=("name",), max_items=4),
    ] = ()
    plates: Annotated[tuple[str, ...], Field("Plates.", items=Value(max_length=8))] = ()
    tags: Annotated[Mapping[str, str] | None, Field("Tags.", values=Value(max_length=63))] = None
    load: Annotated[Quantity | None, Field("Load.", rules=(immutable("load stays"),))] = None
    share: Annotated[IntOrString | None, Field("Share.")] = None
    built: Annotated[Time | None, Field("When.", nullable=True)] = None
    engine: Annotated[Anything | None, Field("Engine.", default={"fuel": "none"})] = None
    radio: Annotated[bool, Field("Radio.", gate="Neon")] = False


class CarStatus(Shape):
    """What a car is."""

    kilometres: Annotated[int | None, Field("How far.")] = None


@served(
    Kind(
        group="cars.example.com",
        version="v1",
        plural="cars",
        short_names=("c",),
        scale=Scale(".spec.a", ".status.b"),
        columns=(
            Column("Color", ".spec.color", "Paint", priority=1),
            condition_column("Ready", "Ready"),
            AGE,
        ),
        contract=(("v1beta2", "v1"),),
    )
)
class Car(Resource):
    """A car."""

    spec: Annotated[CarSpec, Field("Wanted.", optional=True)]
    status: Annotated[CarStatus, Field("Found.")] = CarStatus()
