"""LocalCluster: the local infrastructure of one hosted cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.kind import AGE, Column, Kind, Resource, served
from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Int32, Shape, Value


class LocalClusterSpec(Shape):
    """What the local infrastructure of a cluster should be."""

    control_plane_endpoint: Annotated[
        LocalEndpoint | None,
        Field("Where the hosted API server is reached. Filled in by the operator."),
    ] = None
    zones: Annotated[
        tuple[str, ...],
        Field(
            (
                "Zones that machines may be in, at most 16. Unset means those of the host's"
                " configuration."
            ),
            items=Value(pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", min_length=1, max_length=63),
            max_items=16,
            list_type="set",
        ),
    ] = ()


class LocalEndpoint(Shape):
    """Where an API server is reached."""

    host: Annotated[str, Field("Host name or IP address.", min_length=1, max_length=253)]
    port: Annotated[Int32, Field("TCP port, 1 to 65535.", minimum=1, maximum=65535)]


class LocalClusterStatus(Shape):
    """What the local infrastructure of a cluster is."""

    initialization: Annotated[
        LocalInitialization | None, Field("Whether machines may be made.")
    ] = None
    failure_domains: Annotated[
        tuple[LocalFailureDomain, ...],
        Field(
            "Zones that machines can be put in.",
            max_items=100,
            list_type="map",
            list_keys=("name",),
        ),
    ] = ()
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "What was observed, one entry per type.",
            max_items=32,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()


class LocalInitialization(Shape):
    """Whether something came into being; never goes back."""

    provisioned: Annotated[bool | None, Field("True once it did.")] = None


class LocalFailureDomain(Shape):
    """A zone."""

    name: Annotated[str, Field("Name of the zone.", min_length=1, max_length=256)]
    control_plane: Annotated[
        bool | None,
        Field("Whether control plane machines may be put there. Always false: there are none."),
    ] = None
    attributes: Annotated[Mapping[str, str] | None, Field("Further facts about the zone.")] = None


@served(
    Kind(
        group="infrastructure.local.hypershift.io",
        version="v1beta1",
        plural="localclusters",
        categories=("cluster-api",),
        columns=(
            Column(
                "Endpoint", ".spec.controlPlaneEndpoint.host", "Address of the hosted API server"
            ),
            Column(
                "Provisioned",
                ".status.initialization.provisioned",
                "Whether machines may be made",
                type="boolean",
            ),
            AGE,
        ),
        gate="LocalPlatform",
        contract=(("v1beta2", "v1beta1"),),
    )
)
class LocalCluster(Resource):
    """The local infrastructure of one hosted cluster, as Cluster API sees it."""

    spec: Annotated[LocalClusterSpec, Field("What the infrastructure should be.", optional=True)]
    status: Annotated[LocalClusterStatus, Field("What it is.")] = LocalClusterStatus()
