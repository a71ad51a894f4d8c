"""Networks on AWS: made, found again, removed, and resumed after faults."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.runs import (
    WANTED,
    ZONES,
    accounts,
    create,
    destroy,
    missing,
    survive,
    with_domain,
)
from tests.cloud.aws.server import OWNER, Cloud

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cloud.aws import Account, Login
from hypershift.cloud.aws import Keys as AccountKeys
from hypershift.infra import Stuck
from hypershift.infra.aws import Accounts, Keys, Wanted
from hypershift.kit import HypershiftError, Secret, UsageError

pytestmark = pytest.mark.integration

NETWORKS = {
    "one-zone": (WANTED, {"subnets": 2, "nats": 1, "addresses": 1, "route-tables": 3}),
    "three-zones": (
        replace(WANTED, zones=ZONES),
        {"subnets": 6, "nats": 3, "addresses": 3, "route-tables": 5},
    ),
    "single-nat": (
        replace(WANTED, zones=ZONES, single_nat=True),
        {"subnets": 6, "nats": 1, "addresses": 1, "route-tables": 5},
    ),
    "public-only": (
        replace(WANTED, public_only=True),
        {"subnets": 1, "nats": 0, "addresses": 0, "route-tables": 2},
    ),
    "proxy": (
        replace(WANTED, proxy=True),
        {"subnets": 2, "nats": 0, "addresses": 0, "instances": 1, "groups": 2},
    ),
}


def a_key() -> Keys:
    return Keys("ssh-rsa AAAA", Secret(b"private"))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_made_found_again_and_removed(aws: Cloud, name: str) -> None:
    wanted, expected = NETWORKS[name]
    before, both = aws.inventory(), accounts()
    made = create(wanted, both, keys=a_key)
    there = aws.inventory()
    assert {kind: there[kind] for kind in expected} == expected
    assert there["zones"] == before["zones"] + 2
    assert missing(wanted, both) == []
    assert create(wanted, both, keys=a_key).ids == made.ids
    assert aws.inventory() == there
    destroy(wanted, both)
    assert aws.inventory() == before


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("zones", [ZONES[:1], ZONES])
def test_a_network_of_another_account_is_shared_found_again_and_removed(
    aws: Cloud, zones: tuple[str, ...], *, apart: bool
) -> None:
    """The owner has the network; the cluster's account sees its subnets, and zones where asked."""
    key, secret, token = aws.owner()
    keys = AccountKeys(key, Secret(secret), Secret(token))
    owner = Account(Login(keys=keys, role_arn=OWNER), "test", WANTED.region, attempts=11)
    both = Accounts(accounts().cluster, owner)
    with_domain(aws, key)
    before, of_owner = aws.inventory(), aws.inventory(key)
    wanted = replace(WANTED, zones=zones, shared=True, zones_in_cluster_account=apart)
    made = create(wanted, both)
    seen = aws.client("ec2").describe_subnets(
        Filters=[{"Name": "tag:kubernetes.io/cluster/demo-abcde", "Values": ["owned"]}]
    )["Subnets"]
    assert len(seen) == 2 * len(zones)
    there = aws.inventory(key)
    assert there["vpcs"] == of_owner["vpcs"] + 1
    of_zones = aws.inventory() if apart else there
    assert of_zones["zones"] == (before if apart else of_owner)["zones"] + 2
    assert aws.inventory()["vpcs"] == before["vpcs"]
    assert missing(wanted, both) == []
    again = create(wanted, both)
    passing = {"first-vpc"}  # by which zones of the cluster's account come into being
    for name in made.ids.keys() - passing:
        assert again.ids[name] == made.ids[name]
    destroy(wanted, both)
    assert aws.inventory(key) == of_owner
    assert aws.inventory() == before


def test_a_network_survives_faults(aws: Cloud) -> None:
    survive(aws, seed=0)


def test_a_subnet_deleted_by_hand_is_made_again(aws: Cloud) -> None:
    both = accounts()
    made = create(replace(WANTED, public_only=True), both)
    gone = made.ids[f"public-subnet-{ZONES[0]}"]
    aws.client("ec2").delete_subnet(SubnetId=gone)
    again = create(replace(WANTED, public_only=True), both)
    assert again.ids[f"public-subnet-{ZONES[0]}"] != gone


def test_all_missing_permissions_are_named_at_once(aws: Cloud) -> None:
    aws.faults = Faults(Random(0), only="CreateVpc", fatal="denied")  # noqa: S311
    with pytest.raises(HypershiftError, match="permission ec2:CreateVpc is missing"):
        create(WANTED, accounts())


def test_what_cannot_be_removed_is_named(aws: Cloud) -> None:
    both = accounts()
    create(replace(WANTED, public_only=True), both)
    aws.faults = Faults(Random(0), only="DeleteVpc", fatal="denied")  # noqa: S311
    with pytest.raises(Stuck, match="permission ec2:DeleteVpc is missing"):
        destroy(WANTED, both)
    aws.faults = Faults.none()
    destroy(WANTED, both)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (replace(WANTED, base_domain="other.org"), "hosted zone other.org not found"),
        (replace(WANTED, zones=("us-east-1z",)), "no zone us-east-1z in region us-east-1"),
        (replace(WANTED, cidr="10.0.0.0/20"), "only /16 size VPC CIDR supported"),
        (replace(WANTED, infra_id="x" * 60), "too long"),
        (replace(WANTED, proxy=True, secure_proxy=True), "but not both"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_made(
    aws: Cloud, wanted: Wanted, sentence: str
) -> None:
    before = aws.inventory()
    with pytest.raises(UsageError, match=sentence):
        create(wanted, accounts())
    assert aws.inventory() == before


def test_another_range_of_the_same_infra_id_is_refused(aws: Cloud) -> None:
    both = accounts()
    assert aws.inventory()["vpcs"] == 0
    create(replace(WANTED, public_only=True), both)
    with pytest.raises(UsageError, match=r"has range 10\.0\.0\.0/16, not 10\.9\.0\.0/16"):
        create(replace(WANTED, public_only=True, cidr="10.9.0.0/16"), both)


def test_the_command_writes_the_originals_description(aws: Cloud, tmp_path: Path) -> None:
    before, target = aws.inventory(), tmp_path / "infra.json"
    words = ["--infra-id", "cli-abcde", "--base-domain", "example.com", "--name", "cli"]
    made = ["create", "infra", "aws", *words, "--output-file", str(target)]
    assert execute(HYPERSHIFT, made) == 0
    output = json.loads(target.read_text())
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(output)[:7] == [
        "region",
        "zone",
        "infraID",
        "machineCIDR",
        "vpcID",
        "zones",
        "Name",
    ]
    assert output["zones"][0]["subnetID"].startswith("subnet-")
    assert execute(HYPERSHIFT, ["destroy", "infra", "aws", *words]) == 0
    assert aws.inventory() == before
