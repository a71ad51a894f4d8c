"""Named serving certificates, and bundles of certificates to trust."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.validation import (
    bundle_problems,
    certificate_problems,
    proxy_problem,
)
from hypershift.operators.hypershift.hosted_cluster.rules.validation.certificates import covers
from hypershift.pki import Leaf, new_authority

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AUTHORITY = new_authority("test", NOW)
END = "The configuration is invalid because the custom DNS names is conflicting with the KAS SANs"


def a_spec(*names: str) -> dict[str, Any]:
    entry = {"names": list(names), "servingCertificate": {"name": "mine"}}
    certificates = {"servingCerts": {"namedCertificates": [entry]}}
    return {"configuration": {"apiServer": certificates}}


def a_secret(*hosts: str, addresses: tuple[str, ...] = ()) -> dict[str, Any]:
    leaf = Leaf("serving", dns_names=frozenset(hosts), ip_addresses=frozenset(addresses))
    return {"data": {"tls.crt": b64encode(AUTHORITY.issue(leaf, NOW).certificate).decode()}}


def problems(
    spec: dict[str, Any],
    secret: dict[str, Any] | None,
    ours: dict[str, Any] | None = None,
    *,
    compared: bool = True,
) -> list[str]:
    found = certificate_problems(
        a_decoded_spec(spec), {"mine": secret}, ours or {}, "demo", compared=compared
    )
    return list(found)


def test_a_certificate_for_the_users_own_name_is_fine() -> None:
    assert problems(a_spec(), a_secret("api.example.com")) == []
    assert problems({}, None) == []


def test_a_certificate_must_not_claim_our_names() -> None:
    (problem,) = problems(a_spec(), a_secret("*.demo.hypershift.local"))
    assert problem == (
        'conflicting entries with KAS SANs: Invalid value: ["*.demo.hypershift.local"]: '
        "conflicting DNS names found in KAS SANs. kasEntry: api.demo.hypershift.local, "
        f"customEntry: *.demo.hypershift.local. {END}"
    )
    (problem,) = problems(a_spec(), a_secret("localhost"))
    assert problem == (
        'conflicting entries with KAS SANs: Invalid value: ["localhost"]: '
        "conflicting DNS names found in KAS SANs. kasEntries: [localhost kubernetes "
        "kubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local openshift "
        "openshift.default openshift.default.svc openshift.default.svc.cluster.local  "
        f"api.demo.hypershift.local], customEntry: localhost. {END}"
    )


@pytest.mark.parametrize("host", ["api.example.com", "*.example.com"])
def test_a_certificate_must_cover_the_name_that_it_is_served_under(host: str) -> None:
    spec = a_spec("api.example.com") | {"kubeAPIServerDNSName": "api.example.com"}
    assert problems(spec, a_secret(host)) == []
    said = "certificate in Secret mine does not cover kubeAPIServerDNSName api.example.com"
    assert problems(spec, a_secret("other.example.org")) == [
        f'custom serving cert: Invalid value: ["other.example.org"]: {said}'
    ]
    assert problems(spec, a_secret("other.example.org"), compared=False) == []
    elsewhere = spec | {"kubeAPIServerDNSName": "elsewhere.example.com"}
    assert problems(elsewhere, a_secret("other.example.org")) == []


def test_names_that_the_user_gives_count_beside_the_certificates() -> None:
    assert problems(a_spec("api.example.com"), a_secret("kubernetes"))
    assert problems(a_spec("kubernetes"), a_secret("api.example.com"))
    assert problems(a_spec("api.example.com"), a_secret("api.example.com")) == []


def test_addresses_count_too() -> None:
    (problem,) = problems(a_spec(), a_secret("x.example.com", addresses=("127.0.0.1",)))
    assert "conflicting IP addresses found in KAS SANs" in problem


def test_names_may_be_ours_where_nobody_compares_them() -> None:
    assert problems(a_spec(), a_secret("kubernetes"), compared=False) == []
    assert problems(a_spec(), None, compared=False)


def test_the_api_servers_own_certificates_count_once_both_are_there() -> None:
    private, public = a_secret("kube-apiserver"), a_secret("api.example.com")
    ours = {"kas-server-private-crt": private, "kas-server-crt": public}
    (problem,) = problems(a_spec(), public, ours)
    assert problem.startswith('custom serving cert: Invalid value: ["api.example.com"]: conflict')
    assert problems(a_spec(), public, {"kas-server-private-crt": private}) == []
    ours["kas-server-crt"] = {"data": {}}
    (problem,) = problems({}, None, ours)
    assert problem == (
        'KAS TLS cert decrypt: Invalid value: "kas-server-crt": '
        "TLS secret or certificate entries are empty"
    )


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        (
            None,
            'NamedCertificates get secret: Invalid value: "mine": secrets "mine" not found',
        ),
        (
            {"data": {}},
            (
                'KAS TLS private cert decrypt: Invalid value: "mine": '
                "TLS secret or certificate entries are empty"
            ),
        ),
        (
            {"data": {"tls.crt": "bm90aGluZw=="}},
            (
                'KAS TLS private cert decrypt: Invalid value: "mine": '
                "failed to decode PEM block from certificate"
            ),
        ),
    ],
)
def test_what_is_no_certificate_is_said(secret: dict[str, Any] | None, said: str) -> None:
    assert problems(a_spec(), secret) == [said]


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*.example.com", "api.example.com", True),
        ("*.example.com", "a.b.example.com", False),
        ("*.example.com", "example.com", False),
        ("API.example.com", "api.example.com", False),
    ],
)
def test_a_wildcard_stands_for_one_label(pattern: str, name: str, *, expected: bool) -> None:
    assert covers(pattern, name) is expected


def test_bundles_must_be_there_with_their_key() -> None:
    spec = {
        "additionalTrustBundle": {"name": "trusted"},
        "configuration": {"proxy": {"trustedCA": {"name": "proxied"}}},
    }
    assert list(
        bundle_problems(a_decoded_spec(spec), {"trusted": {"data": {"ca-bundle.crt": ""}}})
    ) == ['failed to get configMap proxied: configmaps "proxied" not found']
    assert list(
        bundle_problems(a_decoded_spec(spec), {"trusted": {}, "proxied": {"data": {"x": ""}}})
    ) == [
        "configMap trusted must have a ca-bundle.crt key",
        "configMap proxied must have a ca-bundle.crt key",
    ]
    assert list(bundle_problems(a_decoded_spec({}), {})) == []


def a_bundle(text: str) -> dict[str, Any]:
    return {"data": {"ca-bundle.crt": text}}


@pytest.mark.parametrize(
    ("bundle", "later", "said"),
    [
        (a_bundle(AUTHORITY.pem.decode()), timedelta(0), ""),
        (None, timedelta(0), 'configmaps "x" not found'),
        ({"data": {}}, timedelta(0), 'ConfigMap "x" is missing "ca-bundle.crt"'),
        (a_bundle(""), timedelta(0), 'data key "ca-bundle.crt" is empty from ConfigMap "x"'),
        (
            a_bundle("nothing"),
            timedelta(0),
            'failed parsing certificate data from ConfigMap "x": Could not read any certificates',
        ),
        (
            a_bundle(AUTHORITY.pem.decode()),
            timedelta(days=-1),
            "a configured certificate in the ca bundle is not yet valid: test",
        ),
        (
            a_bundle(AUTHORITY.pem.decode()),
            timedelta(days=4000),
            "a configured certificate in the ca bundle was no longer valid: test",
        ),
    ],
)
def test_a_proxys_certificates_must_be_valid(
    bundle: dict[str, Any] | None, later: timedelta, said: str
) -> None:
    assert proxy_problem("x", bundle, NOW + later) == said
