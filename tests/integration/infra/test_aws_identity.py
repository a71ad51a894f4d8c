"""The test cloud lends a role to those tokens alone that AWS would believe."""

import asyncio
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.cloud.aws.issuer import INFRA_ID, ISSUER, Issuer
from tests.cloud.aws.runs import Hasty, accounts, quiet
from tests.cloud.aws.server import Cloud

from hypershift.cloud.stores import StoreFailed, lend
from hypershift.infra.aws.roles import WantedRoles, create_roles
from hypershift.infra.aws.roles.wanted import bindings
from hypershift.kit import Secret
from hypershift.pki.issuer import KEYS

pytestmark = pytest.mark.integration

BARE = ISSUER.removeprefix("https://")
SUBJECT = "system:serviceaccount:kube-system:control-plane-operator"


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def role(aws: Cloud, issuer: Issuer) -> str:
    aws.verifies = True
    issuer.publish(aws)
    iam = aws.client("iam")
    provider = iam.create_open_id_connect_provider(
        Url=ISSUER, ClientIDList=["openshift"], ThumbprintList=["A" * 40]
    )["OpenIDConnectProviderArn"]
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": provider},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {f"{BARE}:sub": [SUBJECT]}},
    }
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    made = iam.create_role(RoleName="demo", AssumeRolePolicyDocument=json.dumps(policy))
    return str(made["Role"]["Arn"])


def borrow(aws: Cloud, role: str, token: Secret[str]) -> str:
    try:
        return lend(role, token, "us-east-1", "test", aws.endpoint).access
    except StoreFailed as error:
        return error.code


def test_a_component_that_the_role_trusts_is_lent_it(aws: Cloud, role: str, issuer: Issuer) -> None:
    assert borrow(aws, role, issuer.token(SUBJECT)).startswith("ASIA")


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"exp": 1}, "ExpiredTokenException"),
        ({"aud": ["other"]}, "InvalidIdentityToken"),
        ({"iss": "https://elsewhere.example"}, "InvalidIdentityToken"),
        ({"subject": "system:serviceaccount:default:default"}, "AccessDenied"),
    ],
)
def test_a_token_that_says_something_else_is_refused(
    aws: Cloud, role: str, issuer: Issuer, claims: dict[str, Any], code: str
) -> None:
    assert borrow(aws, role, issuer.token(**({"subject": SUBJECT} | claims))) == code


def test_a_forged_token_is_refused(aws: Cloud, role: str, issuer: Issuer) -> None:
    forged = issuer.token(SUBJECT, rsa.generate_private_key(65537, 2048))
    assert borrow(aws, role, forged) == "InvalidIdentityToken"
    assert borrow(aws, role, Secret("no token")) == "InvalidIdentityToken"


def test_without_documents_or_role_nobody_is_believed(
    aws: Cloud, role: str, issuer: Issuer
) -> None:
    assert borrow(aws, role.replace("demo", "absent"), issuer.token(SUBJECT)) == "AccessDenied"
    aws.client("s3").delete_object(Bucket="docs", Key=f"demo-abcde/{KEYS}")
    assert borrow(aws, role, issuer.token(SUBJECT)) == "InvalidIdentityToken"


KEY = "arn:aws:kms:us-east-1:123456789012:key/x"
ZONES = ("ZPUBLIC", "ZPRIVATE", "ZLOCAL")
WANTED = WantedRoles(INFRA_ID, "us-east-1", ISSUER, *ZONES, kms_key=KEY, auto_node=True)
BINDINGS = {each.name: each for each in bindings(WANTED)}
SUBJECTS = {account for each in BINDINGS.values() for account in each.accounts}


@pytest.fixture
def roles(aws: Cloud, issuer: Issuer) -> dict[str, str]:
    """The roles of a cluster as `create iam aws` makes them."""
    aws.verifies = True
    issuer.publish(aws)
    made = asyncio.run(create_roles(accounts(), WANTED, log=quiet, clock=Hasty()))
    return {**made["roles"], **{key: value for key, value in made.items() if key.endswith("ARN")}}


def test_each_role_is_lent_to_its_own_component_and_to_nobody_else(
    aws: Cloud, roles: dict[str, str], issuer: Issuer
) -> None:
    foreign = rsa.generate_private_key(65537, 2048)
    assert len(BINDINGS) == 9
    for binding in BINDINGS.values():
        role = roles[binding.field]
        for subject in binding.accounts:
            assert borrow(aws, role, issuer.token(subject)).startswith("ASIA"), role
            assert {
                "forged": borrow(aws, role, issuer.token(subject, foreign)),
                "expired": borrow(aws, role, issuer.token(subject, exp=1)),
                "not yet": borrow(aws, role, issuer.token(subject, nbf=4e9)),
                "audience": borrow(aws, role, issuer.token(subject, aud=["kubernetes"])),
            } == {
                "forged": "InvalidIdentityToken",
                "expired": "ExpiredTokenException",
                "not yet": "InvalidIdentityToken",
                "audience": "InvalidIdentityToken",
            }, role
        for subject in {*SUBJECTS, "system:serviceaccount:default:default"}.difference(
            binding.accounts
        ):
            assert borrow(aws, role, issuer.token(subject)) == "AccessDenied", (role, subject)


def test_tokens_of_another_cluster_open_no_role(
    aws: Cloud, roles: dict[str, str], issuer: Issuer
) -> None:
    """Its issuer is one of the account too, and its service accounts have the same names."""
    other = ISSUER.replace(INFRA_ID, "other-abcde")
    aws.client("iam").create_open_id_connect_provider(
        Url=other, ClientIDList=["openshift"], ThumbprintList=["A" * 40]
    )
    s3 = aws.client("s3")
    for path, content in issuer.published.items():
        text = content.decode().replace(ISSUER, other).encode()
        s3.put_object(Bucket="docs", Key=f"other-abcde/{path}", Body=text)
    for binding in BINDINGS.values():
        for subject in binding.accounts:
            token = issuer.token(subject, iss=other)
            assert borrow(aws, roles[binding.field], token) == "AccessDenied", binding.name
