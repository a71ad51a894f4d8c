"""LocalMachine: one machine on this host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.kind import AGE, Column, Kind, Resource, served
from hypershift.api.local_infrastructure.cluster import LocalInitialization
from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Quantity, Shape, Value, immutable


class LocalMachineSpec(Shape):
    """What a machine on this host should be."""

    provider_id: Annotated[
        str | None,
        Field(
            (
                "Identity of the machine, `local://<infra id>/<machine name>`. Set when it is"
                " made; immutable."
            ),
            pattern="^local://[^/]+/[^/]+$",
            min_length=1,
            max_length=512,
            rules=(immutable("providerID is immutable"),),
        ),
    ] = None
    cpu: Annotated[Quantity, Field("Most CPU time the machine may use, in cores. Default 2.")] = "2"
    memory: Annotated[Quantity, Field("Most memory the machine may use. Default 2Gi.")] = "2Gi"
    zone: Annotated[
        str | None,
        Field(
            (
                "Zone of the machine. Default: the failure domain of its Machine, else one is"
                " chosen."
            ),
            pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            min_length=1,
            max_length=63,
        ),
    ] = None
    image: Annotated[
        str | None,
        Field("Image with the machine's root file system.", min_length=1, max_length=255),
    ] = None
    labels: Annotated[
        Mapping[str, str] | None,
        Field(
            "Labels of the machine, for tools on the host.",
            values=Value(max_length=63),
            max_properties=32,
        ),
    ] = None


class LocalMachineStatus(Shape):
    """What a machine on this host is."""

    initialization: Annotated[
        LocalInitialization | None, Field("Whether the machine was made.")
    ] = None
    ready: Annotated[bool | None, Field("Whether the machine runs at present.")] = None
    addresses: Annotated[
        tuple[LocalMachineAddress, ...],
        Field("Names and addresses of the machine.", max_items=32, list_type="atomic"),
    ] = ()
    failure_domain: Annotated[
        str | None, Field("Zone that the machine is in.", min_length=1, max_length=256)
    ] = None
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "What was observed, one entry per type.",
            max_items=32,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()


class LocalMachineAddress(Shape):
    """A name or address of a machine."""

    type: Annotated[
        str,
        Field(
            "What kind of name or address it is.",
            enum=("Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"),
        ),
    ]
    address: Annotated[str, Field("The name or address.", min_length=1, max_length=256)]


@served(
    Kind(
        group="infrastructure.local.hypershift.io",
        version="v1beta1",
        plural="localmachines",
        categories=("cluster-api",),
        columns=(
            Column("Provider ID", ".spec.providerID", "Identity of the machine"),
            Column("Zone", ".status.failureDomain", "Zone the machine is in"),
            Column(
                "Provisioned",
                ".status.initialization.provisioned",
                "Whether the machine runs",
                type="boolean",
            ),
            Column(
                "Ready",
                '.status.conditions[?(@.type=="Ready")].status',
                "Whether the machine is well",
            ),
            Column("Reason", '.status.conditions[?(@.type=="Ready")].reason', "Why it is as it is"),
            AGE,
        ),
        gate="LocalPlatform",
        contract=(("v1beta2", "v1beta1"),),
    )
)
class LocalMachine(Resource):
    """One machine on this host: namespaces, a root file system, containerd and a kubelet."""

    spec: Annotated[LocalMachineSpec, Field("What the machine should be.")]
    status: Annotated[LocalMachineStatus, Field("What it is.")] = LocalMachineStatus()
