"""What is seen of a control plane, and the condition that the original makes of it."""

from typing import Any

import pytest

from hypershift.api.conditions import Condition
from hypershift.api.etcd import Etcd
from hypershift.kit import Manifest
from hypershift.operators.controlplane.rules import conditions as rules

MANAGED, UNMANAGED, UNSET = (Etcd(management_type=kind) for kind in ("Managed", "Unmanaged", ""))
LABELS = {"hypershift.openshift.io/managed-by": "control-plane-operator"}
QUORUM = "Waiting for etcd to reach quorum"
ASSUMED = "Etcd cluster is assumed to be running in unmanaged state"


def members(wanted: int, ready: int) -> Manifest:
    return {"spec": {"replicas": wanted}, "status": {"readyReplicas": ready}}


def deployment(name: str = "kube-apiserver", missing: int = 0, available: str = "") -> Manifest:
    conditions = [{"type": "Available", "status": available}] if available else []
    status: dict[str, Any] = {"unavailableReplicas": missing, "conditions": conditions}
    return {"metadata": {"name": name, "labels": LABELS}, "status": status}


Row = tuple[Condition, str, str, str]

TABLE: dict[str, Row] = {
    "etcd: the user's own": (
        rules.etcd_available(UNMANAGED, None),
        "True",
        "EtcdRunning",
        ASSUMED,
    ),
    "etcd: nobody's": (rules.etcd_available(UNSET, None), "Unknown", "StatusUnknown", ""),
    "etcd: nothing yet": (
        rules.etcd_available(MANAGED, None),
        "False",
        "StatefulSetNotFound",
        "",
    ),
    "etcd: one of three": (
        rules.etcd_available(MANAGED, members(3, 1)),
        "False",
        "EtcdWaitingForQuorum",
        QUORUM,
    ),
    "etcd: a disk complains": (
        rules.etcd_available(MANAGED, members(3, 1), "Etcd volume claim data-etcd-0 pending: no"),
        "False",
        "EtcdWaitingForQuorum",
        "Etcd volume claim data-etcd-0 pending: no",
    ),
    "etcd: two of three": (
        rules.etcd_available(MANAGED, members(3, 2)),
        "True",
        "QuorumAvailable",
        "",
    ),
    "api: nothing yet": (
        rules.api_server_available(None),
        "False",
        "NotFound",
        "Kube APIServer deployment not found",
    ),
    "api: says nothing": (
        rules.api_server_available(deployment()),
        "False",
        "StatusUnknown",
        "",
    ),
    "api: not available": (
        rules.api_server_available(deployment(available="False")),
        "False",
        "WaitingForAvailable",
        "Waiting for Kube APIServer deployment to become available",
    ),
    "api: available": (
        rules.api_server_available(deployment(available="True")),
        "True",
        "AsExpected",
        "Kube APIServer deployment is available",
    ),
    "degraded: no": (rules.degraded([deployment()]), "False", "AsExpected", ""),
    "degraded: one": (
        rules.degraded([deployment("a", 2), deployment("b")]),
        "True",
        "UnavailableReplicas",
        "a deployment has 2 unavailable replicas",
    ),
    "degraded: two": (
        rules.degraded([deployment("b", 1), deployment("a", 2)]),
        "True",
        "UnavailableReplicas",
        "[a deployment has 2 unavailable replicas, b deployment has 1 unavailable replicas]",
    ),
    "infrastructure: waits": (
        rules.infrastructure_ready("APIServer load balancer has no address"),
        "False",
        "WaitingOnInfrastructureReady",
        "APIServer load balancer has no address",
    ),
    "infrastructure: wrong": (
        rules.infrastructure_ready("waits", "APIServer service strategy not specified"),
        "Unknown",
        "InfraStatusFailure",
        "APIServer service strategy not specified",
    ),
    "infrastructure: there": (
        rules.infrastructure_ready(""),
        "True",
        "AsExpected",
        "All is well",
    ),
    "release: whole": (rules.release_info(()), "True", "AsExpected", "All is well"),
    "release: lacks images": (
        rules.release_info(("b", "a")),
        "False",
        "MissingReleaseImages",
        "a, b",
    ),
    "dns: none asked for": (
        rules.external_dns("", ""),
        "Unknown",
        "StatusUnknown",
        "External DNS is not configured",
    ),
    "dns: does not resolve": (
        rules.external_dns("api.example.org", "no such host"),
        "False",
        "ExternalDNSHostNotReachable",
        "no such host",
    ),
    "dns: resolves": (
        rules.external_dns("api.example.org", ""),
        "True",
        "AsExpected",
        "All is well",
    ),
}


