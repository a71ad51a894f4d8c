"""kube-apiserver of the Kubernetes payload, and what both products share."""

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view, container, flags

from hypershift.component import Infra, Management, View, render
from hypershift.controlplane import kube_apiserver
from hypershift.controlplane.kube_apiserver.audit import policy
from hypershift.controlplane.kube_apiserver.config import document
from hypershift.kit import InvalidSpec, Manifest
from hypershift.release import Product

KEY = b"0123456789abcdef0123456789abcdef"
HIGHLY_AVAILABLE: dict[str, Any] = {"controllerAvailabilityPolicy": "HighlyAvailable"}
ENCRYPTED = {"type": "aescbc", "aescbc": {"activeKey": {"name": "key"}}}


def objects(view: View) -> dict[tuple[str, str], Manifest]:
    found = render(kube_apiserver.KUBERNETES, view)
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


def deployment(view: View) -> Manifest:
    return objects(view)["Deployment", "kube-apiserver"]


def arguments(view: View) -> Manifest:
    """The flags in the configuration file of OpenShift's server."""
    found: Manifest = document(view)["apiServerArguments"]
    return found


def kubeconfig(view: View, name: str, key: str = "kubeconfig") -> Manifest:
    data = objects(view)["Secret", name]["data"][key]
    config: Manifest = yaml.safe_load(b64decode(data))
    return config


def secret(content: bytes) -> Manifest:
    return {"kind": "Secret", "data": {"key": b64encode(content).decode()}}


def test_a_single_server_asks_one_etcd_and_several_ask_every_member() -> None:
    single = flags(deployment(a_view()), "kube-apiserver")["etcd-servers"]
    several = flags(deployment(a_view(**HIGHLY_AVAILABLE)), "kube-apiserver")["etcd-servers"]
    assert single == "https://etcd-client.clusters-demo.svc:2379"
    assert len(several.split(",")) == 3


def test_an_unmanaged_etcd_is_asked_where_the_user_says() -> None:
    etcd = {"managementType": "Unmanaged", "unmanaged": {"endpoint": "https://mine:2379"}}
    found = flags(deployment(a_view(etcd=etcd)), "kube-apiserver")
    assert found["etcd-servers"] == "https://mine:2379"


def test_kinds_that_another_etcd_keeps_are_asked_for_there() -> None:
    kinds = [{"resource": "events"}, {"apiGroup": "coordination.k8s.io", "resource": "leases"}]
    shard = {"name": "events", "endpoint": "https://other:2379", "resources": kinds}
    unmanaged = {"endpoint": "https://mine:2379", "shards": [shard]}
    view = a_view(etcd={"managementType": "Unmanaged", "unmanaged": unmanaged})
    found = flags(deployment(view), "kube-apiserver")["etcd-servers-overrides"]
    other = "https://other:2379"
    assert found == f"/events#{other},coordination.k8s.io/leases#{other}"
    assert arguments(view)["etcd-servers-overrides"] == found.split(",")
    assert "etcd-servers-overrides" not in arguments(a_view())


@pytest.mark.parametrize(
    ("topology", "private", "annotated", "hidden"),
    [
        ("Private", "", False, True),
        ("PublicAndPrivate", "", False, True),
        ("Public", "Swift", True, False),
        ("", "Swift", False, True),
        ("", "", True, True),
        ("", "", False, False),
    ],
)
def test_nodes_on_azure_come_privately_where_the_topology_or_else_swift_says(
    topology: str, private: str, *, annotated: bool, hidden: bool
) -> None:
    azure = {"topology": topology, "private": {"type": private}}
    view = a_view(
        platform={"type": "Azure", "azure": azure},
        infra=Infra(api_host="api.example.com", api_port=443),
        annotations={"swift-pod-network-instance": "net"} if annotated else {},
    )
    server = kubeconfig(view, "bootstrap-kubeconfig")["clusters"][0]["cluster"]["server"]
    assert (server == "https://api.demo.hypershift.local:443") is hidden


