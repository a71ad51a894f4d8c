"""Every cloud by the name that users write in `spec.platform.type`."""

from collections.abc import Mapping
from typing import Protocol

from hypershift.kit import InvalidSpec
from hypershift.kube import Resource
from hypershift.platforms import (
    agent,
    aws,
    azure,
    gcp,
    ibmcloud,
    kubevirt,
    local,
    none,
    openstack,
    powervs,
)
from hypershift.platforms.cluster import ClusterSide
from hypershift.platforms.links import Links
from hypershift.platforms.platform import Platform

PLATFORMS: Mapping[str, Platform] = {
    cloud.PLATFORM.type: cloud.PLATFORM
    for cloud in (
        agent,
        aws,
        azure,
        gcp,
        ibmcloud,
        kubevirt,
        local,
        none,
        openstack,
        powervs,
    )
}


class _Section(Protocol):
    @property
    def type(self) -> str: ...


class _OnCloud(Protocol):
    @property
    def platform(self) -> _Section: ...


def platform_of(spec: _OnCloud) -> Platform:
    """The cloud that the spec of a cluster or pool names; an unknown one answers as any other."""
    return platform_named(spec.platform.type)


def platform_named(name: str) -> Platform:
    """The cloud of a name."""
    return PLATFORMS.get(name) or Platform(name)


def infra_resources() -> tuple[Resource, ...]:
    """The kinds of infrastructure CRs that the clouds of this build have."""
    sides = (each.cluster for each in PLATFORMS.values() if each.cluster is not None)
    return tuple(each.infra_resource for each in sides if each.infra_resource is not None)


def made_links() -> tuple[Links, ...]:
    """The private links of all clouds on which this build makes them."""
    found = (each.links for each in PLATFORMS.values())
    return tuple(each for each in found if each is not None and each.halves is not None)


def cluster_side(name: str) -> ClusterSide:
    """What hosts control planes on a cloud; `InvalidSpec` where this build hosts none."""
    platform = PLATFORMS.get(name)
    if platform is not None and platform.cluster is not None:
        return platform.cluster
    known = ", ".join(sorted(each.type for each in PLATFORMS.values() if each.cluster))
    raise InvalidSpec(
        f"platform {str(name)!r} is not supported by this operator (it has {known})",
        field="spec.platform.type",
        reason="UnsupportedPlatform",
    )
