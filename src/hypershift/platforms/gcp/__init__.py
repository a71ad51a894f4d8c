"""Platform `GCP`."""

from collections.abc import Mapping

from hypershift.api import HostedCluster
from hypershift.api.conditions import ConditionStatus, HostedClusterCondition, Reason
from hypershift.api.publishing import Exposed
from hypershift.api.values import PlatformType
from hypershift.kube import kinds
from hypershift.platforms.gcp.guest import GUEST
from hypershift.platforms.gcp.machine_template import MACHINES
from hypershift.platforms.links import Links
from hypershift.platforms.load_balancers import Annotations, LoadBalancers
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.rules import ClusterRules

_LINKS = Links(
    kinds.GCP_PRIVATE_SERVICE_CONNECT,
    "GCPPrivateServiceConnect",
    (
        HostedClusterCondition.GCP_ENDPOINT_AVAILABLE,
        HostedClusterCondition.GCP_SERVICE_ATTACHMENT_AVAILABLE,
    ),
    Reason.GCP_ERROR,
    Reason.GCP_SUCCESS,
)
_EXPECTED = (
    HostedClusterCondition.VALID_GCP_WORKLOAD_IDENTITY,
    HostedClusterCondition.VALID_GCP_CREDENTIALS,
    *_LINKS.conditions,
)


def _expected(cluster: HostedCluster) -> Mapping[str, str]:
    del cluster
    return dict.fromkeys(_EXPECTED, ConditionStatus.TRUE)


def _internal(spec: Exposed, annotations: Annotations) -> Annotations:
    del spec, annotations
    return {"networking.gke.io/load-balancer-type": "Internal"}


PLATFORM = Platform(
    type=PlatformType.GCP,
    guest=GUEST,
    rules=ClusterRules(expected=_expected, private_router=True),
    pools=Pools(machines=MACHINES, architectures=("amd64", "arm64")),
    links=_LINKS,
    load_balancers=LoadBalancers(private_router=_internal),
)

__all__ = ["PLATFORM"]
