"""kube-apiserver of OpenShift, which reads one configuration file."""

import json
from base64 import b64decode
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view, container
from tests.unit.controlplane.kube_apiserver.servers import openshift

from hypershift.component import render
from hypershift.controlplane import kube_apiserver
from hypershift.kit import InvalidSpec, Manifest
from hypershift.release import Product


def config(**spec: Any) -> Manifest:
    document: Manifest = json.loads(
        openshift(**spec)["ConfigMap", "kas-config"]["data"]["config.json"]
    )
    return document


def test_openshift_reads_one_configuration_file() -> None:
    found = render(kube_apiserver.OPENSHIFT, a_view(product=Product.OPENSHIFT))
    config = next(one for one in found if one["metadata"]["name"] == "kas-config")
    document = json.loads(config["data"]["config.json"])
    assert document["apiServerArguments"]["service-account-issuer"] == [
        "https://kubernetes.default.svc"
    ]
    assert document["servicesSubnet"] == "172.31.0.0/16"


@pytest.mark.parametrize(
    ("mode", "server"),
    [
        ("Shared", "https://kube-apiserver.clusters-demo.svc:6443"),
        ("Dedicated", "https://kube-apiserver:6443"),
        ("", "https://kube-apiserver:6443"),
    ],
)
def test_cluster_api_of_the_fleet_finds_the_server_from_its_own_namespace(
    mode: str, server: str
) -> None:
    found = openshift(annotations={"mode": mode} if mode else {})
    told = b64decode(found["Secret", "demo-7x2kf-kubeconfig"]["data"]["value"])
    assert yaml.safe_load(told)["clusters"][0]["cluster"]["server"] == server
    beside = b64decode(found["Secret", "hcco-kubeconfig"]["data"]["kubeconfig"])
    server = yaml.safe_load(beside)["clusters"][0]["cluster"]["server"]
    assert server == "https://kube-apiserver:6443"


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
