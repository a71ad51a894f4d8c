"""What AWS still has of a cluster: by its tag, and whatever stands in its VPCs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from hypershift.cloud.aws import Account
from hypershift.infra.aws.look import Accounts, Objects, name_of, tagged
from hypershift.infra.aws.questions import side_by_side
from hypershift.infra.aws.wanted import by_cluster

_DEAD = {"deleted", "failed", "terminated"}


@dataclass(frozen=True, slots=True)
class Remains:
    """Objects as AWS describes them; names and ARNs where those are all that is needed."""

    instances: Objects = ()
    endpoints: Objects = ()
    services: Objects = ()
    nats: Objects = ()
    groups: Objects = ()
    gateways: Objects = ()
    subnets: Objects = ()
    route_tables: Objects = ()
    vpcs: Objects = ()
    guest_vpcs: Objects = ()
    addresses: Objects = ()
    dhcp_options: Objects = ()
    classic_balancers: tuple[str, ...] = ()
    balancers: tuple[str, ...] = ()
    target_groups: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()

    @property
    def user_keys(self) -> tuple[str, ...]:
        """The keys of all that uses the network."""
        return (
            *(each["InstanceId"] for each in self.instances),
            *self.classic_balancers,
            *self.balancers,
            *self.target_groups,
            *(each["ServiceId"] for each in self.services),
            *(each["VpcEndpointId"] for each in self.endpoints),
            *(each["NatGatewayId"] for each in self.nats),
            *self.shares,
        )

    @property
    def part_keys(self) -> tuple[str, ...]:
        return (
            *(each["GroupId"] for each in self.groups),
            *(each["InternetGatewayId"] for each in self.gateways),
            *(each["SubnetId"] for each in self.subnets),
            *(each["RouteTableId"] for each in self.route_tables),
        )


def remains(accounts: Accounts, infra_id: str) -> Remains:
    """Ask AWS for all that is left; first by tag, then in each VPC."""
    owner = accounts.owner
    questions = tagged(owner, infra_id) | {
        "services": lambda: _services(owner, infra_id),
        "shares": lambda: _shares(owner, infra_id) if accounts.shared else (),
        "guest_vpcs": lambda: _guest_vpcs(accounts, infra_id),
    }
    found = side_by_side(questions)
    ids = [str(each["VpcId"]) for each in found["vpcs"]]
    found |= side_by_side(_in_vpcs(owner, ids)) if ids else {}
    found["groups"] = tuple(each for each in found["groups"] if each["GroupName"] != "default")
    for name in ("instances", "nats", "endpoints"):
        found[name] = tuple(each for each in found[name] if _word(each) not in _DEAD)
    return Remains(**found)


def _word(thing: dict[str, Any]) -> str:
    state = thing.get("State")
    return str(state.get("Name") if isinstance(state, dict) else state).lower()


def _in_vpcs(account: Account, ids: list[str]) -> dict[str, Callable[[], Any]]:
    """Everything in the VPCs, also what others made: AWS deletes only an empty VPC."""

    def ask(operation: str, key: str, field: str = "vpc-id") -> Callable[[], Objects]:
        filters = [{"Name": field, "Values": ids}]
        return lambda: tuple(account.all("ec2", operation, key, Filters=filters))

    tables = ask("describe_route_tables", "RouteTables")
    interfaces = ask("describe_network_interfaces", "NetworkInterfaces")
    return {
        "subnets": ask("describe_subnets", "Subnets"),
        "groups": ask("describe_security_groups", "SecurityGroups"),
        "endpoints": ask("describe_vpc_endpoints", "VpcEndpoints"),
        "nats": ask("describe_nat_gateways", "NatGateways"),
        "gateways": ask("describe_internet_gateways", "InternetGateways", "attachment.vpc-id"),
        "route_tables": lambda: tuple(one for one in tables() if not _is_original_main(one)),
        "balancers": lambda: _identities(account, ids, BALANCERS),
        "classic_balancers": lambda: _identities(account, ids, CLASSIC_BALANCERS),
        "target_groups": lambda: _identities(account, ids, TARGET_GROUPS),
        "blockers": lambda: tuple(map(_interface, interfaces())),
    }


class Unfiltered(NamedTuple):
    """A list that AWS filters by no VPC: how to ask, and an item's fields for VPC and identity."""

    service: str
    operation: str
    key: str
    vpc: str
    identity: str


BALANCERS: Final = Unfiltered(
    "elbv2", "describe_load_balancers", "LoadBalancers", "VpcId", "LoadBalancerArn"
)
CLASSIC_BALANCERS: Final = Unfiltered(
    "elb", "describe_load_balancers", "LoadBalancerDescriptions", "VPCId", "LoadBalancerName"
)
TARGET_GROUPS: Final = Unfiltered(
    "elbv2", "describe_target_groups", "TargetGroups", "VpcId", "TargetGroupArn"
)


def _identities(account: Account, ids: list[str], of: Unfiltered) -> tuple[str, ...]:
    found = account.all(of.service, of.operation, of.key)
    return tuple(each[of.identity] for each in found if each.get(of.vpc) in ids)


def _is_original_main(table: dict[str, Any]) -> bool:
    """The main table is deleted with its VPC, and cannot be before."""
    return any(link.get("Main") for link in table.get("Associations") or ())


def _interface(each: dict[str, Any]) -> str:
    about = each.get("Description") or each.get("InterfaceType") or "no description"
    by = each.get("RequesterId") or each.get("OwnerId") or "unknown"
    return f"network interface {each['NetworkInterfaceId']} ({about}, of {by})"


def _services(account: Account, infra_id: str) -> Objects:
    found = account.all(
        "ec2",
        "describe_vpc_endpoint_service_configurations",
        "ServiceConfigurations",
        Filters=by_cluster(infra_id),
    )
    return tuple(each for each in found if each.get("ServiceState") not in {"Deleting", "Deleted"})


def _shares(account: Account, infra_id: str) -> tuple[str, ...]:
    found = account.all(
        "ram",
        "get_resource_shares",
        "resourceShares",
        resourceOwner="SELF",
        name=f"{infra_id}-share",
    )
    return tuple(
        each["resourceShareArn"]
        for each in found
        if each.get("status") not in {"DELETED", "DELETING"}
    )


def _guest_vpcs(accounts: Accounts, infra_id: str) -> Objects:
    """A VPC that a stopped run made for private zones in the cluster's account."""
    if not accounts.shared:
        return ()
    found = accounts.cluster.all("ec2", "describe_vpcs", "Vpcs", Filters=by_cluster(infra_id))
    return tuple(each for each in found if name_of(each) == f"{infra_id}-vpc")
