"""Ranges of addresses: those of a cluster's networking section, and those of metadata services."""

import ipaddress
from collections.abc import Iterable

from hypershift.kit.manifest import Manifest

#: Link-local addresses, and metadata services that have another address.
METADATA_RANGES = (
    "169.254.0.0/16",  # AWS, Azure, Google Cloud, OpenStack, IBM Cloud
    "100.100.100.200/32",  # Alibaba Cloud
    "168.63.129.16/32",  # Azure's host agent
    "192.0.0.192/32",  # Oracle Cloud
    "fe80::/10",
    "fd00:ec2::254/128",  # AWS
    "fd20:ce::254/128",  # Google Cloud
)


def cidrs(networking: Manifest, kind: str) -> tuple[str, ...]:
    """The ranges of one kind (`clusterNetwork`, `serviceNetwork`, ...), by their first addresses.

    The API takes `10.132.5.0/14` as well; flags, hashes and comparisons need `10.132.0.0/14`.
    """
    return tuple(canonical_cidr(item["cidr"]) for item in networking.get(kind) or ())


def ip_versions(ranges: Iterable[str]) -> tuple[int, ...]:
    """The IP versions of ranges, none twice, that of the first range first."""
    found = (ipaddress.ip_network(each, strict=False).version for each in ranges)
    return tuple(dict.fromkeys(found))


def canonical_cidr(cidr: str) -> str:
    """A range by its first address."""
    return str(ipaddress.ip_network(cidr, strict=False))
