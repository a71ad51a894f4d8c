"""What the private links of a cloud say about themselves, as conditions of the cluster."""

from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.hosted_cluster.conditions import STATUS_UNKNOWN, Verdict
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.platforms import uses_swift
from hypershift.runtime import condition_of


@dataclass(frozen=True)
class Links:
    """The kind of object that stands for a cloud's private links, and what it tells."""

    resource: Resource
    called: str  # where they cannot be listed
    conditions: tuple[str, ...]
    error: str
    success: str
    optional: bool = False  # nothing is said where there are none


LINKS = {
    "AWS": Links(
        kinds.AWS_ENDPOINT_SERVICE,
        "awsendpointservices",
        ("AWSEndpointAvailable", "AWSEndpointServiceAvailable"),
        "AWSError",
        "AWSSuccess",
    ),
    "GCP": Links(
        kinds.GCP_PRIVATE_SERVICE_CONNECT,
        "GCPPrivateServiceConnect",
        ("GCPEndpointAvailable", "GCPServiceAttachmentAvailable"),
        "GCPError",
        "GCPSuccess",
    ),
    "Azure": Links(
        kinds.AZURE_PRIVATE_LINK_SERVICE,
        "AzurePrivateLinkService",
        (
            "AzurePrivateLinkServiceAvailable",
            "AzurePLSCreated",
            "AzureInternalLoadBalancerAvailable",
            "AzurePrivateEndpointAvailable",
            "AzurePrivateDNSAvailable",
        ),
        "AzureError",
        "AzureSuccess",
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
        scope.conditions.set(links.conditions[0], "Unknown", "NotFound", text)
        return
    if not found and links.optional:
        return
    for kind in links.conditions:
        link_condition(links, kind, found).set_in(scope.conditions)


def link_condition(links: Links, kind: str, found: Iterable[Manifest]) -> Verdict:
    """What all links say together: one that fails is enough."""
    said = [one for link in found if (one := condition_of(link, kind))]
    failed = [one.get("message", "") for one in said if one["status"] == "False"]
    if not said:
        text = f"{links.resource.kind} conditions not found"
        return Verdict(kind, "Unknown", STATUS_UNKNOWN, text)
    if failed:
        return Verdict(kind, "False", links.error, "; ".join(failed))
    return Verdict(kind, "True", links.success, "All is well")
