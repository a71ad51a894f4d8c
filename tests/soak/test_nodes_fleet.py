"""500 nodes in one hosted cluster: the pool tells the truth about them, and what that costs.

Cluster API's machines and the hosted cluster's nodes are real objects; kwok plays the kubelets and
the test the provider, whose own one is ended before.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e import embedded, processes
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted
from tests.e2e.workers import Pool

from hypershift import parts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3000)]

NODES = int(os.environ.get("HYPERSHIFT_SOAK_FLEET", "500"))
PATIENCE = 1200.0
IDLE = 60
TICKS = os.sysconf("SC_CLK_TCK")
FAKE = {"kwok.x-k8s.io/node": "fake"}
SIZE = {"cpu": "2", "memory": "2Gi", "pods": "110"}
#: What every kubelet says of its machine.
SAID = (
    "architecture",
    "bootID",
    "containerRuntimeVersion",
    "kernelVersion",
    "kubeProxyVersion",
    "machineID",
    "operatingSystem",
    "osImage",
    "systemUUID",
)
#: Cluster API looks at all of these conditions.
READY = """
{{ $now := Now }}
conditions:
""" + "".join(
    f"""
- type: {kind}
  status: "{value}"
  reason: Kwok
  message: kwok says so
  lastHeartbeatTime: {{{{ $now | Quote }}}}
  lastTransitionTime: {{{{ $now | Quote }}}}
"""
    for kind, value in (
        ("Ready", True),
        ("MemoryPressure", False),
        ("DiskPressure", False),
        ("PIDPressure", False),
    )
)
#: What kwok does to a node that is not ready: it says that it is.
STAGE = {
    "apiVersion": "kwok.x-k8s.io/v1alpha1",
    "kind": "Stage",
    "metadata": {"name": "node-ready"},
    "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": "Node"},
        "selector": {
            "matchExpressions": [
                {
                    "key": '.status.conditions.[] | select( .type == "Ready" ) | .status',
                    "operator": "NotIn",
                    "values": ["True"],
                }
            ]
        },
        "next": {"statusTemplate": READY},
    },
}


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A hosted cluster whose local cloud makes no machines any more."""
    embedded.needs_root()
    cluster = Cluster("fleet", tmp_path_factory.mktemp("clusters"))
    try:
        cluster.local("up")
        made = Hosted(cluster, "fleet", tmp_path_factory.mktemp("hosted"))
        made.create()
        for keeper in ("guardian", "supervisor"):
            os.kill(cluster.pid(keeper), signal.SIGKILL)
        yield made
    finally:
        cluster.local("reset", "--yes", check=False)


@contextmanager
def kubelets(hosted: Hosted, place: Path) -> Iterator[None]:
    """kwok, which keeps the nodes that are marked for it alive."""
    config, log = place / "kwok.yaml", place / "kwok.log"
    config.write_text(json.dumps(STAGE))
    argv = (
        str(parts.path("kwok")),
        f"--kubeconfig={hosted.kubeconfig}",
        "--manage-all-nodes=false",
    )
    chosen = "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake"
    more = (f"--config={config}", "--node-lease-duration-seconds=40")
    with log.open("ab") as out:
        process = subprocess.Popen((*argv, chosen, *more), stdout=out, stderr=out)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def test_a_pool_of_hundreds_says_how_its_nodes_are(hosted: Hosted, tmp_path: Path) -> None:
    pool = Pool(hosted, "many")
    pool.create(replicas=NODES)
    with kubelets(hosted, tmp_path):
        with costing(hosted, f"0 -> {NODES} nodes"):
            provide(pool)
            await_status(pool, ready=NODES)
        with costing(hosted, f"{NODES} nodes, nothing happens"):
            time.sleep(IDLE)
        assert pool.resource()["status"]["replicas"] == NODES
        assert names(hosted.get("nodes")) == names(pool.machines())
    with costing(hosted, f"{NODES} nodes are lost"):
        await_status(pool, ready=0)
    with kubelets(hosted, tmp_path), costing(hosted, f"{NODES} nodes are back"):
        await_status(pool, ready=NODES)


