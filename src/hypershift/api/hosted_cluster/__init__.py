"""HostedCluster: a cluster whose control plane runs on the management cluster."""

from hypershift.api.hosted_cluster.cluster import HostedCluster
from hypershift.api.hosted_cluster.spec import HostedClusterSpec
from hypershift.api.hosted_cluster.status import HostedClusterStatus

__all__ = ["HostedCluster", "HostedClusterSpec", "HostedClusterStatus"]
