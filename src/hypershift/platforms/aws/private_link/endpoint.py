"""The endpoint in a cluster's network, and its security group.

Every call may have been made before by a pass whose answer was lost: what is there is found.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.cloud.aws import AwsRefusal, Missing, pages
from hypershift.kit import TransientError
from hypershift.platforms.aws.private_link.session import Call

#: The tag with the name of the link.
LINK = "AWSEndpointService"
_DUPLICATE, _IN_USE = "InvalidPermission.Duplicate", "DependencyViolation"
_GONE = {"deleted", "deleting"}


@dataclass(frozen=True)
class Wanted:
    """The wanted endpoint."""

    link: str
    infra_id: str
    vpc: str
    service: str  # the name of the endpoint service
    port: int
    subnets: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()  # ranges that nodes are in
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """By which the security group is found."""
        return f"{self.infra_id}-vpce-{self.link}"

    @property
    def mark(self) -> str:
        """The tag of everything that belongs to the cluster."""
        return f"kubernetes.io/cluster/{self.infra_id}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint, and the name that AWS gave it."""

    id: str
    dns_name: str = ""


class Resets(TransientError):
    """The endpoint that is known is gone, or leads elsewhere: its id is forgotten."""


def ensure_group(aws: Call, wanted: Wanted) -> str:
    """Make the security group and its rules where they are missing; its id."""
    found = _group(aws, wanted)
    group = str(found["groupId"]) if found else _create_group(aws, wanted)
    known = {_rule_key(each) for each in (found or {}).get("ipPermissions") or ()}
    missing = [rule for rule in _rules(wanted) if _rule_key(rule) not in known]
    if missing:
        try:
            aws("ec2", "AuthorizeSecurityGroupIngress", GroupId=group, IpPermissions=missing)
        except AwsRefusal as error:
            if error.code != _DUPLICATE:
                raise
    return group


def _group(aws: Call, wanted: Wanted) -> dict[str, Any] | None:
    filters = [
        {"Name": f"tag:{wanted.mark}", "Value": ["owned"]},
        {"Name": "tag:Name", "Value": [wanted.group]},
    ]
    found = list(pages(aws, "ec2", "DescribeSecurityGroups", "securityGroupInfo", Filter=filters))
    return found[0] if found else None


def _create_group(aws: Call, wanted: Wanted) -> str:
    tags = {wanted.mark: "owned", "Name": wanted.group, **wanted.tags}
    answer = aws(
        "ec2",
        "CreateSecurityGroup",
        GroupName=wanted.group,
        GroupDescription="VPC endpoint security group",
        VpcId=wanted.vpc,
        TagSpecification=_tagged("security-group", tags),
    )
    return str(answer["groupId"])


def _rules(wanted: Wanted) -> list[dict[str, Any]]:
    source = {"Description": "Control plane service"}
    return [
        {
            "IpProtocol": "tcp",
            "FromPort": wanted.port,
            "ToPort": wanted.port,
            "IpRanges": [{"CidrIp": network, **source}],
        }
        for network in wanted.machines
    ]


def _rule_key(rule: Mapping[str, Any]) -> tuple[Any, ...]:
    named = {name.lower(): value for name, value in rule.items()}
    ranges = sorted(
        str({name.lower(): value for name, value in each.items()}.get("cidrip", ""))
        for each in named.get("ipranges") or ()
    )
    ports = (str(named.get("fromport", "")), str(named.get("toport", "")))
    return (named.get("ipprotocol"), *ports, *ranges)


def ensure(aws: Call, wanted: Wanted, group: str, known: str) -> Endpoint:
    """Make the endpoint where it is missing, and bring it to the subnets and the group."""
    found = _known(aws, known) if known else _find(aws, wanted)
    subnets = one_in_each_zone(aws, wanted.subnets)
    if found is None:
        return _create(aws, wanted, group, subnets)
    if found.get("serviceName") != wanted.service:
        aws("ec2", "DeleteVpcEndpoints", VpcEndpointId=[found["vpcEndpointId"]])
        raise Resets(
            f"current endpoint {found.get('serviceName')} is not pointing to the existing "
            ".Status.EndpointServiceName, reconciling by deleting endpoint"
        )
    _modify(aws, found, group, subnets)
    return _endpoint(found)


def _known(aws: Call, known: str) -> dict[str, Any]:
    lost = Resets(f"endpoint with id {known} not found, resetting status")
    try:
        answer = aws("ec2", "DescribeVpcEndpoints", VpcEndpointId=[known])
    except Missing:
        raise lost from None
    found = [each for each in answer.get("vpcEndpointSet") or () if not _is_gone(each)]
    if not found:
        raise lost
    return dict(found[0])


