"""The default security group of a cluster's nodes: found by its name, made, and deleted.

Every call may have been made before by a pass whose answer was lost: what is there is found.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.cloud.aws import AwsRefusal
from hypershift.kit import TransientError

Ec2 = Callable[..., dict[str, Any]]
_DUPLICATE = "InvalidPermission.Duplicate"
#: What nodes of one cluster send each other: protocol, first and last port.
BETWEEN_NODES = (
    ("udp", 4789, 4789),  # VXLAN
    ("udp", 6081, 6081),  # Geneve
    ("udp", 500, 500),  # IKE
    ("udp", 4500, 4500),
    ("50", -1, -1),  # ESP
    ("tcp", 9000, 9999),
    ("udp", 9000, 9999),
    ("tcp", 10250, 10250),  # kubelet
    ("tcp", 30000, 32767),
    ("udp", 30000, 32767),
)
#: kube-router sends packets of pods as they are, for which no list of ports would do.
EVERYTHING = ("-1", -1, -1)
FROM_MACHINES = (("icmp", -1, -1), ("tcp", 22, 22))


@dataclass(frozen=True)
class Group:
    """The wanted group."""

    infra_id: str
    vpc: str
    tags: Mapping[str, str] = field(default_factory=dict)
    machines: tuple[str, ...] = ()  # ranges that nodes are in
    routes_pods: bool = False  # the pod network has no tunnel

    @property
    def name(self) -> str:
        """By which the group is found."""
        return f"{self.infra_id}-default-sg"

    @property
    def mark(self) -> str:
        """The tag of everything that belongs to the cluster."""
        return f"kubernetes.io/cluster/{self.infra_id}"


def ensure(ec2: Ec2, wanted: Group) -> str:
    """Make the group and its rules where they are missing; the group's id."""
    found = _find(ec2, wanted)
    group = str(found["groupId"]) if found else _create(ec2, wanted)
    known = {_key(each) for each in (found or {}).get("ipPermissions") or ()}
    missing = [each for each in rules(wanted, group) if _key(each) not in known]
    if missing:
        try:
            ec2("ec2", "AuthorizeSecurityGroupIngress", GroupId=group, IpPermissions=missing)
        except AwsRefusal as error:
            if error.code != _DUPLICATE:
                raise
            raise TransientError(f"rules of security group {group} changed meanwhile") from None
    return group


def remove(ec2: Ec2, wanted: Group) -> None:
    """Delete the group, if it is there and ours."""
    if found := _find(ec2, wanted):
        ec2("ec2", "DeleteSecurityGroup", GroupId=found["groupId"])


def rules(wanted: Group, group: str) -> list[dict[str, Any]]:
    """What the group lets in."""
    between = (EVERYTHING,) if wanted.routes_pods else BETWEEN_NODES
    own = [
        _rule(protocol, first, last, {"Groups": [{"GroupId": group}]})
        for protocol, first, last in between
    ]
    return own + [
        _rule(protocol, first, last, {"IpRanges": [{"CidrIp": network}]})
        for network in wanted.machines
        for protocol, first, last in FROM_MACHINES
    ]


def _rule(protocol: str, first: int, last: int, source: dict[str, Any]) -> dict[str, Any]:
    ports = {} if protocol == "-1" else {"FromPort": first, "ToPort": last}
    return {"IpProtocol": protocol, **ports, **source}


def _find(ec2: Ec2, wanted: Group) -> dict[str, Any] | None:
    filters = [
        {"Name": "vpc-id", "Value": [wanted.vpc]},
        {"Name": "group-name", "Value": [wanted.name]},
        {"Name": f"tag:{wanted.mark}", "Value": ["owned"]},
    ]
    answer = ec2("ec2", "DescribeSecurityGroups", Filter=filters)
    found: list[dict[str, Any]] = answer.get("securityGroupInfo") or []
    return found[0] if found else None


def _create(ec2: Ec2, wanted: Group) -> str:
    tags = {**wanted.tags, wanted.mark: "owned", "Name": wanted.name}
    answer = ec2(
        "ec2",
        "CreateSecurityGroup",
        GroupName=wanted.name,
        GroupDescription="default worker security group",
        VpcId=wanted.vpc,
        TagSpecification=[
            {
                "ResourceType": "security-group",
                "Tag": [{"Key": key, "Value": value} for key, value in sorted(tags.items())],
            }
        ],
    )
    return str(answer["groupId"])


def _key(rule: Mapping[str, Any]) -> tuple[str, ...]:
    """A rule, asked for or answered, as something that compares."""
    named = {name.lower(): value for name, value in rule.items()}
    ports = [str(named.get(name, "")) for name in ("fromport", "toport")]
    bare = ["" if each == "-1" else each for each in ports]
    return (str(named["ipprotocol"]), *bare, *sorted(_sources(named)))


def _sources(rule: Mapping[str, Any]) -> Iterator[str]:
    for each in rule.get("groups") or ():
        yield str(each.get("groupId") or each.get("GroupId") or "")
    for each in rule.get("ipranges") or ():
        yield str(each.get("cidrIp") or each.get("CidrIp") or "")
