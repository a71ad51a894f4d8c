"""An issuer of tokens with its documents in a bucket of the test cloud."""

import json
import time
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.cloud.aws.server import Cloud

from hypershift.infra.aws.roles import issuer_of_bucket
from hypershift.kit import Secret
from hypershift.pki.issuer import KEYS, documents

BUCKET, INFRA_ID = "docs", "demo-abcde"
ISSUER = issuer_of_bucket(BUCKET, "us-east-1", INFRA_ID)


class Issuer:
    """A hosted cluster as AWS sees it: a key, and what is published of it."""

    def __init__(self) -> None:
        """Make the key that signs the tokens of its service accounts."""
        self.key = rsa.generate_private_key(65537, 2048)
        public = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        self.published = documents(ISSUER, public)
        self.kid = json.loads(self.published[KEYS])["keys"][0]["kid"]

    def token(
        self, subject: str, key: rsa.RSAPrivateKey | None = None, **claims: Any
    ) -> Secret[str]:
        """A token of a service account, and the claims that differ."""
        now = int(time.time())
        wanted = {"iss": ISSUER, "aud": ["openshift"], "sub": subject, "exp": now + 600, **claims}
        parts = [_encoded(json.dumps(each).encode()) for each in (self._head(), wanted)]
        signed = ".".join(parts).encode()
        signature = (key or self.key).sign(signed, padding.PKCS1v15(), SHA256())
        return Secret(f"{signed.decode()}.{_encoded(signature)}")

    def publish(self, aws: Cloud) -> None:
        """Put the documents where AWS looks for them."""
        s3 = aws.client("s3")
        s3.create_bucket(Bucket=BUCKET)
        for path, content in self.published.items():
            s3.put_object(Bucket=BUCKET, Key=f"{INFRA_ID}/{path}", Body=content)

    def _head(self) -> dict[str, str]:
        return {"alg": "RS256", "kid": self.kid}


def _encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
