"""Consumers try to lift the containment of control planes by labels and annotations (C3)."""

from importlib.resources import files
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.command_line import install_options
from tests.lib.decoded import a_decoded_spec
from tests.unit.component.clusters import a_view

from hypershift.api import annotations, labels, reserved_labels, rights
from hypershift.cli.install.resources import resources
from hypershift.component import Component, render
from hypershift.controlplane import kube_apiserver, kube_scheduler
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules import hosted_control_plane

COMPONENTS = (kube_scheduler.KUBERNETES, kube_apiserver.KUBERNETES)


def pod_labels(component: Component, **view: Any) -> dict[str, str]:
    found: dict[str, str] = render(component, a_view(**view))[-1]["spec"]["template"]["metadata"][
        "labels"
    ]
    return found


def words() -> set[str]:
    return {
        value
        for name, value in vars(annotations).items()
        if name.isupper() and isinstance(value, str) and not name.endswith("PREFIX")
    }


def test_every_annotation_says_who_may_set_it() -> None:
    assert words() == set(rights.ANNOTATIONS)
    families = {value for name, value in vars(annotations).items() if name.endswith("_PREFIX")}
    assert families == set(rights.PREFIXES)


@pytest.mark.parametrize(
    "part",
    ["image", "priority-class", "skip-", "force-", "disable-", "override", "debug", "topology"],
)
def test_no_annotation_of_a_dangerous_kind_is_a_consumers(part: str) -> None:
    # These two concern the hosted cluster alone: its login page, its identity providers.
    own = {annotations.OAUTH_LOGIN_URL_OVERRIDE}
    found = {key for key in words() if part in key.rpartition("/")[2]} - own
    assert found
    assert {key for key in found if not rights.ANNOTATIONS[key].subresource} == set()


@given(st.from_regex(r"([a-z]{1,8}\.){0,2}hypershift\.openshift\.io/[a-z-]{1,20}", fullmatch=True))
def test_an_annotation_that_nobody_declared_is_closed(key: str) -> None:
    access = rights.access_to(key)
    assert access is not None
    declared = key in rights.ANNOTATIONS or key.startswith(tuple(rights.PREFIXES))
    assert declared or access is rights.Access.OVERRIDE


def test_annotations_of_other_domains_are_nobodys_business() -> None:
    for key in ("example.com/x", "nothypershift.openshift.io/x", "plain"):
        assert rights.access_to(key) is None


@pytest.mark.parametrize("flag", ["--personas", "--containment"])
def test_the_policies_come_with_the_personas_or_by_themselves(flag: str) -> None:
    assert "ValidatingAdmissionPolicy" not in kinds_of()
    assert "ValidatingAdmissionPolicy" in kinds_of(flag)


def kinds_of(*flags: str) -> set[str]:
    return {each["kind"] for each in resources(install_options(*flags))}


HOSTILE = {
    labels.NEED_MANAGEMENT_KAS_ACCESS: "true",
    labels.NEED_METRICS_SERVER_ACCESS: "true",
    labels.CONTROL_PLANE_COMPONENT: "kube-apiserver",
    labels.HOSTED_CONTROL_PLANE: "clusters-other",
    labels.REQUEST_SERVING_COMPONENT: "true",
    "app": "private-router",
    "name": "aws-ebs-csi-driver-operator",
    "kubevirt.io": "virt-launcher",
    "kubevirt.io/domain": "x",
    "pod-template-hash": "x",
    "need-management-kas-access": "true",
    "cluster.x-k8s.io/cluster-name": "other",
    "azure.workload.identity/use": "true",
}


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda each: each.name)
def test_no_label_of_a_consumer_takes_a_pod_out_of_a_policy(component: Component) -> None:
    plain = pod_labels(component)
    assert pod_labels(component, labels={"team": "red", **HOSTILE}) == {**plain, "team": "red"}


@given(st.dictionaries(st.sampled_from(sorted(HOSTILE)) | st.text(min_size=1), st.text()))
def test_a_control_plane_never_hears_of_reserved_labels(given_labels: dict[str, str]) -> None:
    spec = {"labels": given_labels, "release": {"image": "x"}, "pullSecret": {"name": "p"}}
    derived = hosted_control_plane.spec(spec, a_decoded_spec(spec), {"type": "None"}, {})
    assert derived["labels"] == reserved_labels.permitted(given_labels)
    assert not set(HOSTILE) & set(derived["labels"])


def selectors(value: Any) -> set[str]:
    """Every label key that a manifest sets or selects by."""
    if isinstance(value, list):
        return set().union(*map(selectors, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    found = set().union(*map(selectors, value.values())) if value else set()
    for name in ("labels", "matchLabels", "selector"):
        inner = value.get(name)
        if isinstance(inner, dict):
            found |= {key for key, text in inner.items() if isinstance(text, str)}
    found |= {each["key"] for each in value.get("matchExpressions") or () if "key" in each}
    return found


def assets() -> list[Manifest]:
    root = files("hypershift.controlplane")
    texts = [path.read_text() for path in root.rglob("assets/**/*.yaml")]  # type: ignore[attr-defined]  # a directory on disk
    return [each for text in texts for each in yaml.safe_load_all(text) if isinstance(each, dict)]


def test_every_label_that_our_manifests_use_is_reserved() -> None:
    # PrometheusRules have labels of metrics, which are not labels of pods.
    used = set().union(*(selectors(each) for each in assets() if each["kind"] != "PrometheusRule"))
    assert {key for key in used if not reserved_labels.is_reserved(key)} == set()
