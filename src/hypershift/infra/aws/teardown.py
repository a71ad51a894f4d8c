"""Remove a cluster's network on AWS: everything with its tag, and what grew in its VPCs.

machines, load balancers, endpoint services     what uses the network
endpoints, NAT gateways, zones, share           what stands in it
groups, subnets, tables, gateway                its parts
VPC, then addresses and DHCP options
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.cloud.aws import Account, AwsRefusal, Missing
from hypershift.infra.apply import Progress
from hypershift.infra.aws.look import GONE, Accounts
from hypershift.infra.aws.remains import Remains, remains
from hypershift.infra.aws.remove_dns import dns_removals
from hypershift.infra.destroy import Found, Removal, destroy
from hypershift.kit import Clock

AwsRemoval = Removal[Accounts]


@dataclass(frozen=True, slots=True)
class Teardown:
    """Whose network shall go."""

    infra_id: str
    name: str
    region: str
    base_domain: str
    base_domain_prefix: str = ""
    zones_in_cluster_account: bool = False


async def destroy_network(
    accounts: Accounts, wanted: Teardown, *, log: Progress, clock: Clock, grace: float = 0.0
) -> None:
    """Remove everything; in the end nothing of the cluster is left, or an error says what."""

    def look() -> Found[Accounts]:
        found = remains(accounts, wanted.infra_id)
        dns = tuple(dns_removals(accounts, wanted, found))
        names = tuple(each.key for each in dns)
        return Found((*dns, *removals(found, names)), found.blockers)

    await destroy(accounts, look, log=log, clock=clock, grace=grace)


def removals(found: Remains, names: tuple[str, ...] = ()) -> Iterator[AwsRemoval]:
    """What goes, in order; each names what has to go before it.

    `names` are zones and records: zones without our tag are found by their VPC alone.
    """
    yield from _users(found)
    yield from _parts(found)
    yield from _rest(found, names)


def _users(found: Remains) -> Iterator[AwsRemoval]:
    """Machines, load balancers, endpoint services and endpoints, NAT gateways, the share."""
    for each in found.instances:
        state = each["State"]["Name"]
        yield _removal(
            "instance",
            each["InstanceId"],
            "terminate_instances",
            "Terminated instance",
            waits="AWS is terminating it" if state in GONE else "",
            many="InstanceIds",
        )
    for name in found.classic_balancers:
        yield _other("elb", name, "delete_load_balancer", {"LoadBalancerName": name})
    for arn in found.balancers:
        yield _other("elbv2", arn, "delete_load_balancer", {"LoadBalancerArn": arn})
    for arn in found.target_groups:
        yield _other("elbv2", arn, "delete_target_group", {"TargetGroupArn": arn}, found.balancers)
    for each in found.services:
        yield _service(each)
    for each in found.endpoints:
        yield _removal(
            "VPC endpoint",
            each["VpcEndpointId"],
            "delete_vpc_endpoints",
            "Deleted VPC endpoint",
            waits="AWS is deleting it" if _state(each) == "deleting" else "",
            many="VpcEndpointIds",
        )
    for each in found.nats:
        yield _removal(
            "NAT gateway",
            each["NatGatewayId"],
            "delete_nat_gateway",
            "Deleting NAT gateway",
            waits="AWS is deleting it" if _state(each) == "deleting" else "",
            one="NatGatewayId",
        )
    for arn in found.shares:
        yield _other("ram", arn, "delete_resource_share", {"resourceShareArn": arn})


def _parts(found: Remains) -> Iterator[AwsRemoval]:
    """Security groups, subnets, gateways and route tables, once nothing uses them."""
    users = found.user_keys
    rules = tuple(f"rules of {each['GroupId']}" for each in found.groups)
    for each in found.groups:
        yield Removal(
            f"rules of {each['GroupId']}",
            f"rules of security group {each['GroupId']}",
            _revoke(each),
        )
    for each in found.groups:
        yield _removal(
            "security group",
            each["GroupId"],
            "delete_security_group",
            "Deleted security group",
            one="GroupId",
            after=(*users, *rules),
        )
    for each in found.gateways:
        yield _gateway(each, users)
    for each in found.subnets:
        yield _removal(
            "subnet",
            each["SubnetId"],
            "delete_subnet",
            "Deleted subnet",
            one="SubnetId",
            after=users,
        )
    subnets = tuple(each["SubnetId"] for each in found.subnets)
    for each in found.route_tables:
        yield _table(each, (*users, *subnets))


def _rest(found: Remains, names: tuple[str, ...]) -> Iterator[AwsRemoval]:
    """The VPC, then what only it used."""
    parts = (*names, *found.user_keys, *found.part_keys)
    for each in found.vpcs:
        yield _vpc(each["VpcId"], parts)
    for each in found.guest_vpcs:
        yield _vpc(each["VpcId"], names, cluster_account=True)
    vpcs = tuple(each["VpcId"] for each in found.vpcs)
    for each in found.addresses:
        yield _removal(
            "elastic IP",
            each["AllocationId"],
            "release_address",
            "Released elastic IP",
            one="AllocationId",
            after=found.user_keys,
        )
    for each in found.dhcp_options:
        yield _removal(
            "DHCP options",
            each["DhcpOptionsId"],
            "delete_dhcp_options",
            "Deleted DHCP options",
            one="DhcpOptionsId",
            after=vpcs,
        )


def _state(thing: dict[str, Any]) -> str:
    return str(thing.get("State", "")).lower()


def gone(account: Account, service: str, operation: str, **request: Any) -> None:
    """Remove something that may be gone already."""
    try:
        account.call(service, operation, **request)
    except Missing:
        return


def _removal(
    kind: str,
    identity: str,
    operation: str,
    log: str,
    *,
    one: str = "",
    many: str = "",
    after: tuple[str, ...] = (),
    waits: str = "",
    cluster_account: bool = False,
) -> AwsRemoval:
    request: dict[str, Any] = {one: identity} if one else {many: [identity]}

    def act(aws: Accounts) -> None:
        gone(aws.cluster if cluster_account else aws.owner, "ec2", operation, **request)

    return Removal(identity, f"{kind} {identity}", act, log, {"id": identity}, after, waits)


def _other(
    service: str, name: str, operation: str, request: dict[str, str], after: tuple[str, ...] = ()
) -> AwsRemoval:
    kind = operation.removeprefix("delete_").replace("_", " ")

    def act(aws: Accounts) -> None:
        gone(aws.owner, service, operation, **request)

    return Removal(name, f"{kind} {name}", act, f"Deleted {kind}", {"id": name}, after)


def _service(service: dict[str, Any]) -> AwsRemoval:
    """An endpoint service: the connections of others are refused first."""
    identity = service["ServiceId"]

    def act(aws: Accounts) -> None:
        filters = [{"Name": "service-id", "Values": [identity]}]
        found = aws.owner.all(
            "ec2", "describe_vpc_endpoint_connections", "VpcEndpointConnections", Filters=filters
        )
        ends = [
            each["VpcEndpointId"]
            for each in found
            if each.get("VpcEndpointState", "").lower() not in {"rejected", "deleted", "deleting"}
        ]
        if ends:
            gone(
                aws.owner,
                "ec2",
                "reject_vpc_endpoint_connections",
                ServiceId=identity,
                VpcEndpointIds=ends,
            )
        gone(aws.owner, "ec2", "delete_vpc_endpoint_service_configurations", ServiceIds=[identity])

    text = f"endpoint service {identity}"
    return Removal(identity, text, act, "Deleted VPC endpoint service", {"id": identity})


def _gateway(gateway: dict[str, Any], after: tuple[str, ...]) -> AwsRemoval:
    identity = gateway["InternetGatewayId"]

    def act(aws: Accounts) -> None:
        for link in gateway.get("Attachments") or ():
            try:
                aws.owner.call(
                    "ec2",
                    "detach_internet_gateway",
                    InternetGatewayId=identity,
                    VpcId=link["VpcId"],
                )
            except AwsRefusal as error:
                if error.code not in {"Gateway.NotAttached", "InvalidInternetGatewayID.NotFound"}:
                    raise
        gone(aws.owner, "ec2", "delete_internet_gateway", InternetGatewayId=identity)

    text = f"internet gateway {identity}"
    return Removal(identity, text, act, "Deleted internet gateway", {"id": identity}, after)


def _table(table: dict[str, Any], after: tuple[str, ...]) -> AwsRemoval:
    identity = table["RouteTableId"]

    def act(aws: Accounts) -> None:
        for link in table.get("Associations") or ():
            if link.get("SubnetId"):
                gone(
                    aws.owner,
                    "ec2",
                    "disassociate_route_table",
                    AssociationId=link["RouteTableAssociationId"],
                )
        gone(aws.owner, "ec2", "delete_route_table", RouteTableId=identity)

    text = f"route table {identity}"
    return Removal(identity, text, act, "Deleted route table", {"id": identity}, after)


def _vpc(vpc: str, after: tuple[str, ...], *, cluster_account: bool = False) -> AwsRemoval:
    return _removal(
        "VPC",
        vpc,
        "delete_vpc",
        "Deleted VPC",
        one="VpcId",
        after=after,
        cluster_account=cluster_account,
    )


def _revoke(group: dict[str, Any]) -> Any:
    """Groups that name each other hold each other: all rules go first."""

    def act(aws: Accounts) -> None:
        for field, operation in (
            ("IpPermissions", "revoke_security_group_ingress"),
            ("IpPermissionsEgress", "revoke_security_group_egress"),
        ):
            if group.get(field):
                gone(
                    aws.owner,
                    "ec2",
                    operation,
                    GroupId=group["GroupId"],
                    IpPermissions=group[field],
                )

    return act
