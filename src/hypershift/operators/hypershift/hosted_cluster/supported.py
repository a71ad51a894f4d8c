"""Report the settings of a cluster that this operator refuses, and those that have no effect."""

from collections.abc import Iterator, Mapping

from hypershift.api.conditions import (
    HostedClusterCondition,
    HostedClusterReason,
    false,
    true,
)
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import limits_clients, strategy_type
from hypershift.api.values import ServiceType
from hypershift.kit import aggregate
from hypershift.operators.hypershift import support
from hypershift.operators.hypershift.hosted_cluster.rules.validation import stack_problems
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.support import Concern, Status
from hypershift.runtime import Done, Outcome


async def check_support(scope: ClusterScope) -> Outcome:
    """SupportedHostedCluster and IgnoredSettings: applies the table of support to the spec.

    The product is known once the release was read; before that, only common rows apply.
    """
    if scope.platform is None:  # `check_platform` reported it
        return Done()
    refused = _report(scope, Status.REFUSED)
    # Such a field is immutable, and the cluster works without it.
    kept = [one for one in refused if one.row.fixed and scope.has_been_available]
    problems = [one.text for one in refused if one not in kept]
    _tell_refused(scope, problems + _networks(scope))
    ignored = [one.text for one in (*kept, *_report(scope, Status.IGNORED))]
    _tell_ignored(scope, [*ignored, *open_to_all(scope.wanted, scope.annotations)])
    return Done()


def open_to_all(spec: HostedClusterSpec, annotations: Mapping[str, str]) -> Iterator[str]:
    """Yield that allowed ranges have no effect, where nothing compares clients with them."""
    api = spec.networking.api_server
    if api and any(api.allowed_cidr_blocks or ()) and not limits_clients(spec, annotations):
        kind = strategy_type(spec, ServiceType.API_SERVER) or "nothing"
        yield (
            "spec.networking.apiServer.allowedCIDRBlocks: every client reaches an API server that"
            f" is published by {kind}: publish it by LoadBalancer, or by Route with a hostname"
        )


def _networks(scope: ClusterScope) -> list[str]:
    """Ranges that the programs of a Kubernetes release would end with; they cannot be changed."""
    known = scope.release is not None and not scope.release.openshift
    return list(stack_problems(scope.wanted)) if known and not scope.has_been_available else []


def _report(scope: ClusterScope, status: Status) -> list[Concern]:
    product = scope.release.product if scope.release else None
    platform = scope.wanted.platform.type
    return support.fields(support.CLUSTER, scope.object, product, platform, status)


def _tell_refused(scope: ClusterScope, problems: list[str]) -> None:
    kind = HostedClusterCondition.SUPPORTED
    if problems:
        text = aggregate(problems)
        scope.conditions.set(false(kind, HostedClusterReason.UNSUPPORTED, text))
    else:
        text = "HostedCluster is supported by operator configuration"
        scope.conditions.set(true(kind, text))


def _tell_ignored(scope: ClusterScope, found: list[str]) -> None:
    """Name what has no effect; without a release, what was known of it stays."""
    kind = HostedClusterCondition.IGNORED_SETTINGS
    if scope.release is None:
        return
    found += support.ignored_annotations(scope.annotations, scope.release.product)
    if found:
        text = f"these settings have no effect: {'; '.join(found)}"
        scope.conditions.set(true(kind, text, HostedClusterReason.SETTINGS_IGNORED))
    else:
        scope.conditions.remove(kind)
