"""Facts about Secrets: which certificates are of no use, which tokens are too old."""

import json
from base64 import b64encode
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.lib.memory import MemoryClient

from hypershift import pki
from hypershift.explain.secrets import certificates, read, user_data
from hypershift.ignition import token
from hypershift.kit import Manifest, Secret, rfc3339
from hypershift.operators.hypershift.node_pool.rules.user_data import document

NOW = datetime(2026, 1, 1, tzinfo=UTC)
#: A Secret that we make ourselves: its certificate has to be signed by one of our authorities.
OURS = pki.LEAVES[0].secret
Key = ec.EllipticCurvePrivateKey


def a_key() -> Key:
    return ec.generate_private_key(ec.SECP256R1())


def a_certificate(key: Key, name: str, signer: Key, issuer: str, *, ca: bool = False) -> bytes:
    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    made = (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .sign(signer, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM)


def a_secret(name: str, **data: bytes) -> Manifest:
    named = {key.replace("_", "."): b64encode(value).decode() for key, value in data.items()}
    return {"kind": "Secret", "metadata": {"name": name, "annotations": {}}, "data": named}


def pem(key: Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


ROOT, LEAF, OTHER = a_key(), a_key(), a_key()
CA = a_secret("root-ca", ca_crt=a_certificate(ROOT, "root", ROOT, "root", ca=True))
GOOD = a_certificate(LEAF, "leaf", ROOT, "root")


@pytest.mark.parametrize(
    ("content", "key", "problem"),
    [
        (GOOD, LEAF, ""),
        (GOOD, OTHER, "it does not belong to the private key beside it"),
        (
            a_certificate(LEAF, "leaf", OTHER, "root"),
            LEAF,
            "it is signed by no authority of this control plane",
        ),
        (b"-----BEGIN CERTIFICATE-----\nnonsense", LEAF, "it cannot be read"),
    ],
)
def test_a_certificate_of_ours_is_held_against_key_and_authority(
    content: bytes, key: Key, problem: str
) -> None:
    [found] = certificates([CA, a_secret(OURS, tls_crt=content, tls_key=pem(key))])
    assert found.problem == problem


def test_a_users_certificate_may_be_signed_by_anybody() -> None:
    foreign = a_certificate(LEAF, "leaf", OTHER, "elsewhere")
    [found] = certificates([CA, a_secret("users-own", tls_crt=foreign, tls_key=pem(LEAF))])
    assert found.problem == ""


def the_user_data(bearer: str) -> Manifest:
    text = document(
        endpoint="e",
        authority=b"ca",
        token=Secret(bearer),
        pool="clusters/demo",
        config_hash="abc",
    )
    return a_secret("user-data-demo-abc", value=text.encode())


def the_token(**data: bytes) -> Manifest:
    return a_secret("token-demo-abc", **data)


@pytest.mark.parametrize("data", [{"token": b"t-2"}, {"token": b"t-3", "old_token": b"t-2"}])
def test_a_token_is_good_while_the_server_knows_it(data: dict[str, bytes]) -> None:
    secret = a_secret("token-demo-abc")
    secret["data"] = {key: b64encode(value).decode() for key, value in data.items()}
    [found] = user_data([the_user_data("t-2"), secret], NOW)
    assert (found.valid, found.token_secret) == (True, "token-demo-abc")


def test_a_token_of_long_ago_is_not() -> None:
    [found] = user_data([the_user_data("t-1"), the_token(token=b"t-2")], NOW)
    assert "no longer" in found.why


def test_a_token_that_expired_or_is_gone_is_not() -> None:
    late = the_token(token=b"t-2")
    late["metadata"]["annotations"] = {token.EXPIRES_AT: rfc3339(NOW - timedelta(hours=1))}
    [found] = user_data([the_user_data("t-2"), late], NOW)
    assert "expired at" in found.why
    [found] = user_data([the_user_data("t-2")], NOW)
    assert "gone" in found.why


def test_user_data_of_another_form_is_not_judged() -> None:
    odd = a_secret("user-data-demo-abc", value=json.dumps({"other": 1}).encode())
    [found] = user_data([odd, the_token(token=b"t-2")], NOW)
    assert found.valid


async def ask(_: str, answer: Awaitable[list[Manifest]], __: list[Manifest]) -> list[Manifest]:
    return await answer


async def test_what_a_spec_names_is_known_with_its_keys() -> None:
    kube = MemoryClient()
    pull = a_secret("pull", **{".dockerconfigjson": b"{}"})
    pull["metadata"]["namespace"] = "clusters"
    kube.put(pull)
    spec = {
        "pullSecret": {"name": "pull"},
        "additionalTrustBundle": {"name": "bundle"},
        "platform": {"type": "Local"},
    }
    cluster = {"metadata": {"name": "demo", "namespace": "clusters"}, "spec": spec}
    facts = await read(kube, ask, cluster, "clusters-demo")
    assert facts.references == {
        ("Secret", "pull"): (".dockerconfigjson",),
        ("ConfigMap", "bundle"): None,
    }
