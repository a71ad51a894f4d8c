"""What the inside of an OpenShift cluster is, and what follows the HostedCluster in it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.unit.operators.guest_config.openshift.guests import OIDC, a_guest

from hypershift.api.conditions import ConditionStatus, ControlPlaneCondition
from hypershift.kit import InvalidSpec, Manifest, rfc3339
from hypershift.operators.guest_config.openshift.rules import (
    catalog,
    cloud,
    config,
    lifecycle,
    operators,
    referred,
    status,
    version,
)

NOW = datetime(2026, 1, 2, tzinfo=UTC)
FLAT = {"disabled": ["Ingress", "Console", "ImageRegistry"]}


def made(kind: str, name: str, found: list[Manifest]) -> Manifest:
    return next(one for one in found if (one["kind"], one["metadata"]["name"]) == (kind, name))


def names(kind: str, found: list[Manifest]) -> set[str]:
    return {one["metadata"]["name"] for one in found if one["kind"] == kind}


def test_everything_is_marked_as_ours() -> None:
    for one in catalog.manifests(a_guest()):
        assert one["metadata"]["labels"]["hypershift.openshift.io/managed"] == "true"


def test_no_object_is_written_twice() -> None:
    found = [
        (one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"])
        for one in (*catalog.manifests(a_guest()), *catalog.at_first(a_guest()))
    ]
    assert len(found) == len(set(found))


def test_aggregated_apis_lead_to_the_control_plane() -> None:
    found = list(catalog.manifests(a_guest()))
    endpoints = made("Endpoints", "openshift-apiserver", found)
    assert endpoints["subsets"][0]["addresses"] == [{"ip": "10.96.0.11"}]
    service = made("APIService", "v1.route.openshift.io", found)["spec"]["service"]
    assert service == {"name": "openshift-apiserver", "namespace": "default", "port": 443}


def test_an_api_without_a_server_is_not_announced() -> None:
    found = list(catalog.manifests(a_guest(("openshift-apiserver",))))
    assert "v1.route.openshift.io" in names("APIService", found)
    assert "v1.packages.operators.coreos.com" not in names("APIService", found)


def test_clusters_with_a_login_of_their_own_have_no_oauth() -> None:
    ours, theirs = list(catalog.manifests(a_guest())), list(catalog.manifests(a_guest(**OIDC)))
    assert {"v1.oauth.openshift.io", "v1.user.openshift.io"} <= names("APIService", ours)
    assert not names("APIService", theirs) & {"v1.oauth.openshift.io", "v1.user.openshift.io"}
    assert names("OAuthClient", ours) == {
        "openshift-browser-client",
        "openshift-challenging-client",
        "openshift-cli-client",
    }
    assert not names("OAuthClient", theirs)


def test_a_cluster_without_ingress_has_nothing_of_it() -> None:
    guest = a_guest(capabilities=FLAT)
    found = [*catalog.manifests(guest), *catalog.at_first(guest)]
    assert "openshift-ingress" not in names("Namespace", found)
    assert not names("IngressController", found)
    policy = made("ValidatingAdmissionPolicy", "config", found)
    (rule,) = policy["spec"]["matchConstraints"]["resourceRules"]
    assert "ingresses" not in rule["resources"]


@pytest.mark.parametrize(
    ("placement", "written", "seeded"), [("management", True, False), ("guest", False, True)]
)
def test_the_hub_belongs_to_who_runs_the_catalogs(
    placement: str,
    *,
    written: bool,
    seeded: bool,
) -> None:
    guest = a_guest(olmCatalogPlacement=placement)
    assert bool(names("OperatorHub", list(catalog.manifests(guest)))) is written
    assert bool(names("OperatorHub", list(catalog.at_first(guest)))) is seeded


def test_catalogs_are_served_beside_the_plane_or_by_the_release_s_indexes() -> None:
    beside = list(lifecycle.sources(a_guest(olmCatalogPlacement="management"), None))
    assert [one["spec"]["address"] for one in beside] == [
        "certified-operators:50051",
        "community-operators:50051",
        "redhat-operators:50051",
    ]
    inside = list(lifecycle.sources(a_guest(olmCatalogPlacement="guest"), None))
    assert inside[0]["spec"]["image"] == (
        "registry.redhat.io/redhat/certified-operator-index:v4.22"
    )


def test_no_catalog_is_offered_where_the_hub_inside_switches_them_off() -> None:
    hub = {"spec": {"disableAllDefaultSources": True}}
    assert not list(lifecycle.sources(a_guest(), hub))
    assert {one["metadata"]["name"] for one in lifecycle.unwanted(hub)} == {
        "certified-operators",
        "community-operators",
        "redhat-operators",
        "redhat-marketplace",
    }


def test_a_registry_keeps_what_users_say_and_gets_what_it_lacks() -> None:
    live = {"spec": {"managementState": "Removed", "httpSecret": ""}}
    mended = operators.registry_mended(a_guest(), live)
    assert mended is not None
    assert mended["spec"] == {"httpSecret": "0" * 128}
    assert operators.registry_mended(a_guest(), {"spec": registry_spec()}) is None


def registry_spec() -> Manifest:
    spec: Manifest = operators.registry(a_guest())["spec"]
    return spec


def test_settings_of_the_network_that_the_cluster_has_stay() -> None:
    platform = {"type": "KubeVirt", "kubevirt": {}}
    networking = {
        "networkType": "OVNKubernetes",
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
    }
    guest = a_guest(platform=platform, networking=networking)
    assert operators.network(guest, None)["spec"]["defaultNetwork"] == {
        "ovnKubernetesConfig": {"v4InternalSubnet": "100.66.0.0/16", "genevePort": 9880}
    }
    live = {"spec": {"defaultNetwork": {"ovnKubernetesConfig": {"genevePort": 7000}}}}
    found = operators.network(guest, live)["spec"]["defaultNetwork"]["ovnKubernetesConfig"]
    assert found == {"v4InternalSubnet": "100.66.0.0/16", "genevePort": 7000}


def test_a_copy_whose_original_is_not_there_is_named() -> None:
    guest = a_guest(configuration={"proxy": {"trustedCA": {"name": "absent"}}})
    with pytest.raises(InvalidSpec, match="failed to get proxy CA bundle ConfigMap absent"):
        list(referred.proxy_trust(guest))


def test_credentials_without_a_role_are_refused() -> None:
    platform = {"type": "AWS", "aws": {"region": "eu-west-1", "rolesRef": {}}}
    with pytest.raises(InvalidSpec, match="role arn cannot be empty"):
        list(cloud.credentials(a_guest(platform=platform)))


@pytest.mark.parametrize(
    ("platform", "shown"),
    [("Local", "None"), ("None", "None"), ("Agent", "None"), ("KubeVirt", "KubeVirt")],
)
def test_the_inside_knows_its_platform(platform: str, shown: str) -> None:
    found = config.infrastructure(a_guest(platform={"type": platform}))
    assert found["status"]["platform"] == shown
    assert found["status"]["controlPlaneTopology"] == "External"
    assert found["status"]["apiServerURL"] == "https://api.example.org:6443"


def test_tags_of_kubernetes_do_not_reach_storage_drivers() -> None:
    tags = [{"key": "kubernetes.io/cluster/demo", "value": "owned"}, {"key": "team", "value": "a"}]
    aws = {"region": "eu-west-1", "resourceTags": tags}
    found = config.infrastructure(a_guest(platform={"type": "AWS", "aws": aws}))
    assert found["status"]["platformStatus"]["aws"]["resourceTags"] == [tags[1]]


@pytest.mark.parametrize(("cidr", "prefix"), [("10.132.0.0/14", 23), ("fd01::/48", 64)])
def test_a_nodes_range_has_a_usual_size(cidr: str, prefix: int) -> None:
    networking = {"clusterNetwork": [{"cidr": cidr}], "serviceNetwork": [{"cidr": "172.31.0.0/16"}]}
    (entry,) = config.network(a_guest(networking=networking))["clusterNetwork"]
    assert entry == {"cidr": cidr, "hostPrefix": prefix}


def test_configuration_is_what_the_user_said() -> None:
    said = {
        "apiServer": {"audit": {"profile": "AllRequestBodies"}},
    }
    found = list(catalog.manifests(a_guest(configuration=said)))
    assert made("APIServer", "cluster", found)["spec"]["audit"]["profile"] == "AllRequestBodies"


def test_a_release_is_told_the_capabilities_that_it_knows() -> None:
    live = {"status": {"capabilities": {"knownCapabilities": ["Build", "Console"]}}}
    known = version.known_capabilities(live)
    spec = version.cluster_version(a_guest(), known)["spec"]
    assert spec["capabilities"]["additionalEnabledCapabilities"] == ["Build", "Console"]
    assert (
        "Ingress"
        in version.cluster_version(a_guest(), None)["spec"]["capabilities"][
            "additionalEnabledCapabilities"
        ]
    )


def test_an_operator_that_is_not_there_keeps_its_times() -> None:
    operator = next(one for one in version.OPERATORS if one.name == "kube-apiserver")
    first = version.cluster_operator(a_guest(), operator, None, NOW)
    again = version.cluster_operator(a_guest(), operator, first, NOW + timedelta(hours=1))
    assert again == first
    assert first["status"]["versions"] == [
        {"name": "kube-apiserver", "version": "1.35.1"},
        {"name": "operator", "version": "4.22.0"},
        {"name": "raw-internal", "version": "4.22.0"},
    ]


def a_version(**conditions: str) -> Manifest:
    stated: list[dict[str, Any]] = [
        {"type": kind, "status": word, "lastTransitionTime": rfc3339(NOW)}
        for kind, word in conditions.items()
    ]
    entry = {"state": "Partial", "image": "i", "version": "4.22.0", "completionTime": None}
    history = [{**entry, "startedTime": rfc3339(NOW), "verified": False}]
    return {
        "status": {
            "conditions": stated,
            "history": history,
            "desired": {"image": "i", "version": "4.22.0"},
            "observedGeneration": 2,
            "availableUpdates": None,
            "versionHash": "x",
        }
    }


def test_conditions_of_the_version_operator_are_repeated() -> None:
    found = {
        one.type: one for one in status.conditions(a_version(Available="True", Failing="False"))
    }
    available = found[ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE]
    assert (available.status, available.reason) == (ConditionStatus.TRUE, "FromClusterVersion")
    assert found[ControlPlaneCondition.CLUSTER_VERSION_FAILING].status is ConditionStatus.FALSE
    progressing = found[ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING]
    assert (progressing.status, progressing.message) == (ConditionStatus.UNKNOWN, status.NOT_FOUND)


def test_a_cluster_that_says_nothing_may_be_upgraded() -> None:
    found = {one.type: one for one in status.conditions(None, "no answer")}
    assert found[ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE].is_true
    unknown = found[ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE]
    assert (unknown.status, unknown.message) == (ConditionStatus.UNKNOWN, "no answer")
    assert ControlPlaneCondition.CLUSTER_VERSION_RETRIEVED_UPDATES not in found


def test_nulls_of_the_version_survive() -> None:
    found = status.version_status(a_version())
    assert found is not None
    assert found["availableUpdates"] is None
    assert found["history"][0]["completionTime"] is None
    assert "versionHash" not in found


def test_there_is_no_version_before_the_operator_wrote_one() -> None:
    assert status.version_status({"status": {"history": []}}) is None