def test_several_servers_hand_over_before_they_stop() -> None:
    found = deployment(a_view(**HIGHLY_AVAILABLE))
    spec = found["spec"]["template"]["spec"]
    delay = int(flags(found, "kube-apiserver")["shutdown-delay-duration"].removesuffix("s"))
    sleep = container(found, "konnectivity-server")["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert spec["terminationGracePeriodSeconds"] > delay == sleep
    assert "shutdown-delay-duration" not in flags(deployment(a_view()), "kube-apiserver")


def test_a_server_that_stops_closes_its_connections_instead_of_refusing_requests() -> None:
    for view in (a_view(), a_view(**HIGHLY_AVAILABLE)):
        assert "shutdown-send-retry-after" not in flags(deployment(view), "kube-apiserver")


def test_konnectivity_shares_a_socket_with_the_server() -> None:
    view = a_view(**HIGHLY_AVAILABLE)
    selector = yaml.safe_load(
        objects(view)["ConfigMap", "kas-egress-selector-config"]["data"]["config.yaml"]
    )
    cluster = next(s for s in selector["egressSelections"] if s["name"] == "cluster")
    found = flags(deployment(view), "konnectivity-server")
    assert cluster["connection"]["transport"]["uds"]["udsName"] == found["uds-name"]
    assert found["server-count"] == "3"


def test_secrets_are_encrypted_by_the_clusters_key() -> None:
    view = a_view(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(KEY)})
    found = objects(view)
    data = found["Secret", "kas-secret-encryption-config"]["data"]["config.yaml"]
    providers = yaml.safe_load(b64decode(data))["resources"][0]["providers"]
    assert b64decode(providers[0]["aescbc"]["keys"][0]["secret"]) == KEY
    assert providers[-1] == {"identity": {}}
    assert "encryption-provider-config" in flags(deployment(view), "kube-apiserver")


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_key_of_the_wrong_length_is_refused(content: bytes) -> None:
    view = a_view(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(content)})
    with pytest.raises(InvalidSpec, match="16, 24 or 32"):
        objects(view)


def test_openshifts_server_judges_keys_itself() -> None:
    content = secret(b"short")
    found = openshift(secretEncryption=ENCRYPTED, objects={("Secret", "key"): content})
    data = found["Secret", "kas-secret-encryption-config"]["data"]["config.yaml"]
    (rules,) = yaml.safe_load(b64decode(data))["resources"]
    assert b64decode(rules["providers"][0]["aescbc"]["keys"][0]["secret"]) == b"short"
    with pytest.raises(InvalidSpec, match="Secret key"):
        openshift(secretEncryption=ENCRYPTED, objects={("Secret", "key"): secret(b"")})


def test_cluster_api_finds_the_server_from_every_namespace() -> None:
    config = kubeconfig(a_view(), "demo-7x2kf-kubeconfig", "value")
    server = config["clusters"][0]["cluster"]["server"]
    assert server == "https://kube-apiserver.clusters-demo.svc:6443"


def test_users_come_by_the_published_address() -> None:
    config = kubeconfig(a_view(), "admin-kubeconfig")
    assert config["clusters"][0]["cluster"]["server"] == "https://203.0.113.7:6443"
    assert config["users"][0]["user"]["client-key-data"]


def test_a_certificate_of_the_users_own_is_served_and_trusted() -> None:
    certificate = {"names": ["api.x.org"], "servingCertificate": {"name": "mine"}}
    serving = {"servingCerts": {"namedCertificates": [certificate]}}
    own = {"kind": "Secret", "data": {"tls.crt": b64encode(b"MINE").decode()}}
    view = a_view(configuration={"apiServer": serving}, objects={("Secret", "mine"): own})
    args = container(deployment(view), "kube-apiserver")["args"]
    assert any(arg.startswith("--tls-sni-cert-key=") and arg.endswith(":api.x.org") for arg in args)
    trusted = kubeconfig(view, "admin-kubeconfig")["clusters"][0]["cluster"]
    assert b64decode(trusted["certificate-authority-data"]).endswith(b"MINE")


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


def test_annotations_change_the_limits() -> None:
    view = a_view(
        annotations={
            "kube-apiserver-max-requests-inflight": "5000",
            "kube-apiserver-verbosity-level": "4",
            "kube-apiserver-gogc": "25",
            "disable-profiling": "kube-apiserver",
        }
    )
    found = flags(deployment(view), "kube-apiserver")
    assert (found["max-requests-inflight"], found["v"], found["profiling"]) == (
        "5000",
        "4",
        "false",
    )
    assert container(deployment(view), "kube-apiserver")["env"] == [{"name": "GOGC", "value": "25"}]


