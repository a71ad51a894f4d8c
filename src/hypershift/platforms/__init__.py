"""The clouds that hosted clusters run on, each behind the one `Platform` interface."""

from hypershift.platforms.machine_registry import MACHINES, machines_of, made_elsewhere
from hypershift.platforms.machines import (
    Machines,
    NotReady,
    PoolFacts,
    Report,
    Template,
    uses_spot,
)
from hypershift.platforms.platform import ClusterFacts, Platform
from hypershift.platforms.publishing import (
    Publishing,
    Service,
    hostname,
    is_aro,
    is_private,
    is_public,
    labels_routes,
    published_by,
    strategy,
    uses_shared_ingress,
    uses_swift,
)
from hypershift.platforms.registry import PLATFORMS, platform_of

__all__ = [
    "MACHINES",
    "PLATFORMS",
    "ClusterFacts",
    "Machines",
    "NotReady",
    "Platform",
    "PoolFacts",
    "Publishing",
    "Report",
    "Service",
    "Template",
    "hostname",
    "is_aro",
    "is_private",
    "is_public",
    "labels_routes",
    "machines_of",
    "made_elsewhere",
    "platform_of",
    "published_by",
    "strategy",
    "uses_shared_ingress",
    "uses_spot",
    "uses_swift",
]
