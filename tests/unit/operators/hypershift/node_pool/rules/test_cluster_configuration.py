"""A cluster's configuration in Go's JSON, as both sides of the ignition token hash it."""

import json
from typing import Any

import pytest

from hypershift.api.configuration import ClusterConfiguration
from hypershift.api.facts import declared
from hypershift.operators.hypershift.node_pool.rules import cluster_configuration

NAMED = {"name": ""}


def shown(**configuration: Any) -> dict[str, Any]:
    """The sections with the order of their fields."""
    text = cluster_configuration.json_text(configuration)
    found: dict[str, Any] = json.loads(text)
    return found


def test_no_configuration_is_null() -> None:
    assert cluster_configuration.json_text(None) == "null"


@pytest.mark.parametrize("name", [facts.wire for facts in declared(ClusterConfiguration)])
def test_a_section_that_says_nothing_has_no_field_of_pointers(name: str) -> None:
    section = shown(**{name: {}})[name]
    assert all(not value or isinstance(value, dict) for value in section.values())


def test_fields_have_the_order_of_the_struct_and_not_of_the_alphabet() -> None:
    audit = {"customRules": [{"profile": "None", "group": "a"}], "profile": "Default"}
    section = shown(apiServer={"audit": audit})["apiServer"]
    assert list(section) == ["servingCerts", "clientCA", "encryption", "audit"]
    assert list(section["audit"]) == ["profile", "customRules"]
    assert list(section["audit"]["customRules"][0]) == ["group", "profile"]


def test_a_network_shows_where_its_diagnostics_run_although_nobody_said() -> None:
    nowhere = {"nodeSelector": None, "tolerations": None}
    diagnostics = {"mode": "", "sourcePlacement": nowhere, "targetPlacement": nowhere}
    assert shown(network={"externalIP": {"policy": {}}})["network"] == {
        "clusterNetwork": None,
        "serviceNetwork": None,
        "networkType": "",
        "externalIP": {"policy": {}},
        "networkDiagnostics": diagnostics,
    }


def test_identity_providers_show_what_their_kind_always_has() -> None:
    github = {"clientID": "id", "teams": ["a/b"]}
    provider = {"github": github, "type": "GitHub", "name": "hub"}
    (found,) = shown(oauth={"identityProviders": [provider]})["oauth"]["identityProviders"]
    assert list(found) == ["name", "type", "github"]
    assert found["github"] == {
        "clientID": "id",
        "clientSecret": NAMED,
        "teams": ["a/b"],
        "hostname": "",
        "ca": NAMED,
    }


def test_oidc_providers_show_a_missing_prefix_as_null_and_leave_out_empty_rules() -> None:
    username = {"claim": "email", "prefixPolicy": "NoPrefix"}
    rules = [{"type": "RequiredClaim", "requiredClaim": {"claim": "a", "requiredValue": "b"}}]
    provider = {
        "name": "mine",
        "issuer": {"issuerURL": "https://mine", "audiences": ["a"]},
        "claimMappings": {"username": username, "groups": {"claim": "groups"}},
        "claimValidationRules": rules,
    }
    section = shown(authentication={"type": "OIDC", "oidcProviders": [provider]})
    (found,) = section["authentication"]["oidcProviders"]
    assert found["oidcClients"] is None
    assert found["claimMappings"] == {
        "username": {**username, "prefix": None},
        "groups": {"claim": "groups", "prefix": ""},
    }
    assert found["claimValidationRules"] == rules


def test_durations_are_spelled_as_go_does() -> None:
    def spelled(text: str) -> str:
        config = shown(oauth={"tokenConfig": {"accessTokenInactivityTimeout": text}})
        told: str = config["oauth"]["tokenConfig"]["accessTokenInactivityTimeout"]
        return told

    assert [spelled(text) for text in ("300s", "90m", "0s", "45s")] == [
        "5m0s",
        "1h30m0s",
        "0s",
        "45s",
    ]


def test_maps_are_sorted_and_unknown_fields_are_dropped() -> None:
    parameters = {"b": "2", "a": "1"}
    provider = {"type": "OpenID", "openID": {"extraAuthorizeParameters": parameters, "new": 1}}
    (found,) = shown(oauth={"identityProviders": [provider]})["oauth"]["identityProviders"]
    assert list(found["openID"]["extraAuthorizeParameters"]) == ["a", "b"]
    assert "new" not in found["openID"]


def test_a_number_that_was_given_is_shown_although_it_is_zero() -> None:
    policy = {"domainPatterns": ["*"], "maxAge": {"smallestMaxAge": 0}}
    section = shown(ingress={"requiredHSTSPolicies": [policy]})["ingress"]
    assert section["requiredHSTSPolicies"][0]["maxAge"] == {"smallestMaxAge": 0}
