"""One look at what AWS has of a cluster, before anything is planned."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hypershift.cloud.aws import Account, AwsRefusal
from hypershift.infra.aws.questions import Questions, side_by_side
from hypershift.infra.aws.wanted import Wanted, by_cluster
from hypershift.infra.aws.zone_look import Zone, zones_named

Objects = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Accounts:
    """The cluster's account, and the one that owns its network: the same unless it is shared."""

    cluster: Account
    owner: Account

    @property
    def shared(self) -> bool:
        return self.owner is not self.cluster


@dataclass(frozen=True, slots=True)
class World:
    """What AWS has of a cluster's network; each field as AWS describes it."""

    vpcs: Objects = ()
    dhcp_options: Objects = ()
    gateways: Objects = ()
    subnets: Objects = ()
    addresses: Objects = ()
    nats: Objects = ()
    route_tables: Objects = ()
    endpoints: Objects = ()
    groups: Objects = ()
    instances: Objects = ()
    #: VPC attributes that are on, as (id, attribute).
    attributes: frozenset[tuple[str, str]] = frozenset()
    zones: tuple[Zone, ...] = ()
    public_zones: tuple[Zone, ...] = ()
    shares: Objects = ()
    #: VPCs and subnets as the cluster's account sees them, when the network is another's.
    guest_vpcs: Objects = ()
    guest_subnets: Objects = ()
    accounts: tuple[str, str] = ("", "")


LISTS = {
    "vpcs": ("describe_vpcs", "Vpcs"),
    "dhcp_options": ("describe_dhcp_options", "DhcpOptions"),
    "gateways": ("describe_internet_gateways", "InternetGateways"),
    "subnets": ("describe_subnets", "Subnets"),
    "addresses": ("describe_addresses", "Addresses"),
    "nats": ("describe_nat_gateways", "NatGateways"),
    "endpoints": ("describe_vpc_endpoints", "VpcEndpoints"),
    "groups": ("describe_security_groups", "SecurityGroups"),
}
ATTRIBUTES = ("enableDnsSupport", "enableDnsHostnames")
GONE = {"deleted", "deleting", "failed", "terminated", "shutting-down"}


def tagged(account: Account, infra_id: str) -> Questions:
    """The questions that find a cluster's objects by their tag."""
    filters = by_cluster(infra_id)

    def ask(operation: str, key: str) -> Callable[[], Any]:
        return lambda: tuple(account.all("ec2", operation, key, Filters=filters))

    def instances() -> Objects:
        found = account.all("ec2", "describe_instances", "Reservations", Filters=filters)
        return tuple(each for reservation in found for each in reservation["Instances"])

    questions = {name: ask(*question) for name, question in LISTS.items()}
    return {**questions, "instances": instances}


def look(accounts: Accounts, wanted: Wanted) -> World:
    """Ask AWS for everything that the plan of a network depends on."""
    owner = accounts.owner
    zone_account = accounts.cluster if wanted.zones_in_cluster_account else owner
    names = (wanted.private_zone, wanted.local_zone)
    questions = tagged(owner, wanted.infra_id) | {
        "zones": lambda: zones_named(zone_account, names, private=True),
        "public_zones": lambda: zones_named(accounts.cluster, (wanted.base_domain,), private=False),
    }
    if accounts.shared:
        questions |= _of_sharing(accounts, wanted)
    found = side_by_side(questions)
    second: Questions = {
        "route_tables": lambda: _route_tables(owner, found["vpcs"]),
        "attributes": lambda: _attributes(owner, found["vpcs"]),
    }
    if accounts.shared:
        ids = [each["SubnetId"] for each in found["subnets"]]
        second["guest_subnets"] = lambda: _guest_subnets(accounts.cluster, ids)
    return World(**found, **side_by_side(second))


def _of_sharing(accounts: Accounts, wanted: Wanted) -> Questions:
    def shares() -> Objects:
        found = accounts.owner.all(
            "ram",
            "get_resource_shares",
            "resourceShares",
            resourceOwner="SELF",
            name=wanted.named("share"),
        )
        return tuple(each for each in found if each.get("status") == "ACTIVE")

    def guest_vpcs() -> Objects:
        filters = by_cluster(wanted.infra_id)
        return tuple(accounts.cluster.all("ec2", "describe_vpcs", "Vpcs", Filters=filters))

    def ids() -> tuple[str, str]:
        cluster, owner = (
            str(each.call("sts", "get_caller_identity")["Account"])
            for each in (accounts.cluster, accounts.owner)
        )
        return cluster, owner

    return {"shares": shares, "guest_vpcs": guest_vpcs, "accounts": ids}


def _guest_subnets(account: Account, ids: list[str]) -> Objects:
    """The shared subnets that the cluster's account sees by now."""
    if not ids:
        return ()
    try:
        return tuple(account.all("ec2", "describe_subnets", "Subnets", SubnetIds=ids))
    except AwsRefusal:  # one that is not visible yet hides all of them
        return ()


def _route_tables(account: Account, vpcs: Objects) -> Objects:
    """All of the VPC, for its main one carries no tag of ours."""
    if not vpcs:
        return ()
    filters = [{"Name": "vpc-id", "Values": [each["VpcId"] for each in vpcs]}]
    return tuple(account.all("ec2", "describe_route_tables", "RouteTables", Filters=filters))


def _attributes(account: Account, vpcs: Objects) -> frozenset[tuple[str, str]]:
    def is_on(vpc: str, name: str) -> bool:
        answer = account.call("ec2", "describe_vpc_attribute", VpcId=vpc, Attribute=name)
        return bool(answer[name[0].upper() + name[1:]]["Value"])

    pairs = [(each["VpcId"], name) for each in vpcs for name in ATTRIBUTES]
    told = side_by_side({"/".join(pair): partial(is_on, *pair) for pair in pairs})
    return frozenset(pair for pair in pairs if told["/".join(pair)])


def name_of(thing: dict[str, Any]) -> str:
    return tags_of_object(thing).get("Name", "")


def tags_of_object(thing: dict[str, Any]) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in thing.get("Tags") or ()}


def named(things: Objects, name: str, key: str, state: str = "State") -> str | None:
    """The id of the object of that name that lives; of several, the first by id."""
    found = sorted(
        str(each[key]) for each in things if name_of(each) == name and _lives(each.get(state))
    )
    return found[0] if found else None


def _lives(state: Any) -> bool:
    word = state.get("Name") if isinstance(state, dict) else state
    return str(word).lower() not in GONE
