"""Ids that are ids, and a namespace that is nobody else's."""

from base64 import b64encode
from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.validation import (
    identity_problems,
    namespace_problems,
    signing_key_problems,
)
from hypershift.pki import Algorithm, key_to_pem, new_key

UUID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
RSA = key_to_pem(new_key(Algorithm.RSA_2048))
EC = key_to_pem(new_key(Algorithm.ECDSA_P256))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", ""),
        (UUID, ""),
        (UUID.upper(), ""),
        (UUID.replace("-", ""), ""),
        (f"{{{UUID}}}", ""),
        (f"urn:uuid:{UUID}", ""),
        (f"urn:guid:{UUID}", 'invalid urn prefix: "urn:guid:"'),
        ("seven", "invalid UUID length: 5"),
        (UUID.replace("-", "_"), "invalid UUID format"),
        (UUID.replace("f", "g"), "invalid UUID format"),
        (f"-{UUID[:8]}{UUID[9:]}", "invalid UUID format"),
    ],
)
def test_ids_must_be_ids(given: str, said: str) -> None:
    wanted = [f'cannot parse cluster ID "{given}": {said}'] if said else []
    assert list(identity_problems(a_decoded_spec({"clusterID": given}))) == wanted


def test_a_namespace_that_would_be_too_long_is_said_before_it_is_tried() -> None:
    (problem,) = namespace_problems("x" * 64)
    assert "64 characters" in problem


def a_spec(**others: Any) -> dict[str, Any]:
    return {"serviceAccountSigningKey": {"name": "mine"}, "issuerURL": "https://x"} | others


def a_secret(**data: bytes) -> dict[str, Any]:
    return {"data": {name: b64encode(value).decode() for name, value in data.items()}}


NO_PEM = "could not find a PEM block in the private key"
NOT_RSA = "x509: failed to parse private key (use ParseECPrivateKey instead for this key format)"
START = "invalid service account signing key: "


@pytest.mark.parametrize(
    ("spec", "secret", "said"),
    [
        ({}, None, ""),
        (a_spec(serviceAccountSigningKey={"name": ""}), None, ""),
        (a_spec(), a_secret(key=RSA), ""),
        (
            a_spec(issuerURL=""),
            a_secret(key=RSA),
            "the IssuerURL must be set when specifying a service account signing key",
        ),
        (
            a_spec(),
            None,
            (
                "failed to get hostedcluster ServiceAccountSigningKey secret mine: "
                'secrets "mine" not found'
            ),
        ),
        (a_spec(), a_secret(), 'cannot find service account key "key" in secret mine'),
        (a_spec(), a_secret(key=b"x"), f"cannot decode private key in secret mine: {NO_PEM}"),
        (a_spec(), a_secret(key=EC), f"cannot decode private key in secret mine: {NOT_RSA}"),
    ],
)
def test_a_key_for_tokens_must_be_one(
    spec: dict[str, Any], secret: dict[str, Any] | None, said: str
) -> None:
    assert list(signing_key_problems(a_decoded_spec(spec), secret)) == (
        [f"{START}{said}"] if said else []
    )
