"""The test cloud lends a role to those tokens alone that AWS would believe."""

import json
import time
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.cloud.aws.server import Cloud

from hypershift.cloud.stores import StoreFailed, lend
from hypershift.kit import Secret
from hypershift.pki.issuer import KEYS, documents

pytestmark = pytest.mark.integration

ISSUER = "https://docs.s3.us-east-1.amazonaws.com/demo-abcde"
BARE = ISSUER.removeprefix("https://")
SUBJECT = "system:serviceaccount:kube-system:control-plane-operator"


class Issuer:
    """A hosted cluster as AWS sees it: a key, and what is published of it."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(65537, 2048)
        public = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        self.published = documents(ISSUER, public)
        self.kid = json.loads(self.published[KEYS])["keys"][0]["kid"]

    def token(self, key: rsa.RSAPrivateKey | None = None, **claims: Any) -> Secret[str]:
        now = int(time.time())
        wanted = {"iss": ISSUER, "aud": ["openshift"], "sub": SUBJECT, "exp": now + 600, **claims}
        parts = [_encoded(json.dumps(each).encode()) for each in ({**self._head()}, wanted)]
        signed = ".".join(parts).encode()
        signature = (key or self.key).sign(signed, padding.PKCS1v15(), SHA256())
        return Secret(f"{signed.decode()}.{_encoded(signature)}")

    def _head(self) -> dict[str, str]:
        return {"alg": "RS256", "kid": self.kid}


def _encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def role(aws: Cloud, issuer: Issuer) -> str:
    aws.verifies = True
    iam, s3 = aws.client("iam"), aws.client("s3")
    s3.create_bucket(Bucket="docs")
    for path, body in issuer.published.items():
        s3.put_object(Bucket="docs", Key=f"demo-abcde/{path}", Body=body)
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
    assert borrow(aws, role, issuer.token()).startswith("ASIA")


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"exp": 1}, "ExpiredTokenException"),
        ({"aud": ["other"]}, "InvalidIdentityToken"),
        ({"iss": "https://elsewhere.example"}, "InvalidIdentityToken"),
        ({"sub": "system:serviceaccount:default:default"}, "AccessDenied"),
    ],
)
def test_a_token_that_says_something_else_is_refused(
    aws: Cloud, role: str, issuer: Issuer, claims: dict[str, Any], code: str
) -> None:
    assert borrow(aws, role, issuer.token(**claims)) == code


def test_a_forged_token_is_refused(aws: Cloud, role: str, issuer: Issuer) -> None:
    forged = issuer.token(rsa.generate_private_key(65537, 2048))
    assert borrow(aws, role, forged) == "InvalidIdentityToken"
    assert borrow(aws, role, Secret("no token")) == "InvalidIdentityToken"


def test_without_documents_or_role_nobody_is_believed(
    aws: Cloud, role: str, issuer: Issuer
) -> None:
    assert borrow(aws, role.replace("demo", "absent"), issuer.token()) == "AccessDenied"
    aws.client("s3").delete_object(Bucket="docs", Key=f"demo-abcde/{KEYS}")
    assert borrow(aws, role, issuer.token()) == "InvalidIdentityToken"
