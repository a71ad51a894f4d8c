"""What may die and what then happens: units, the supervisor, nodes, a zone, the whole cluster."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
from tests.e2e import web
from tests.e2e.embedded import Cluster, a_pod, until

pytestmark = [pytest.mark.e2e]

NAMESPACE = "e2e-failures"
UNITS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "registry",
    "resolver",
    "supervisor",
)
LONGEST_GAP = 10.0


@pytest.fixture(scope="module")
def service(cluster: Cluster) -> Iterator[str]:
    """The address of a Service with a pod in each zone, and a volume that holds a word."""
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "kept", "namespace": NAMESPACE},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Mi"}}},
    }
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "kept"}}
    pod = a_pod("keeper", cluster.busybox, "exec sleep 100000", NAMESPACE, volumes=[volume])
    pod["spec"]["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    # A set, since a lost node takes its bare pods with it for good.
    keeper = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "keeper", "namespace": NAMESPACE},
        "spec": {
            "serviceName": "keeper",
            "selector": {"matchLabels": {"app": "keeper"}},
            "template": {"metadata": {"labels": {"app": "keeper"}}, "spec": pod["spec"]},
        },
    }
    with cluster.namespace(NAMESPACE):
        cluster.apply(
            web.a_deployment(cluster.busybox, NAMESPACE, over=web.ZONE),
            web.a_balancer(NAMESPACE),
            claim,
            keeper,
        )
        cluster.kubectl("rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=90s")
        cluster.kubectl("rollout", "status", "-n", NAMESPACE, "statefulset/keeper", "--timeout=60s")
        cluster.shell("keeper-0", "echo word > /data/word", NAMESPACE)
        yield web.balancer_address(cluster, NAMESPACE)


def works(cluster: Cluster) -> bool:
    """Whether a new pod comes to life: every part of the control plane has its share in that."""
    name = f"probe-{time.monotonic_ns()}"
    cluster.apply(a_pod(name, cluster.busybox, "sleep 1000", NAMESPACE))
    ready = ("wait", "-n", NAMESPACE, f"pod/{name}", "--for=condition=Ready", "--timeout=20s")
    done = cluster.try_kubectl(*ready)
    cluster.try_kubectl("delete", "pod", name, "-n", NAMESPACE, "--wait=false")
    return done.returncode == 0


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_that_is_killed_comes_back_and_service_goes_on(
    cluster: Cluster, service: str, unit: str
) -> None:
    with web.watched(service) as gap:
        before = cluster.pid(unit)
        os.kill(before, signal.SIGKILL)
        until(lambda: cluster.pid(unit) != before, 30, every=0.1)
        until(lambda: works(cluster), 60)
    assert gap[0] < LONGEST_GAP
    assert cluster.shell("keeper-0", "cat /data/word", NAMESPACE).strip() == "word"


def test_the_loss_of_a_node_moves_its_pods_and_hardly_stops_service(
    cluster: Cluster, service: str
) -> None:
    keeper = cluster.get("pod", "keeper-0", "-n", NAMESPACE)["spec"]["nodeName"]
    others = [node["metadata"]["name"] for node in cluster.get("nodes")]
    victim = next(name for name in others if name != keeper)
    with web.watched(service) as gap:
        cluster.machine("kill", victim)
        until(lambda: not web.pods_on(cluster, NAMESPACE, victim), 60)
        until(lambda: len(web.ready_pods(cluster, NAMESPACE)) == 3, 60)
    assert gap[0] < LONGEST_GAP
    cluster.machine("start", victim)
    until(lambda: web.is_back(cluster, victim), 60)


def test_a_frozen_node_hardly_stops_service(cluster: Cluster, service: str) -> None:
    victim = web.ready_pods(cluster, NAMESPACE)[0]["spec"]["nodeName"]
    with web.watched(service) as gap:
        cluster.machine("pause", victim)
        time.sleep(LONGEST_GAP)
        cluster.machine("resume", victim)
    assert gap[0] < LONGEST_GAP
    until(lambda: web.is_back(cluster, victim), 60)


def test_the_loss_of_a_zone_hardly_stops_service(cluster: Cluster, service: str) -> None:
    with web.watched(service) as gap:
        cluster.zone("down", "zone-b")
        until(lambda: len(web.ready_pods(cluster, NAMESPACE)) == 3, 60)
    assert gap[0] < LONGEST_GAP
    cluster.zone("up", "zone-b")
    names = [node["metadata"]["name"] for node in cluster.get("nodes")]
    until(lambda: all(web.is_back(cluster, name) for name in names), 60)


def test_a_rebooted_node_comes_back_with_its_volumes(cluster: Cluster, service: str) -> None:
    pod = cluster.get("pod", "keeper-0", "-n", NAMESPACE)
    place = pod["spec"]["nodeName"]
    boot = cluster.get("node", place)["status"]["nodeInfo"]["bootID"]
    with web.watched(service) as gap:
        cluster.machine("reboot", place)
        until(lambda: cluster.get("node", place)["status"]["nodeInfo"]["bootID"] != boot, 60)
        until(lambda: web.is_back(cluster, place), 60)
        word = until(lambda: cluster.shell("keeper-0", "cat /data/word", NAMESPACE), 60)
    assert word.strip() == "word"
    assert cluster.get("pod", "keeper-0", "-n", NAMESPACE)["spec"]["nodeName"] == place
    assert gap[0] < LONGEST_GAP


def test_a_restarted_cluster_has_all_its_data(cluster: Cluster, service: str) -> None:
    before = cluster.get("pv")
    cluster.local("down")
    assert cluster.try_kubectl("version", "--request-timeout=2s").returncode != 0
    cluster.local("up")
    assert [each["metadata"]["uid"] for each in cluster.get("pv")] == [
        each["metadata"]["uid"] for each in before
    ]
    word = until(lambda: cluster.shell("keeper-0", "cat /data/word", NAMESPACE), 60)
    assert word.strip() == "word"
    with web.watched(service):
        until(lambda: len(web.ready_pods(cluster, NAMESPACE)) == 3, 60)
