"""Controllers of pull secrets run while the guest has a registry."""

import json
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view

from hypershift.component import render
from hypershift.controlplane import openshift_controller_manager as manager
from hypershift.release import Product

OFF = "-openshift.io/serviceaccount-pull-secrets"
NAME = "openshift-controller-manager-config"


def controllers(state: str, live: list[str] | None, platform: str = "AWS") -> Any:
    objects = {}
    if state:
        said = {"config": json.dumps({"spec": {"managementState": state}})}
        name = "observed-config-registry"
        objects["ConfigMap", name] = {"kind": "ConfigMap", "metadata": {"name": name}, "data": said}
    if live is not None:
        told = {"config.yaml": json.dumps({"controllers": live})}
        objects["ConfigMap", NAME] = {"kind": "ConfigMap", "metadata": {"name": NAME}, "data": told}
    view = a_view(product=Product.OPENSHIFT, objects=objects, platform={"type": platform})
    found = {one["metadata"]["name"]: one for one in render(manager.OPENSHIFT, view)}
    return yaml.safe_load(found[NAME]["data"]["config.yaml"]).get("controllers")


@pytest.mark.parametrize(
    ("state", "live", "expected"),
    [
        ("Removed", None, ["*", OFF]),
        ("Removed", ["*", OFF], ["*", OFF]),
        ("Removed", ["a", "-b"], ["a", "-b", OFF]),
        ("Managed", ["*", OFF], ["*"]),
        ("Managed", None, None),
        ("", ["*", OFF], ["*", OFF]),
    ],
)
def test_pull_secrets_follow_the_registry_s_state(
    state: str, live: list[str] | None, expected: list[str] | None
) -> None:
    assert controllers(state, live) == expected


def test_a_cloud_that_keeps_its_secrets_keeps_the_controller() -> None:
    assert controllers("Removed", None, "IBMCloud") is None
