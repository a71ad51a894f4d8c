"""The zones of a cluster's names: the public one that is there, the private ones that we make."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hypershift.api import labels
from hypershift.cloud.aws import Account, AwsRefusal
from hypershift.infra.aws.look import Accounts, World, named
from hypershift.infra.aws.piece import NOTHING, AwsPiece, new, once, says
from hypershift.infra.aws.wanted import Wanted
from hypershift.infra.aws.zone_look import SOA_FIELDS, SOA_MINIMUM, Zone, plain_id, soa_of
from hypershift.infra.plan import Ids
from hypershift.kit import UsageError

PRIVATE, LOCAL = "private-zone", "local-zone"


def public_zone(world: World, wanted: Wanted) -> str:
    """The zone of the base domain, which has to be there."""
    if not world.public_zones:
        raise UsageError(f"hosted zone {wanted.base_domain} not found")
    return min(zone.id for zone in world.public_zones)


def pieces(wanted: Wanted) -> Iterator[AwsPiece]:
    """Both private zones; in the cluster's account they are made with a VPC for the time being."""
    apart = wanted.zones_in_cluster_account
    if apart:
        yield first_vpc(wanted)
    for key, name in ((PRIVATE, wanted.private_zone), (LOCAL, wanted.local_zone)):
        yield zone(wanted, key, name)
        yield zone_tags(wanted, key, name)
        yield zone_memory(wanted, key, name)
        if apart:
            yield zone_association(wanted, key, name)
            yield zone_release(wanted, key, name)
    if apart:
        yield first_vpc_removal(wanted)


def _account(wanted: Wanted, aws: Accounts) -> Account:
    return aws.cluster if wanted.zones_in_cluster_account else aws.owner


def _own(world: World, wanted: Wanted, name: str, ids: Ids) -> Zone | None:
    """A zone of that name with our tag or our VPC; other clusters may have one of the same name."""
    ours = {ids[key] for key in ("vpc", "first-vpc") if key in ids}
    for each in sorted(world.zones, key=lambda zone: zone.id):
        tagged = each.tag(labels.INFRA_ID) == wanted.infra_id
        if each.name == name.rstrip(".") and (tagged or each.vpcs & ours):
            return each
    return None


def zone(wanted: Wanted, key: str, name: str) -> AwsPiece:
    first = "first-vpc" if wanted.zones_in_cluster_account else "vpc"
    # one reference per run: a zone that is asked for twice is made once
    reference = f"{wanted.infra_id}-{key}-{datetime.now(UTC):%Y%m%d%H%M%S%f}"

    def find(world: World, ids: Ids) -> str | None:
        found = _own(world, wanted, name, ids)
        return found.id if found else None

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: _account(wanted, aws).call(
                "route53",
                "create_hosted_zone",
                CallerReference=reference,
                Name=name,
                HostedZoneConfig={"PrivateZone": True},
                VPC={"VPCId": ids[first], "VPCRegion": wanted.region},
            )
        )
        return plain_id(str(made["HostedZone"]["Id"]))

    return AwsPiece(
        key,
        f"create private zone {name}",
        find,
        make,
        says("Created private zone", name=name, id="{id}"),
        tuple(dict.fromkeys((first, "vpc"))),
    )


def zone_tags(wanted: Wanted, key: str, name: str) -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        found = _own(world, wanted, name, ids)
        tagged = found is not None and found.tag(labels.INFRA_ID) == wanted.infra_id
        return ids[key] if tagged else None

    def make(aws: Accounts, ids: Ids) -> str:
        _account(wanted, aws).call(
            "route53",
            "change_tags_for_resource",
            ResourceType="hostedzone",
            ResourceId=ids[key],
            AddTags=wanted.tagged(),
        )
        return ids[key]

    return AwsPiece(
        f"{key}-tags",
        f"tag private zone {name}",
        find,
        make,
        says("Tagged private zone", name=name, id="{id}"),
        (key, "vpc"),
    )


