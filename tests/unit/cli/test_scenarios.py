"""Scenarios: a file says what the cluster is, its operator and what exists."""

from typing import Any

from tests.unit.component.clusters import a_hosted_control_plane

from hypershift.cli.scenarios import part_objects, scenario_objects
from hypershift.component import Component
from hypershift.controlplane import aws_cloud_controller_manager, etcd, kube_scheduler
from hypershift.kit import Manifest

RUNNING = {
    "version": "4.20.0",
    "conditions": {"Available": "True", "RolloutComplete": "True"},
    "for": {"every other": ["kube-apiserver"]},
}


def a_scenario(**changes: Any) -> Manifest:
    hcp = a_hosted_control_plane(platform={"type": "AWS", "aws": {}})
    ordinary = {"release": {"version": "4.20.0"}, "availableComponents": RUNNING}
    return {**ordinary, "hostedControlPlane": hcp, **changes}


def workload(component: Component, **changes: Any) -> Manifest:
    *_, found, _status = scenario_objects(a_scenario(**changes), component)
    return found


def test_pods_get_a_user_where_the_operator_sets_one() -> None:
    operator = {"setDefaultSecurityContext": True, "defaultSecurityContextUID": 1005}
    for component, context in (
        (kube_scheduler.OPENSHIFT, {"runAsUser": 1005}),
        (etcd.OPENSHIFT, {"runAsUser": 1005, "fsGroup": 1005}),
    ):
        pod = workload(component, operator=operator)["spec"]["template"]["spec"]
        assert pod["securityContext"] == context
        assert pod["containers"][0]["securityContext"] == {"readOnlyRootFilesystem": True}


def test_pods_leave_their_user_alone_otherwise() -> None:
    pod = workload(kube_scheduler.OPENSHIFT)["spec"]["template"]["spec"]
    assert "securityContext" not in pod


def test_a_component_waits_for_the_api_server() -> None:
    (status,) = scenario_objects(a_scenario(availableComponents={}), kube_scheduler.OPENSHIFT)
    rollout = status["status"]["conditions"][1]
    assert rollout["message"] == "Waiting for Dependencies: kube-apiserver"


def test_a_part_is_one_object_in_each_case_that_can_be() -> None:
    mode = "hypershift.openshift.io/aws-load-balancer-health-probe-mode"
    cases = {
        said: {
            "hostedControlPlane": {
                **a_scenario()["hostedControlPlane"],
                "metadata": {"annotations": {mode: said}},
            }
        }
        for said in ("Shared", "Never")
    }
    part = {"part": "aws-cloud-config", "cases": cases}
    found = dict(part_objects(part, [aws_cloud_controller_manager.OPENSHIFT]))
    assert {case: one["metadata"]["name"] for case, one in found.items()} == {
        "Shared": "aws-cloud-config"
    }


def test_what_cannot_be_rendered_is_said_in_the_status() -> None:
    scenario = a_scenario()
    marks = {"hypershift.openshift.io/aws-load-balancer-health-probe-mode": "Never"}
    scenario["hostedControlPlane"]["metadata"]["annotations"] = marks
    (status,) = scenario_objects(scenario, aws_cloud_controller_manager.OPENSHIFT)
    rollout = status["status"]["conditions"][1]
    assert rollout["reason"] == "ReconciliationError"
    assert "'Never'" in rollout["message"]
