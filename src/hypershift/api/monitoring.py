"""Metrics of the control plane: what is collected and who gets it."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Shape, constrained, members
from hypershift.api.values import ForwardingMode, MetricsSet


@constrained(
    min_properties=1,
)
class Monitoring(Shape):
    """Metrics of the control plane."""

    metrics_forwarding: Annotated[
        MetricsForwarding | None,
        Field("Sends control plane metrics to the hosted cluster's own monitoring."),
    ] = None
    metrics_set: Annotated[
        str | None,
        Field(
            (
                "Which metrics are collected on the management cluster: `Telemetry` (fewest),"
                " `SRE` (a set you configure) or `All`. Default: the operator's setting."
            ),
            enum=members(MetricsSet),
        ),
    ] = None


class MetricsForwarding(Shape):
    """Control plane metrics inside the hosted cluster."""

    mode: Annotated[
        str,
        Field(
            "`Forward` makes the metrics available in the hosted cluster, `None` does not.",
            enum=members(ForwardingMode),
        ),
    ]
    metrics_set: Annotated[
        str | None,
        Field(
            (
                "Which metrics are forwarded: `Telemetry`, `SRE` or `All`. Default: the set that"
                " is collected."
            ),
            enum=members(MetricsSet),
        ),
    ] = None
