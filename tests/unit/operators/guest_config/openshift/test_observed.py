"""What is configured inside and followed beside the API server."""

import json
import sys
from typing import Any

import pytest
from tests.unit.operators.guest_config.openshift.guests import a_guest

from hypershift.kit import InvalidSpec
from hypershift.operators.guest_config.openshift.rules import observed

BUILD, _, REGISTRY = observed.SOURCES


def test_a_copy_has_the_spec_and_goes_with_its_control_plane() -> None:
    live = {"metadata": {"uid": "1"}, "spec": {"buildDefaults": {"env": []}}, "status": {"a": 1}}
    copy = observed.copy(BUILD, live, a_guest().plane)
    assert copy["metadata"]["name"] == "observed-config-build"
    assert copy["metadata"]["namespace"] == "clusters-demo"
    assert copy["metadata"]["ownerReferences"][0]["kind"] == "HostedControlPlane"
    assert json.loads(copy["data"]["config"]) == {
        "apiVersion": "config.openshift.io/v1",
        "kind": "Build",
        "spec": {"buildDefaults": {"env": []}},
    }


def test_of_the_registry_its_state_alone_is_copied() -> None:
    live = {"spec": {"managementState": "Removed", "httpSecret": "secret"}}
    copy = observed.copy(REGISTRY, live, a_guest().plane)
    assert json.loads(copy["data"]["config"])["spec"] == {"managementState": "Removed"}


def test_a_cluster_without_a_registry_is_not_asked_for_it() -> None:
    assert observed.is_served(REGISTRY, a_guest())
    assert not observed.is_served(REGISTRY, a_guest(capabilities={"disabled": ["ImageRegistry"]}))


def test_a_document_without_measure_is_refused() -> None:
    live = {"spec": {"buildDefaults": {"env": ["x" * observed.LARGEST]}}}
    with pytest.raises(InvalidSpec, match="more than 65536"):
        observed.copy(BUILD, live, a_guest().plane)
    nested: list[Any] = []
    for _ in range(sys.getrecursionlimit()):
        nested = [nested]
    with pytest.raises(InvalidSpec, match="nested too deeply"):
        observed.copy(BUILD, {"spec": {"buildDefaults": nested}}, a_guest().plane)


@pytest.mark.parametrize("spec", [None, "managementState", ["managementState"], 7])
def test_a_spec_of_another_form_counts_as_empty(spec: Any) -> None:
    for source in observed.SOURCES:
        copy = observed.copy(source, {"spec": spec}, a_guest().plane)
        assert json.loads(copy["data"]["config"])["spec"] == {}
