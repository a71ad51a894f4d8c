"""Hosted zones of Route 53 as a plan needs to know them."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from hypershift.cloud.aws import Account
from hypershift.infra.aws.questions import side_by_side

#: Where the minimum of a zone's negative answers stands in its SOA record, and what we set.
SOA_FIELDS = 7
SOA_MINIMUM = "60"


@dataclass(frozen=True, slots=True)
class Zone:
    """One hosted zone: its VPCs, its tags and the value of its SOA record."""

    id: str
    name: str
    vpcs: frozenset[str] = frozenset()
    tags: tuple[tuple[str, str], ...] = ()
    soa: str = ""

    def tag(self, key: str) -> str:
        return dict(self.tags).get(key, "")

    @property
    def has_short_memory(self) -> bool:
        """True if answers about names that do not exist are forgotten soon."""
        return self.soa.split()[SOA_FIELDS - 1 :] == [SOA_MINIMUM]


def plain_id(zone: str) -> str:
    return zone.removeprefix("/hostedzone/")


def zones_named(account: Account, names: tuple[str, ...], *, private: bool) -> tuple[Zone, ...]:
    """The zones of an account by name; of private ones with all that is set on them."""
    found = account.all("route53", "list_hosted_zones", "HostedZones")
    wanted = {name.rstrip(".") for name in names}
    ids = [
        (plain_id(each["Id"]), each["Name"].rstrip("."))
        for each in found
        if each["Name"].rstrip(".") in wanted
        and bool(each.get("Config", {}).get("PrivateZone")) is private
    ]
    if not private:
        return tuple(Zone(*pair) for pair in ids)
    return tuple(
        side_by_side({each[0]: partial(_described, account, *each) for each in ids}).values()
    )


def _described(account: Account, zone: str, name: str) -> Zone:
    tags = {"ResourceType": "hostedzone", "ResourceId": zone}
    told = side_by_side(
        {
            "zone": lambda: account.call("route53", "get_hosted_zone", Id=zone),
            "tags": lambda: account.call("route53", "list_tags_for_resource", **tags),
            "soa": lambda: soa_of(account, zone, name),
        }
    )
    return Zone(
        zone,
        name,
        frozenset(each["VPCId"] for each in told["zone"].get("VPCs") or ()),
        tuple((tag["Key"], tag["Value"]) for tag in told["tags"]["ResourceTagSet"].get("Tags", [])),
        told["soa"]["ResourceRecords"][0]["Value"],
    )


def soa_of(account: Account, zone: str, name: str) -> dict[str, Any]:
    """The SOA record of a zone; every zone has one from the start."""
    records = account.call(
        "route53",
        "list_resource_record_sets",
        HostedZoneId=zone,
        StartRecordName=name,
        StartRecordType="SOA",
        MaxItems="10",
    )["ResourceRecordSets"]
    return dict(next(each for each in records if each["Type"] == "SOA"))
