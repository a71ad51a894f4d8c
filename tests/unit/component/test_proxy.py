"""Pods beside us learn of the management cluster's proxy, and of what must not go through it."""

from tests.unit.component.clusters import a_view, container

from hypershift.component import Management, render
from hypershift.component.proxy import variables
from hypershift.controlplane import (
    aws_cloud_controller_manager,
    kube_apiserver,
    kube_controller_manager,
)

PROXY = {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": ".example.com,10.0.0.0/8"}
BEHIND = Management(frozenset(), uid=1, proxy=PROXY)


def told(component: str) -> dict[str, str]:
    catalog = {
        "kube-apiserver": kube_apiserver.KUBERNETES,
        "kube-controller-manager": kube_controller_manager.KUBERNETES,
    }
    found = container(render(catalog[component], a_view(management=BEHIND))[-1], component)
    return {one["name"]: one["value"] for one in found.get("env", ())}


def test_without_a_proxy_nobody_is_told_of_one() -> None:
    assert variables(a_view(management=Management(proxy={"NO_PROXY": "x"}))) == {}


def test_a_password_with_dollars_is_not_expanded() -> None:
    proxy = {"HTTPS_PROXY": "http://me:$(id)$$a$b@proxy:3128"}
    found = variables(a_view(management=Management(proxy=proxy)))
    assert found["HTTPS_PROXY"] == "http://me:$$(id)$$$a$b@proxy:3128"


def test_the_cloud_is_called_through_the_proxy() -> None:
    view = a_view(management=BEHIND, platform={"type": "AWS", "aws": {}})
    found = render(aws_cloud_controller_manager.OPENSHIFT, view)[-1]
    env = container(found, "cloud-controller-manager")["env"]
    assert {"name": "HTTPS_PROXY", "value": "http://proxy:3128"} in env


def test_the_tunnels_do_not_go_through_the_proxy() -> None:
    said = told("kube-apiserver")
    assert {name: value for name, value in said.items() if name.endswith("PROXY")} == {
        "HTTPS_PROXY": "http://proxy:3128",
        "NO_PROXY": ".example.com,10.0.0.0/8,10.132.0.0/14,172.31.0.0/16,kube-apiserver",
    }


def test_the_controllers_reach_their_api_server_directly() -> None:
    assert told("kube-controller-manager")["NO_PROXY"] == ".example.com,10.0.0.0/8,kube-apiserver"
