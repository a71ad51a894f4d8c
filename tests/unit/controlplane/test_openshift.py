"""OpenShift's own components: what follows the cluster in them."""

import json
from typing import Any

import pytest
from tests.golden.scenarios import _view as a_view

from hypershift.component import View, edit, render, runs
from hypershift.component.published import ignition_service as service
from hypershift.controlplane import CATALOG, catalog
from hypershift.controlplane.cluster_version_operator import cluster_version
from hypershift.controlplane.cluster_version_operator.payload import prepare_script
from hypershift.controlplane.oauth_openshift.session import KEY, session, usable
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.documents import loaded
from hypershift.release import Product

OIDC = {"configuration": {"authentication": {"type": "OIDC"}}}


def openshift(**spec: Any) -> View:
    return a_view(Product.OPENSHIFT, **spec)


def found(name: str, view: View, kind: str, wanted: str) -> Manifest:
    component = next(one for one in catalog(Product.OPENSHIFT) if one.name == name)
    objects = render(component, view)
    return next(o for o in objects if (o["kind"], o["metadata"]["name"]) == (kind, wanted))


def running(view: View) -> set[str]:
    return {one.name for one in catalog(view.product) if runs(one, view)}


def test_no_component_of_openshift_runs_with_kubernetes() -> None:
    ours = {component.name for component in CATALOG[Product.KUBERNETES]}
    assert not any("openshift" in name for name in ours)
    assert ours.isdisjoint({"cluster-version-operator", "ingress-operator", "machine-approver"})


def test_users_log_in_elsewhere_when_oidc_is_chosen() -> None:
    oauth = {"oauth-openshift", "openshift-oauth-apiserver"}
    assert oauth <= running(openshift())
    assert oauth.isdisjoint(running(openshift(**OIDC)))
    pod = edit.pod_of(
        found("openshift-apiserver", openshift(**OIDC), "Deployment", "openshift-apiserver")
    )
    assert "--internal-oauth-disabled=true" in pod["spec"]["containers"][0]["args"]
    assert "01-oauth.yaml" in prepare_script(openshift(**OIDC))
    assert "01-oauth.yaml" not in prepare_script(openshift())


def test_a_disabled_capability_takes_its_component_with_it() -> None:
    view = openshift(capabilities={"disabled": ["Ingress", "Console", "ImageRegistry"]})
    assert "ingress-operator" not in running(view)
    enabled = cluster_version(view)["spec"]["capabilities"]["additionalEnabledCapabilities"]
    assert not {"Ingress", "Console", "ImageRegistry"} & set(enabled)
    config = found(
        "openshift-controller-manager", view, "ConfigMap", "openshift-controller-manager-config"
    )
    document = loaded(config["data"]["config.yaml"])
    assert document["controllers"] == ["*", "-openshift.io/serviceaccount-pull-secrets"]


def test_an_enabled_capability_is_added() -> None:
    said = cluster_version(openshift(capabilities={"enabled": ["baremetal"]}))["spec"]
    assert "baremetal" in said["capabilities"]["additionalEnabledCapabilities"]


def test_storage_operators_stay_in_guests_that_run_them() -> None:
    ibm = openshift(platform={"type": "IBMCloud"})
    assert "cluster-storage-operator_10_deployment" not in prepare_script(ibm)
    assert "name: migrator" not in prepare_script(ibm)
    assert "cluster-storage-operator_10_deployment" in prepare_script(openshift())


@pytest.mark.parametrize("kind", ["LoadBalancer", "S3", "None"])
def test_ignition_is_published_by_route_or_node_port_alone(kind: str) -> None:
    strategy = {"service": "Ignition", "servicePublishingStrategy": {"type": kind}}
    view = openshift(services=[strategy])
    with pytest.raises(InvalidSpec, match="invalid publishing strategy for Ignition service"):
        service(view, {"spec": {"ports": [{}]}})


def test_the_keys_of_sessions_are_kept_once_they_are_there() -> None:
    empty: Manifest = {"kind": "Secret", "metadata": {"name": "s"}}
    view = openshift()
    assert session(view, empty)["data"] == {KEY: ""}
    signing = {"kind": "Secret", "metadata": {"name": "k"}, "data": {"service-account.key": "a2V5"}}
    view.objects["Secret", "sa-signing-key"] = signing  # type: ignore[index]
    made = session(view, empty)
    assert session(view, made) == made
    assert session(view, empty) == made


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"secrets: []", b"secrets: [{}]", b"a: &a [*a]"]
)
def test_keys_that_are_none_are_made_again(text: bytes) -> None:
    assert not usable(text)
    assert usable(json.dumps({"secrets": [{"authentication": "a", "encryption": "b"}]}).encode())
