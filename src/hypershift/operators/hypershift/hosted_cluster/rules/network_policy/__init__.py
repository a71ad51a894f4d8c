"""NetworkPolicies of a control plane namespace, as pure functions of what is known."""

from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.policies import (
    Case,
    policies,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.ranges import Ranges
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.surroundings import (
    Networks,
    Surroundings,
    networks_of,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.virt_launcher import (
    infra_conditions,
)

__all__ = [
    "Case",
    "Networks",
    "Ranges",
    "Surroundings",
    "infra_conditions",
    "networks_of",
    "policies",
]
