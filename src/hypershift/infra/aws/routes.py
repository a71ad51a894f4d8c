"""How packets leave a cluster's subnets: NAT gateways, route tables, the endpoint of S3."""

import uuid
from collections.abc import Iterator

from hypershift.infra.aws.look import Accounts, World, named
from hypershift.infra.aws.piece import AwsPiece, new, says
from hypershift.infra.aws.tables import association, gateway_route, main_table, nat_route, table
from hypershift.infra.aws.wanted import Wanted
from hypershift.infra.plan import Ids

NAMESPACE = uuid.UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


def pieces(wanted: Wanted) -> Iterator[AwsPiece]:
    """NAT gateways and tables of private subnets, the public table, the endpoint of S3."""
    tables = []
    for place, zone in enumerate(wanted.zones):
        if wanted.public_only:
            break
        gateway = wanted.zones[0] if wanted.single_nat else zone
        if not wanted.has_proxy and (place == 0 or not wanted.single_nat):
            yield address(wanted, zone)
            yield nat_gateway(wanted, zone)
        yield table(wanted, f"private-{zone}")
        tables.append(f"table-private-{zone}")
        if not wanted.has_proxy:
            yield nat_route(zone, gateway)
            yield association(f"private-{zone}", f"private-subnet-{zone}")
    yield table(wanted, "public")
    yield main_table()
    yield gateway_route()
    for zone in wanted.zones:
        yield association("public", f"public-subnet-{zone}")
    yield s3_endpoint(wanted, (*tables, "table-public"))


def address(wanted: Wanted, zone: str) -> AwsPiece:
    name = wanted.named(f"eip-{zone}")

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.owner.call(
            "ec2",
            "allocate_address",
            Domain="vpc",
            TagSpecifications=wanted.spec("elastic-ip", name),
        )
        return str(made["AllocationId"])

    def find(world: World, _: Ids) -> str | None:
        # a NAT gateway that is there has an address, whatever became of that address' tags
        nat = named(world.nats, wanted.named(f"nat-{zone}"), "NatGatewayId")
        of_nat = [
            each.get("AllocationId")
            for gateway in world.nats
            if gateway["NatGatewayId"] == nat
            for each in gateway.get("NatGatewayAddresses") or ()
        ]
        return of_nat[0] if of_nat and of_nat[0] else named(world.addresses, name, "AllocationId")

    return AwsPiece(
        f"eip-{zone}",
        f"allocate elastic IP {name}",
        find,
        make,
        says("Created elastic IP for NAT gateway", id="{id}"),
        follows=("vpc",),
    )


def nat_gateway(wanted: Wanted, zone: str) -> AwsPiece:
    name = wanted.named(f"nat-{zone}")

    def make(aws: Accounts, ids: Ids) -> str:
        allocation, subnet = ids[f"eip-{zone}"], ids[f"public-subnet-{zone}"]
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_nat_gateway",
                AllocationId=allocation,
                SubnetId=subnet,
                ClientToken=str(uuid.uuid5(NAMESPACE, f"{name}/{allocation}/{subnet}")),
                TagSpecifications=wanted.spec("natgateway", name),
            )
        )
        return str(made["NatGateway"]["NatGatewayId"])

    return AwsPiece(
        f"nat-{zone}",
        f"create NAT gateway {name}",
        lambda world, _: named(world.nats, name, "NatGatewayId"),
        make,
        says("Created NAT gateway", id="{id}"),
        (f"eip-{zone}", f"public-subnet-{zone}", "igw-attachment"),
    )


def s3_endpoint(wanted: Wanted, tables: tuple[str, ...]) -> AwsPiece:
    service = f"com.amazonaws.{wanted.region}.s3"

    def find(world: World, ids: Ids) -> str | None:
        found = sorted(
            each["VpcEndpointId"]
            for each in world.endpoints
            if each["ServiceName"] == service
            and each.get("VpcId") == ids["vpc"]
            and str(each.get("State", "")).lower() not in {"deleting", "deleted"}
        )
        return found[0] if found else None

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_vpc_endpoint",
                VpcId=ids["vpc"],
                VpcEndpointType="Gateway",
                ServiceName=service,
                RouteTableIds=[ids[each] for each in tables],
                TagSpecifications=wanted.spec("vpc-endpoint"),
            )
        )
        return str(made["VpcEndpoint"]["VpcEndpointId"])

    return AwsPiece(
        "s3-endpoint",
        f"create VPC endpoint of {service}",
        find,
        make,
        says("Created s3 VPC endpoint", id="{id}"),
        ("vpc", *tables),
    )
