"""Users of a provider of identities."""

import json
from typing import Any

from tests.unit.component.clusters import a_view, flags
from tests.unit.controlplane.kube_apiserver.servers import deployment, objects

from hypershift.component import View
from hypershift.kit import Manifest


def oidc(**mappings: Any) -> Manifest:
    provider = {
        "name": "p",
        "issuer": {"issuerURL": "https://issuer", "audiences": ["a"]},
        "claimMappings": mappings,
    }
    return {"authentication": {"type": "OIDC", "oidcProviders": [provider]}}


def jwt(view: View) -> Manifest:
    text = objects(view)["ConfigMap", "auth-config"]["data"]["auth.json"]
    found: Manifest = json.loads(text)["jwt"][0]
    return found


def test_users_of_a_provider_are_prefixed_by_their_issuer() -> None:
    view = a_view(configuration=oidc(username={"claim": "sub"}))
    assert jwt(view)["claimMappings"]["username"] == {"claim": "sub", "prefix": "https://issuer#"}
    assert "authentication-config" in flags(deployment(view), "kube-apiserver")


def test_mail_addresses_need_no_prefix() -> None:
    view = a_view(configuration=oidc(username={"claim": "email"}))
    assert jwt(view)["claimMappings"]["username"] == {"claim": "email", "prefix": ""}


def test_without_a_provider_there_is_no_authentication_file() -> None:
    assert "authentication-config" not in flags(deployment(a_view()), "kube-apiserver")
    assert ("ConfigMap", "auth-config") not in objects(a_view())


def test_expressions_map_users_where_claims_do_not_suffice() -> None:
    provider = {
        "issuer": {
            "issuerURL": "https://login.example.org",
            "audiences": ["demo"],
            "discoveryURL": "https://inside.example.org/.well-known",
        },
        "claimMappings": {
            "username": {"expression": "claims.sub"},
            "groups": {"expression": "claims.roles"},
        },
        "userValidationRules": [{"expression": "user.username != ''"}],
    }
    view = a_view(configuration={"authentication": {"type": "OIDC", "oidcProviders": [provider]}})
    (found,) = json.loads(objects(view)["ConfigMap", "auth-config"]["data"]["auth.json"])["jwt"]
    assert found["claimMappings"]["username"] == {"expression": "claims.sub"}
    assert found["claimMappings"]["groups"] == {"expression": "claims.roles"}
    assert found["issuer"]["discoveryURL"] == "https://inside.example.org/.well-known"
    assert found["userValidationRules"] == [{"expression": "user.username != ''"}]
