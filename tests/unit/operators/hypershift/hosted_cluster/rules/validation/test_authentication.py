"""External providers of users that cannot be asked are refused before the API server sees them."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import deep_merge
from hypershift.operators.hypershift.hosted_cluster.rules.validation import authentication_problems

GOOD: dict[str, Any] = {
    "name": "login",
    "issuer": {"issuerURL": "https://login.example.org", "audiences": ["demo"]},
    "claimMappings": {"username": {"claim": "email"}},
}
GENERATING = (
    "generating structured authentication configuration: "
    'generating JWT authenticator for provider "login": generating '
)
NAME = f"{GENERATING}claim mappings: generating username claim mapping: "


def problems(
    *providers: dict[str, Any], kind: str = "OIDC", bundles: dict[str, Any] | None = None
) -> list[str]:
    authentication = {"type": kind, "oidcProviders": list(providers)}
    spec = {
        "issuerURL": "https://mine.example.org",
        "configuration": {"authentication": authentication},
    }
    return list(authentication_problems(a_decoded_spec(spec), bundles or {}))


def test_a_good_provider_has_no_problems() -> None:
    assert problems(GOOD) == []
    assert list(authentication_problems(a_decoded_spec({}), {})) == []


def test_other_ways_to_log_in_are_not_looked_at() -> None:
    bad = deep_merge(GOOD, {"issuer": {"issuerURL": "http://x"}})
    assert problems(bad, kind="IntegratedOAuth") == []
    assert problems(bad, kind="None") == []


def test_a_way_that_nobody_knows_is_shown_as_go_writes_it() -> None:
    assert problems(kind="Moon") == [
        (
            'spec.configuration.authentication: Invalid value: {"type":"Moon","oauthMetadata":'
            '{"name":""},"serviceAccountIssuer":""}: unknown type "Moon"'
        )
    ]


ISSUER = "jwt[0].issuer"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"issuer": {"issuerURL": "http://login.example.org"}},
            f'{ISSUER}.url: Invalid value: "http://login.example.org": URL scheme must be https',
        ),
        (
            {"issuer": {"issuerURL": "https://me@x.org/?a=b#c"}},
            (
                f'[{ISSUER}.url: Invalid value: "https://me@x.org/?a=b#c": URL must not contain a '
                f'username or password, {ISSUER}.url: Invalid value: "https://me@x.org/?a=b#c": '
                "URL "
                f"must not contain a query, {ISSUER}.url: Invalid value: "
                '"https://me@x.org/?a=b#c": '
                "URL must not contain a fragment]"
            ),
        ),
        (
            {"issuer": {"issuerURL": "https://x^y"}},
            (
                f'{ISSUER}.url: Invalid value: "https://x^y": parse "https://x^y": '
                'invalid character "^" in host name'
            ),
        ),
        ({"issuer": {"issuerURL": ""}}, f"{ISSUER}.url: Required value"),
        (
            {"issuer": {"issuerURL": "https://mine.example.org"}},
            (
                f'{ISSUER}.url: Invalid value: "https://mine.example.org": URL must not overlap '
                "with "
                "disallowed issuers: [https://mine.example.org]"
            ),
        ),
        (
            {"issuer": {"audiences": []}},
            f"{ISSUER}.audiences: Required value: at least one {ISSUER}.audiences is required",
        ),
        (
            {"issuer": {"audiences": ["a", "a"]}},
            f'{ISSUER}.audiences[1]: Duplicate value: "a"',
        ),
        (
            {"issuer": {"discoveryURL": "https://login.example.org/"}},
            f"{GENERATING}issuer: discovery URL must not be identical to issuer URL",
        ),
        (
            {"issuer": {"discoveryURL": "http://other.example.org"}},
            f'{GENERATING}issuer: discovery URL must use https, got "http"',
        ),
        (
            {"issuer": {"issuerCertificateAuthority": {"name": "none"}}},
            (
                f"{GENERATING}issuer: getting certificate authority for issuer: failed to get "
                "issuer "
                'certificate authority configmap: configmaps "none" not found'
            ),
        ),
        (
            {"issuer": {"issuerCertificateAuthority": {"name": "hollow"}}},
            (
                f"{GENERATING}issuer: getting certificate authority for issuer: issuer certificate "
                'authority configmap does not contain key "ca-bundle.crt"'
            ),
        ),
        (
            {"issuer": {"issuerCertificateAuthority": {"name": "noise"}}},
            (
                f'{ISSUER}.certificateAuthority: Invalid value: "<omitted>": data does not contain '
                "any "
                "valid RSA or ECDSA certificates"
            ),
        ),
        (
            {"claimMappings": {"username": {"claim": ""}}},
            f"{NAME}claim or expression field is empty in username claim mapping",
        ),
        (
            {"claimMappings": {"username": {"expression": "claims.sub"}}},
            f"{NAME}username claim mapping must not set both claim and expression",
        ),
        (
            {"claimMappings": {"username": {"prefixPolicy": "Prefix"}}},
            f"{NAME}nil username prefix while policy expects one",
        ),
        (
            {"claimMappings": {"uid": {"claim": "a", "expression": "b"}}},
            (
                f"{GENERATING}claim mappings: generating uid claim mapping: uid mapping must set "
                "either"
                " claim or expression, not both: &{a b}"
            ),
        ),
        (
            {"claimMappings": {"extra": [{"key": "k8s.io/a", "valueExpression": "claims.a"}]}},
            (
                'jwt[0].claimMappings.extra[0].key: Invalid value: "k8s.io/a": k8s.io, '
                "kubernetes.io "
                "and their subdomains are reserved for Kubernetes use"
            ),
        ),
        (
            {"claimMappings": {"username": {"claim": "", "expression": "claims.email"}}},
            (
                'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": '
                "claims.email_verified must be used in claimMappings.username.expression or "
                "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
                "claims.email is used in claimMappings.username.expression"
            ),
        ),
        (
            {"claimValidationRules": [{"type": "RequiredClaim"}]},
            (
                f"{GENERATING}claim validation rules: claimValidationRule.type is RequiredClaim "
                "and "
                "requiredClaim is not set"
            ),
        ),
        (
            {"claimValidationRules": [{"type": "CEL", "cel": {"expression": "a"}}] * 2},
            'jwt[0].claimValidationRules[1].expression: Duplicate value: "a"',
        ),
        (
            {"userValidationRules": [{"expression": ""}]},
            (
                f'{GENERATING}userValidationRules for provider "login": generating '
                "userValidationRule: "
                "userValidationRule expression must be non-empty"
            ),
        ),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], said: str) -> None:
    bundles = {"hollow": {"data": {}}, "noise": {"data": {"ca-bundle.crt": "noise"}}}
    (problem,) = problems(deep_merge(GOOD, change), bundles=bundles)
    assert problem.startswith('spec.configuration.authentication: Invalid value: {"type":"OIDC",')
    assert problem.endswith(f"}}: {said}")


def test_an_issuer_is_named_once() -> None:
    (problem,) = problems(GOOD, GOOD)
    wanted = 'jwt[1].issuer.url: Duplicate value: "https://login.example.org"'
    assert problem.endswith(wanted)
