"""What a cluster says of its own platform to the programs inside it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypershift.api.platforms.platform import Platform
from hypershift.api.values import PlatformType

Section = dict[str, Any]

#: Tags that clouds' storage drivers refuse, because they belong to Kubernetes.
RESERVED_TAGS, RESERVED_LABELS = "kubernetes.io", "kubernetes-io"


def _nothing(_: Platform) -> Section:
    return {}


def _none_installed(_: Platform) -> Section:
    return {"none": {}}


@dataclass(frozen=True, slots=True)
class Shown:
    """A platform as the guest's Infrastructure has it."""

    type: str
    #: What the spec says besides the type.
    spec: Section = field(default_factory=dict)
    #: Where the cloud's configuration is, for programs inside that read one.
    cloud_config: Section = field(default_factory=dict)
    #: What the status says besides the type.
    status: Callable[[Platform], Section] = _nothing
    #: How the cluster's zones are written, where that needs another identity.
    zones: Callable[[Platform], Section] = _nothing
    #: What an installer's configuration would say.
    installed: Callable[[Platform], Section] = _none_installed


def _aws(platform: Platform) -> Section:
    found = platform.aws
    if found is None:
        return {}
    tags = [
        {"key": tag.key, "value": tag.value}
        for tag in found.resource_tags or ()
        if not tag.key.startswith(RESERVED_TAGS)
    ]
    return {"aws": {"region": found.region, **({"resourceTags": tags} if tags else {})}}


def _aws_zones(platform: Platform) -> Section:
    shared = platform.aws.shared_vpc if platform.aws else None
    if shared is None:
        return {}
    return {"type": "AWS", "aws": {"privateZoneIAMRole": shared.roles_ref.ingress_arn}}


def _aws_installed(platform: Platform) -> Section:
    return {"aws": {"region": platform.aws.region if platform.aws else ""}}


def _azure(platform: Platform) -> Section:
    found = platform.azure
    if found is None:
        return {}
    cloud, group = found.cloud or "AzurePublicCloud", found.resource_group
    return {"azure": {"cloudName": cloud, "resourceGroupName": group}}


def _gcp(platform: Platform) -> Section:
    found = platform.gcp
    if found is None:
        return {}
    labels = [
        {"key": label.key, "value": label.value or ""}
        for label in found.resource_labels or ()
        if not label.key.startswith(RESERVED_LABELS)
    ]
    told = {"projectID": found.project, "region": found.region}
    return {"gcp": told | ({"resourceLabels": labels} if labels else {})}


def _gcp_installed(platform: Platform) -> Section:
    found = platform.gcp
    return {"gcp": {"projectID": found.project, "region": found.region}} if found else {}


def _openstack(platform: Platform) -> Section:
    found = platform.openstack
    if found is None:
        return {}
    empty: list[str] = []
    told = {"apiServerInternalIPs": empty, "ingressIPs": empty}
    return {
        "openstack": {"cloudName": "openstack", "loadBalancer": {"type": "UserManaged"}, **told}
    }


def _powervs(platform: Platform) -> Section:
    found = platform.powervs
    if found is None:
        return {}
    said = {
        "region": found.region,
        "zone": found.zone,
        "resourceGroup": found.resource_group,
        "cisInstanceCRN": found.cis_instance_crn,
    }
    return {"powervs": said}


SHOWN: dict[str, Shown] = {
    PlatformType.AWS: Shown(
        "AWS", {"aws": {}}, status=_aws, zones=_aws_zones, installed=_aws_installed
    ),
    PlatformType.AZURE: Shown("Azure", cloud_config={"name": "cloud.conf"}, status=_azure),
    PlatformType.GCP: Shown("GCP", status=_gcp, installed=_gcp_installed),
    PlatformType.OPENSTACK: Shown(
        "OpenStack",
        {"openstack": {}},
        {"name": "cloud-provider-config", "key": "cloud.conf"},
        status=_openstack,
    ),
    PlatformType.POWERVS: Shown("PowerVS", status=_powervs),
    PlatformType.IBMCLOUD: Shown("IBMCloud"),
    PlatformType.KUBEVIRT: Shown("KubeVirt"),
}


def shown_inside(platform: str) -> Shown:
    """How a platform appears inside its clusters; machines of no cloud are `None`."""
    return SHOWN.get(platform, Shown("None"))
