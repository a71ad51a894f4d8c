"""Bring back what makes AWS trust a cluster's tokens: the issuer's documents and its provider.

bucket that the public may read ──> documents of the issuer ──> provider of the account
Each step finds what is there; a second run changes nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hypershift.cloud.aws import Account, Missing
from hypershift.infra.apply import Progress
from hypershift.infra.aws.roles.look import providers
from hypershift.infra.aws.roles.pieces import CLIENTS, THUMBPRINT
from hypershift.kit import UsageError

_S3 = re.compile(r"https://(?P<bucket>[^./]+)\.s3[.-](?P<region>[a-z0-9-]+)\.amazonaws\.com(.*)")
#: The region whose buckets are made without naming one.
_HOME = "us-east-1"
_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Issuer:
    """Whose tokens AWS shall trust, and the documents that are known of it."""

    url: str
    bucket: str
    region: str
    #: By their paths below the URL; empty where the cluster's keys are not at hand.
    documents: Mapping[str, bytes]

    @property
    def provider(self) -> str:
        """The end of the provider's ARN."""
        return f":oidc-provider/{self.url.removeprefix('https://')}"

    def key(self, path: str) -> str:
        """Where a document lies in the bucket."""
        return f"{self.url.removeprefix('https://').partition('/')[2]}/{path}".lstrip("/")


def bucket_of(url: str) -> tuple[str, str]:
    """Bucket and region that an issuer's URL names."""
    found = _S3.fullmatch(url)
    if not found:
        raise UsageError(f"issuer {url} names no bucket of S3: its documents are not ours to mend")
    return found["bucket"], found["region"]


def missing_documents(account: Account, issuer: Issuer, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The documents that are absent, or say something else than the cluster's keys."""
    return tuple(path for path in paths if not _is_right(account, issuer, path))


def find_provider(account: Account, issuer: Issuer) -> str:
    """The provider of the issuer if it is whole; empty otherwise."""
    arn = _provider(account, issuer)
    if not arn:
        return ""
    try:
        known = account.call("iam", "get_open_id_connect_provider", OpenIDConnectProviderArn=arn)
    except Missing:
        return ""
    return arn if set(CLIENTS) <= set(known.get("ClientIDList") or ()) else ""


def ensure_bucket(account: Account, issuer: Issuer, tags: Mapping[str, str], log: Progress) -> None:
    """A bucket whose objects everybody may read; one that is there stays as it is."""
    name = issuer.bucket
    try:
        account.call("s3", "head_bucket", Bucket=name)
    except Missing:
        pass
    else:
        return
    for operation, request in _bucket_calls(issuer, tags):
        account.call("s3", operation, Bucket=name, **request)
    log("Created bucket", name=name)


def put_documents(account: Account, issuer: Issuer, log: Progress) -> None:
    """Write the documents."""
    for path, body in issuer.documents.items():
        key = issuer.key(path)
        account.call(
            "s3", "put_object", Bucket=issuer.bucket, Key=key, Body=body, ContentType=_TYPE
        )
        log("Wrote OIDC document", bucket=issuer.bucket, key=key)


def renew_provider(account: Account, issuer: Issuer, log: Progress) -> str:
    """Replace the issuer's provider, or make the first one; returns its ARN."""
    if arn := _provider(account, issuer):
        account.call("iam", "delete_open_id_connect_provider", OpenIDConnectProviderArn=arn)
        log("Deleted OIDC provider", provider=arn)
    request: dict[str, Any] = {"Url": issuer.url, "ClientIDList": list(CLIENTS)}
    made = account.call(
        "iam", "create_open_id_connect_provider", ThumbprintList=[THUMBPRINT], **request
    )
    arn = str(made["OpenIDConnectProviderArn"])
    log("Created OIDC provider", provider=arn)
    return arn


def _provider(account: Account, issuer: Issuer) -> str:
    return next((arn for arn in providers(account) if arn.endswith(issuer.provider)), "")


def _is_right(account: Account, issuer: Issuer, path: str) -> bool:
    try:
        found = account.call("s3", "get_object", Bucket=issuer.bucket, Key=issuer.key(path))
    except Missing:
        return False
    wanted = issuer.documents.get(path)
    return wanted is None or found["Body"].read() == wanted


def _bucket_calls(issuer: Issuer, tags: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls that make a bucket, in order."""
    place = {"CreateBucketConfiguration": {"LocationConstraint": issuer.region}}
    yield "create_bucket", {} if issuer.region == _HOME else place
    pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
    yield "put_bucket_tagging", {"Tagging": {"TagSet": pairs}}
    yield "delete_public_access_block", {}
    statement = {
        "Effect": "Allow",
        "Principal": "*",
        "Action": "s3:GetObject",
        "Resource": f"arn:aws:s3:::{issuer.bucket}/*",
    }
    yield (
        "put_bucket_policy",
        {"Policy": json.dumps({"Version": "2012-10-17", "Statement": [statement]})},
    )
