"""External providers of users that cannot be asked are refused before the API server sees them."""

from typing import Any

import pytest

from hypershift.kit import deep_merge
from hypershift.operators.hypershift.hosted_cluster.validation import authentication_problems

GOOD: dict[str, Any] = {
    "issuer": {"issuerURL": "https://login.example.org", "audiences": ["demo"]},
    "claimMappings": {"username": {"claim": "email"}},
}


def problems(*providers: dict[str, Any]) -> list[str]:
    authentication = {"type": "OIDC", "oidcProviders": list(providers)}
    spec = {
        "issuerURL": "https://mine.example.org",
        "configuration": {"authentication": authentication},
    }
    return list(authentication_problems(spec))


def test_a_good_provider_has_no_problems() -> None:
    assert problems(GOOD) == []
    assert list(authentication_problems({})) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"issuer": {"issuerURL": "http://login.example.org"}}, "is no https URL"),
        ({"issuer": {"issuerURL": "https://x.org/?a=b"}}, "no user, query or fragment"),
        ({"issuer": {"issuerURL": "https://mine.example.org"}}, "own service account issuer"),
        ({"issuer": {"audiences": []}}, "at least one audience"),
        ({"issuer": {"discoveryURL": "https://login.example.org/"}}, "must not be the issuer's"),
        ({"claimMappings": {"username": {"claim": ""}}}, "either a claim or an expression"),
        ({"claimMappings": {"username": {"prefixPolicy": "Prefix"}}}, "asks for a prefix"),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], said: str) -> None:
    (problem,) = problems(deep_merge(GOOD, change))
    assert said in problem


def test_an_issuer_is_named_once() -> None:
    assert "is named twice" in problems(GOOD, GOOD)[0]
