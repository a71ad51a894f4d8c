"""A control plane that is broken in one place, and the object that is named for it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.explain.pictures import (
    JUST_NOW,
    LONG_AGO,
    NOW,
    SPACE,
    a_cluster,
    a_condition,
    a_node,
    a_picture,
    a_pod,
    an_event,
    an_object,
    explained,
    the_operator,
)

from hypershift.explain import Certificate, explain_cluster, text
from hypershift.explain.rules.etcd import quorum
from hypershift.kit import Manifest


def test_a_cluster_that_is_well_has_no_cause() -> None:
    report = explain_cluster(a_picture())
    assert report.well
    assert "HostedCluster clusters/demo is well" in text(report)


def test_a_release_that_cannot_be_read_is_the_clusters_own_trouble() -> None:
    bad = a_condition("ValidReleaseImage", "False", "InvalidImage", "manifest unknown")
    assert explained(cluster=a_cluster(bad)) == "HostedCluster clusters/demo"


def test_a_registry_that_says_no_points_at_the_pull_secret() -> None:
    bad = a_condition("ValidReleaseImage", "False", "InvalidImage", "401 Unauthorized")
    assert explained(cluster=a_cluster(bad)) == "Secret clusters/pull"


@pytest.mark.parametrize("keys", [None, ("other",)])
def test_a_pull_secret_that_is_missing_or_empty_is_named(keys: tuple[str, ...] | None) -> None:
    bad = a_condition("ValidReleaseImage", "False", "SecretNotFound", "not there")
    found = explained(cluster=a_cluster(bad), references={("Secret", "pull"): keys})
    assert found == "Secret clusters/pull"


def test_a_key_that_cannot_be_changed_is_told_with_what_refuses_it() -> None:
    text_ = "1 of 9 objects are refused, first secrets shop/tls: by a webhook"
    bad = a_condition("EtcdDataEncryptionUpToDate", "False", "ReEncryptionFailed", text_)
    report = explain_cluster(a_picture(cluster=a_cluster(bad)))
    assert "secrets shop/tls" in report.causes[0].cause


def test_a_key_that_is_being_changed_is_no_trouble() -> None:
    going = a_condition("EtcdDataEncryptionUpToDate", "False", "ReEncryptionInProgress", "it goes")
    assert explain_cluster(a_picture(cluster=a_cluster(going))).well


def test_a_replacement_of_authorities_that_is_refused_is_told_with_the_reason() -> None:
    why = "The key that signs tokens of service accounts stays: it is yours"
    bad = a_condition("AuthoritiesRotated", "False", "AuthorityRotationRefused", why)
    report = explain_cluster(a_picture(cluster=a_cluster(bad)))
    assert why in report.causes[0].cause


def test_a_replacement_under_way_is_told_and_is_no_trouble() -> None:
    going = a_condition("AuthoritiesRotated", "False", "KeepingOldAuthorities", "until noon")
    report = explain_cluster(a_picture(cluster=a_cluster(going)))
    assert report.well
    assert any("KeepingOldAuthorities" in one.says and one.well for one in report.way)


def a_refused_set(message: str) -> tuple[Manifest, Manifest]:
    stuck = an_object("ReplicaSet", "kube-scheduler-1", spec={"replicas": 1})
    return stuck, an_event("ReplicaSet", "kube-scheduler-1", message)


def test_a_quota_is_named_by_the_words_of_the_api_server() -> None:
    message = (
        'Error creating: pods "kube-scheduler-1-x" is forbidden: exceeded quota: tight, '
        "requested: pods=1, used: pods=9, limited: pods=9"
    )
    quota = an_object("ResourceQuota", "tight")
    assert explained(*a_refused_set(message), quota) == f"ResourceQuota {SPACE}/tight"
    assert explained(*a_refused_set(message)) == f"ReplicaSet {SPACE}/kube-scheduler-1"


def test_a_refusal_that_is_over_is_history() -> None:
    stuck, event = a_refused_set("exceeded quota: tight, requested: a, used: b, limited: c")
    stuck["status"]["replicas"] = 1
    assert explain_cluster(a_picture(stuck, event)).well


def test_a_refusal_of_a_set_that_was_made_anew_is_history() -> None:
    stuck, event = a_refused_set("exceeded quota: tight, requested: a, used: b, limited: c")
    stuck["metadata"]["creationTimestamp"] = JUST_NOW
    event["lastTimestamp"] = LONG_AGO
    assert explain_cluster(a_picture(stuck, event, an_object("ResourceQuota", "tight"))).well


def test_a_webhook_without_a_server_is_found_by_its_configuration() -> None:
    message = (
        'Error creating: Internal error occurred: failed calling webhook "guard.example.com": '
        'failed to call webhook: service "guard" not found'
    )
    config = {
        **an_object("ValidatingWebhookConfiguration", "guards"),
        "webhooks": [{"name": "guard.example.com"}],
    }
    config["metadata"].pop("namespace")
    assert explained(*a_refused_set(message), config) == "ValidatingWebhookConfiguration guards"


def test_an_admission_policy_that_denies_is_named() -> None:
    message = (
        "pods is forbidden: ValidatingAdmissionPolicy 'no-pods' with binding 'b' denied request: no"
    )
    assert explained(*a_refused_set(message)) == "ValidatingAdmissionPolicy no-pods"


def test_pod_security_is_the_namespaces() -> None:
    message = 'pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged'
    assert explained(*a_refused_set(message)) == f"Namespace {SPACE}"


def a_pending_claim(storage_class: str) -> Manifest:
    claim = an_object(
        "PersistentVolumeClaim", "data-etcd-0", spec={"storageClassName": storage_class}
    )
    claim["status"]["phase"] = "Pending"
    return claim


def test_a_storage_class_that_is_not_there_is_named() -> None:
    assert explained(a_pending_claim("fast")) == "StorageClass fast"


def test_a_claim_is_named_when_its_class_is_there_but_gives_nothing() -> None:
    known = an_object("StorageClass", "fast")
    assert explained(a_pending_claim("fast"), known) == (
        f"PersistentVolumeClaim {SPACE}/data-etcd-0"
    )


def test_a_foreign_policy_that_cuts_pods_off_is_named() -> None:
    policy = an_object(
        "NetworkPolicy",
        "deny",
        spec={"podSelector": {"matchLabels": {"app": "etcd"}}, "policyTypes": ["Egress"]},
        managedFields=[{"manager": "kubectl-client-side-apply"}],
    )
    assert explained(policy) == f"NetworkPolicy {SPACE}/deny"


def test_our_own_policies_are_not_suspected() -> None:
    policy = an_object(
        "NetworkPolicy",
        "kas",
        spec={"podSelector": {}, "policyTypes": ["Egress"]},
        managedFields=[{"manager": "hostedcluster"}],
    )
    assert explain_cluster(a_picture(policy)).well


@pytest.mark.parametrize(
    ("starts", "ends", "problem"),
    [(-9, -1, ""), (1, 9, ""), (-1, 9, "it does not belong to the private key beside it")],
)
def test_a_certificate_that_nobody_accepts_is_named(starts: int, ends: int, problem: str) -> None:
    moment = (NOW + timedelta(days=starts), NOW + timedelta(days=ends))
    bad = Certificate("kas-server-crt", "tls.crt", "CN=kubernetes", *moment, problem)
    assert explained(certificates=(bad,)) == f"Secret {SPACE}/kas-server-crt"


def test_a_management_node_that_is_away_explains_the_rest() -> None:
    away = a_node("node-0", "Unknown", "Kubelet stopped posting node status.")
    crash = a_pod("etcd-0", "etcd", ready=False)
    assert explained(away, crash) == "Node clusters-demo/node-0"


def test_etcd_without_a_majority_is_named() -> None:
    members = an_object("StatefulSet", "etcd", spec={"replicas": 3})
    members["status"]["readyReplicas"] = 1
    assert explained(members) == f"StatefulSet {SPACE}/etcd"
    [found] = quorum(a_picture(members))
    assert "hypershift fix etcd" in found.step


def test_etcd_that_is_young_gets_its_time() -> None:
    members = an_object("StatefulSet", "etcd", spec={"replicas": 1}, creationTimestamp=JUST_NOW)
    assert explain_cluster(a_picture(members)).well


def test_an_image_that_cannot_be_pulled_names_the_pod() -> None:
    status = {
        "name": "kube-apiserver",
        "image": "registry/kas:1",
        "state": {"waiting": {"reason": "ImagePullBackOff", "message": "not found"}},
    }
    pod = a_pod("kube-apiserver-0", "kube-apiserver", ready=False, containerStatuses=[status])
    assert explained(pod) == f"Pod {SPACE}/kube-apiserver-0"


def test_an_image_that_is_refused_names_the_pull_secret() -> None:
    message = "failed to pull: 401 Unauthorized"
    status = {
        "name": "c",
        "image": "registry/kas:1",
        "state": {"waiting": {"reason": "ErrImagePull", "message": message}},
    }
    pod = a_pod("kube-apiserver-0", "kube-apiserver", ready=False, containerStatuses=[status])
    assert explained(pod) == f"Secret {SPACE}/pull-secret"


def test_a_container_that_crashes_is_told_with_its_last_words() -> None:
    status = {
        "name": "kube-apiserver",
        "image": "i",
        "restartCount": 4,
        "ready": False,
        "state": {"waiting": {"reason": "CrashLoopBackOff"}},
    }
    pod = a_pod("kube-apiserver-0", "kube-apiserver", ready=False, containerStatuses=[status])
    logs = {"kube-apiserver-0/kube-apiserver": "E1 open /etc/kubernetes/x: no such file"}
    report = explain_cluster(a_picture(pod, logs=logs))
    assert "no such file" in " ".join(report.causes[0].seen)


def test_a_pod_without_a_node_says_what_the_scheduler_says() -> None:
    pod = a_pod("kube-apiserver-0", "kube-apiserver", ready=False)
    pod["status"]["conditions"] = [
        a_condition("PodScheduled", "False", "Unschedulable", "0/1 nodes: Insufficient cpu")
    ]
    assert explained(pod) == f"Pod {SPACE}/kube-apiserver-0"


def test_an_operator_that_is_not_there_is_named() -> None:
    away = the_operator()
    away["spec"]["replicas"] = 0
    assert explained(away) == "Deployment hypershift/operator"


def test_a_pause_is_told() -> None:
    active = a_condition("ReconciliationActive", "False", "ReconciliationPaused")
    cluster = a_cluster(active, pausedUntil="true")
    assert explained(cluster=cluster) == "HostedCluster clusters/demo"


def test_a_service_without_an_address_is_named() -> None:
    service = an_object("Service", "kube-apiserver", spec={"type": "LoadBalancer"})
    assert explained(service) == f"Service {SPACE}/kube-apiserver"


def test_the_condition_is_told_when_no_rule_knows_better() -> None:
    bad = a_condition("Available", "False", "Odd", "something odd")
    report = explain_cluster(
        a_picture(an_object("HostedControlPlane", "demo", bad), cluster=a_cluster(bad))
    )
    assert "something odd" in report.causes[0].cause


def test_what_could_not_be_read_is_said() -> None:
    picture = replace(a_picture(), unread=("secrets in clusters: forbidden",))
    assert "secrets in clusters: forbidden" in text(explain_cluster(picture))


def test_colours_are_for_terminals() -> None:
    report = explain_cluster(a_picture())
    assert "\033[" not in text(report)
    assert "\033[" in text(report, colour=True)
