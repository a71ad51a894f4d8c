"""Subnets that another account shares; moto writes a share down and shows nothing of it.

- CreateResourceShare: the subnets are seen in the accounts that they are shared with, each with
  tags of its own, as AWS keeps them.
- DeleteResourceShare: they are seen there no more.
- AssociateVPCWithHostedZone: the zone may be another account's.
"""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from moto.ec2.models import ec2_backends
from moto.route53.models import route53_backends

CREATE, DELETE = "/createresourceshare", "/deleteresourceshare"


def share(body: bytes) -> None:
    """Show subnets in the accounts of a request for a share."""
    asked = json.loads(body or b"{}")
    for arn in asked.get("resourceArns") or ():
        _, _, _, region, owner, resource = arn.split(":", 5)
        subnet = _find(owner, region, resource.rpartition("/")[2])
        for account in asked.get("principals") or () if subnet else ():
            guest = ec2_backends[account][region]
            seen = copy.copy(subnet)
            seen.ec2_backend = guest
            guest.subnets[subnet.availability_zone][subnet.id] = seen


def forget() -> None:
    """Hide shared subnets again."""
    for zone, subnet in list(_shared()):
        zone.pop(subnet.id, None)


def _find(account: str, region: str, name: str) -> Any:
    zones = ec2_backends[account][region].subnets.values()
    return next((zone[name] for zone in zones if name in zone), None)


def _shared() -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield what an account sees in a VPC that it does not have."""
    for regions in list(ec2_backends.values()):
        for backend in list(regions.values()):
            for zone in list(backend.subnets.values()):
                for subnet in list(zone.values()):
                    if subnet.vpc_id not in backend.vpcs:
                        yield zone, subnet


def associate(path: str, body: bytes) -> bool:
    """Let a VPC of one account resolve a zone of another; whether the zone was found.

    moto looks for the zone in the caller's account alone. AWS wants an authorization first, which
    the extension grants to everybody.
    """
    name = path.rstrip("/").split("/")[-2]
    words = (rb"<%s>([^<]+)</%s>" % (tag, tag) for tag in (b"VPCId", b"VPCRegion"))
    vpc, region = (re.search(word, body) for word in words)
    for partitions in list(route53_backends.values()):
        zone = partitions["aws"].zones.get(name)
        if zone is not None and vpc is not None and region is not None:
            zone.add_vpc(vpc[1].decode(), region[1].decode())
            return True
    return False
