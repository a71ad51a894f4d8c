"""Platform `Azure`."""

from hypershift.api.conditions import HostedClusterCondition, Reason
from hypershift.api.values import PlatformType
from hypershift.kube import kinds
from hypershift.platforms.azure.guest import GUEST
from hypershift.platforms.azure.load_balancers import LOAD_BALANCERS
from hypershift.platforms.azure.pools import POOLS
from hypershift.platforms.azure.rules import RULES
from hypershift.platforms.links import Links
from hypershift.platforms.platform import Platform

PLATFORM = Platform(
    type=PlatformType.AZURE,
    guest=GUEST,
    rules=RULES,
    pools=POOLS,
    load_balancers=LOAD_BALANCERS,
    links=Links(
        kinds.AZURE_PRIVATE_LINK_SERVICE,
        "AzurePrivateLinkService",
        (
            HostedClusterCondition.AZURE_PRIVATE_LINK_AVAILABLE,
            HostedClusterCondition.AZURE_PLS_CREATED,
            HostedClusterCondition.AZURE_LOAD_BALANCER_AVAILABLE,
            HostedClusterCondition.AZURE_ENDPOINT_AVAILABLE,
            HostedClusterCondition.AZURE_DNS_AVAILABLE,
        ),
        Reason.AZURE_ERROR,
        Reason.AZURE_SUCCESS,
        optional=True,
    ),
)

__all__ = ["PLATFORM"]
