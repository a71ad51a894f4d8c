"""The clouds that hosted clusters run on, each behind the one `Platform` interface."""

from hypershift.platforms.platform import ClusterFacts, Platform, ProviderRule
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
)
from hypershift.platforms.registry import PLATFORMS, platform_of

__all__ = [
    "PLATFORMS",
    "ClusterFacts",
    "Platform",
    "ProviderRule",
    "Publishing",
    "Service",
    "hostname",
    "is_aro",
    "is_private",
    "is_public",
    "labels_routes",
    "platform_of",
    "published_by",
    "strategy",
    "uses_shared_ingress",
]
