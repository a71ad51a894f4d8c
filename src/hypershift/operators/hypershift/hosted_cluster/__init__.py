"""The HostedCluster controller: from a declared cluster to its control plane namespace."""

from hypershift.operators.hypershift.hosted_cluster.controller import controller
from hypershift.operators.hypershift.hosted_cluster.scope import Environment

__all__ = ["Environment", "controller"]
