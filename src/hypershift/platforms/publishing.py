"""`hypershift.api.publishing` for callers that still have a spec as a manifest.

Callers that read their objects typed use `hypershift.api.publishing` itself.
"""

from collections.abc import Mapping

from hypershift.api import encode, publishing, read
from hypershift.api.publishing import Exposure
from hypershift.api.values import PublishingStrategyType as Publishing
from hypershift.api.values import ServiceType as Service
from hypershift.kit import Manifest

__all__ = [
    "Publishing",
    "Service",
    "hostname",
    "is_aro",
    "is_private",
    "is_public",
    "labels_routes",
    "published_by",
    "strategy",
    "uses_shared_ingress",
    "uses_swift",
]

Annotations = Mapping[str, str] | None


def strategy(spec: Manifest, service: Service) -> Manifest:
    """How the cluster publishes one service; empty when it does not mention the service."""
    found: Manifest = encode(publishing.strategy(_read(spec), service)) or {}
    return found


def published_by(spec: Manifest, service: Service, way: Publishing) -> bool:
    """Whether the cluster publishes a service by this strategy."""
    return publishing.published_by(_read(spec), service, way)


def hostname(spec: Manifest, service: Service) -> str:
    """The name that the user gave a service's route or load balancer."""
    return publishing.hostname(_read(spec), service)


def is_public(spec: Manifest) -> bool:
    """Whether the control plane is reachable from the internet."""
    return publishing.is_public(_read(spec))


def is_private(spec: Manifest, annotations: Annotations = None) -> bool:
    """Whether the control plane has an endpoint inside the cluster's own network."""
    return publishing.is_private(_read(spec), annotations)


def is_aro(spec: Manifest) -> bool:
    """Whether this is Azure with managed identities: the managed service."""
    return publishing.is_aro(_read(spec))


def uses_shared_ingress(spec: Manifest, annotations: Annotations = None) -> bool:
    """Whether one ingress for all clusters stands before this one."""
    return publishing.uses_shared_ingress(_read(spec), annotations)


def uses_swift(spec: Manifest, annotations: Annotations = None) -> bool:
    """Whether the pods have a network interface in the customer's network."""
    return publishing.uses_swift(_read(spec), annotations)


def labels_routes(spec: Manifest, annotations: Annotations = None) -> bool:
    """Whether the cluster's own router serves its external routes, not the mgmt cluster's."""
    return publishing.labels_routes(_read(spec), annotations)


def _read(spec: Manifest) -> Exposure:
    return read(Exposure, spec)
