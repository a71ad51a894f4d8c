"""Pools of machines on the host of the management cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.shape import Field, Quantity, Shape, Value


class LocalNodePool(Shape):
    """Machines on the host of the management cluster."""

    cpu: Annotated[
        Quantity,
        Field("Most CPU time the machine may use, in cores. Default 2. A change rolls the nodes."),
    ] = "2"
    memory: Annotated[
        Quantity, Field("Most memory the machine may use. Default 2Gi. A change rolls the nodes.")
    ] = "2Gi"
    zone: Annotated[
        str | None,
        Field(
            (
                "Zone of the machines, one of the cluster's. Default: machines are spread over"
                " all. A change rolls the nodes."
            ),
            pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            min_length=1,
            max_length=63,
        ),
    ] = None
    labels: Annotated[
        Mapping[str, str] | None,
        Field(
            "Labels of the machines, for tools on the host; nodes get theirs from `nodeLabels`.",
            values=Value(max_length=63),
            max_properties=32,
        ),
    ] = None
    image: Annotated[
        str | None,
        Field(
            (
                "Image with the machine's root file system. Default: the one that the release"
                " names. A change rolls the nodes."
            ),
            min_length=1,
            max_length=255,
        ),
    ] = None
