"""What is wrong with a HostedCluster's spec, as sentences; an empty list is a good spec."""

from hypershift.operators.hypershift.hosted_cluster.validation.authentication import (
    authentication_problems,
)
from hypershift.operators.hypershift.hosted_cluster.validation.certificates import (
    bundle_problem,
    certificate_problems,
    named_secrets,
)
from hypershift.operators.hypershift.hosted_cluster.validation.identity import identity_problems
from hypershift.operators.hypershift.hosted_cluster.validation.networks import network_problems
from hypershift.operators.hypershift.hosted_cluster.validation.services import service_problems

__all__ = [
    "authentication_problems",
    "bundle_problem",
    "certificate_problems",
    "identity_problems",
    "named_secrets",
    "network_problems",
    "service_problems",
]
