"""Settings of the network that stay adjustable after creation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import Toleration
from hypershift.api.shape import Field, Go, Int32, Rule, Shape, constrained


@constrained(
    Rule(
        (
            "!has(self.networkDiagnostics) || !has(self.networkDiagnostics.mode) ||"
            " self.networkDiagnostics.mode!='Disabled' ||"
            " !has(self.networkDiagnostics.sourcePlacement) &&"
            " !has(self.networkDiagnostics.targetPlacement)"
        ),
        (
            "cannot set networkDiagnostics.sourcePlacement and"
            " networkDiagnostics.targetPlacement when networkDiagnostics.mode is"
            " Disabled"
        ),
    ),
)
class Network(Shape):
    """Settings of the network as standalone clusters have them.

    Ranges and provider come from `spec.networking`.
    """

    cluster_network: Annotated[
        tuple[NetworkRange, ...],
        Field(
            "Ranges of pod addresses; hosted clusters use `spec.networking.clusterNetwork`.",
            list_type="atomic",
            go=Go.ALWAYS,
        ),
    ] = ()
    service_network: Annotated[
        tuple[str, ...],
        Field(
            "Ranges of Service addresses; hosted clusters use `spec.networking.serviceNetwork`.",
            list_type="atomic",
            go=Go.ALWAYS,
        ),
    ] = ()
    network_type: Annotated[
        str | None,
        Field("Network provider; hosted clusters use `spec.networking.networkType`.", go=Go.ALWAYS),
    ] = None
    external_ip: Annotated[
        ExternalIP | None,
        Field("Rules for `externalIPs` of Services. Unset forbids them.", go=Go.POINTER),
    ] = None
    service_node_port_range: Annotated[
        str | None,
        Field(
            (
                "Ports for Services of type NodePort, `first-last`. Default 30000-32767; may only"
                " grow. A change restarts the API server."
            ),
            pattern=(
                "^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|"
                "655[0-2][0-9]|6553[0-5])-([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|"
                "65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$"
            ),
        ),
    ] = None
    network_diagnostics: Annotated[
        NetworkDiagnostics | None, Field("Checks of connectivity inside the cluster.")
    ] = None
    network_observability: Annotated[
        NetworkObservability | None,
        Field(
            "Whether network observability is installed.",
            gate="NetworkObservabilityInstall",
            go=Go.OMIT_ZERO,
        ),
    ] = None


class NetworkRange(Shape):
    """A range of pod addresses."""

    cidr: Annotated[str | None, Field("The range.", go=Go.ALWAYS)] = None
    host_prefix: Annotated[
        Int32 | None, Field("Length of the prefix that each node gets.", minimum=0)
    ] = None


class ExternalIP(Shape):
    """Rules for external addresses of Services."""

    policy: Annotated[
        ExternalIPPolicy | None, Field("Which external addresses users may set.", go=Go.POINTER)
    ] = None
    auto_assign_cidrs: Annotated[
        tuple[str, ...],
        Field(
            (
                "Ranges from which Services of type LoadBalancer get an external address on bare"
                " metal; at most one."
            ),
            list_type="atomic",
        ),
    ] = ()


class ExternalIPPolicy(Shape):
    """Which external addresses users may set; unset allows none."""

    allowed_cidrs: Annotated[
        tuple[str, ...], Field("Ranges that are allowed.", list_type="atomic")
    ] = ()
    rejected_cidrs: Annotated[
        tuple[str, ...],
        Field("Ranges that are refused, even if allowed above.", list_type="atomic"),
    ] = ()


class NetworkDiagnostics(Shape):
    """Checks of connectivity inside the cluster."""

    mode: Annotated[
        str | None,
        Field(
            "`All` runs the checks, `Disabled` none. Empty means All.",
            enum=("", "All", "Disabled"),
            go=Go.ALWAYS,
        ),
    ] = None
    source_placement: Annotated[
        DiagnosticsPlacement | None, Field("Where the pods run that check.")
    ] = None
    target_placement: Annotated[
        DiagnosticsPlacement | None, Field("Where the pods run that are checked.")
    ] = None


class DiagnosticsPlacement(Shape):
    """Where diagnostic pods run."""

    node_selector: Annotated[
        Mapping[str, str] | None,
        Field("Labels that a node must have. Default: Linux nodes.", go=Go.ALWAYS),
    ] = None
    tolerations: Annotated[
        tuple[Toleration, ...],
        Field(
            (
                "Taints that the pods tolerate. Unset tolerates none for sources and all for"
                " targets."
            ),
            list_type="atomic",
            go=Go.ALWAYS,
        ),
    ] = ()


class NetworkObservability(Shape):
    """Installation of network observability."""

    installation_policy: Annotated[
        str,
        Field(
            (
                "`InstallAndEnable` installs the operator and switches it on, `NoAction` leaves"
                " it alone."
            ),
            enum=("InstallAndEnable", "NoAction"),
        ),
    ]
