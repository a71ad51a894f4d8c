"""The roles that are rendered to be compared: what follows the cluster in them."""

from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
from tests.golden import scenarios
from tests.unit.component.clusters import a_view

from hypershift.component import Component, View, edit, render, runs
from hypershift.controlplane import (
    cluster_api,
    control_plane_operator,
    endpoint_resolver,
    hosted_cluster_config_operator,
    ignition_server,
    karpenter,
    karpenter_operator,
    metrics_proxy,
)
from hypershift.kit import Manifest
from hypershift.release import Product

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


def operator_args(options: control_plane_operator.Options) -> list[str]:
    found = workload(render(control_plane_operator.component(options), SINGLE))
    args: list[str] = edit.pod_of(found)["spec"]["containers"][0]["args"]
    return args


def test_an_operator_without_helper_programs_is_told_where_they_are() -> None:
    told = "--token-minter-image=helpers"
    assert told in operator_args(
        control_plane_operator.Options(utilities="helpers", has_utilities=False)
    )
    assert told not in operator_args(control_plane_operator.Options(utilities="helpers"))


@pytest.mark.parametrize(
    ("version", "flags"),
    [
        ("4.18.9", 0),
        ("4.19.0", 1),
        ("4.20.0", 2),
        ("4.23.0", 4),
        ("5.0.0", 4),
    ],
)
def test_the_manager_is_told_what_its_release_knows(version: str, flags: int) -> None:
    view = a_view(product=Product.OPENSHIFT)
    view = replace(view, release=replace(view.release, version=version))
    assert len(list(cluster_api.flags(view))) == flags


def test_the_manager_is_left_out_where_others_look_after_machines() -> None:
    off = {"hypershift.openshift.io/disable-machine-management": "true"}
    component = cluster_api.component(cluster_api.Options())
    assert runs(component, a_view(product=Product.OPENSHIFT))
    assert not runs(component, a_view(product=Product.OPENSHIFT, annotations=off))


ROLE = "arn:aws:iam::123456789012:role/karpenter"


def on_demand(annotations: dict[str, str] | None = None, **changes: Any) -> View:
    """A cluster whose nodes Karpenter makes."""
    karpenter = {"platform": "AWS", "aws": {"roleARN": ROLE}}
    return a_view(
        product=Product.OPENSHIFT,
        annotations=annotations,
        platform={"type": "AWS", "aws": {"region": "eu-west-1"}},
        autoNode={"provisionerConfig": {"name": "Karpenter", "karpenter": karpenter}},
        **changes,
    )


WAY_IN = {("Secret", "demo-7x2kf-kubeconfig"): {"kind": "Secret", "metadata": {}}}
READY = {"kubeConfig": {"name": "admin"}}


def test_karpenter_runs_where_the_cluster_asks_for_it() -> None:
    component = karpenter_operator.component(karpenter_operator.Options())
    assert not runs(component, SINGLE)
    view = on_demand()
    assert runs(component, view)
    (secret,) = [one for one in render(component, view) if one["kind"] == "Secret"]
    assert ROLE.encode() in b64decode(secret["data"]["credentials"])


def test_karpenter_itself_waits_for_a_way_into_the_cluster() -> None:
    assert runs(karpenter.COMPONENT, on_demand(status=READY, objects=WAY_IN))
    assert not runs(karpenter.COMPONENT, on_demand(status=READY))
    assert not runs(karpenter.COMPONENT, on_demand(objects=WAY_IN))
    assert not runs(karpenter.COMPONENT, EVERYTHING)


def provider(view: View) -> Manifest:
    found = workload(render(karpenter.COMPONENT, view))
    return dict(edit.pod_of(found)["spec"]["containers"][0])


def test_karpenter_is_the_annotated_program_or_the_releases_or_one_that_is_known() -> None:
    view = on_demand(status=READY, objects=WAY_IN)
    assert provider(view)["image"] == karpenter.DEFAULT_IMAGE
    payload = view.release.with_images({karpenter.IMAGE: "registry.example/karpenter:1"})
    assert provider(replace(view, release=payload))["image"] == "registry.example/karpenter:1"
    chosen = {"karpenter-provider-aws-image": "registry.example/karpenter:2"}
    assert provider(on_demand(chosen, status=READY))["image"] == "registry.example/karpenter:2"


def test_karpenter_works_for_its_cluster_in_its_region() -> None:
    told = {one["name"]: one.get("value") for one in provider(on_demand())["env"]}
    assert (told["AWS_REGION"], told["CLUSTER_NAME"]) == ("eu-west-1", "demo-7x2kf")
