"""NetworkPolicy that bites: every cell of the matrix is a real connection."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.e2e.embedded import Cluster, Manifest, a_pod, a_web_server, until

pytestmark = [pytest.mark.e2e]

HOME, AWAY = "e2e-policy-home", "e2e-policy-away"
PORTS = (8080, 8081)
#: Clients by name: namespace, and whether they share the server's node.
CLIENTS = {
    "home-near": (HOME, True),
    "home-far": (HOME, False),
    "away-near": (AWAY, True),
    "away-far": (AWAY, False),
}
Matrix = dict[tuple[str, int], bool]


@pytest.fixture(scope="module")
def stage(cluster: Cluster) -> Iterator[Cluster]:
    """A server, and clients in two namespaces on two nodes."""
    near, far = (node["metadata"]["name"] for node in cluster.get("nodes")[:2])
    with cluster.namespace(HOME), cluster.namespace(AWAY):
        serve = a_web_server(PORTS)
        cluster.apply(a_pod("server", cluster.busybox, serve, HOME, nodeName=near))
        for name, (namespace, same) in CLIENTS.items():
            place = near if same else far
            cluster.apply(a_pod(name, cluster.busybox, "sleep 100000", namespace, nodeName=place))
        for namespace in (HOME, AWAY):
            cluster.kubectl(
                "wait", "-n", namespace, "pods", "--all", "--for=condition=Ready", "--timeout=60s"
            )
        yield cluster


def address(cluster: Cluster, name: str, namespace: str) -> str:
    return str(cluster.get("pod", name, "-n", namespace)["status"]["podIP"])


def a_policy(namespace: str = HOME, **spec: Any) -> Manifest:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "tested", "namespace": namespace},
        "spec": {"podSelector": {}, **spec},
    }


def seen(cluster: Cluster) -> Matrix:
    """Which connections come through; each client tries all ports at the same time."""
    server = address(cluster, "server", HOME)
    found: Matrix = {}
    for name, (namespace, _) in CLIENTS.items():
        attempts = [
            f"(echo | nc -w 2 {server} {port} >/dev/null && echo yes-{port}) &" for port in PORTS
        ]
        said = cluster.shell(name, f"{' '.join(attempts)} wait", namespace).split()
        found |= {(name, port): f"yes-{port}" in said for port in PORTS}
    return found


def matrix(*allowed: tuple[str, int]) -> Matrix:
    """Everything denied but these."""
    return {(name, port): (name, port) in allowed for name in CLIENTS for port in PORTS}


def check(cluster: Cluster, expected: Matrix, *policies: Manifest) -> None:
    """Apply policies, wait until they have taken effect, and take them away again."""
    cluster.apply(*policies)
    try:
        until(lambda: seen(cluster) == expected, 20)
    finally:
        for namespace in (HOME, AWAY):
            cluster.kubectl("delete", "networkpolicy", "--all", "-n", namespace)


EVERY = tuple((name, port) for name in CLIENTS for port in PORTS)
FROM_HOME = tuple((name, port) for name in ("home-near", "home-far") for port in PORTS)


def test_without_a_policy_everybody_comes_through(stage: Cluster) -> None:
    until(lambda: seen(stage) == matrix(*EVERY), 20)


def test_deny_all_denies_all(stage: Cluster) -> None:
    check(stage, matrix(), a_policy(policyTypes=["Ingress"]))


def test_the_same_namespace_may_be_let_in(stage: Cluster) -> None:
    ingress: list[Manifest] = [{"from": [{"podSelector": {}}]}]
    check(stage, matrix(*FROM_HOME), a_policy(policyTypes=["Ingress"], ingress=ingress))


def test_another_namespace_may_be_let_in_to_one_port(stage: Cluster) -> None:
    peer = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": AWAY}}}
    ingress = [{"from": [peer], "ports": [{"protocol": "TCP", "port": 8080}]}]
    expected = matrix(("away-near", 8080), ("away-far", 8080))
    check(stage, expected, a_policy(policyTypes=["Ingress"], ingress=ingress))


def test_an_address_may_be_let_in(stage: Cluster) -> None:
    cidr = f"{address(stage, 'away-far', AWAY)}/32"
    ingress = [{"from": [{"ipBlock": {"cidr": cidr}}]}]
    expected = matrix(*(("away-far", port) for port in PORTS))
    check(stage, expected, a_policy(policyTypes=["Ingress"], ingress=ingress))


def test_egress_is_limited_to_a_port(stage: Cluster) -> None:
    cidr = f"{address(stage, 'server', HOME)}/32"
    egress = [{"to": [{"ipBlock": {"cidr": cidr}}], "ports": [{"protocol": "TCP", "port": 8081}]}]
    away = tuple((name, 8081) for name in ("away-near", "away-far"))
    policy = a_policy(AWAY, policyTypes=["Egress"], egress=egress)
    check(stage, matrix(*FROM_HOME, *away), policy)
