"""What a link says, and what is asked of it: from Services and pools to its spec."""

from hypershift.api import AWSEndpointService, NodePool, read
from hypershift.api.platforms.platform import Platform as Section
from hypershift.kit import Manifest
from hypershift.kube.services import load_balancer_host


def spec_of(found: Manifest, section: Section) -> Manifest | None:
    """The link before a Service: the load balancer's name is the first word of its host name.

    AWS adds a dash and a word of its own; the name may have dashes itself.
    """
    host = load_balancer_host(found)
    if not host:
        return None
    first = host.partition(".")[0]
    tags = section.aws.resource_tags if section.aws else ()
    wanted: Manifest = {"networkLoadBalancerName": first.rpartition("-")[0] or first}
    if tags:
        wanted["resourceTags"] = [{"key": tag.key, "value": tag.value} for tag in tags]
    return wanted


def says(link: Manifest, wanted: Manifest) -> bool:
    """True if a link says what `spec_of` makes of its Service, and nothing else."""
    spec = read(AWSEndpointService, link).spec
    said: Manifest = {"networkLoadBalancerName": spec.network_load_balancer_name}
    if tags := [{"key": tag.key, "value": tag.value} for tag in spec.resource_tags]:
        said["resourceTags"] = tags
    return said == wanted


def subnet_of(pool: NodePool) -> str:
    """The subnet of a pool's instances."""
    section = pool.spec.platform.aws
    return (section.subnet.id if section else None) or ""


def subnets_of(link: Manifest) -> tuple[str, ...]:
    """The subnets that a link says."""
    return read(AWSEndpointService, link).spec.subnet_ids
