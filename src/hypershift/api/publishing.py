"""How a cluster's services are published, and from where its control plane can be reached."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from hypershift.api import annotations as marks
from hypershift.api.encryption import SecretEncryption
from hypershift.api.platforms.azure_vault import vault_host
from hypershift.api.platforms.platform import Platform
from hypershift.api.services import PublishingStrategy, ServiceMapping
from hypershift.api.shape import Shape
from hypershift.api.values import (
    AzureAuthenticationType,
    AzurePrivateType,
    EndpointAccess,
    PlatformType,
    PublishingStrategyType,
    ServiceType,
)
from hypershift.api.well_known import IGNITION_SERVER

#: Platforms that have private endpoints of their own.
_PRIVATE_CLOUDS = frozenset({PlatformType.AWS, PlatformType.AZURE, PlatformType.GCP})
_PUBLIC = frozenset({EndpointAccess.PUBLIC, EndpointAccess.PUBLIC_AND_PRIVATE})
_PRIVATE = frozenset({EndpointAccess.PRIVATE, EndpointAccess.PUBLIC_AND_PRIVATE})


#: Nodes resolve names of this domain to the private endpoint; nothing else serves it.
INTERNAL_DOMAIN = "hypershift.local"


class Exposed(Protocol):
    """What these readers need of a spec: that of a HostedCluster or of a HostedControlPlane."""

    @property
    def platform(self) -> Platform:
        """The infrastructure."""

    @property
    def services(self) -> tuple[ServiceMapping, ...]:
        """How each service is published."""


class Vaulted(Exposed, Protocol):
    """What is needed beside to find a vault."""

    @property
    def secret_encryption(self) -> SecretEncryption | None:
        """How stored objects are encrypted."""


class Naming(Protocol):
    """What names and identifies a cluster, in the spec of cluster or control plane."""

    @property
    def services(self) -> tuple[ServiceMapping, ...]:
        """How each service is published."""

    @property
    def kube_api_server_dns_name(self) -> str | None:
        """The user's own name for the API server."""

    @property
    def infra_id(self) -> str | None:
        """The name of what the cluster has in a cloud."""

    @property
    def cluster_id(self) -> str | None:
        """The id of the cluster."""


class Named(Shape):
    """The part of a spec by which a cluster is named, where the rest is not read."""

    services: tuple[ServiceMapping, ...] = ()
    kube_api_server_dns_name: str | None = None
    infra_id: str | None = None
    cluster_id: str | None = None


class Exposure(Shape):
    """The part of a spec that says how a cluster is exposed, where the rest is not read."""

    platform: Platform
    services: tuple[ServiceMapping, ...] = ()


def strategy(spec: Exposed, service: ServiceType) -> PublishingStrategy | None:
    """How the cluster publishes one service; None when it does not mention the service."""
    found = (each for each in spec.services if each.service == service)
    return next((each.service_publishing_strategy for each in found), None)


def strategy_type(spec: Exposed, service: ServiceType) -> str:
    """By which strategy the cluster publishes one service; empty when it does not mention it."""
    found = strategy(spec, service)
    return found.type if found else ""


def published_by(spec: Exposed, service: ServiceType, kind: PublishingStrategyType) -> bool:
    """Whether the cluster publishes a service by this strategy."""
    return strategy_type(spec, service) == kind


def hostname(spec: Exposed, service: ServiceType) -> str:
    """The name that the user gave a service's route or load balancer."""
    found = strategy(spec, service)
    return chosen_name(found) if found else ""


def chosen_name(found: PublishingStrategy) -> str:
    """The host name that the user gave a route or load balancer; empty for other strategies."""
    named = {
        PublishingStrategyType.ROUTE.value: found.route,
        PublishingStrategyType.LOAD_BALANCER.value: found.load_balancer,
    }.get(found.type)
    return (named.hostname if named else None) or ""


def internal_host(route: str, cluster: str) -> str:
    """The name of a Route inside the network of a private cluster."""
    return f"{route}.apps.{cluster}.{INTERNAL_DOMAIN}"


def ignition_host(spec: Exposed, cluster: str, annotations: Mapping[str, str] | None = None) -> str:
    """The name of the Route by which machines fetch their configuration; empty without one."""
    service, route = ServiceType.IGNITION, PublishingStrategyType.ROUTE
    if is_private(spec, annotations) and published_by(spec, service, route):
        return internal_host(IGNITION_SERVER, cluster)
    return hostname(spec, service)


def unroutable(spec: Exposed) -> Iterator[str]:
    """Yield which services ask for a Route that a cluster without Routes cannot serve.

    There the cluster's own router takes their place: it serves names that the user chose, and it
    runs for a cluster whose API server has one. That of a private cluster serves names of its zone.
    """
    route = PublishingStrategyType.ROUTE
    named = published_by(spec, ServiceType.API_SERVER, route)
    for each in spec.services:
        if each.service_publishing_strategy.type != route:
            continue
        refused = f'cluster does not support Routes, but service "{each.service}" is exposed'
        if is_private(spec) and each.service != ServiceType.API_SERVER:
            continue
        if not named:
            yield f"{refused} via a Route while APIServer is not"
        elif not hostname(spec, ServiceType(each.service)):
            yield f"{refused} via a Route without a hostname"