def _find(aws: Call, wanted: Wanted) -> dict[str, Any] | None:
    """An endpoint of ours that no status names: by tags, and in our own network alone."""
    tags = {wanted.mark: "owned", LINK: wanted.link}
    filters = [
        {"Name": "vpc-id", "Value": [wanted.vpc]},
        *({"Name": f"tag:{key}", "Value": [value]} for key, value in tags.items()),
    ]
    listed = pages(aws, "ec2", "DescribeVpcEndpoints", "vpcEndpointSet", Filter=filters)
    return next((each for each in listed if not _is_gone(each)), None)


def _is_gone(found: Mapping[str, Any]) -> bool:
    return str(found.get("state") or found.get("vpcEndpointState") or "").lower() in _GONE


def _create(aws: Call, wanted: Wanted, group: str, subnets: tuple[str, ...]) -> Endpoint:
    tags = {**wanted.tags, wanted.mark: "owned", LINK: wanted.link}
    answer = aws(
        "ec2",
        "CreateVpcEndpoint",
        VpcEndpointType="Interface",
        ServiceName=wanted.service,
        VpcId=wanted.vpc,
        SubnetId=list(subnets),
        SecurityGroupId=[group],
        TagSpecification=_tagged("vpc-endpoint", tags),
    )
    return _endpoint(answer["vpcEndpoint"])


def _modify(aws: Call, found: Mapping[str, Any], group: str, subnets: tuple[str, ...]) -> None:
    existing = {str(each) for each in found.get("subnetIdSet") or ()}
    groups = {str(each.get("groupId")) for each in found.get("groupSet") or ()}
    changes: dict[str, Any] = {}
    if added := sorted(set(subnets) - existing):
        changes["AddSubnetId"] = added
    # Without NodePools nothing says where else it should be, and others may still use it.
    if subnets and (removed := sorted(existing - set(subnets))):
        changes["RemoveSubnetId"] = removed
    if group not in groups:
        changes["AddSecurityGroupId"] = [group]
    if changes:
        aws("ec2", "ModifyVpcEndpoint", VpcEndpointId=found["vpcEndpointId"], **changes)


def _endpoint(found: Mapping[str, Any]) -> Endpoint:
    entries = found.get("dnsEntrySet") or ()
    name = str(entries[0].get("dnsName", "")) if entries else ""
    return Endpoint(str(found["vpcEndpointId"]), name)


def one_in_each_zone(aws: Call, subnets: Iterable[str]) -> tuple[str, ...]:
    """The first subnet of each zone: AWS refuses an endpoint with two in one."""
    wanted = sorted(set(subnets))
    if len(wanted) <= 1:
        return tuple(wanted)
    answer = aws("ec2", "DescribeSubnets", SubnetId=wanted)
    zones = {str(each["subnetId"]): each["availabilityZone"] for each in answer["subnetSet"]}
    first: dict[str, str] = {}
    for subnet in wanted:
        first.setdefault(str(zones.get(subnet, subnet)), subnet)
    return tuple(sorted(first.values()))


def remove(aws: Call, wanted: Wanted, known: str) -> str:
    """Delete the endpoint, then its security group; what is waited for, empty at the end."""
    found = _find(aws, wanted)
    name = known or (str(found["vpcEndpointId"]) if found else "")
    if name and _delete(aws, name):
        return f"VPC endpoint {name}"
    group = _group(aws, wanted)
    if group is None:
        return ""
    try:
        aws("ec2", "DeleteSecurityGroup", GroupId=group["groupId"])
    except Missing:
        return ""
    except AwsRefusal as error:
        if error.code != _IN_USE:
            raise
        return f"security group {group['groupId']}, which is in use"
    return ""


def _delete(aws: Call, name: str) -> bool:
    """Delete an endpoint; whether it is still there."""
    aws("ec2", "DeleteVpcEndpoints", VpcEndpointId=[name])
    try:
        answer = aws("ec2", "DescribeVpcEndpoints", VpcEndpointId=[name])
    except Missing:
        return False
    states = [str(each.get("state", "")).lower() for each in answer.get("vpcEndpointSet") or ()]
    return any(state != "deleted" for state in states)


def _tagged(kind: str, tags: Mapping[str, str]) -> list[dict[str, Any]]:
    listed = [{"Key": key, "Value": value} for key, value in sorted(tags.items())]
    return [{"ResourceType": kind, "Tag": listed}]
