"""How many nodes a pool has and how they are upgraded and repaired."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import (
    Field,
    Int32,
    IntOrString,
    Rule,
    Shape,
    constrained,
    immutable,
    members,
)
from hypershift.api.values import UpgradeStrategy, UpgradeType


@constrained(
    Rule("self.max >= self.min", "max must be equal or greater than min"),
)
class AutoScaling(Shape):
    """Bounds of the number of nodes."""

    max: Annotated[Int32, Field("Most nodes; at least `min`.", minimum=1)]
    min: Annotated[
        Int32,
        Field(
            (
                "Fewest nodes. 0 lets the pool go away entirely when it is idle, on platforms"
                " that can start from nothing (AWS, Azure)."
            ),
            minimum=0,
        ),
    ]


@constrained(
    Rule(
        "!has(self.inPlace) || self.upgradeType == 'InPlace'",
        "The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'",
    ),
)
class Management(Shape):
    """How nodes are upgraded and repaired."""

    upgrade_type: Annotated[
        str,
        Field(
            (
                "`Replace` makes new machines for a new release or configuration, `InPlace`"
                " updates the machines there are. Immutable."
            ),
            enum=members(UpgradeType),
            rules=(immutable("UpgradeType is immutable"),),
        ),
    ]
    auto_repair: Annotated[
        bool, Field("Whether nodes that stay unhealthy are replaced. Default false.")
    ] = False
    in_place: Annotated[
        InPlaceUpgrade | None, Field("How nodes are updated; only with `upgradeType: InPlace`.")
    ] = None
    replace: Annotated[
        ReplaceUpgrade | None,
        Field(
            (
                "How nodes are replaced; for `upgradeType: Replace`. Default: one new node at a"
                " time, none missing."
            ),
            default={
                "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
                "strategy": "RollingUpdate",
            },
        ),
    ] = None


class InPlaceUpgrade(Shape):
    """How nodes are updated in place."""

    max_unavailable: Annotated[
        IntOrString | None,
        Field(
            "Most nodes that are updated at a time, a number or a percentage of the pool."
            " Default 1."
        ),
    ] = None


@constrained(
    Rule(
        "!has(self.rollingUpdate) || self.strategy == 'RollingUpdate'",
        "The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
    ),
)
class ReplaceUpgrade(Shape):
    """How nodes are replaced."""

    rolling_update: Annotated[
        RollingUpdate | None, Field("How fast; only with `strategy: RollingUpdate`.")
    ] = None
    strategy: Annotated[
        str | None,
        Field(
            "`RollingUpdate` replaces nodes by itself, `OnDelete` waits for you to delete them.",
            enum=members(UpgradeStrategy),
        ),
    ] = None


class RollingUpdate(Shape):
    """How fast nodes are replaced. One of the two must be more than 0."""

    max_surge: Annotated[
        IntOrString | None,
        Field("Most nodes beyond the wanted number, a number or a percentage. Default 1."),
    ] = None
    max_unavailable: Annotated[
        IntOrString | None,
        Field("Most nodes missing from the wanted number, a number or a percentage. Default 0."),
    ] = None
