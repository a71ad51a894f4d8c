"""Six nodes in three zones: a node is lost, then a zone, while a client asks all the time."""

import os
import sys
import time
from collections.abc import Iterator

import pytest
from tests.e2e import embedded, traces, web
from tests.e2e.embedded import Cluster, until

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

NODES = int(os.environ.get("HYPERSHIFT_SOAK_NODES", "6"))
NAMESPACE = "zones"
REPLICAS = 6
LONGEST_GAP = 10.0
SUBJECTS = ("mounts", "links", "tables", "addresses", "routes")


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    embedded.needs_root()
    made = Cluster("zones", tmp_path_factory.mktemp("zones"))
    before = traces.look(made.base)
    try:
        made.local("up", "--nodes", str(NODES), "--zones", "3", "--operator=false")
        words = traces.marks(made)
        yield made
    finally:
        made.local("reset", "--yes", check=False)
    assert traces.left(before, traces.look(made.base), words) == {}


def host_view(cluster: Cluster) -> traces.Traces:
    """What the host has of the cluster, but for its processes and files."""
    seen = traces.look(cluster.base)
    return {name: seen[name] for name in SUBJECTS} | {"sysctls": traces.sysctls()}


def test_pods_move_from_a_lost_node_and_then_from_a_lost_zone(big: Cluster) -> None:
    with big.namespace(NAMESPACE):
        big.apply(
            web.a_deployment(big.busybox, NAMESPACE, REPLICAS, over=web.ZONE),
            web.a_balancer(NAMESPACE),
        )
        big.kubectl("rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=120s")
        address, host = web.balancer_address(big, NAMESPACE), host_view(big)
        nodes = [node["metadata"]["name"] for node in big.get("nodes")]
        victim = web.ready_pods(big, NAMESPACE)[0]["spec"]["nodeName"]
        lose(big, address, "a node", ("machine", "kill", victim), [victim])
        gone = min({zone(big, name) for name in nodes} - {zone(big, victim)})
        lost = [name for name in nodes if zone(big, name) == gone]
        lose(big, address, "a zone", ("zone", "down", gone), lost)
        big.zone("up", gone)
        big.machine("start", victim)
        until(lambda: all(web.is_back(big, name) for name in nodes), 180)
        until(lambda: len(web.ready_pods(big, NAMESPACE)) == REPLICAS, 120)
        after, words = host_view(big), traces.marks(big)
        assert traces.left(host, after, words) == traces.left(after, host, words) == {}
        assert after["sysctls"] == host["sysctls"]


def lose(
    cluster: Cluster, address: str, what: str, words: tuple[str, ...], victims: list[str]
) -> None:
    """Lose nodes under a client's eyes, and see their pods elsewhere."""
    began = time.monotonic()
    with web.watched(address) as gap:
        group, *rest = words
        {"machine": cluster.machine, "zone": cluster.zone}[group](*rest)
        until(lambda: not any(web.pods_on(cluster, NAMESPACE, name) for name in victims), 120)
        until(lambda: len(web.ready_pods(cluster, NAMESPACE)) == REPLICAS, 180)
    moved = time.monotonic() - began
    sys.stderr.write(f"loss of {what}: longest gap {gap[0]:.2f} s, all pods back {moved:.1f} s\n")
    assert gap[0] < LONGEST_GAP


def zone(cluster: Cluster, node: str) -> str:
    labels = cluster.get("node", node)["metadata"]["labels"]
    return str(labels["topology.kubernetes.io/zone"])
