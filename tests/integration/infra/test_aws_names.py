"""Everything of a network on AWS has the original's name and tags."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.cloud.aws.runs import WANTED, ZONES, accounts, create, destroy
from tests.cloud.aws.server import Cloud

from hypershift.infra.aws import Keys, Wanted
from hypershift.kit import Secret

pytestmark = pytest.mark.integration

#: What moto calls a kind, where AWS has another word for it.
WORDS = {"nat-gateway": "natgateway", "vpc-elastic-ip": "elastic-ip"}
ID, NAME = WANTED.infra_id, WANTED.name
NETWORKS = {
    "one-zone": WANTED,
    "three-zones": replace(WANTED, zones=ZONES),
    "single-nat": replace(WANTED, zones=ZONES, single_nat=True),
    "public-only": replace(WANTED, zones=ZONES, public_only=True),
    "proxy": replace(WANTED, zones=ZONES, proxy=True),
}


def names(wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Kind and name of every object, as the table of the original's calls has them."""
    yield "vpc", f"{ID}-vpc"
    yield "dhcp-options", ""
    yield "internet-gateway", f"{ID}-igw"
    yield "route-table", f"{ID}-public"
    yield "vpc-endpoint", ""
    for place, zone in enumerate(wanted.zones):
        yield "subnet", f"{ID}-public-{zone}"
        if wanted.public_only:
            continue
        yield "subnet", f"{ID}-private-{zone}"
        yield "route-table", f"{ID}-private-{zone}"
        if not wanted.has_proxy and (place == 0 or not wanted.single_nat):
            yield "elastic-ip", f"{ID}-eip-{zone}"
            yield "natgateway", f"{ID}-nat-{zone}"
    if wanted.has_proxy:
        yield "security-group", f"{ID}-proxy-sg"
        yield "instance", f"{ID}-http-proxy"


def found(aws: Cloud) -> dict[str, dict[str, Any]]:
    """The tags of every object of EC2 that has any, and its kind, by its id."""
    objects: dict[str, dict[str, Any]] = {}
    for page in aws.client("ec2").get_paginator("describe_tags").paginate():
        for tag in page["Tags"]:
            kind = WORDS.get(tag["ResourceType"], tag["ResourceType"])
            kept = objects.setdefault(tag["ResourceId"], {"": kind})
            kept[tag["Key"]] = tag["Value"]
    return objects


@pytest.mark.parametrize("case", NETWORKS)
def test_a_network_is_what_the_original_makes(aws: Cloud, case: str) -> None:
    before, both = aws.inventory(), accounts()
    wanted = replace(NETWORKS[case], tags=(("team", "blue"),))
    create(wanted, both, keys=lambda: Keys("ssh-rsa AAAA", Secret(b"private")))
    objects = found(aws).values()
    assert Counter((each[""], each.get("Name", "")) for each in objects) == Counter(names(wanted))
    for each in objects:
        assert each[f"kubernetes.io/cluster/{ID}"] == "owned", each
        assert each["hypershift.openshift.io/infra-id"] == ID, each
        assert each["hypershift.openshift.io/cluster-name"] == NAME, each
        assert each["team"] == "blue", each
    assert roles_of_subnets(aws) == {
        f"{ID}-{kind}-{zone}": (role, kind == "private" or wanted.public_only)
        for zone in ZONES[: len(wanted.zones)]
        for kind, role in (("public", "elb"), ("private", "internal-elb"))
        if kind == "public" or not wanted.public_only
    }
    destroy(wanted, both)
    assert aws.inventory() == before  # moto keeps the tags of what is gone


def roles_of_subnets(aws: Cloud) -> dict[str, tuple[str, bool]]:
    """What load balancers a subnet is for, and whether Karpenter finds it, by its name."""
    prefix, told = "kubernetes.io/role/", {}
    for each in found(aws).values():
        roles = [key.removeprefix(prefix) for key in each if key.startswith(prefix)]
        if each[""] == "subnet":
            told[each["Name"]] = (*roles, each.get("karpenter.sh/discovery") == ID)
    return told  # type: ignore[return-value]


@pytest.mark.parametrize("zones", [ZONES[:1], ZONES])
def test_subnets_have_the_originals_ranges(aws: Cloud, zones: tuple[str, ...]) -> None:
    both = accounts()
    create(replace(WANTED, zones=zones), both)
    own = [{"Name": f"tag:kubernetes.io/cluster/{ID}", "Values": ["owned"]}]
    subnets = aws.client("ec2").describe_subnets(Filters=own)["Subnets"]
    ranges = {(each["AvailabilityZone"], each["CidrBlock"]) for each in subnets}
    assert ranges == {
        (zone, f"10.0.{half + 16 * place}.0/20")
        for place, zone in enumerate(zones)
        for half in (0, 128)
    }
