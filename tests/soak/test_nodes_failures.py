"""The failure table with nodes: what the loss of management nodes and control plane leaves running.

| lost                                  | hosted API | workloads |
|---------------------------------------|------------|-----------|
| a management node, then a whole zone  | goes on    | go on     |
| the management control plane          | goes on    | go on     |
| the management control plane and all nodes | lost  | go on     |
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.e2e import shop
from tests.e2e.asking import Asking
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic
from tests.soak.headless import kill_control_plane, nobody_restarts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]

LONGEST_GAP = 10.0
ZONE = "topology.kubernetes.io/zone"
SERVERS = 3
REPLICAS = {"etcd": 3, "kube-apiserver": SERVERS, "kube-controller-manager": 2}
AWAY = 60


@pytest.fixture(scope="module")
def available(zones: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A highly available control plane with two nodes.

    HYPERSHIFT_SOAK_HOSTED names one that is there already and stays.
    """
    files = tmp_path_factory.mktemp("hosted")
    if name := os.environ.get("HYPERSHIFT_SOAK_HOSTED"):
        yield Hosted(zones, name, files)
        return
    flags = ("--control-plane-availability-policy", "HighlyAvailable")
    with a_hosted_cluster(zones, "available", files, *flags, nodes=2) as made:
        yield made


@pytest.fixture(scope="module")
def address(available: Hosted) -> Iterator[str]:
    """Where the workload answers: a port of a worker, which needs nothing of the other side."""
    try:
        shop.opened(available)
        node = available.get("nodes")[0]["status"]["addresses"][0]["address"]
        service = available.get("service", "web", "-n", shop.NAMESPACE)
        yield f"{node}:{service['spec']['ports'][0]['nodePort']}"
    finally:
        available.try_kubectl("delete", "namespace", shop.NAMESPACE, "--timeout=120s")


@pytest.fixture(autouse=True)
def whole(available: Hosted) -> Iterator[None]:
    """Begin and end with every node and every replica."""
    await_whole(available)
    yield
    await_whole(available)


def test_each_agent_is_connected_to_every_server(available: Hosted) -> None:
    """One address leads to all of them, and an agent asks until it has met each."""

    def connected() -> bool:
        return set(connections(available).values()) == {SERVERS}

    available.until(connected, "agents at every server", lambda: connections(available))
    assert len(connections(available)) == 2


def test_a_lost_management_node_leaves_api_and_workloads(available: Hosted, address: str) -> None:
    management = available.management
    victim = available.pods("etcd")[0]["spec"]["nodeName"]
    with going_on(available, address, "a management node is lost"):
        management.machine("kill", victim)
        time.sleep(AWAY)
    management.machine("start", victim)


def test_a_lost_zone_leaves_api_and_workloads(available: Hosted, address: str) -> None:
    """A zone of the management cluster: one that has workers would take their pods with it."""
    management = available.management
    zone = min(zones_of(management.get("nodes")) - zones_of(available.get("nodes")))
    with going_on(available, address, "a zone is lost"):
        management.zone("down", zone)
        time.sleep(AWAY)
    management.zone("up", zone)


def test_a_lost_management_control_plane_leaves_api_and_workloads(
    available: Hosted, address: str
) -> None:
    management = available.management
    with (
        going_on(available, address, "the management control plane is lost"),
        nobody_restarts(management),
    ):
        kill_control_plane(management)
        time.sleep(AWAY)
        refused = available.hypershift(
            *("create", "cluster", "local", "--name", "newcomer", "--node-pool-replicas", "-1"),
            check=False,
        )
        assert refused.returncode != 0, "clusters can neither be added"
        gone = available.hypershift(
            *("destroy", "cluster", "local", "--name", available.name), check=False
        )
        assert gone.returncode != 0, "nor destroyed"


def test_lost_management_control_plane_and_nodes_leave_the_workloads(
    available: Hosted, address: str
) -> None:
    management = available.management
    nodes = [one["metadata"]["name"] for one in management.get("nodes")]
    with Asking(f"http://{address}/") as client:
        management.machine("kill", *nodes)
        with nobody_restarts(management):
            kill_control_plane(management)
            time.sleep(AWAY)
            assert available.try_kubectl("version", "--request-timeout=2s").returncode != 0
    told(f"management control plane and nodes lost: {client}")
    assert client.failed == []
    management.machine("start", *nodes)


@contextmanager
def going_on(hosted: Hosted, address: str, what: str) -> Iterator[None]:
    """Writes and questions go on while something happens; nothing acknowledged is lost."""
    with (
        Traffic(hosted.kubeconfig, name=what.replace(" ", "-")) as traffic,
        Asking(f"http://{address}/") as client,
    ):
        yield
    told(f"{what}: API: {traffic.log}; workload: {client}")
    assert traffic.log.acknowledged
    assert traffic.lost() == []
    assert traffic.log.longest_gap <= LONGEST_GAP
    assert client.failed == []


def zones_of(nodes: list[Manifest]) -> set[str]:
    return {node["metadata"]["labels"][ZONE] for node in nodes}


def connections(hosted: Hosted) -> dict[str, int]:
    """How many servers each agent is connected to, as it says itself."""
    name = "konnectivity_network_proxy_agent_open_server_connections"
    machines = hosted.management.get("localmachines", "-n", hosted.plane)
    found = {}
    for machine in machines:
        words = ("exec", f"{hosted.plane}.{machine['metadata']['name']}", "--", "sh", "-c")
        ask = "printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' | socat - TCP4:127.0.0.1:2041"
        said = hosted.management.machine(*words, ask).stdout
        lines = [line for line in said.splitlines() if line.startswith(name)]
        found[machine["metadata"]["name"]] = int(float(lines[0].split()[-1])) if lines else 0
    return found


def await_whole(hosted: Hosted) -> None:
    """Wait until every management node and every replica is ready, and the nodes are."""

    def whole() -> bool:
        nodes = all(map(is_ready, hosted.management.get("nodes")))
        ready = {name: len(list(filter(is_ready, hosted.pods(name)))) for name in REPLICAS}
        return nodes and ready == REPLICAS and all(map(is_ready, hosted.get("nodes")))

    until(whole, PATIENCE)


def is_ready(found: Manifest) -> bool:
    gone = "deletionTimestamp" in found.get("metadata", {})
    conditions = found.get("status", {}).get("conditions", ())
    return not gone and any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