@pytest.mark.parametrize(("found", "status", "reason", "message"), TABLE.values(), ids=TABLE.keys())
def test_condition(found: Condition, status: str, reason: str, message: str) -> None:
    assert (found.status, found.reason, found.message) == (status, reason, message)


def claim(name: str, phase: str) -> Manifest:
    return {"metadata": {"name": name}, "status": {"phase": phase}}


def warning(name: str, message: str, kind: str = "Warning") -> Manifest:
    involved = {"kind": "PersistentVolumeClaim", "name": name}
    return {"type": kind, "message": message, "involvedObject": involved}


def test_the_first_claim_that_is_not_bound_tells_why() -> None:
    events = [
        warning("data-etcd-0", "bound is bound"),
        warning("data-etcd-1", "no such class"),
        warning("data-etcd-1", "no such class"),
        warning("data-etcd-1", "waiting", "Normal"),
    ]
    claims = [claim("data-etcd-0", "Bound"), claim("data-etcd-1", "Pending")]
    found = rules.claim_trouble(claims, events)
    assert found == "Etcd volume claim data-etcd-1 pending: no such class"
    assert rules.claim_trouble(claims[:1], events) == ""


def test_the_newest_warning_of_each_reason_is_told() -> None:
    def event(reason: str, when: int, message: str, uid: str = "1") -> Manifest:
        metadata = {"creationTimestamp": f"2026-01-01T00:00:0{when}Z"}
        about = {"kind": "Service", "name": "api", "uid": uid}
        said = {"type": "Warning", "reason": reason, "message": message}
        return {"metadata": metadata, "involvedObject": about, **said}

    events = [
        event("Failed", 1, "no quota"),
        event("Failed", 3, "still no quota"),
        event("Slow", 2, "takes long"),
        event("Failed", 4, "of a namesake", uid="2"),
    ]
    service = {"metadata": {"name": "api", "uid": "1"}}
    assert rules.warnings_about("Service", service, events) == "still no quota; takes long"


def restoring(*statuses: Manifest) -> list[Manifest]:
    return [{"status": {"initContainerStatuses": [{"name": "etcd-init", **s}]}} for s in statuses]


def test_a_snapshot_is_restored_once_every_member_started_from_it() -> None:
    one, failed = {"ready": True}, {"lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}}
    assert rules.snapshot_restored(members(2, 1), restoring(one, one)) is None
    assert rules.snapshot_restored(members(2, 2), restoring(one)) is None
    done = rules.snapshot_restored(members(2, 2), restoring(one, one))
    bad = rules.snapshot_restored(members(2, 2), restoring(one, failed))
    assert done is not None
    assert bad is not None
    assert (done.status, done.reason) == ("True", "AsExpected")
    assert (bad.status, bad.reason) == ("False", "Error")


def test_a_refused_snapshot_is_reported_while_members_wait_for_it() -> None:
    ended = {"exitCode": 1, "reason": "Error", "message": "its digest does not match\n"}
    fetching: Manifest = {
        "name": "etcd-fetch",
        "state": {"waiting": {}},
        "lastState": {"terminated": ended},
    }
    pods = [{"status": {"initContainerStatuses": [fetching, {"name": "etcd-init"}]}}]
    found = rules.snapshot_restored(members(1, 0), pods)
    assert found is not None
    assert (found.status, found.message) == ("False", "its digest does not match")
    fetching["ready"] = True
    assert rules.snapshot_restored(members(1, 0), pods) is None
