"""A hosted control plane as its users meet it: reachable, made of real parts, held as declared."""

import base64
import json
import time
from collections.abc import Callable

import pytest
from tests.e2e import processes
from tests.e2e.embedded import Manifest
from tests.e2e.hosted import Hosted
from tests.e2e.traffic import Traffic

from hypershift import parts
from hypershift.parts.cache import sha256_of
from hypershift.parts.pins import pins

pytestmark = [pytest.mark.e2e]

PROGRAMS = {
    "busybox",  # the shell around konnectivity-server
    "etcd",
    "konnectivity-server",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "pause",
}
EXPECTED = {
    "Available": "True",
    "Degraded": "False",
    "EtcdAvailable": "True",
    "InfrastructureReady": "True",
    "KubeAPIServerAvailable": "True",
    "ReconciliationActive": "True",
    "SupportedHostedCluster": "True",
    "ValidConfiguration": "True",
    "ValidReleaseImage": "True",
}


def test_a_created_cluster_says_that_all_is_well(hosted: Hosted) -> None:
    found = hosted.until(
        lambda: {kind: hosted.conditions()[kind]["status"] for kind in EXPECTED} == EXPECTED,
        "conditions of a healthy cluster",
        hosted.conditions,
    )
    assert found
    history = hosted.resource()["status"]["version"]["history"]
    assert [(entry["state"], entry["version"]) for entry in history] == [
        ("Completed", parts.KUBERNETES)
    ]


def test_its_admin_kubeconfig_works_from_the_host(hosted: Hosted) -> None:
    version = json.loads(hosted.kubectl("version", "-o", "json"))["serverVersion"]
    assert version["gitVersion"] == f"v{parts.KUBERNETES}"
    hosted.kubectl("create", "configmap", "from-the-host", "--from-literal=a=b")
    try:
        assert hosted.get("configmap", "from-the-host")["data"] == {"a": "b"}
        assert hosted.kubectl("auth", "can-i", "*", "*").strip() == "yes"
    finally:
        hosted.kubectl("delete", "configmap", "from-the-host")
    with Traffic(hosted.kubeconfig, name="steady") as traffic:
        time.sleep(2)
    assert traffic.log.failed == []
    assert traffic.log.acknowledged
    assert traffic.lost() == []


def test_every_process_of_its_pods_is_a_pinned_part_in_a_cgroup_of_the_kubelet(
    hosted: Hosted,
) -> None:
    pods = {pod["metadata"]["uid"]: pod for pod in hosted.pods()}
    running = processes.of_pods(set(pods))
    assert {each.pod for each in running} == set(pods)
    assert all("kubepods" in each.cgroup for each in running)
    executed = processes.checksums(each.pid for each in running)
    assert executed == {name: {sha256_of(parts.path(name))} for name in PROGRAMS}
    known = {pin for builds in pins().values() for pin in builds.values()}
    # the host's own compiler made pause, its distribution busybox: no bytes known beforehand
    for name in PROGRAMS - {"busybox", "pause"}:
        assert executed[name] <= known, name


def test_what_somebody_changes_or_deletes_is_put_back(hosted: Hosted) -> None:
    vandalism: dict[str, tuple[tuple[str, ...], Callable[[], bool]]] = {
        "another release in the control plane": (
            _patch(
                "hostedcontrolplane", hosted.name, {"spec": {"releaseImage": "example.com/a:b"}}
            ),
            lambda: "example.com" not in _plane(hosted)["spec"]["releaseImage"],
        ),
        "a field that we have no opinion on": (
            _patch("hostedcontrolplane", hosted.name, {"spec": {"fips": True}}),
            lambda: not _plane(hosted)["spec"].get("fips"),
        ),
        "a flag of the scheduler": (
            _patch("deployment", "kube-scheduler", {"spec": {"replicas": 0}}),
            lambda: _seen(hosted, "deployment", "kube-scheduler")["spec"]["replicas"] == 1,
        ),
        "an isolation policy": (
            ("delete", "networkpolicy", "same-namespace"),
            lambda: bool(_seen(hosted, "networkpolicy", "same-namespace")),
        ),
        "the API server's Service": (
            _patch("service", "kube-apiserver", {"spec": {"selector": {"app": "nobody"}}}),
            lambda: (
                _seen(hosted, "service", "kube-apiserver")["spec"]["selector"]["app"]
                == "kube-apiserver"
            ),
        ),
        "a certificate": (
            ("delete", "secret", "kas-server-crt"),
            lambda: bool(_seen(hosted, "secret", "kas-server-crt")),
        ),
    }
    for words, _ in vandalism.values():
        hosted.management.kubectl("-n", hosted.plane, *words)
    for what, (_, healed) in vandalism.items():
        hosted.until(healed, f"healing of {what}", seconds=120)
    hosted.await_condition("Available")
    hosted.kubectl("get", "--raw", "/readyz")


def test_the_api_is_encrypted_at_rest_from_the_first_write(hosted: Hosted) -> None:
    hosted.kubectl("create", "secret", "generic", "at-rest", "--from-literal=word=plainly-seen")
    try:
        script = f"{ETCDCTL} get --write-out=json /registry/secrets/default/at-rest"
        answer = json.loads(hosted.management.shell("etcd-0", script, hosted.plane))
    finally:
        hosted.kubectl("delete", "secret", "at-rest")
    stored = base64.b64decode(answer["kvs"][0]["value"])
    assert stored.startswith(b"k8s:enc:aescbc:v1:")
    assert b"plainly-seen" not in stored


ETCDCTL = (
    "etcdctl --endpoints=https://localhost:2379 --cacert=/etc/etcd/tls/etcd-ca/ca.crt "
    "--cert=/etc/etcd/tls/server/server.crt --key=/etc/etcd/tls/server/server.key"
)


def _patch(kind: str, name: str, patch: Manifest) -> tuple[str, ...]:
    return ("patch", kind, name, "--type=merge", "-p", json.dumps(patch))


def _plane(hosted: Hosted) -> Manifest:
    return _seen(hosted, "hostedcontrolplane", hosted.name)


def _seen(hosted: Hosted, kind: str, name: str) -> Manifest:
    """An object of the control plane; empty while it is not there."""
    words = ("get", kind, name, "-n", hosted.plane, "--ignore-not-found", "-o", "json")
    found: Manifest = json.loads(hosted.management.kubectl(*words) or "{}")
    return found
