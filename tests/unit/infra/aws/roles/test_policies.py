"""Who may take a cluster's roles on AWS, and what each may do."""

from dataclasses import replace
from typing import Any

import pytest

from hypershift.infra.aws.roles import WantedRoles, issuer_of_bucket, policies
from hypershift.infra.aws.roles.pieces import role_pieces
from hypershift.infra.aws.roles.wanted import ROLE_NAMES, bindings, check_roles
from hypershift.kit import UsageError

ISSUER = issuer_of_bucket("docs", "us-east-2", "demo-abcde")
WANTED = WantedRoles("demo-abcde", "us-east-1", ISSUER, "ZPUBLIC", "ZPRIVATE", "ZLOCAL")
EC2_NODE_CLASS = "karpenter.k8s.aws/ec2nodeclass"
PROVIDER = f"arn:aws:iam::123456789012:oidc-provider/{ISSUER.removeprefix('https://')}"


def policy(wanted: WantedRoles, name: str) -> dict[str, Any]:
    return next(each.policy for each in bindings(wanted) if each.name == name)


def actions(document: dict[str, Any]) -> set[str]:
    return {action for each in document["Statement"] for action in each["Action"]}


def test_the_issuer_is_a_folder_of_the_bucket() -> None:
    assert ISSUER == "https://docs.s3.us-east-2.amazonaws.com/demo-abcde"


def test_actions_are_named_once_and_with_their_service() -> None:
    for each in bindings(replace(WANTED, kms_key="arn:aws:kms:::key/x", auto_node=True)):
        for statement in each.policy["Statement"]:
            assert len(set(statement["Action"])) == len(statement["Action"])
            assert all(action.count(":") == 1 for action in statement["Action"])
            assert statement["Effect"] == "Allow"


def test_records_may_be_changed_in_the_clusters_zones_alone() -> None:
    records = policy(WANTED, "openshift-ingress")["Statement"][1]
    assert records["Resource"] == [
        "arn:aws:route53:::hostedzone/ZPUBLIC",
        "arn:aws:route53:::hostedzone/ZPRIVATE",
    ]
    shared = policy(replace(WANTED, shared_vpc=True), "openshift-ingress")["Statement"][1]
    assert shared["Resource"] == ["arn:aws:route53:::hostedzone/ZPUBLIC"]
    local = policy(WANTED, "control-plane-operator")["Statement"][1]
    assert local["Resource"] == "arn:aws:route53:::hostedzone/ZLOCAL"


def test_in_a_shared_vpc_the_operator_makes_no_endpoint_itself() -> None:
    shared = actions(policy(replace(WANTED, shared_vpc=True), "control-plane-operator"))
    assert "ec2:CreateVpcEndpoint" not in shared
    assert "ec2:CreateVpcEndpoint" in actions(policies.SHARED_ENDPOINT)


def test_the_key_is_used_by_its_provider_alone() -> None:
    key = "arn:aws:kms:us-east-1:123456789012:key/x"
    names = [each.name for each in bindings(replace(WANTED, kms_key=key))]
    assert "kms-provider" in names
    assert policies.kms_provider(key)["Statement"][0]["Resource"] == key
    assert "kms-provider" not in [each.name for each in bindings(WANTED)]


def test_karpenter_changes_what_carries_its_tag_alone() -> None:
    """What it may do without a tag is to read, to launch from images, and to pass roles to EC2."""
    wanted = policy(replace(WANTED, auto_node=True), "karpenter")
    ending = ("TerminateInstances", "DeleteLaunchTemplate", "DeleteInstanceProfile", "CreateTags")
    for statement in wanted["Statement"]:
        if any(action.endswith(ending) for action in statement["Action"]):
            [tag] = statement["Condition"]["StringLike"]
            assert tag.partition("/")[2] in {"karpenter.sh/nodepool", EC2_NODE_CLASS}
    assert "karpenter" not in {each.name for each in bindings(WANTED)}


def test_a_role_trusts_tokens_of_its_service_accounts_alone() -> None:
    one = policies.web_identity(PROVIDER, ("system:serviceaccount:a:b",))["Statement"][0]
    assert one["Principal"] == {"Federated": PROVIDER}
    name = f"{ISSUER.removeprefix('https://')}:sub"
    assert one["Condition"] == {"StringEquals": {name: "system:serviceaccount:a:b"}}
    two = policies.web_identity(PROVIDER, ("a", "b"))["Statement"][0]
    assert two["Condition"] == {"StringEquals": {name: ["a", "b"]}}


@pytest.mark.parametrize(
    "wanted",
    [
        WANTED,
        replace(WANTED, one_role=True, shared_vpc=True, kms_key="arn:key"),
        replace(WANTED, rosa=True, base_domain="example.com"),
    ],
)
def test_pieces_stand_in_an_order_of_their_needs(wanted: WantedRoles) -> None:
    seen: set[str] = set()
    for each in role_pieces(wanted):
        assert set(each.needs) <= seen
        assert each.key not in seen
        seen.add(each.key)


def test_every_role_that_is_made_is_known_to_removal() -> None:
    wanted = replace(WANTED, kms_key="arn:key")
    assert {each.name for each in bindings(wanted)} <= set(ROLE_NAMES)


def test_managed_policies_need_a_base_domain() -> None:
    with pytest.raises(UsageError, match="--base-domain is required"):
        check_roles(replace(WANTED, rosa=True))