@pytest.mark.parametrize(
    ("profile", "levels"),
    [
        ("None", ["None", "None"]),
        ("Default", ["None", "Metadata"]),
        ("WriteRequestBodies", ["None", "Metadata", "RequestResponse", "Metadata"]),
        ("AllRequestBodies", ["None", "Metadata", "RequestResponse"]),
    ],
)
def test_audit_profiles(profile: str, levels: list[str]) -> None:
    assert [rule["level"] for rule in policy(a_view(), profile)["rules"]] == levels


@pytest.mark.parametrize(("section", "count"), [({"profile": "Default"}, 3), ({}, 2)])
def test_rules_for_groups_need_a_profile_for_the_others(section: Manifest, count: int) -> None:
    rules = {"customRules": [{"group": "robots", "profile": "None"}], **section}
    view = a_view(configuration={"apiServer": {"audit": rules}})
    assert len(policy(view, "Default")["rules"]) == count


def test_bodies_of_secrets_are_never_recorded() -> None:
    for rule in policy(a_view(), "AllRequestBodies")["rules"]:
        named = [name for r in rule.get("resources", ()) for name in r["resources"]]
        if "secrets" in named:
            assert rule["level"] == "Metadata"
            return
        assert rule["level"] == "None"
    pytest.fail("no rule is about secrets")


def test_openshift_reads_one_configuration_file() -> None:
    found = render(kube_apiserver.OPENSHIFT, a_view(product=Product.OPENSHIFT))
    config = next(one for one in found if one["metadata"]["name"] == "kas-config")
    document = json.loads(config["data"]["config.json"])
    assert document["apiServerArguments"]["service-account-issuer"] == [
        "https://kubernetes.default.svc"
    ]
    assert document["servicesSubnet"] == "172.31.0.0/16"


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


def test_an_address_of_six_groups_has_brackets() -> None:
    view = a_view(infra=Infra(api_host="fd00::7", api_port=6443))
    server = kubeconfig(view, "admin-kubeconfig")["clusters"][0]["cluster"]["server"]
    assert server == "https://[fd00::7]:6443"


def test_the_user_chooses_where_the_kubeconfig_lies() -> None:
    view = a_view(kubeconfig={"name": "mine", "key": "config"})
    assert kubeconfig(view, "mine", "config")["current-context"] == "admin"


def test_what_is_no_verbosity_is_as_good_as_none() -> None:
    for said, level in (("loud", "2"), ("", "2"), ("4", "4"), ("+06", "6")):
        view = a_view(annotations={"kube-apiserver-verbosity-level": said})
        assert flags(deployment(view), "kube-apiserver")["v"] == level


def openshift(**spec: Any) -> dict[tuple[str, str], Manifest]:
    view = a_view(product=Product.OPENSHIFT, management=Management(), **spec)
    found = render(kube_apiserver.OPENSHIFT, view)
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


def config(**spec: Any) -> Manifest:
    document: Manifest = json.loads(
        openshift(**spec)["ConfigMap", "kas-config"]["data"]["config.json"]
    )
    return document


def test_a_cluster_without_its_own_registry_names_none() -> None:
    host = "image-registry.openshift-image-registry.svc:5000"
    assert config()["imagePolicyConfig"]["internalRegistryHostname"] == host
    without = config(capabilities={"disabled": ["ImageRegistry"]})
    assert "internalRegistryHostname" not in without["imagePolicyConfig"]


def test_the_users_own_oauth_metadata_is_served() -> None:
    mine = {("ConfigMap", "mine"): {"data": {"oauthMetadata": "{}"}}}
    wish = {"authentication": {"type": "IntegratedOAuth", "oauthMetadata": {"name": "mine"}}}
    found = openshift(configuration=wish, objects=mine)
    assert found["ConfigMap", "oauth-metadata"]["data"]["oauthMetadata.json"] == "{}"
    with pytest.raises(InvalidSpec, match="oauthMetadata"):
        openshift(configuration=wish)


def test_portieris_comes_with_its_image() -> None:
    found = openshift(annotations={"portieris-image": "registry.example/portieris:1"})
    assert container(found["Deployment", "kube-apiserver"], "portieris")["image"].endswith("is:1")
