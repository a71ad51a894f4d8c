"""What is wrong with a HostedCluster's spec, as sentences; an empty list is a good spec."""

from hypershift.operators.hypershift.hosted_cluster.rules.validation.authentication import (
    authentication_problems,
    issuer_bundles,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.bundles import (
    bundle_problems,
    bundles,
    proxy_bundle,
    proxy_problem,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.certificates import (
    OWN_SECRETS,
    certificate_problems,
    named_secrets,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.identity import (
    identity_problems,
    namespace_problems,
    signing_key,
    signing_key_problems,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.networks import (
    network_problems,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.platform import (
    needed_namespace,
    platform_problems,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.receivers import (
    receiver_problems,
    receivers,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.services import (
    hostname_problem,
    route_problems,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.stacks import stack_problems
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import not_found

__all__ = [
    "OWN_SECRETS",
    "authentication_problems",
    "bundle_problems",
    "bundles",
    "certificate_problems",
    "hostname_problem",
    "identity_problems",
    "issuer_bundles",
    "named_secrets",
    "namespace_problems",
    "needed_namespace",
    "network_problems",
    "not_found",
    "platform_problems",
    "proxy_bundle",
    "proxy_problem",
    "receiver_problems",
    "receivers",
    "route_problems",
    "signing_key",
    "signing_key_problems",
    "stack_problems",
]
