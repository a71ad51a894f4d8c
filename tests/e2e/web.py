"""A web service behind a balancer, and a client that notices when it does not answer."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.embedded import Cluster, Manifest, a_pod, a_web_server, until

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"


def a_deployment(image: str, namespace: str, replicas: int = 3, over: str = HOST) -> Manifest:
    """Web servers, spread over hosts or zones."""
    labels = {"app": "web"}
    spread = {
        "maxSkew": 1,
        "topologyKey": over,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels},
    }
    pod = a_pod("web", image, a_web_server(), topologySpreadConstraints=[spread])["spec"]
    probe = {"httpGet": {"path": "/", "port": 8080}, "periodSeconds": 1}
    pod["containers"][0]["readinessProbe"] = probe
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def a_balancer(namespace: str) -> Manifest:
    """The Service of the web servers, with an address of its own."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "type": "LoadBalancer",
            "selector": {"app": "web"},
            "ports": [{"port": 80, "targetPort": 8080}],
        },
    }


def balancer_address(cluster: Cluster, namespace: str) -> str:
    """The address of the Service, once it has one."""

    def found() -> str:
        service = cluster.get("service", "web", "-n", namespace)
        return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])

    return str(until(found))


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


def ready_pods(cluster: Cluster, namespace: str) -> list[Manifest]:
    """The web pods that serve."""

    return [
        pod
        for pod in cluster.get("pods", "-n", namespace, "-l", "app=web")
        if _is_true(pod, "Ready")
    ]


def pods_on(cluster: Cluster, namespace: str, node: str) -> list[Manifest]:
    """The pods that a node has."""
    pods = cluster.get("pods", "-n", namespace, "--field-selector", f"spec.nodeName={node}")
    assert isinstance(pods, list)
    return pods


def is_ready(cluster: Cluster, name: str) -> bool:
    """Whether a node is ready."""
    return _is_true(cluster.get("node", name), "Ready")


def is_back(cluster: Cluster, name: str) -> bool:
    """Whether a node that was lost takes pods again."""
    return is_ready(cluster, name) and not cluster.get("node", name)["spec"].get("taints")


def _is_true(found: Manifest, kind: str) -> bool:
    conditions = found["status"].get("conditions", [])
    return any(each["type"] == kind and each["status"] == "True" for each in conditions)
