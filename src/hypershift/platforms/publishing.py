"""How a control plane's services are published, and who can see them from where."""

from collections.abc import Mapping
from enum import StrEnum

from hypershift.api import annotations
from hypershift.kit import Manifest

SWIFT_ANNOTATION = annotations.SWIFT_POD_NETWORK_INSTANCE
#: Platforms that have private endpoints of their own.
_PRIVATE_CLOUDS = frozenset({"AWS", "Azure", "GCP"})


class Service(StrEnum):
    """The services of a control plane that users and machines reach from outside."""

    API_SERVER = "APIServer"
    OAUTH_SERVER = "OAuthServer"
    KONNECTIVITY = "Konnectivity"
    IGNITION = "Ignition"


class Publishing(StrEnum):
    """The ways in which a service can be published."""

    LOAD_BALANCER = "LoadBalancer"
    NODE_PORT = "NodePort"
    ROUTE = "Route"
    S3 = "S3"
    NONE = "None"


#: Where a way of publishing says by which name.
_NAMED = {Publishing.ROUTE: "route", Publishing.LOAD_BALANCER: "loadBalancer"}


def strategy(spec: Manifest, service: Service) -> Manifest:
    """How the cluster publishes one service; empty when it says nothing of it."""
    for item in spec.get("services") or ():
        if item.get("service") == service:
            found: Manifest = item.get("servicePublishingStrategy") or {}
            return found
    return {}


def published_by(spec: Manifest, service: Service, way: Publishing) -> bool:
    """Whether the cluster publishes a service in this way."""
    return strategy(spec, service).get("type") == way


def hostname(spec: Manifest, service: Service) -> str:
    """The name that the user gave a service's route or load balancer."""
    found = strategy(spec, service)
    section = _NAMED.get(found.get("type", ""), "")
    name: str = (found.get(section) or {}).get("hostname") or ""
    return name


def is_public(spec: Manifest) -> bool:
    """Whether the control plane is reachable from the internet."""
    match spec["platform"]["type"], _access(spec):
        case "AWS", access:
            return access in ("Public", "PublicAndPrivate")
        case "Azure", access:
            return access != "Private"
        case "GCP", access:
            return access == "PublicAndPrivate"
        case _:
            return True


def is_private(spec: Manifest, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the control plane has an endpoint inside the cluster's own network."""
    access = _access(spec)
    if spec["platform"]["type"] == "Azure" and not access:
        return uses_swift(spec, annotations)
    return access in ("Private", "PublicAndPrivate")


def is_aro(spec: Manifest) -> bool:
    """Whether this is Azure with managed identities: the managed service."""
    azure = spec["platform"].get("azure") or {}
    authentication = azure.get("azureAuthenticationConfig") or {}
    return authentication.get("azureAuthenticationConfigType") == "ManagedIdentities"


def uses_shared_ingress(spec: Manifest) -> bool:
    """Whether one ingress for all clusters stands before this one."""
    return is_aro(spec) and is_public(spec)


def uses_swift(spec: Manifest, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the pods have a network interface in the customer's network.

    Clusters of before the API had a field for it say so by an annotation.
    """
    if spec["platform"]["type"] != "Azure":
        return False
    private = (spec["platform"].get("azure") or {}).get("private") or {}
    return private.get("type") == "Swift" or bool((annotations or {}).get(SWIFT_ANNOTATION))


def labels_routes(spec: Manifest, annotations: Mapping[str, str] | None = None) -> bool:
    """Whether the cluster's own router serves its external routes, not the mgmt cluster's."""
    platform = spec["platform"]["type"]
    if platform == "IBMCloud":
        return False
    if uses_shared_ingress(spec) or uses_swift(spec, annotations):
        return True
    named = published_by(spec, Service.API_SERVER, Publishing.ROUTE) and bool(
        hostname(spec, Service.API_SERVER)
    )
    return named or (platform in _PRIVATE_CLOUDS and not is_public(spec))


def _access(spec: Manifest) -> str:
    platform = spec["platform"]
    match platform["type"]:
        case "AWS":
            access: str = (platform.get("aws") or {}).get("endpointAccess", "")
        case "GCP":
            access = (platform.get("gcp") or {}).get("endpointAccess", "")
        case "Azure":
            access = (platform.get("azure") or {}).get("topology", "")
        case _:
            access = ""
    return access
