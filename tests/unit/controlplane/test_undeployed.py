"""The roles that are rendered to be compared: what follows the cluster in them."""

import pytest
from tests.golden import scenarios

from hypershift.component import Component, View, edit, render, runs
from hypershift.controlplane import (
    endpoint_resolver,
    hosted_cluster_config_operator,
    ignition_server,
    metrics_proxy,
)
from hypershift.kit import Manifest

VIEWS = scenarios.openshift()
EVERYTHING, SINGLE = VIEWS["openshift-everything"], VIEWS["openshift-single"]


def workload(objects: list[Manifest]) -> Manifest:
    return objects[-1]


def container(view: View) -> Manifest:
    found = workload(render(hosted_cluster_config_operator.OPENSHIFT, view))
    return dict(edit.pod_of(found)["spec"]["containers"][0])


@pytest.mark.parametrize("component", [endpoint_resolver.OPENSHIFT, metrics_proxy.OPENSHIFT])
def test_metrics_are_forwarded_where_the_cluster_asks_for_it(component: Component) -> None:
    assert runs(component, EVERYTHING)
    assert not runs(component, SINGLE)


def test_the_proxy_forwards_the_set_that_the_cluster_names() -> None:
    found = edit.pod_of(workload(render(metrics_proxy.OPENSHIFT, EVERYTHING)))
    assert found["spec"]["containers"][0]["args"][-2:] == ["--metrics-set", "SRE"]


def test_every_mirror_of_a_registry_is_told() -> None:
    told = {one["name"]: one.get("value") for one in container(EVERYTHING)["env"]}
    assert told["OPENSHIFT_IMG_OVERRIDES"] == (
        "registry.example.com=one.example.com,registry.example.com=two.example.com"
    )


def test_overrides_of_registries_are_a_flag() -> None:
    assert "quay.io=mirror.example.com" in container(EVERYTHING)["command"]


def test_machines_ask_the_proxy_of_the_ignition_server() -> None:
    objects = render(ignition_server.OPENSHIFT, SINGLE)
    routes = [one["spec"]["to"]["name"] for one in objects if one["kind"] == "Route"]
    assert set(routes) <= {"ignition-server-proxy"}
    secret = edit.pod_of(workload(objects))["spec"]["volumes"][0]["secret"]["secretName"]
    assert secret == "ignition-server"
