"""What users declared is wrong, or in the way: a live cluster, broken one way after the other.

HYPERSHIFT_E2E_CLUSTER names an embedded cluster to do this on.
"""

import json

import pytest
from tests.e2e.embedded import until
from tests.e2e.hosted import Hosted
from tests.soak.explain.patient import NAME, PATIENCE, hurry, mended, names_first, restart

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]


def test_a_release_image_that_does_not_exist(hosted: Hosted) -> None:
    image = hosted.resource()["spec"]["release"]["image"]

    def release(reference: str) -> None:
        hosted.patch(json.dumps({"spec": {"release": {"image": reference}}}))

    with mended(hosted, lambda: release(image)):
        release(image.rpartition(":")[0] + ":9.9.9")
        until(names_first(hosted, f"HostedCluster {hosted.namespace}/{NAME}"), PATIENCE, 5)


def test_a_pull_secret_that_is_gone(hosted: Hosted) -> None:
    name = hosted.resource()["spec"]["pullSecret"]["name"]
    secret = hosted.management.get("secret", name, "-n", hosted.namespace)
    for field in ("resourceVersion", "uid", "creationTimestamp"):
        secret["metadata"].pop(field)
    with mended(hosted, lambda: hosted.management.apply(secret)):
        hosted.management.kubectl("delete", "secret", name, "-n", hosted.namespace)
        until(names_first(hosted, f"Secret {hosted.namespace}/{name}"), PATIENCE, 5)


def test_a_quota_that_allows_nothing(hosted: Hosted) -> None:
    metadata = {"name": "tight", "namespace": hosted.plane}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata,
        "spec": {"hard": {"pods": "0"}},
    }

    def mend() -> None:
        words = ("delete", "resourcequota", "tight", "-n", hosted.plane, "--ignore-not-found")
        hosted.management.kubectl(*words)
        hurry(hosted, "kube-scheduler")

    with mended(hosted, mend):
        hosted.management.apply(quota)
        restart(hosted, "kube-scheduler")
        until(names_first(hosted, f"ResourceQuota {hosted.plane}/tight"), PATIENCE, 5)


def test_a_storage_class_that_does_not_exist(hosted: Hosted) -> None:
    other = Hosted(hosted.management, "no-storage", hosted.files)
    try:
        other.create("--etcd-storage-class", "nowhere", wait=False)
        until(names_first(hosted, "StorageClass /nowhere", name=other.name), PATIENCE, 5)
    finally:
        other.destroy()


def test_a_network_policy_of_somebody_else(hosted: Hosted) -> None:
    policy = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "deny-all", "namespace": hosted.plane},
        "spec": {
            "podSelector": {"matchLabels": {"app": "kube-apiserver"}},
            "policyTypes": ["Egress"],
        },
    }
    mend = ("delete", "networkpolicy", "deny-all", "-n", hosted.plane, "--ignore-not-found")
    with mended(hosted, lambda: hosted.management.kubectl(*mend)):
        hosted.management.apply(policy)
        restart(hosted, "kube-apiserver")
        until(names_first(hosted, f"NetworkPolicy {hosted.plane}/deny-all"), PATIENCE, 5)


def test_a_webhook_without_a_server(hosted: Hosted) -> None:
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"]}
    config = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "guards"},
        "webhooks": [
            {
                "name": "guard.example.com",
                "clientConfig": {"service": {"name": "guard", "namespace": "default"}},
                "rules": [{**rule, "resources": ["pods"]}],
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": hosted.plane}},
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
            }
        ],
    }

    def mend() -> None:
        words = ("delete", "validatingwebhookconfiguration", "guards", "--ignore-not-found")
        hosted.management.kubectl(*words)
        hurry(hosted, "kube-scheduler")

    with mended(hosted, mend):
        hosted.management.apply(config)
        restart(hosted, "kube-scheduler")
        until(names_first(hosted, "ValidatingWebhookConfiguration /guards"), PATIENCE, 5)
