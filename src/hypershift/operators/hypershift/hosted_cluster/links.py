"""What the private links of a cloud say about themselves, as conditions of the cluster."""

from collections.abc import Iterable
from dataclasses import dataclass

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
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.platforms import uses_swift
from hypershift.runtime import condition_of


@dataclass(frozen=True)
class Links:
    """The kind of object that stands for a cloud's private links, and what it tells."""

    resource: Resource
    called: str  # where they cannot be listed
    conditions: tuple[HostedClusterCondition, ...]
    error: Reason
    success: Reason
    optional: bool = False  # nothing is said where there are none


LINKS = {
    "AWS": Links(
        kinds.AWS_ENDPOINT_SERVICE,
        "awsendpointservices",
        (
            HostedClusterCondition.AWS_ENDPOINT_AVAILABLE,
            HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE,
        ),
        Reason.AWS_ERROR,
        Reason.AWS_SUCCESS,
    ),
    "GCP": Links(
        kinds.GCP_PRIVATE_SERVICE_CONNECT,
        "GCPPrivateServiceConnect",
        (
            HostedClusterCondition.GCP_ENDPOINT_AVAILABLE,
            HostedClusterCondition.GCP_SERVICE_ATTACHMENT_AVAILABLE,
        ),
        Reason.GCP_ERROR,
        Reason.GCP_SUCCESS,
    ),
    "Azure": Links(
        kinds.AZURE_PRIVATE_LINK_SERVICE,
        "AzurePrivateLinkService",
        (
            HostedClusterCondition.AZURE_PRIVATE_LINK_AVAILABLE,
            HostedClusterCondition.AZURE_PLS_CREATED,
            HostedClusterCondition.AZURE_LOAD_BALANCER_AVAILABLE,
            HostedClusterCondition.AZURE_ENDPOINT_AVAILABLE,
            HostedClusterCondition.AZURE_DNS_AVAILABLE,
        ),
        Reason.AZURE_ERROR,
        Reason.AZURE_SUCCESS,
        optional=True,
    ),
}


async def tell_links(scope: ClusterScope) -> None:
    """Say whether a cluster's network can reach its control plane privately."""
    links = LINKS.get(scope.spec["platform"]["type"])
    if links is None or uses_swift(scope.spec, scope.annotations):
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
    """What all links say together: one that fails is enough."""
    said = [one for link in found if (one := condition_of(link, kind))]
    failed = [one.get("message", "") for one in said if fails(one)]
    if not said:
        text = f"{links.resource.kind} conditions not found"
        return unknown(kind, Reason.STATUS_UNKNOWN, text)
    if failed:
        return false(kind, links.error, "; ".join(failed))
    return true(kind, ALL_IS_WELL, links.success)
