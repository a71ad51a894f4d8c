"""Settings for operators that run in the cluster, gathered."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.operators.ingress import IngressOperator
from hypershift.api.operators.network import NetworkOperator
from hypershift.api.shape import Field, Shape


class OperatorConfiguration(Shape):
    """Settings for operators of the cluster."""

    cluster_network_operator: Annotated[
        NetworkOperator | None,
        Field("Settings of the operator that installs the network provider."),
    ] = None
    cluster_version_operator: Annotated[
        VersionOperator | None,
        Field(
            "Settings of the operator that applies releases.",
            gate="ClusterVersionOperatorConfiguration",
        ),
    ] = None
    ingress_operator: Annotated[
        IngressOperator | None,
        Field("Settings of the operator that runs the default ingress controller."),
    ] = None


class VersionOperator(Shape):
    """Settings of the cluster version operator."""

    operator_log_level: Annotated[
        str,
        Field(
            (
                "How much it logs: `Normal`, `Debug`, `Trace` or `TraceAll`. Default Normal. A"
                " change restarts it."
            ),
            enum=("", "Normal", "Debug", "Trace", "TraceAll"),
        ),
    ] = "Normal"
