"""What the selectors of a node class found."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Shape, Time, constrained


@constrained(
    min_properties=1,
)
class OpenshiftEC2NodeClassStatus(Shape):
    """What the selectors found."""

    capacity_reservations: Annotated[
        tuple[NodeClassCapacityReservation, ...],
        Field(
            "Capacity reservations that may be used, at most 100.",
            min_items=1,
            max_items=100,
            list_type="atomic",
        ),
    ] = ()
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether the class can be used; type `Ready`.",
            min_items=1,
            max_items=100,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    release_image: Annotated[
        str | None,
        Field("Release image that the nodes are made from.", min_length=1, max_length=512),
    ] = None
    security_groups: Annotated[
        tuple[NodeClassSecurityGroup, ...],
        Field(
            "Security groups of the machines, at most 100.",
            min_items=1,
            max_items=100,
            list_type="atomic",
        ),
    ] = ()
    subnets: Annotated[
        tuple[NodeClassSubnet, ...],
        Field(
            "Subnets that machines may be in, at most 100.",
            min_items=1,
            max_items=100,
            list_type="atomic",
        ),
    ] = ()
    version: Annotated[
        str | None,
        Field("Release version that the nodes are made from.", min_length=1, max_length=64),
    ] = None


class NodeClassCapacityReservation(Shape):
    """A capacity reservation that was found."""

    availability_zone: Annotated[
        str, Field("Zone of the reservation.", min_length=1, max_length=64)
    ]
    id: Annotated[str, Field("Id of the reservation.", min_length=1, max_length=256)]
    instance_match_criteria: Annotated[
        str, Field("Which machines it takes.", enum=("Open", "Targeted"))
    ]
    instance_type: Annotated[
        str, Field("Instance type that it is for.", min_length=1, max_length=256)
    ]
    owner_id: Annotated[str, Field("AWS account that owns it.", min_length=1, max_length=12)]
    end_time: Annotated[Time | None, Field("When it ends. Unset means that it does not.")] = None
    reservation_type: Annotated[
        str | None, Field("`Default` or `CapacityBlock`.", enum=("Default", "CapacityBlock"))
    ] = None
    state: Annotated[
        str | None,
        Field("`Active`, or `Expiring` shortly before its end.", enum=("Active", "Expiring")),
    ] = None


class NodeClassSecurityGroup(Shape):
    """A security group that was found."""

    id: Annotated[str, Field("Id of the group.", min_length=1, max_length=256)]
    name: Annotated[str | None, Field("Name of the group.", min_length=1, max_length=256)] = None


class NodeClassSubnet(Shape):
    """A subnet that was found."""

    id: Annotated[str, Field("Id of the subnet.", min_length=1, max_length=256)]
    zone: Annotated[str, Field("Its zone.", min_length=1, max_length=256)]
    zone_id: Annotated[
        str | None, Field("Id of its zone, the same in all accounts.", min_length=1, max_length=256)
    ] = None
