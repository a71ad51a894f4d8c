"""LocalMachineTemplate: what new machines of a pool are like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.kind import AGE, Kind, Resource, served
from hypershift.api.local_infrastructure.machine import LocalMachineSpec
from hypershift.api.shape import Field, Quantity, Shape, constrained, immutable


class LocalMachineTemplateSpec(Shape):
    """What new machines are like."""

    template: Annotated[
        LocalMachineTemplateResource,
        Field("The machine to be made. Immutable: make a new template instead."),
    ]


@constrained(
    immutable("the template is immutable: make a new LocalMachineTemplate instead"),
)
class LocalMachineTemplateResource(Shape):
    """A machine to be made."""

    spec: Annotated[LocalMachineSpec, Field("What the machine should be.")]
    metadata: Annotated[
        LocalTemplateMetadata | None, Field("Labels and annotations of the machine's object.")
    ] = None


class LocalTemplateMetadata(Shape):
    """Labels and annotations of objects to be made."""

    labels: Annotated[Mapping[str, str] | None, Field("Labels.")] = None
    annotations: Annotated[Mapping[str, str] | None, Field("Annotations.")] = None


class LocalMachineTemplateStatus(Shape):
    """What a machine made from a template offers."""

    capacity: Annotated[
        Mapping[str, Quantity] | None, Field("Amounts by resource name: cpu, memory, pods.")
    ] = None
    node_info: Annotated[LocalNodeInfo | None, Field("What its node will report.")] = None


class LocalNodeInfo(Shape):
    """What a node will report about its system."""

    architecture: Annotated[
        str | None, Field("Processor architecture.", enum=("amd64", "arm64"))
    ] = None
    operating_system: Annotated[str | None, Field("Operating system.", enum=("linux",))] = None


@served(
    Kind(
        group="infrastructure.local.hypershift.io",
        version="v1beta1",
        plural="localmachinetemplates",
        categories=("cluster-api",),
        columns=(AGE,),
        gate="LocalPlatform",
        contract=(("v1beta2", "v1beta1"),),
    )
)
class LocalMachineTemplate(Resource):
    """What new machines of a pool are like. A new template replaces the machines."""

    spec: Annotated[LocalMachineTemplateSpec, Field("The template.")]
    status: Annotated[
        LocalMachineTemplateStatus,
        Field("What a machine made from it offers, so that the autoscaler can start from none."),
    ] = LocalMachineTemplateStatus()
