"""Web identity as AWS verifies it; moto lends a role to anybody.

A token is believed when its issuer is a provider of the account, its audience one of that provider,
its signature one by a key that the issuer publishes, and its time now. The role is lent when its
trust policy names the provider and its conditions hold.
"""

import json
import time
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256
from moto.backends import get_backend

ACTION = "AssumeRoleWithWebIdentity"
PARTITION = "aws"


class Refused(Exception):
    """AWS' word for why a role is not lent, and a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Token:
    """A token, not yet believed."""

    header: dict[str, Any]
    claims: dict[str, Any]
    signed: bytes
    signature: bytes

    @property
    def issuer(self) -> str:
        return str(self.claims.get("iss", ""))

    @property
    def audiences(self) -> list[str]:
        found = self.claims.get("aud")
        return [found] if isinstance(found, str) else list(found or ())


def verify(account: str, role_arn: str, text: str) -> None:
    """Return where AWS would lend the role for this token."""
    token = parsed(text)
    provider = _provider(account, token)
    _check_time(token)
    _check_signature(token, _documents(account, token))
    _check_trust(account, role_arn, token, provider)


def parsed(text: str) -> Token:
    try:
        head, body, signature = text.split(".")
        return Token(
            json.loads(_decoded(head)),
            json.loads(_decoded(body)),
            f"{head}.{body}".encode(),
            _decoded(signature),
        )
    except (ValueError, TypeError):
        raise Refused("InvalidIdentityToken", "The ID Token provided is not a valid JWT") from None


def _decoded(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _provider(account: str, token: Token) -> str:
    """The provider of the account that stands for the issuer, if it knows the audience."""
    bare = token.issuer.removeprefix("https://")
    for arn, found in _iam(account).open_id_providers.items():
        if arn.partition(":oidc-provider/")[2] == bare:
            if not set(token.audiences) & set(found.client_id_list):
                raise Refused("InvalidIdentityToken", "Incorrect token audience")
            return str(arn)
    raise Refused("InvalidIdentityToken", "No OpenIDConnect provider found in your account")


def _check_time(token: Token) -> None:
    now = time.time()
    if float(token.claims.get("exp", 0)) < now:
        raise Refused("ExpiredTokenException", "Token must not be expired")
    if float(token.claims.get("nbf", 0)) > now + 60:
        raise Refused("InvalidIdentityToken", "Token is not valid yet")


def _documents(account: str, token: Token) -> list[dict[str, str]]:
    """The keys that the issuer publishes."""
    discovery = _fetched(account, f"{token.issuer}/.well-known/openid-configuration")
    if discovery.get("issuer") != token.issuer:
        raise Refused("InvalidIdentityToken", "The issuer's documents name another issuer")
    return list(_fetched(account, str(discovery.get("jwks_uri"))).get("keys") or ())


def _fetched(account: str, url: str) -> dict[str, Any]:
    """A public document of one of the account's buckets."""
    parts = urlsplit(url)
    bucket, _, rest = (parts.hostname or "").partition(".s3.")
    found = get_backend("s3")[account][PARTITION].buckets.get(bucket)
    key = found.keys.get(parts.path.lstrip("/")) if found and rest else None
    if key is None or parts.scheme != "https":
        text = "Couldn't retrieve verification key from your identity provider"
        raise Refused("InvalidIdentityToken", text)
    document: dict[str, Any] = json.loads(key.value)
    return document


def _check_signature(token: Token, keys: list[dict[str, str]]) -> None:
    for key in keys:
        if key.get("kid") != token.header.get("kid") or token.header.get("alg") != "RS256":
            continue
        numbers = [int.from_bytes(_decoded(key[name]), "big") for name in ("e", "n")]
        public = RSAPublicNumbers(*numbers).public_key()
        try:
            public.verify(token.signature, token.signed, PKCS1v15(), SHA256())
        except InvalidSignature:
            break
        return
    raise Refused("InvalidIdentityToken", "Token signature is not valid")


def _check_trust(account: str, role_arn: str, token: Token, provider: str) -> None:
    roles = _iam(account).roles.values()
    role = next((each for each in roles if each.arn == role_arn), None)
    denied = Refused("AccessDenied", f"Not authorized to perform sts:{ACTION}")
    if role is None:
        raise denied
    policy = json.loads(unquote(role.assume_role_policy_document))
    statements = policy["Statement"]
    for one in [statements] if isinstance(statements, dict) else statements:
        if one.get("Effect") == "Allow" and _trusts(one, token, provider):
            return
    raise denied


def _trusts(statement: dict[str, Any], token: Token, provider: str) -> bool:
    principal = statement.get("Principal") or {}
    named = _several(principal.get("Federated"))
    actions = _several(statement.get("Action"))
    if provider not in named or f"sts:{ACTION}" not in actions:
        return False
    return all(
        _holds(operator, key, _several(values), token)
        for operator, wanted in (statement.get("Condition") or {}).items()
        for key, values in wanted.items()
    )


def _holds(operator: str, key: str, values: list[str], token: Token) -> bool:
    issuer, _, claim = key.rpartition(":")
    if issuer != token.issuer.removeprefix("https://"):
        return False
    found = token.audiences if claim == "aud" else [str(token.claims.get(claim, ""))]
    match operator:
        case "StringEquals":
            return any(each in values for each in found)
        case "StringLike":
            return any(fnmatchcase(each, value) for each in found for value in values)
        case _:
            return False


def _several(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _iam(account: str) -> Any:
    return get_backend("iam")[account][PARTITION]
