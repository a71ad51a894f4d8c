"""The clouds that hosted clusters run on, each as one `Platform` value."""

from hypershift.platforms.account import AccountFacts, AccountSide, Cleaned, Kept, Tokens
from hypershift.platforms.cluster import ClusterFacts, ClusterSide, Orphans, Provider, Refs
from hypershift.platforms.links import Links
from hypershift.platforms.machines import (
    Machines,
    NotReady,
    PoolFacts,
    Report,
    Template,
    uses_spot,
)
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.proxied import ClusterProxy, cluster_proxy
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
from hypershift.platforms.registry import (
    PLATFORMS,
    cluster_side,
    infra_resources,
    platform_named,
    platform_of,
)

__all__ = [
    "PLATFORMS",
    "AccountFacts",
    "AccountSide",
    "Cleaned",
    "ClusterFacts",
    "ClusterProxy",
    "ClusterSide",
    "Kept",
    "Links",
    "Machines",
    "NotReady",
    "Orphans",
    "Platform",
    "PoolFacts",
    "Pools",
    "Provider",
    "Publishing",
    "Refs",
    "Report",
    "Service",
    "Template",
    "Tokens",
    "cluster_proxy",
    "cluster_side",
    "hostname",
    "infra_resources",
    "is_aro",
    "is_private",
    "is_public",
    "labels_routes",
    "platform_named",
    "platform_of",
    "published_by",
    "strategy",
    "uses_shared_ingress",
    "uses_spot",
    "uses_swift",
]
