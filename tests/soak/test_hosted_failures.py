"""A highly available control plane through the loss of nodes, a zone, drains and its host's API."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic
from tests.soak.headless import kill_control_plane, nobody_restarts

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(3600)]

LONGEST_GAP = 10.0
ZONE = "topology.kubernetes.io/zone"
STOPPED_SECONDS = 60
REPLICAS = {"etcd": 3, "kube-apiserver": 3, "kube-controller-manager": 2, "kube-scheduler": 2}


@pytest.fixture(scope="module")
def available(zones: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """HYPERSHIFT_SOAK_HOSTED names one that is there already and stays."""
    files = tmp_path_factory.mktemp("hosted")
    if name := os.environ.get("HYPERSHIFT_SOAK_HOSTED"):
        yield Hosted(zones, name, files)
        return
    flags = ("--control-plane-availability-policy", "HighlyAvailable")
    with a_hosted_cluster(zones, "available", files, *flags) as made:
        await_whole(made)
        yield made


@pytest.fixture(scope="module")
def report() -> Iterator[dict[str, float]]:
    """The longest gaps by what happened, printed at the end."""
    gaps: dict[str, float] = {}
    yield gaps
    for what, gap in gaps.items():
        print(f"longest gap while {what}: {gap:.2f} s")  # noqa: T201 - the result of a long run


@pytest.fixture(autouse=True)
def whole(available: Hosted) -> Iterator[None]:
    """Begin and end with every node and every replica, whatever the test before left behind."""
    heal(available)
    yield
    heal(available)


def heal(hosted: Hosted) -> None:
    """Start what is dead, open what is closed, and wait until all is well."""
    management = hosted.management
    for node in management.get("nodes"):
        name = node["metadata"]["name"]
        if not _is_ready(node):
            management.machine("start", name, check=False)
        management.kubectl("uncordon", name)
    await_nodes(management)
    await_whole(hosted)


@contextmanager
def served(hosted: Hosted, what: str, report: dict[str, float]) -> Iterator[None]:
    """Writes go on while something happens: no long gap, and nothing acknowledged is lost."""
    name = what.replace(" ", "-")
    with Traffic(hosted.kubeconfig, name=name) as traffic:
        yield
    report[what] = traffic.log.longest_gap
    print(f"{what}: {traffic.log}")  # noqa: T201
    assert traffic.log.acknowledged
    assert traffic.lost() == []
    assert traffic.log.longest_gap <= LONGEST_GAP


def test_replicas_are_spread_over_zones_and_nodes(available: Hosted) -> None:
    zone_of = _zones(available.management)
    for component, replicas in REPLICAS.items():
        nodes = [pod["spec"]["nodeName"] for pod in available.pods(component)]
        assert len(set(nodes)) == replicas, f"{component} on {nodes}"
        assert len({zone_of[node] for node in nodes}) == replicas, f"{component} on {nodes}"


def test_a_member_of_a_dead_node_is_rebuilt_in_its_zone(
    available: Hosted, report: dict[str, float]
) -> None:
    management, zone_of = available.management, _zones(available.management)
    victim = _pod(available, "etcd-0")["spec"]["nodeName"]
    with served(available, "a node is killed", report):
        management.machine("kill", victim)
        available.until(
            lambda: _is_ready(_pod(available, "etcd-0")) and _node(available, "etcd-0") != victim,
            "etcd-0 on another node",
            lambda: _pod(available, "etcd-0").get("status"),
        )
        await_whole(available)
    assert zone_of[_node(available, "etcd-0")] == zone_of[victim]
    with served(available, "a node comes back", report):
        management.machine("start", victim)
        await_nodes(management)
        await_whole(available)


def test_a_lost_zone_leaves_quorum_and_comes_back(
    available: Hosted, report: dict[str, float]
) -> None:
    management = available.management
    zone = _zones(management)[_node(available, "etcd-1")]
    with served(available, "a zone is killed", report):
        management.zone("down", zone)
        available.until(lambda: len(_ready(available, "etcd")) == 2, "two members", seconds=120)
        time.sleep(30)
        assert available.conditions()["EtcdAvailable"]["status"] == "True"
    with served(available, "a zone comes back", report):
        management.zone("up", zone)
        await_nodes(management)
        await_whole(available)


def test_every_node_can_be_drained_in_turn(available: Hosted, report: dict[str, float]) -> None:
    management = available.management
    with served(available, "every node is drained in turn", report):
        for node in sorted(_zones(management)):
            flags = ("--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=180s")
            management.kubectl("drain", node, *flags)
            assert len(_ready(available, "etcd")) >= 2
            management.kubectl("uncordon", node)
            await_whole(available)


def test_hosted_apis_go_on_without_the_management_control_plane(
    available: Hosted, report: dict[str, float]
) -> None:
    management = available.management
    with (
        served(available, "the management control plane is away", report),
        nobody_restarts(management),
    ):
        kill_control_plane(management)
        time.sleep(STOPPED_SECONDS)
        assert management.try_kubectl("version", "--request-timeout=2s").returncode != 0
    with served(available, "the management control plane comes back", report):
        await_nodes(management)
        await_whole(available)


def await_whole(hosted: Hosted) -> None:
    """Wait until every replica of every component is ready."""

    def whole() -> bool:
        return all(len(_ready(hosted, name)) == count for name, count in REPLICAS.items())

    def seen() -> dict[str, int]:
        return {name: len(_ready(hosted, name)) for name in REPLICAS}

    _patiently(hosted, whole, "all replicas", seen)


def await_nodes(cluster: Cluster) -> None:
    """Wait until every node is ready and open to pods."""
    end = time.monotonic() + 180
    while any(not _is_ready(node) or node["spec"].get("taints") for node in _all_nodes(cluster)):
        assert time.monotonic() < end, [node["spec"] for node in _all_nodes(cluster)]
        time.sleep(1)


def _patiently(
    hosted: Hosted, check: Callable[[], bool], what: str, seen: Callable[[], object]
) -> None:
    """Wait while the management API may be away for a moment."""

    def asked() -> bool:
        try:
            return check()
        except AssertionError:
            return False

    hosted.until(asked, what, seen, seconds=300)


def _all_nodes(cluster: Cluster) -> list[Manifest]:
    done = cluster.try_kubectl("get", "nodes", "-o", "json")
    if done.returncode:
        return [{"spec": {"taints": [done.stderr]}}]
    found: list[Manifest] = cluster.get("nodes")
    return found


def _zones(cluster: Cluster) -> dict[str, str]:
    nodes = cluster.get("nodes")
    return {node["metadata"]["name"]: node["metadata"]["labels"][ZONE] for node in nodes}


def _pod(hosted: Hosted, name: str) -> Manifest:
    """A pod of the control plane; empty while it is not there."""
    return next((pod for pod in hosted.pods() if pod["metadata"]["name"] == name), {})


def _node(hosted: Hosted, name: str) -> str:
    return str(_pod(hosted, name).get("spec", {}).get("nodeName", ""))


def _ready(hosted: Hosted, component: str) -> list[Manifest]:
    return [pod for pod in hosted.pods(component) if _is_ready(pod)]


def _is_ready(found: Manifest) -> bool:
    gone = "deletionTimestamp" in found.get("metadata", {})
    conditions = found.get("status", {}).get("conditions", ())
    return not gone and any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)
