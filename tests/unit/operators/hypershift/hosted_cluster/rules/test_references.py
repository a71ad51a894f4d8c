"""What a cluster's configuration refers to, and what only looks as if it did."""

from typing import Any

import pytest

from hypershift.api import read
from hypershift.api.configuration import ClusterConfiguration
from hypershift.operators.hypershift.hosted_cluster.rules.references import config_maps, secrets


def named(*fields: str) -> dict[str, Any]:
    return {field: {"name": field} for field in fields}


def an_identity_provider(kind: str, *fields: str) -> dict[str, Any]:
    return {"oauth": {"identityProviders": [{"name": "x", "type": "X", kind: named(*fields)}]}}


def an_oidc_provider(kind: str) -> dict[str, Any]:
    client = {"clientID": "x", **named("clientSecret")}
    source = {"authentication": {"clientCredential": named("clientSecret")}}
    provider = {
        "issuer": named("issuerCertificateAuthority"),
        "oidcClients": [client],
        "externalClaimsSources": [source],
    }
    return {"authentication": {"type": kind, "oidcProviders": [provider]}}


@pytest.mark.parametrize(
    ("configuration", "maps", "kept"),
    [
        ({}, set(), set()),
        ({"apiServer": named("clientCA")}, {"clientCA"}, set()),
        (
            {
                "apiServer": {
                    "servingCerts": {"namedCertificates": [named("servingCertificate")]},
                }
            },
            set(),
            {"servingCertificate"},
        ),
        ({"authentication": named("oauthMetadata")}, {"oauthMetadata"}, set()),
        (
            {"authentication": {"webhookTokenAuthenticators": [named("kubeConfig")]}},
            set(),
            {"kubeConfig"},
        ),
        (
            {"authentication": {"webhookTokenAuthenticator": named("kubeConfig")}},
            set(),
            {"kubeConfig"},
        ),
        (an_oidc_provider("OIDC"), {"issuerCertificateAuthority"}, {"clientSecret"}),
        (an_oidc_provider("IntegratedOAuth"), set(), set()),
        ({"image": named("additionalTrustedCA")}, {"additionalTrustedCA"}, set()),
        ({"proxy": named("trustedCA")}, {"trustedCA"}, set()),
        ({"scheduler": named("policy")}, {"policy"}, set()),
        (
            {"ingress": {"componentRoutes": [named("servingCertKeyPairSecret")]}},
            set(),
            set(),
        ),
        (an_identity_provider("ldap", "ca", "bindPassword"), {"ca"}, {"bindPassword"}),
        (
            an_identity_provider("keystone", "ca", "tlsClientCert", "tlsClientKey"),
            {"ca"},
            {"tlsClientCert", "tlsClientKey"},
        ),
        (an_identity_provider("google", "clientSecret", "ca"), set(), {"clientSecret"}),
        (an_identity_provider("htpasswd", "fileData"), set(), {"fileData"}),
        (an_identity_provider("requestHeader", "ca"), {"ca"}, set()),
        (
            {"oauth": {"templates": named("login", "error", "providerSelection")}},
            set(),
            {"login", "error", "providerSelection"},
        ),
    ],
)
def test_a_configuration_refers_to(
    configuration: dict[str, Any], maps: set[str], kept: set[str]
) -> None:
    decoded = read(ClusterConfiguration, configuration)
    assert {name for name, _ in config_maps(decoded)} == maps
    assert {name for name, _ in secrets(decoded)} == kept
