"""Platform `AWS`."""

from hypershift.api.conditions import HostedClusterCondition, Reason
from hypershift.api.values import PlatformType
from hypershift.kube import kinds
from hypershift.platforms.aws.account import AwsAccount
from hypershift.platforms.aws.cluster import AwsCluster
from hypershift.platforms.aws.guest import GUEST
from hypershift.platforms.aws.load_balancers import LOAD_BALANCERS
from hypershift.platforms.aws.pools import POOLS
from hypershift.platforms.aws.private_link import HALVES
from hypershift.platforms.aws.rules import RULES
from hypershift.platforms.links import Links
from hypershift.platforms.platform import Platform

PLATFORM = Platform(
    type=PlatformType.AWS,
    guest=GUEST,
    cluster=AwsCluster(),
    account=AwsAccount,
    rules=RULES,
    pools=POOLS,
    load_balancers=LOAD_BALANCERS,
    links=Links(
        kinds.AWS_ENDPOINT_SERVICE,
        "awsendpointservices",
        (
            HostedClusterCondition.AWS_ENDPOINT_AVAILABLE,
            HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE,
        ),
        Reason.AWS_ERROR,
        Reason.AWS_SUCCESS,
        halves=HALVES,
    ),
)

__all__ = ["PLATFORM"]
