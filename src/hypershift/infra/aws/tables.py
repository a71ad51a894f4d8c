"""Route tables of a cluster's subnets: where packets go, and which table is the VPC's main one."""

from hypershift.cloud.aws import Account, AwsRefusal
from hypershift.infra.aws.look import Accounts, World, named
from hypershift.infra.aws.piece import AwsPiece, new, once, says
from hypershift.infra.aws.wanted import Wanted
from hypershift.infra.plan import Ids

ANYWHERE = "0.0.0.0/0"


def table(wanted: Wanted, which: str) -> AwsPiece:
    name = wanted.named(which)

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_route_table",
                VpcId=ids["vpc"],
                TagSpecifications=wanted.spec("route-table", name),
            )
        )
        return str(made["RouteTable"]["RouteTableId"])

    return AwsPiece(
        f"table-{which}",
        f"create route table {name}",
        lambda world, _: named(world.route_tables, name, "RouteTableId"),
        make,
        says("Created route table", name=name, id="{id}"),
        ("vpc",),
    )


def _lead(account: Account, table: str, **target: str) -> None:
    """Lead everything to a gateway, also where a route leads to one that somebody deleted."""
    request = {"RouteTableId": table, "DestinationCidrBlock": ANYWHERE, **target}
    try:
        new(lambda: account.call("ec2", "create_route", **request))
    except AwsRefusal as error:
        if error.code != "RouteAlreadyExists":
            raise
        new(lambda: account.call("ec2", "replace_route", **request))


def nat_route(zone: str, gateway: str) -> AwsPiece:
    own, nat = f"table-private-{zone}", f"nat-{gateway}"

    def make(aws: Accounts, ids: Ids) -> str:
        _lead(aws.owner, ids[own], NatGatewayId=ids[nat])
        return ids[own]

    return AwsPiece(
        f"route-private-{zone}",
        f"create route of private-{zone} to NAT gateway of {gateway}",
        lambda world, ids: _routed(world, ids[own], "NatGatewayId", ids[nat]),
        make,
        says("Created route to NAT gateway", route_table=f"{{{own}}}", nat_gateway=f"{{{nat}}}"),
        (own, nat),
    )


def gateway_route() -> AwsPiece:
    def make(aws: Accounts, ids: Ids) -> str:
        _lead(aws.owner, ids["table-public"], GatewayId=ids["igw"])
        return ids["table-public"]

    return AwsPiece(
        "route-public",
        "create route of public to internet gateway",
        lambda world, ids: _routed(world, ids["table-public"], "GatewayId", ids["igw"]),
        make,
        says(
            "Created route to internet gateway",
            route_table="{table-public}",
            internet_gateway="{igw}",
        ),
        ("table-public", "igw-attachment", "igw"),
    )


def main_table() -> AwsPiece:
    """The public table becomes the VPC's main one."""

    def current(world: World, vpc: str) -> tuple[str, str]:
        return next(
            (each["RouteTableId"], link["RouteTableAssociationId"])
            for each in world.route_tables
            for link in each.get("Associations") or ()
            if each["VpcId"] == vpc and link.get("Main")
        )

    def find(world: World, ids: Ids) -> str | None:
        return ids["table-public"] if current(world, ids["vpc"])[0] == ids["table-public"] else None

    def make(aws: Accounts, ids: Ids) -> str:
        filters = [
            {"Name": "vpc-id", "Values": [ids["vpc"]]},
            {"Name": "association.main", "Values": ["true"]},
        ]
        found = aws.owner.all("ec2", "describe_route_tables", "RouteTables", Filters=filters)
        main, link = current(World(route_tables=tuple(found)), ids["vpc"])
        if main != ids["table-public"]:
            new(
                lambda: aws.owner.call(
                    "ec2",
                    "replace_route_table_association",
                    AssociationId=link,
                    RouteTableId=ids["table-public"],
                )
            )
        return ids["table-public"]

    return AwsPiece(
        "main-table",
        "make route table public the main one of the VPC",
        find,
        make,
        says("Set main VPC route table", route_table="{table-public}", vpc="{vpc}"),
        ("vpc", "table-public"),
    )


def association(which: str, subnet: str) -> AwsPiece:
    own = f"table-{which}"

    def find(world: World, ids: Ids) -> str | None:
        linked = any(
            each["RouteTableId"] == ids[own] and link.get("SubnetId") == ids[subnet]
            for each in world.route_tables
            for link in each.get("Associations") or ()
        )
        return ids[own] if linked else None

    def make(aws: Accounts, ids: Ids) -> str:
        once(
            lambda: aws.owner.call(
                "ec2", "associate_route_table", RouteTableId=ids[own], SubnetId=ids[subnet]
            ),
            "Resource.AlreadyAssociated",
        )
        return ids[own]

    return AwsPiece(
        f"association-{which}-{subnet}",
        f"associate route table {which} with {subnet}",
        find,
        make,
        says(
            "Associated subnet with route table",
            route_table=f"{{{own}}}",
            subnet=f"{{{subnet}}}",
        ),
        (own, subnet),
    )


def _routed(world: World, own: str, kind: str, target: str) -> str | None:
    routed = any(
        each["RouteTableId"] == own
        and route.get("DestinationCidrBlock") == ANYWHERE
        and route.get(kind) == target
        for each in world.route_tables
        for route in each.get("Routes") or ()
    )
    return own if routed else None
