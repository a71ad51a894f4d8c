"""A network that another account owns: its subnets are shared with the cluster's account."""

from collections.abc import Iterator
from typing import Any

from hypershift.cloud.aws import AwsUnavailable
from hypershift.infra.aws.look import Accounts, World, tags_of_object
from hypershift.infra.aws.piece import AwsPiece, new, says
from hypershift.infra.aws.wanted import Wanted, cluster_tags
from hypershift.infra.plan import Ids


def pieces(wanted: Wanted) -> Iterator[AwsPiece]:
    """The share of all subnets, then their tags, which each account sees for itself."""
    kinds = ("public",) if wanted.public_only else ("private", "public")
    subnets = tuple(f"{kind}-subnet-{zone}" for kind in kinds for zone in wanted.zones)
    yield share(wanted, subnets)
    for each in subnets:
        yield subnet_tags(each)


def share(wanted: Wanted, subnets: tuple[str, ...]) -> AwsPiece:
    name = wanted.named("share")

    def make(aws: Accounts, ids: Ids) -> str:
        found = new(
            lambda: aws.owner.all(
                "ec2", "describe_subnets", "Subnets", SubnetIds=[ids[each] for each in subnets]
            )
        )
        cluster = str(aws.cluster.call("sts", "get_caller_identity")["Account"])
        pairs = cluster_tags(wanted.infra_id, wanted.name).items()
        made = aws.owner.call(
            "ram",
            "create_resource_share",
            name=name,
            principals=[cluster],
            resourceArns=[each["SubnetArn"] for each in found],
            tags=[{"key": key, "value": value} for key, value in pairs],
        )
        return str(made["resourceShare"]["resourceShareArn"])

    def find(world: World, _: Ids) -> str | None:
        found = sorted(each["resourceShareArn"] for each in world.shares)
        return found[0] if found else None

    return AwsPiece(
        "share",
        f"share subnets as {name}",
        find,
        make,
        says("Sharing VPC subnets with cluster creator account", id="{id}"),
        subnets,
    )


def subnet_tags(subnet: str) -> AwsPiece:
    """The owner's tags of a subnet in the cluster's account, once that account sees it."""

    def of(things: tuple[dict[str, Any], ...], identity: str) -> dict[str, str] | None:
        found = (each for each in things if each["SubnetId"] == identity)
        return next((tags_of_object(each) for each in found), None)

    def find(world: World, ids: Ids) -> str | None:
        owned, seen = (of(things, ids[subnet]) for things in (world.subnets, world.guest_subnets))
        same = seen is not None and owned is not None and owned.items() <= seen.items()
        return ids[subnet] if same else None

    def make(aws: Accounts, ids: Ids) -> str:
        request: dict[str, Any] = {"SubnetIds": [ids[subnet]]}
        seen = new(lambda: aws.cluster.all("ec2", "describe_subnets", "Subnets", **request))
        if not seen:
            raise AwsUnavailable(f"subnet {ids[subnet]} is not visible in the cluster's account")
        owned = aws.owner.all("ec2", "describe_subnets", "Subnets", **request)
        aws.cluster.call(
            "ec2", "create_tags", Resources=[ids[subnet]], Tags=owned[0].get("Tags") or []
        )
        return ids[subnet]

    return AwsPiece(
        f"{subnet}-tags",
        f"tag {subnet} in the cluster's account",
        find,
        make,
        says("Tagging subnet", id="{id}"),
        ("share", subnet),
    )
