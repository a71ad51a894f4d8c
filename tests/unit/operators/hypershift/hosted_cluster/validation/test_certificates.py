"""Named serving certificates."""

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import pytest

from hypershift.operators.hypershift.hosted_cluster.validation import certificate_problems
from hypershift.operators.hypershift.hosted_cluster.validation.certificates import covers
from hypershift.pki import Leaf, new_authority

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AUTHORITY = new_authority("test", NOW)


def a_spec(*names: str) -> dict[str, Any]:
    entry = {"names": list(names), "servingCertificate": {"name": "mine"}}
    certificates = {"servingCerts": {"namedCertificates": [entry]}}
    return {"configuration": {"apiServer": certificates}}


def a_secret(*hosts: str) -> dict[str, Any]:
    pair = AUTHORITY.issue(Leaf("serving", dns_names=frozenset(hosts)), NOW)
    data = {"tls.crt": pair.certificate, "tls.key": pair.key.reveal()}
    return {"data": {name: b64encode(value).decode() for name, value in data.items()}}


def problems(spec: dict[str, Any], secret: dict[str, Any] | None) -> list[str]:
    return list(certificate_problems(spec, {"mine": secret}, ("api.demo.hypershift.local",)))


def test_a_certificate_for_the_users_own_name_is_fine() -> None:
    assert problems(a_spec(), a_secret("api.example.com")) == []


def test_a_certificate_must_not_claim_our_names() -> None:
    (problem,) = problems(a_spec(), a_secret("*.demo.hypershift.local"))
    assert "which is our own 'api.demo.hypershift.local'" in problem


def test_names_that_the_user_gives_count_instead_of_the_certificates() -> None:
    assert problems(a_spec("api.example.com"), a_secret("kubernetes")) == []
    assert problems(a_spec("kubernetes"), a_secret("api.example.com"))


def test_what_is_no_certificate_is_said() -> None:
    (problem,) = problems(a_spec(), {"data": {"tls.crt": "bm90aGluZw=="}})
    assert problem == "secret 'mine' has no certificate in tls.crt that can be read"


def test_a_key_of_another_certificate_is_said() -> None:
    mixed = a_secret("a")
    mixed["data"]["tls.key"] = a_secret("b")["data"]["tls.key"]
    (problem,) = problems(a_spec(), mixed)
    assert "does not belong to the certificate" in problem


def test_a_secret_that_is_not_there_is_said() -> None:
    assert problems(a_spec(), None) == ["named certificate secret 'mine' is not there"]


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*.example.com", "api.example.com", True),
        ("*.example.com", "a.b.example.com", False),
        ("*.example.com", "example.com", False),
        ("API.example.com", "api.EXAMPLE.com", True),
    ],
)
def test_a_wildcard_stands_for_one_label(pattern: str, name: str, *, expected: bool) -> None:
    assert covers(pattern, name) is expected
