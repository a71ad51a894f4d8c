"""Remove a cluster's network on AWS: everything with its tag, and what grew in its VPCs.

machines, load balancers, endpoint services     what uses the network
endpoints, NAT gateways, zones, share           what stands in it
groups, subnets, tables, gateway                its parts
VPC, then addresses and DHCP options
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.infra.apply import Progress
from hypershift.infra.aws.look import GONE, Accounts
from hypershift.infra.aws.remains import Remains, remains
from hypershift.infra.aws.removal import (
    AwsRemoval,
    gateway,
    other,
    removal,
    revoke,
    service,
    table,
    vpc,
)
from hypershift.infra.aws.remove_dns import dns_removals
from hypershift.infra.destroy import Found, Removal, destroy
from hypershift.kit import Clock


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
        yield removal(
            "instance",
            each["InstanceId"],
            "terminate_instances",
            "Terminated instance",
            waits="AWS is terminating it" if state in GONE else "",
            many="InstanceIds",
        )
    for name in found.classic_balancers:
        yield other("elb", name, "delete_load_balancer", {"LoadBalancerName": name})
    for arn in found.balancers:
        yield other("elbv2", arn, "delete_load_balancer", {"LoadBalancerArn": arn})
    for arn in found.target_groups:
        yield other("elbv2", arn, "delete_target_group", {"TargetGroupArn": arn}, found.balancers)
    for each in found.services:
        yield service(each)
    for each in found.endpoints:
        yield removal(
            "VPC endpoint",
            each["VpcEndpointId"],
            "delete_vpc_endpoints",
            "Deleted VPC endpoint",
            waits="AWS is deleting it" if _state(each) == "deleting" else "",
            many="VpcEndpointIds",
        )
    for each in found.nats:
        yield removal(
            "NAT gateway",
            each["NatGatewayId"],
            "delete_nat_gateway",
            "Deleting NAT gateway",
            waits="AWS is deleting it" if _state(each) == "deleting" else "",
            one="NatGatewayId",
        )
    for arn in found.shares:
        yield other("ram", arn, "delete_resource_share", {"resourceShareArn": arn})


def _parts(found: Remains) -> Iterator[AwsRemoval]:
    """Security groups, subnets, gateways and route tables, once nothing uses them."""
    users = found.user_keys
    rules = tuple(f"rules of {each['GroupId']}" for each in found.groups)
    for each in found.groups:
        yield Removal(
            f"rules of {each['GroupId']}",
            f"rules of security group {each['GroupId']}",
            revoke(each),
        )
    for each in found.groups:
        yield removal(
            "security group",
            each["GroupId"],
            "delete_security_group",
            "Deleted security group",
            one="GroupId",
            after=(*users, *rules),
        )
    for each in found.gateways:
        yield gateway(each, users)
    for each in found.subnets:
        yield removal(
            "subnet",
            each["SubnetId"],
            "delete_subnet",
            "Deleted subnet",
            one="SubnetId",
            after=users,
        )
    subnets = tuple(each["SubnetId"] for each in found.subnets)
    for each in found.route_tables:
        yield table(each, (*users, *subnets))


def _rest(found: Remains, names: tuple[str, ...]) -> Iterator[AwsRemoval]:
    """The VPC, then what only it used."""
    parts = (*names, *found.user_keys, *found.part_keys)
    for each in found.vpcs:
        yield vpc(each["VpcId"], parts)
    for each in found.guest_vpcs:
        yield vpc(each["VpcId"], names, cluster_account=True)
    vpcs = tuple(each["VpcId"] for each in found.vpcs)
    for each in found.addresses:
        yield removal(
            "elastic IP",
            each["AllocationId"],
            "release_address",
            "Released elastic IP",
            one="AllocationId",
            after=found.user_keys,
        )
    for each in found.dhcp_options:
        yield removal(
            "DHCP options",
            each["DhcpOptionsId"],
            "delete_dhcp_options",
            "Deleted DHCP options",
            one="DhcpOptionsId",
            after=vpcs,
        )


def _state(thing: dict[str, Any]) -> str:
    return str(thing.get("State", "")).lower()
