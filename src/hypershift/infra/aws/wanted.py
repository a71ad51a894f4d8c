"""What a user wants on AWS, and the names and tags that follow from it."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hypershift.api import labels
from hypershift.kit import UsageError

DEFAULT_CIDR = "10.0.0.0/16"
LOCAL_ZONE = "hypershift.local"
#: Bits of a subnet, how many of them fit in one half of the VPC, and where the private half starts.
SUBNET_BITS = 20
MOST_ZONES = 8
_PRIVATE_HALF = 8
_VPC_BITS = 16
Tags = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A cluster's network on AWS, as the command line asks for it."""

    infra_id: str
    name: str
    region: str
    base_domain: str
    zones: tuple[str, ...]
    base_domain_prefix: str = ""
    cidr: str = DEFAULT_CIDR
    tags: tuple[tuple[str, str], ...] = ()
    single_nat: bool = False
    public_only: bool = False
    proxy: bool = False
    secure_proxy: bool = False
    proxy_service: str = ""
    shared: bool = False
    zones_in_cluster_account: bool = False

    @property
    def has_proxy(self) -> bool:
        return self.proxy or self.secure_proxy

    @property
    def private_zone(self) -> str:
        """The name of the private zone; prefix `none` means the base domain itself."""
        return private_zone(self.name, self.base_domain_prefix, self.base_domain)

    @property
    def local_zone(self) -> str:
        return f"{self.name}.{LOCAL_ZONE}"

    def named(self, suffix: str) -> str:
        return f"{self.infra_id}-{suffix}"

    def tagged(self, name: str = "", **more: str) -> Tags:
        """The tags of one object; `more` are further ones by key."""
        pairs = {
            **cluster_tags(self.infra_id, self.name),
            **({"Name": name} if name else {}),
            **dict(self.tags),
            **more,
        }
        return [{"Key": key, "Value": value} for key, value in pairs.items()]

    def spec(self, kind: str, name: str = "", **more: str) -> list[dict[str, Any]]:
        """The tags of a call that makes an object of EC2."""
        return [{"ResourceType": kind, "Tags": self.tagged(name, **more)}]

    def subnet(self, place: int, *, private: bool) -> str:
        """The range of the subnet in the zone of that place."""
        network = ipaddress.IPv4Network(self.cidr)
        ranges = list(network.subnets(new_prefix=SUBNET_BITS))
        return str(ranges[place + (_PRIVATE_HALF if private else 0)])


def cluster_tags(infra_id: str, name: str) -> dict[str, str]:
    """The tags by which everything of a cluster is found."""
    return {
        cluster_tag(infra_id): "owned",
        labels.INFRA_ID: infra_id,
        labels.CLUSTER_NAME: name,
    }


def cluster_tag(infra_id: str) -> str:
    return f"kubernetes.io/cluster/{infra_id}"


def by_cluster(infra_id: str) -> list[dict[str, Any]]:
    """The filter that finds a cluster's objects."""
    return [{"Name": f"tag:{cluster_tag(infra_id)}", "Values": ["owned"]}]


def private_zone(name: str, prefix: str, base_domain: str) -> str:
    if prefix == "none":
        return base_domain
    return f"{prefix or name}.{base_domain}"


def tags_of(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Tags as users give them, `key=value`; a key given twice has its last value."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(
                "failed to parse additional tags: invalid tag specification: "
                f'"{text}" (expecting "key=value")'
            )
        found[key] = value
    return tuple(found.items())


def check(wanted: Wanted) -> None:
    """Refuse what cannot be made, all of it at once and before anything is made."""
    problems = [*_network_problems(wanted.cidr), *_zone_problems(wanted)]
    if wanted.proxy and wanted.secure_proxy:
        problems.append("specify either --enable-proxy or --enable-secure-proxy, but not both")
    if wanted.zones_in_cluster_account and not wanted.shared:
        problems.append("--private-zones-in-cluster-account needs --vpc-owner-aws-creds")
    # the longest name that follows from it is a role's, which AWS limits to 64 characters
    if len(wanted.infra_id) > 64 - len("-aws-ebs-csi-driver-controller"):
        problems.append(f"infra id {wanted.infra_id} is too long: names on AWS follow from it")
    if problems:
        raise UsageError("; ".join(problems))


def _network_problems(cidr: str) -> Iterable[str]:
    try:
        network = ipaddress.IPv4Network(cidr, strict=False)
    except ValueError as error:
        yield f"invalid CIDR ({cidr}): {error}"
        return
    if network.prefixlen != _VPC_BITS:
        yield f"only /16 size VPC CIDR supported ({cidr})"
    elif str(network) != cidr:
        yield f"invalid CIDR ({cidr}): it has host bits, {network} is the range"


def _zone_problems(wanted: Wanted) -> Iterable[str]:
    for zone in wanted.zones:
        if not zone.startswith(wanted.region):
            yield f"zone {zone} is not in region {wanted.region}"
    if len(set(wanted.zones)) != len(wanted.zones):
        yield "a zone is named twice in --zones"
    if len(wanted.zones) > MOST_ZONES:
        yield f"at most {MOST_ZONES} zones fit in {wanted.cidr}"
