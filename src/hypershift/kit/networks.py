"""Ranges of addresses as a cluster's networking section names them."""

import ipaddress

from hypershift.kit.manifest import Manifest


def cidrs(networking: Manifest, kind: str) -> tuple[str, ...]:
    """The ranges of one kind (`clusterNetwork`, `serviceNetwork`, ...), by their first addresses.

    The API takes `10.132.5.0/14` as well; flags, hashes and comparisons need `10.132.0.0/14`.
    """
    return tuple(canonical_cidr(item["cidr"]) for item in networking.get(kind) or ())


def canonical_cidr(cidr: str) -> str:
    """A range by its first address."""
    return str(ipaddress.ip_network(cidr, strict=False))
