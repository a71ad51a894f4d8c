"""What may die and what then happens: units, the supervisor, nodes, a zone, the whole cluster."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.e2e.embedded import Cluster, Manifest, a_pod, a_web_server, until

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


def a_deployment(image: str) -> Manifest:
    labels = {"app": "web"}
    spread = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels},
    }
    pod = a_pod("web", image, a_web_server(), topologySpreadConstraints=[spread])["spec"]
    probe = {"httpGet": {"path": "/", "port": 8080}, "periodSeconds": 1}
    pod["containers"][0]["readinessProbe"] = probe
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": NAMESPACE},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


@pytest.fixture(scope="module")
def service(cluster: Cluster) -> Iterator[str]:
    """The address of a Service with a pod in each zone, and a volume that holds a word."""
    balancer = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": NAMESPACE},
        "spec": {
            "type": "LoadBalancer",
            "selector": {"app": "web"},
            "ports": [{"port": 80, "targetPort": 8080}],
        },
    }
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
        cluster.apply(a_deployment(cluster.busybox), balancer, claim, keeper)
        cluster.kubectl("rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=90s")
        cluster.kubectl("rollout", "status", "-n", NAMESPACE, "statefulset/keeper", "--timeout=60s")
        cluster.shell("keeper-0", "echo word > /data/word", NAMESPACE)
        found = until(lambda: cluster.get("service", "web", "-n", NAMESPACE)["status"])
        yield str(found["loadBalancer"]["ingress"][0]["ip"])


@contextmanager
def watched(address: str) -> Iterator[list[float]]:
    """A client that asks all the time; the list holds the longest time without an answer."""
    gaps, over = [0.0], threading.Event()

    def ask() -> None:
        last = time.monotonic()
        while not over.is_set():
            try:
                with socket.create_connection((address, 80), 1) as connection:
                    connection.settimeout(1)
                    connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
                    answered = bool(connection.recv(1))
            except OSError:
                answered = False
            now = time.monotonic()
            gaps[0] = max(gaps[0], now - last)
            if answered:
                last = now
            time.sleep(0.02)

    client = threading.Thread(target=ask)
    client.start()
    try:
        yield gaps
    finally:
        over.set()
        client.join()


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
    with watched(service) as gap:
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
    with watched(service) as gap:
        cluster.machine("kill", victim)
        until(lambda: not pods_on(cluster, victim), 60)
        until(lambda: len(ready_pods(cluster)) == 3, 60)
    assert gap[0] < LONGEST_GAP
    cluster.machine("start", victim)
    until(lambda: is_ready(cluster, victim) and not taints(cluster, victim), 60)


def test_a_frozen_node_hardly_stops_service(cluster: Cluster, service: str) -> None:
    victim = ready_pods(cluster)[0]["spec"]["nodeName"]
    with watched(service) as gap:
        cluster.machine("pause", victim)
        time.sleep(LONGEST_GAP)
        cluster.machine("resume", victim)
    assert gap[0] < LONGEST_GAP
    until(lambda: is_ready(cluster, victim) and not taints(cluster, victim), 60)


def test_the_loss_of_a_zone_hardly_stops_service(cluster: Cluster, service: str) -> None:
    with watched(service) as gap:
        cluster.zone("down", "zone-b")
        until(lambda: len(ready_pods(cluster)) == 3, 60)
    assert gap[0] < LONGEST_GAP
    cluster.zone("up", "zone-b")
    names = [node["metadata"]["name"] for node in cluster.get("nodes")]
    until(lambda: all(is_ready(cluster, name) and not taints(cluster, name) for name in names), 60)


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
    with watched(service):
        until(lambda: len(ready_pods(cluster)) == 3, 60)


def ready_pods(cluster: Cluster) -> list[Manifest]:
    def ready(pod: Manifest) -> bool:
        conditions = pod["status"].get("conditions", [])
        return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)

    return [pod for pod in cluster.get("pods", "-n", NAMESPACE, "-l", "app=web") if ready(pod)]


def pods_on(cluster: Cluster, node: str) -> list[Manifest]:
    pods = cluster.get("pods", "-n", NAMESPACE, "--field-selector", f"spec.nodeName={node}")
    assert isinstance(pods, list)
    return pods


def is_ready(cluster: Cluster, name: str) -> bool:
    conditions = cluster.get("node", name)["status"]["conditions"]
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def taints(cluster: Cluster, name: str) -> list[Manifest]:
    found: list[Manifest] = cluster.get("node", name)["spec"].get("taints", [])
    return found
