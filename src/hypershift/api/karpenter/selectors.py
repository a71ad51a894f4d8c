"""How Karpenter finds subnets, security groups and capacity reservations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, constrained


@constrained(
    min_properties=1,
)
class CapacityReservationSelectorTerm(Shape):
    """A way to find capacity reservations; `id` stands alone."""

    id: Annotated[
        str | None,
        Field(
            "Id of the reservation, `cr-...`.",
            min_length=1,
            max_length=256,
            rules=(
                Rule("self.matches('^cr-[0-9a-z]+$')", "id must match the pattern cr-[0-9a-z]+"),
            ),
        ),
    ] = None
    instance_match_criteria: Annotated[
        str | None,
        Field(
            (
                "`Open` reservations take any machine that fits, `Targeted` ones only those that"
                " name them."
            ),
            enum=("Open", "Targeted"),
        ),
    ] = None
    owner_id: Annotated[
        str | None,
        Field(
            "AWS account that owns it, 12 digits.",
            min_length=1,
            max_length=12,
            rules=(
                Rule("self.matches('^[0-9]{12}$')", "ownerID must be a 12-digit AWS account ID"),
            ),
        ),
    ] = None
    tags: Annotated[
        Mapping[str, str] | None,
        Field(
            "Tags that it must have.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    "self.all(k, k != '' && self[k] != '')",
                    "empty tag keys or values aren't supported",
                ),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
)
class SecurityGroupSelectorTerm(Shape):
    """A way to find security groups; `id` and `name` stand alone."""

    id: Annotated[
        str | None,
        Field(
            "Id of the group, `sg-...`.",
            min_length=1,
            max_length=256,
            rules=(
                Rule("self.matches('^sg-[0-9a-z]+$')", "id must match the pattern sg-[0-9a-z]+"),
            ),
        ),
    ] = None
    name: Annotated[
        str | None, Field("Name of the group (not its Name tag).", min_length=1, max_length=256)
    ] = None
    tags: Annotated[
        Mapping[str, str] | None,
        Field(
            "Tags that it must have.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    "self.all(k, k != '' && self[k] != '')",
                    "empty tag keys or values aren't supported",
                ),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
)
class SubnetSelectorTerm(Shape):
    """A way to find subnets; `id` stands alone."""

    id: Annotated[
        str | None,
        Field(
            "Id of the subnet, `subnet-...`.",
            min_length=1,
            max_length=256,
            rules=(
                Rule(
                    "self.matches('^subnet-[0-9a-z]+$')",
                    "id must match the pattern subnet-[0-9a-z]+",
                ),
            ),
        ),
    ] = None
    tags: Annotated[
        Mapping[str, str] | None,
        Field(
            "Tags that it must have.",
            min_properties=1,
            max_properties=20,
            rules=(
                Rule(
                    "self.all(k, k != '' && self[k] != '')",
                    "empty tag keys or values aren't supported",
                ),
            ),
        ),
    ] = None
