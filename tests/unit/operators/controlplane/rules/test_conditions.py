"""Conditions of a HostedControlPlane."""

from typing import Any

import pytest

from hypershift.api.conditions import Condition, ControlPlaneCondition, copied
from hypershift.api.etcd import Etcd
from hypershift.kit import SystemClock
from hypershift.operators.controlplane.rules import conditions as rules
from hypershift.runtime import Conditions

MANAGED = Etcd(management_type="Managed")


def a_set(wanted: int, ready: int) -> dict[str, Any]:
    return {"spec": {"replicas": wanted}, "status": {"readyReplicas": ready}}


@pytest.mark.parametrize(
    ("wanted", "ready", "reason"),
    [
        (1, 0, "EtcdWaitingForQuorum"),
        (1, 1, "QuorumAvailable"),
        (3, 1, "EtcdWaitingForQuorum"),
        (3, 2, "QuorumAvailable"),
    ],
)
def test_etcd_is_available_with_a_majority(wanted: int, ready: int, reason: str) -> None:
    assert rules.etcd_available(MANAGED, a_set(wanted, ready)).reason == reason


def test_an_etcd_that_the_user_runs_is_taken_as_running() -> None:
    verdict = rules.etcd_available(Etcd(management_type="Unmanaged"), None)
    assert (verdict.status, verdict.reason) == ("True", "EtcdRunning")


def test_missing_replicas_of_our_deployments_degrade_the_control_plane() -> None:
    labels = {"hypershift.openshift.io/managed-by": "control-plane-operator"}
    ours: dict[str, Any] = {"metadata": {"name": "kube-scheduler", "labels": labels}}
    ours["status"] = {"unavailableReplicas": 1}
    theirs = {"metadata": {"name": "other"}, "status": {"unavailableReplicas": 1}}
    assert rules.degraded([theirs]).status == "False"
    verdict = rules.degraded([ours, theirs])
    assert verdict.reason == "UnavailableReplicas"
    assert verdict.message == "kube-scheduler deployment has 1 unavailable replicas"


def decided(**statuses: str) -> Conditions:
    conditions = Conditions({}, SystemClock())
    for kind, status in statuses.items():
        found = {"status": status, "reason": f"{kind}Reason", "message": f"{kind} says"}
        conditions.set(copied(found, ControlPlaneCondition(kind)))
    return conditions


GOOD = {
    "InfrastructureReady": "True",
    "EtcdAvailable": "True",
    "KubeAPIServerAvailable": "True",
}


RUNNING = [
    {
        "metadata": {"name": "etcd"},
        "status": {"conditions": [{"type": "Available", "status": "True"}]},
    }
]


def verdict(conditions: Conditions, **known: Any) -> Condition:
    facts: dict[str, Any] = {
        "kubeconfig": True,
        "endpoint_trouble": "",
        "components": RUNNING,
        "was_available": False,
    }
    return rules.available(conditions, **(facts | known))


def test_the_first_thing_that_is_missing_is_the_reason() -> None:
    assert verdict(decided()).reason == "StatusUnknown"
    infra = decided(**GOOD | {"InfrastructureReady": "False"})
    assert verdict(infra, kubeconfig=False).reason == "InfrastructureReadyReason"
    assert verdict(decided(**GOOD), kubeconfig=False).reason == "KubeconfigWaitingForCreate"
    etcd = decided(**GOOD | {"EtcdAvailable": "False", "KubeAPIServerAvailable": "False"})
    assert verdict(etcd).reason == "EtcdAvailableReason"


def test_an_api_server_that_nobody_reaches_is_not_available() -> None:
    found = verdict(decided(**GOOD), endpoint_trouble="no route")
    assert (found.reason, found.message) == ("KASLoadBalancerNotReachable", "no route")


def test_a_component_that_fails_later_does_not_take_availability_back() -> None:
    failing = [{"metadata": {"name": "kube-scheduler"}, "status": {}}]
    assert verdict(decided(**GOOD), components=failing).reason == "ComponentsNotAvailable"
    again = verdict(decided(**GOOD), components=failing, was_available=True)
    assert again.status == "True"


def test_before_any_component_there_is_nothing_to_use() -> None:
    found = verdict(decided(**GOOD), components=[])
    assert found.message == "Control plane components have not been created yet"


def test_everything_there_is_available() -> None:
    assert verdict(decided(**GOOD)).status == "True"


def component(version: str, status: str) -> dict[str, Any]:
    conditions = [{"type": "RolloutComplete", "status": status}]
    return {"metadata": {}, "status": {"version": version, "conditions": conditions}}


def test_a_release_is_rolled_out_when_every_component_says_so() -> None:
    assert not rules.rolled_out([], "1")
    assert rules.rolled_out([component("1", "True")], "1")
    assert not rules.rolled_out([component("1", "True"), component("0", "True")], "1")
    assert not rules.rolled_out([component("1", "False")], "1")
