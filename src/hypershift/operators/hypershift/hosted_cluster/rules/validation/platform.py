"""Checks the section of a cluster's platform."""

from collections.abc import Iterator

from hypershift.api import HostedCluster
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import not_found
from hypershift.platforms import platform_of


def platform_problems(cluster: HostedCluster, namespace: Manifest | None) -> Iterator[str]:
    """Yield what is wrong with the platform's section; `namespace` is the one that it needs."""
    platform = cluster.spec.platform
    rules = platform_of(cluster.spec).rules
    section = rules.section
    if section and not section.is_in(platform):
        yield f"{section.called} needs .spec.platform.{section.field} to be filled"
        return
    yield from rules.problems(cluster)
    if rules.namespace and namespace is None:
        missing = not_found("namespaces", needed_namespace(cluster))
        yield f"failed to get {rules.namespace.called}: {missing}"


def needed_namespace(cluster: HostedCluster) -> str:
    """The namespace that must exist before the cluster is made; empty on most platforms."""
    needed = platform_of(cluster.spec).rules.namespace
    return needed.name(cluster.spec.platform) if needed else ""
