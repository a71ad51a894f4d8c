"""Roles on AWS: made, found again, repaired, removed, and resumed after faults."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cloud.aws.runs import (
    ROLES,
    Hasty,
    accounts,
    identities,
    quiet,
    survive_with_roles,
)
from tests.cloud.aws.server import Cloud

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.infra.aws import Accounts
from hypershift.infra.aws.roles import (
    WantedRoles,
    create_roles,
    destroy_roles,
    issuer_of_bucket,
    planned_roles,
    policies,
)
from hypershift.kit import UsageError

pytestmark = pytest.mark.integration

WANTED = ROLES
SETS = {
    "each-its-own": (WANTED, 8),
    "with-a-key": (replace(WANTED, kms_key="arn:aws:kms:us-east-1:123456789012:key/x"), 9),
    "one-for-all": (replace(WANTED, one_role=True), 2),
    "shared-vpc": (replace(WANTED, shared_vpc=True), 10),
    "auto-node": (replace(WANTED, auto_node=True), 9),
}


def create(wanted: WantedRoles, both: Accounts) -> dict[str, object]:
    return asyncio.run(create_roles(both, wanted, log=quiet, clock=Hasty()))


def destroy(both: Accounts) -> None:
    asyncio.run(destroy_roles(both, WANTED.infra_id, log=quiet, clock=Hasty()))


@pytest.mark.parametrize("name", SETS)
def test_roles_are_made_found_again_and_removed(aws: Cloud, name: str) -> None:
    wanted, count = SETS[name]
    both = accounts()
    made = create(wanted, both)
    assert identities(aws) == (count, 1, 1)
    assert planned_roles(both, wanted).steps == ()
    assert create(wanted, both) == made
    destroy(both)
    assert identities(aws) == (0, 0, 0)


def test_a_policy_and_a_trust_changed_by_hand_are_set_again(aws: Cloud) -> None:
    both, iam = accounts(), aws.client("iam")
    create(WANTED, both)
    role, trust = "demo-abcde-node-pool", policies.service_trust("ec2.amazonaws.com")
    other = json.dumps(policies.WORKER)
    iam.put_role_policy(RoleName=role, PolicyName=role, PolicyDocument=other)
    iam.update_assume_role_policy(RoleName=role, PolicyDocument=json.dumps(trust))
    assert list(planned_roles(both, WANTED).lines()) == [
        f"set trust of {role}",
        f"put policy {role} on {role}",
    ]
    create(WANTED, both)
    assert planned_roles(both, WANTED).steps == ()


def test_roles_of_another_cluster_stay(aws: Cloud) -> None:
    both = accounts()
    other = issuer_of_bucket("docs", "us-east-1", "other-abcde")
    create(replace(WANTED, infra_id="other-abcde", issuer=other), both)
    there = identities(aws)
    create(WANTED, both)
    destroy(both)
    assert identities(aws) == there


def test_an_issuer_of_the_users_own_has_to_be_known(aws: Cloud) -> None:
    with pytest.raises(UsageError, match=r"OIDC provider with issuer URL .* was not found"):
        create(replace(WANTED, issuer="https://own.example.com", own_issuer=True), accounts())
    assert identities(aws)[1] == 0


@pytest.mark.parametrize("seed", range(3))
def test_roles_survive_faults(aws: Cloud, seed: int) -> None:
    survive_with_roles(aws, seed)


def test_the_command_writes_the_originals_description(aws: Cloud, tmp_path: Path) -> None:
    target = tmp_path / "iam.json"
    words = [
        *("--infra-id", "cli-abcde", "--public-zone-id", "Z1", "--private-zone-id", "Z2"),
        *("--local-zone-id", "Z3", "--oidc-storage-provider-s3-bucket-name", "docs"),
        *("--oidc-storage-provider-s3-region", "us-east-1"),
    ]
    made = ["create", "iam", "aws", *words, "--output-file", str(target)]
    assert execute(HYPERSHIFT, made) == 0
    output = json.loads(target.read_text())
    assert list(output) == [
        *("region", "profileName", "infraID", "issuerURL", "roles", "kmsKeyARN"),
        "kmsProviderRoleARN",
    ]
    assert len(output["roles"]) == 7
    assert output["roles"]["nodePoolManagementARN"].endswith(":role/cli-abcde-node-pool")
    assert execute(HYPERSHIFT, ["destroy", "iam", "aws", "--infra-id", "cli-abcde"]) == 0
    assert identities(aws) == (0, 0, 0)
