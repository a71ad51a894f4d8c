"""Identity providers as the OAuth server reads them, and what is said of those it cannot have."""

from typing import Any

import yaml
from tests.unit.component.clusters import a_view

from hypershift.api.conditions import ConditionStatus
from hypershift.component import Management, View, edit, render
from hypershift.controlplane import oauth_openshift
from hypershift.kit import Manifest
from hypershift.operators.controlplane.rules import conditions
from hypershift.release import Product

PREFIX = "idpoverrides.hypershift.openshift.io"
USERS = {"name": "users", "type": "HTPasswd", "htpasswd": {"fileData": {"name": "passwords"}}}
BARE = {"name": "bare", "type": "GitHub"}
CLIENT = {
    "clientID": "demo",
    "clientSecret": {"name": "client"},
    "issuer": "https://issuer.example",
}
OPEN_ID = {"name": "IAM", "type": "OpenID", "openID": CLIENT}


def a_cluster(*providers: Any, **annotations: str) -> View:
    return a_view(
        product=Product.OPENSHIFT,
        management=Management(),
        configuration={"oauth": {"identityProviders": list(providers)}},
        annotations={f"{PREFIX}/{name}": value for name, value in annotations.items()},
    )


def named(view: View, kind: str) -> Manifest:
    objects = render(oauth_openshift.OPENSHIFT, view)
    return next(one for one in objects if (one["kind"], one["metadata"]["name"]) == (kind, NAME))


NAME = "oauth-openshift"


def providers(view: View) -> list[Any]:
    text = named(view, "ConfigMap")["data"]["config.yaml"]
    found: list[Any] = yaml.safe_load(text)["oauthConfig"]["identityProviders"]
    return found


def test_a_provider_reads_its_secret_from_a_volume_of_its_own() -> None:
    view = a_cluster(BARE, USERS)
    (found,) = providers(view)
    assert found["mappingMethod"] == "claim"
    path = "/etc/oauth/idp/idp_secret_1_file-data"
    assert found["provider"]["file"] == f"{path}/htpasswd"
    pod = edit.pod_of(named(view, "Deployment"))["spec"]
    volume = {
        "name": "idp-secret-1-file-data",
        "secret": {"secretName": "passwords", "defaultMode": 0o640},
    }
    assert volume in pod["volumes"]
    mounts = pod["containers"][0]["volumeMounts"]
    assert {"name": volume["name"], "mountPath": path} in mounts


def test_a_provider_that_cannot_be_had_is_left_out_and_named() -> None:
    view = a_cluster(BARE, USERS, {"name": "new", "type": "Future"})
    assert [each["name"] for each in providers(view)] == ["users"]
    told = conditions.identity_providers(tuple(oauth_openshift.problems(view)))
    assert told.status == ConditionStatus.FALSE
    assert told.message == (
        "failed to initialize identity providers: [failed to apply IDP bare config: type GitHub was"
        " specified, but its configuration is missing, failed to apply IDP new config: the identity"
        " provider type 'Future' is not supported]"
    )


def test_providers_that_work_are_called_valid() -> None:
    told = conditions.identity_providers(tuple(oauth_openshift.problems(a_cluster(USERS))))
    assert (told.status, told.reason) == (ConditionStatus.TRUE, "IDPConfigurationValid")


def test_an_issuer_is_known_by_an_annotation_alone() -> None:
    assert providers(a_cluster(OPEN_ID)) == []
    told = '{"urls": {"authorize": "https://a", "token": "https://t"}, "challenge": true}'
    (found,) = providers(a_cluster(OPEN_ID, IAM=told))
    assert found["challenge"] is True
    assert found["provider"]["urls"] == {
        "authorize": "https://a",
        "token": "https://t",
        "userInfo": "",
    }


def test_an_annotation_that_is_no_document_gives_nothing() -> None:
    assert providers(a_cluster(OPEN_ID, IAM="{")) == []
    assert providers(a_cluster(OPEN_ID, IAM="[1]")) == []
