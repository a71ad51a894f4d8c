"""The conditions of a cloud's private links, as conditions of the cluster."""

from collections.abc import Iterable

from hypershift.api.conditions import (
    ALL_IS_WELL,
    Condition,
    HostedClusterCondition,
    Reason,
    fails,
    false,
    true,
    unknown,
)
from hypershift.api.publishing import uses_swift
from hypershift.kit import HypershiftError, Manifest
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.platforms import Links
from hypershift.runtime import condition_of


async def tell_links(scope: ClusterScope) -> None:
    """Report whether a cluster's network can reach its control plane privately."""
    links = scope.cloud.links
    if links is None or uses_swift(scope.wanted, scope.annotations):
        return
    try:
        found = await scope.kube.list(links.resource, scope.namespace)
    except HypershiftError as error:
        text = f"error listing {links.called} in namespace {scope.namespace}: {error}"
        scope.conditions.set(unknown(links.conditions[0], Reason.NOT_FOUND, text))
        return
    if not found and links.optional:
        return
    for kind in links.conditions:
        scope.conditions.set(link_condition(links, kind, found))


def link_condition(
    links: Links, kind: HostedClusterCondition, found: Iterable[Manifest]
) -> Condition:
    """One condition for all links: one that fails is enough."""
    said = [one for link in found if (one := condition_of(link, kind))]
    failed = [one.get("message", "") for one in said if fails(one)]
    if not said:
        text = f"{links.resource.kind} conditions not found"
        return unknown(kind, Reason.STATUS_UNKNOWN, text)
    if failed:
        return false(kind, links.error, "; ".join(failed))
    return true(kind, ALL_IS_WELL, links.success)
