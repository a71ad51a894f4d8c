"""The clouds that hosted clusters run on, each as one `Platform` value."""

from hypershift.platforms.account import AccountFacts, AccountSide, Cleaned, Kept, Tokens
from hypershift.platforms.cluster import ClusterFacts, ClusterSide, Orphans, Provider, Refs
from hypershift.platforms.guest import GuestFacts, GuestSide
from hypershift.platforms.links import (
    EndpointFacts,
    EndpointSide,
    LinkKept,
    Links,
    ServiceFacts,
    ServiceSide,
)
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
from hypershift.platforms.registry import (
    PLATFORMS,
    cluster_side,
    infra_resources,
    made_links,
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
    "EndpointFacts",
    "EndpointSide",
    "GuestFacts",
    "GuestSide",
    "Kept",
    "LinkKept",
    "Links",
    "Machines",
    "NotReady",
    "Orphans",
    "Platform",
    "PoolFacts",
    "Pools",
    "Provider",
    "Refs",
    "Report",
    "ServiceFacts",
    "ServiceSide",
    "Template",
    "Tokens",
    "cluster_proxy",
    "cluster_side",
    "infra_resources",
    "made_links",
    "platform_named",
    "platform_of",
    "uses_spot",
]
