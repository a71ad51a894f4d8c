"""Remove a cluster's names: its private zones, and its record in the public one."""

from collections.abc import Iterator
from typing import Any, Protocol

from hypershift.api import labels
from hypershift.cloud.aws import Account, Missing
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.remains import Remains
from hypershift.infra.aws.wanted import LOCAL_ZONE, private_zone
from hypershift.infra.aws.zone_look import Zone, plain_id, zones_named
from hypershift.infra.destroy import Removal

_KEPT = {"NS", "SOA"}
BATCH = 100


class Names(Protocol):
    """What identifies the zones of a cluster."""

    @property
    def infra_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def region(self) -> str: ...
    @property
    def base_domain(self) -> str: ...
    @property
    def base_domain_prefix(self) -> str: ...
    @property
    def zones_in_cluster_account(self) -> bool: ...


def dns_removals(accounts: Accounts, wanted: Names, found: Remains) -> Iterator[Removal[Accounts]]:
    """The record of the ingress, the buckets of the registry, then the private zones."""
    yield from _records(accounts, wanted)
    yield from _buckets(accounts.cluster, wanted.infra_id)
    account = accounts.cluster if wanted.zones_in_cluster_account else accounts.owner
    known = {zone.id: zone.name for zone in _own_zones(account, wanted)}
    for vpc in found.vpcs:
        # the owner of a VPC sees its zones, whichever account they are in
        for each in accounts.owner.all(
            "route53",
            "list_hosted_zones_by_vpc",
            "HostedZoneSummaries",
            VPCId=vpc["VpcId"],
            VPCRegion=wanted.region,
        ):
            known[plain_id(each["HostedZoneId"])] = each["Name"].rstrip(".")
    for zone, name in sorted(known.items()):
        yield _zone(account, zone, name)


def _own_zones(account: Account, wanted: Names) -> list[Zone]:
    """Zones with our tag: their VPC may be gone already."""
    names = (
        private_zone(wanted.name, wanted.base_domain_prefix, wanted.base_domain),
        f"{wanted.name}.{LOCAL_ZONE}",
    )
    found = zones_named(account, names, private=True)
    return [zone for zone in found if zone.tag(labels.INFRA_ID) == wanted.infra_id]


def _zone(account: Account, zone: str, name: str) -> Removal[Accounts]:
    def act(_: Accounts) -> None:
        try:
            records = [each for each in _all_records(account, zone) if each["Type"] not in _KEPT]
            for start in range(0, len(records), BATCH):
                _delete(account, zone, records[start : start + BATCH])
            account.call("route53", "delete_hosted_zone", Id=zone)
        except Missing:
            return

    values = {"id": zone, "name": name}
    return Removal(zone, f"private zone {name}", act, "Deleted private hosted zone", values)


def _records(accounts: Accounts, wanted: Names) -> Iterator[Removal[Accounts]]:
    """The wildcard of the ingress, which outlives the cluster in the public zone."""
    domains = {
        private_zone(wanted.name, prefix, wanted.base_domain)
        for prefix in ("", wanted.base_domain_prefix)
    } - {wanted.base_domain}
    names = {f"{star}.apps.{domain}." for domain in domains for star in ("*", r"\052")}
    account = accounts.cluster
    for zone in zones_named(account, (wanted.base_domain,), private=False):
        for record in _all_records(account, zone.id):
            if record["Name"] in names and record["Type"] == "A":
                yield _record(account, zone.id, record)


def _record(account: Account, zone: str, record: dict[str, Any]) -> Removal[Accounts]:
    def act(_: Accounts) -> None:
        _delete(account, zone, [record])

    name = record["Name"].replace(r"\052", "*").rstrip(".")
    return Removal(name, f"record {name}", act, "Deleted public record", {"name": name})


def _all_records(account: Account, zone: str) -> list[dict[str, Any]]:
    return account.all(
        "route53", "list_resource_record_sets", "ResourceRecordSets", HostedZoneId=zone
    )


def _delete(account: Account, zone: str, records: list[dict[str, Any]]) -> None:
    changes = [{"Action": "DELETE", "ResourceRecordSet": each} for each in records]
    account.call(
        "route53",
        "change_resource_record_sets",
        HostedZoneId=zone,
        ChangeBatch={"Changes": changes},
    )


def _buckets(account: Account, infra_id: str) -> Iterator[Removal[Accounts]]:
    for each in account.all("s3", "list_buckets", "Buckets"):
        if each["Name"].startswith(f"{infra_id}-image-registry-"):
            yield _bucket(account, each["Name"])


def _bucket(account: Account, name: str) -> Removal[Accounts]:
    def act(_: Accounts) -> None:
        try:
            keys = account.all("s3", "list_objects_v2", "Contents", Bucket=name)
            for start in range(0, len(keys), 1000):
                batch = [{"Key": each["Key"]} for each in keys[start : start + 1000]]
                account.call("s3", "delete_objects", Bucket=name, Delete={"Objects": batch})
            account.call("s3", "delete_bucket", Bucket=name)
        except Missing:
            return

    return Removal(name, f"bucket {name}", act, "Deleted S3 Bucket", {"name": name})