def is_public(spec: Exposed) -> bool:
    """Whether the control plane is reachable from the internet."""
    access = _access(spec)
    match spec.platform.type:
        case PlatformType.AWS:
            return access in _PUBLIC
        case PlatformType.AZURE:
            return access != EndpointAccess.PRIVATE
        case PlatformType.GCP:
            return access == EndpointAccess.PUBLIC_AND_PRIVATE
        case _:
            return True


def is_private(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the control plane has an endpoint inside the cluster's own network."""
    access = _access(spec)
    if spec.platform.type == PlatformType.AZURE and not access:
        return uses_swift(spec, annotations)
    return access in _PRIVATE


def is_aro(spec: Exposed) -> bool:
    """Whether this is Azure with managed identities: the managed service."""
    azure = spec.platform.azure
    chosen = spec.platform.type == PlatformType.AZURE
    return (
        chosen
        and azure is not None
        and (
            azure.azure_authentication_config.azure_authentication_config_type
            == AzureAuthenticationType.MANAGED_IDENTITIES
        )
    )


def uses_shared_ingress(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether one ingress for all clusters stands before this one.

    Public clusters of the managed service have no choice; others choose it by an annotation.
    """
    return (is_aro(spec) or asks_for_shared_ingress(annotations)) and is_public(spec)


def asks_for_shared_ingress(annotations: Mapping[str, str] | None) -> bool:
    """Whether the user chose the shared ingress."""
    return (annotations or {}).get(marks.SHARED_INGRESS) == "true"


def unshareable(
    spec: Exposed, annotations: Mapping[str, str] | None, *, offered: bool
) -> Iterator[str]:
    """Yield why a cluster cannot have the shared ingress that it asks for."""
    if not asks_for_shared_ingress(annotations):
        return
    asked = f"annotation {marks.SHARED_INGRESS} asks for the shared ingress"
    if not offered:
        yield f"{asked}, which this operator does not run (--shared-ingress-image)"
    if is_private(spec, annotations):
        yield f"{asked}, which is public, and the cluster is private"
    for each in spec.services:
        kind = each.service_publishing_strategy.type
        if kind != PublishingStrategyType.ROUTE:
            yield f"{asked}, and service {each.service} is published by {kind} instead of Route"
        elif not hostname(spec, ServiceType(each.service)):
            yield f"{asked}, and the Route of service {each.service} has no hostname"


def limits_clients(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether anything that stands before the API server compares who comes with allowed ranges.

    Load balancers and routers do; a node port and the management cluster's own router admit all.
    """
    if uses_shared_ingress(spec, annotations) or not is_public(spec):
        return True
    match strategy_type(spec, ServiceType.API_SERVER):
        case PublishingStrategyType.LOAD_BALANCER:
            return True
        case PublishingStrategyType.ROUTE:
            return labels_routes(spec, annotations)
        case _:
            return False


def uses_swift(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the pods have a network interface in the customer's network.

    Clusters that are older than the field for it carry an annotation.
    """
    if spec.platform.type != PlatformType.AZURE:
        return False
    private = spec.platform.azure.private if spec.platform.azure else None
    annotated = bool((annotations or {}).get(marks.SWIFT_POD_NETWORK_INSTANCE))
    return annotated or (private is not None and private.type == AzurePrivateType.SWIFT)


def labels_routes(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the cluster's own router serves its external routes, not the mgmt cluster's."""
    platform = spec.platform.type
    if platform == PlatformType.IBMCLOUD:
        return False
    if uses_shared_ingress(spec, annotations) or uses_swift(spec, annotations):
        return True
    service, route = ServiceType.API_SERVER, PublishingStrategyType.ROUTE
    named = published_by(spec, service, route) and bool(hostname(spec, service))
    return named or (platform in _PRIVATE_CLOUDS and not is_public(spec))


def swift_instance(spec: Exposed, annotations: Mapping[str, str] | None = None) -> str:
    """The pod network in the customer's network that pods are attached to; empty without one."""
    if not uses_swift(spec, annotations):
        return ""
    private = spec.platform.azure.private if spec.platform.azure else None
    if private is not None and private.type == AzurePrivateType.SWIFT:
        return private.swift.pod_network_instance if private.swift else ""
    return (annotations or {}).get(marks.SWIFT_POD_NETWORK_INSTANCE, "")


def private_vault(spec: Vaulted) -> str:
    """The host of a vault that only the customer's network reaches; empty without one."""
    encryption = spec.secret_encryption
    keys = encryption.kms.azure if encryption and encryption.kms else None
    if keys is None or not is_aro(spec) or keys.key_vault_access != EndpointAccess.PRIVATE:
        return ""
    return vault_host(keys, (spec.platform.azure.cloud if spec.platform.azure else "") or "")


def uses_router(spec: Exposed, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the cluster has a router of its own, for private endpoints or its external routes."""
    private = is_private(spec, annotations)
    if spec.platform.type == PlatformType.IBMCLOUD:
        return False
    if uses_shared_ingress(spec, annotations) and not private:
        return False
    return private or labels_routes(spec, annotations)


def _access(spec: Exposed) -> str:
    platform = spec.platform
    match platform.type:
        case PlatformType.AWS:
            return platform.aws.endpoint_access if platform.aws else ""
        case PlatformType.GCP:
            return platform.gcp.endpoint_access if platform.gcp else ""
        case PlatformType.AZURE:
            return (platform.azure.topology if platform.azure else None) or ""
        case _:
            return ""