def provide(pool: Pool) -> None:
    """Give every machine an identity and a node, as the local cloud would."""
    hosted, served = pool.hosted, set[str]()
    end = time.monotonic() + PATIENCE
    while len(served) < NODES:
        assert time.monotonic() < end, f"{len(served)} machines after {PATIENCE} s"
        found = hosted.management.get("localmachines", "-n", hosted.plane)
        fresh = [one for one in found if one["metadata"]["name"] not in served and owned(one)]
        if fresh:
            hosted.management.apply(*map(provided, fresh))
            status(hosted, fresh)
            hosted.apply(*map(a_node, fresh))
            served |= {one["metadata"]["name"] for one in fresh}
        time.sleep(2)


def names(objects: list[Manifest]) -> set[str]:
    return {one["metadata"]["name"] for one in objects}


def owned(machine: Manifest) -> bool:
    """Whether it has a Machine; where that could not be made, Cluster API takes it back."""
    owners = machine["metadata"].get("ownerReferences") or ()
    return any(owner["kind"] == "Machine" for owner in owners)


def identity(machine: Manifest) -> str:
    return f"local://fleet/{machine['metadata']['name']}"


def provided(machine: Manifest) -> Manifest:
    metadata = {key: machine["metadata"][key] for key in ("name", "namespace")}
    return {
        "apiVersion": machine["apiVersion"],
        "kind": machine["kind"],
        "metadata": metadata,
        "spec": machine["spec"] | {"providerID": identity(machine)},
    }


def status(hosted: Hosted, machines: list[Manifest]) -> None:
    """Say that machines run; kubectl applies many statuses at once from one list."""
    told = {"initialization": {"provisioned": True}, "ready": True}
    items = [provided(one) | {"status": told} for one in machines]
    feed = json.dumps({"kind": "List", "apiVersion": "v1", "items": items})
    words = ("apply", "--server-side", "--force-conflicts", "--subresource=status", "-f", "-")
    hosted.management.kubectl(*words, feed=feed)


def a_node(machine: Manifest) -> Manifest:
    name = machine["metadata"]["name"]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "annotations": FAKE, "labels": {"type": "kwok"}},
        "spec": {"providerID": identity(machine)},
        "status": {
            "allocatable": SIZE,
            "capacity": SIZE,
            "nodeInfo": dict.fromkeys(SAID, "kwok") | {"kubeletVersion": f"v{parts.KUBERNETES}"},
        },
    }


def await_status(pool: Pool, *, ready: int) -> None:
    """Wait until the pool says that so many of its nodes are ready."""

    def right() -> bool:
        found = pool.resource().get("status", {})
        (version,) = found.get("nodesInfo", {}).get("nodeVersions") or [{}]
        counts = (version.get("readyNodeCount", 0), version.get("unreadyNodeCount", 0))
        healthy = pool.conditions().get("AllNodesHealthy", {}).get("status")
        return counts == (ready, NODES - ready) and healthy == str(ready == NODES)

    def seen() -> object:
        found = pool.resource().get("status", {})
        return found.get("nodesInfo"), pool.conditions().get("AllNodesHealthy")

    pool.hosted.until(right, f"{ready} ready nodes", seen, seconds=PATIENCE)


@contextmanager
def costing(hosted: Hosted, what: str) -> Iterator[None]:
    """Show how long something took, and the CPU that our operator spent meanwhile."""
    began, before = time.monotonic(), operator_seconds(hosted)
    yield
    took, spent = time.monotonic() - began, operator_seconds(hosted) - before
    share = 100 * spent / took
    sys.stdout.write(f"\n  {what}: {took:.0f} s, operator {spent:.1f} CPU s, {share:.1f} %\n")


def operator_seconds(hosted: Hosted) -> float:
    """The CPU that the operator's pods have spent so far; in Shared mode it does everything."""
    pods = hosted.management.get("pods", "-n", "hypershift", "-l", "name=operator")
    found = processes.of_pods({pod["metadata"]["uid"] for pod in pods})
    return sum(map(cpu_seconds, (each.pid for each in found)))


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