def zone_memory(wanted: Wanted, key: str, name: str) -> AwsPiece:
    """Names that do not exist yet are asked for early: that answer must not be kept for long."""

    def find(world: World, ids: Ids) -> str | None:
        found = _own(world, wanted, name, ids)
        return ids[key] if found and found.has_short_memory else None

    def make(aws: Accounts, ids: Ids) -> str:
        account = _account(wanted, aws)
        record = soa_of(account, ids[key], name)
        fields = record["ResourceRecords"][0]["Value"].split()
        if len(fields) != SOA_FIELDS:
            raise UsageError(f"SOA record of zone {name} has {len(fields)} fields, expected 7")
        record["ResourceRecords"] = [{"Value": " ".join((*fields[:-1], SOA_MINIMUM))}]
        _change(account, ids[key], "UPSERT", record)
        return ids[key]

    return AwsPiece(
        f"{key}-memory",
        f"let private zone {name} forget missing names after {SOA_MINIMUM} s",
        find,
        make,
        says("Set SOA minimum of private zone", name=name, id="{id}"),
        (key, "vpc"),
    )


def _change(account: Account, zone: str, action: str, record: dict[str, Any]) -> None:
    changes = [{"Action": action, "ResourceRecordSet": record}]
    account.call(
        "route53",
        "change_resource_record_sets",
        HostedZoneId=zone,
        ChangeBatch={"Changes": changes},
    )


def first_vpc(wanted: Wanted) -> AwsPiece:
    """A VPC of the cluster's account, for a private zone cannot be made without one."""
    name = wanted.named("vpc")

    def find(world: World, ids: Ids) -> str | None:
        there = [
            _own(world, wanted, zone, ids) for zone in (wanted.private_zone, wanted.local_zone)
        ]
        if all(each and ids["vpc"] in each.vpcs for each in there):
            return named(world.guest_vpcs, name, "VpcId") or NOTHING
        return named(world.guest_vpcs, name, "VpcId")

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.cluster.call(
            "ec2", "create_vpc", CidrBlock=wanted.cidr, TagSpecifications=wanted.spec("vpc", name)
        )
        return str(made["Vpc"]["VpcId"])

    return AwsPiece(
        "first-vpc",
        f"create temporary VPC {name} in the cluster's account",
        find,
        make,
        says("Created VPC", id="{id}"),
        ("vpc",),
    )


def zone_association(wanted: Wanted, key: str, name: str) -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        found = _own(world, wanted, name, ids)
        return ids["vpc"] if found and ids["vpc"] in found.vpcs else None

    def make(aws: Accounts, ids: Ids) -> str:
        vpc = {"VPCId": ids["vpc"], "VPCRegion": wanted.region}
        aws.cluster.call(
            "route53", "create_vpc_association_authorization", HostedZoneId=ids[key], VPC=vpc
        )
        once(
            lambda: aws.owner.call(
                "route53", "associate_vpc_with_hosted_zone", HostedZoneId=ids[key], VPC=vpc
            ),
            "ConflictingDomainExists",
        )
        return ids["vpc"]

    return AwsPiece(
        f"{key}-association",
        f"associate VPC with private zone {name}",
        find,
        make,
        says("Associated VPC with hosted zone", vpc="{vpc}", hosted_zone=f"{{{key}}}"),
        (key, "vpc"),
    )


def zone_release(wanted: Wanted, key: str, name: str) -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        found = _own(world, wanted, name, ids)
        return ids["vpc"] if found and found.vpcs == {ids["vpc"]} else None

    def make(aws: Accounts, ids: Ids) -> str:
        vpc = {"VPCId": ids["first-vpc"], "VPCRegion": wanted.region}
        once(
            lambda: aws.cluster.call(
                "route53", "disassociate_vpc_from_hosted_zone", HostedZoneId=ids[key], VPC=vpc
            ),
            "VPCAssociationNotFound",
        )
        return ids["vpc"]

    return AwsPiece(
        f"{key}-release",
        f"take the temporary VPC from private zone {name}",
        find,
        make,
        says(
            "Removed initial VPC association with hosted zone",
            vpc="{first-vpc}",
            hosted_zone=f"{{{key}}}",
        ),
        (key, f"{key}-association", "first-vpc", "vpc"),
    )


def first_vpc_removal(wanted: Wanted) -> AwsPiece:
    def find(world: World, _: Ids) -> str | None:
        return None if named(world.guest_vpcs, wanted.named("vpc"), "VpcId") else NOTHING

    def make(aws: Accounts, ids: Ids) -> str:
        try:
            aws.cluster.call("ec2", "delete_vpc", VpcId=ids["first-vpc"])
        except AwsRefusal as error:
            if error.code != "InvalidVpcID.NotFound":
                raise
        return NOTHING

    return AwsPiece(
        "first-vpc-removal",
        "delete the temporary VPC",
        find,
        make,
        says("Deleted VPC", id="{first-vpc}"),
        (f"{PRIVATE}-release", f"{LOCAL}-release", "first-vpc"),
    )
