"""The operator is killed again and again while clusters come, change and go: all converge.

HYPERSHIFT_SOAK_KILLS and HYPERSHIFT_SOAK_SEED choose how often and when. Inside the pod a shell
starts the operator again at once, since the kubelet would wait longer after each death.
"""

import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pytest
from tests.e2e import inventory, processes
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(3600)]

KILLS = int(os.environ.get("HYPERSHIFT_SOAK_KILLS", "50"))
SEED = int(os.environ.get("HYPERSHIFT_SOAK_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
CLUSTERS = 5
LONGEST_PAUSE = 12.0
#: A new namespace gets its ConfigMap and ServiceAccount meanwhile.
SETTLE = 5.0
RENDERED = "hypershift.openshift.io/safe-to-delete-with-cluster=true"
OPERATOR = ("deployment", "operator", "-n", "hypershift")


@pytest.fixture
def restarting(zones: Cluster) -> Iterator[Cluster]:
    """The operator, started again by a shell whenever it dies."""
    before = zones.get(*OPERATOR)
    container = before["spec"]["template"]["spec"]["containers"][0]
    words = " ".join(f"'{word}'" for word in (*container["command"], *container["args"]))
    script = f"while :; do {words}; done"
    looped = {"command": ["/bin/sh", "-c", script], "args": None, "livenessProbe": None}
    _change(zones, {"name": container["name"], **looped})
    yield zones
    _change(zones, {key: container.get(key) for key in ("name", *looped)})


@dataclass
class Killer:
    """Kills the operator at moments that a seed decides."""

    cluster: Cluster
    rng: random.Random
    killed: int = 0

    def run(self, over: threading.Event) -> None:
        while self.killed < KILLS and not over.is_set():
            time.sleep(self.rng.uniform(0.2, LONGEST_PAUSE))
            self.killed += self._kill()

    def _kill(self) -> int:
        pods = self.cluster.get("pods", "-n", "hypershift", "-l", "app=operator")
        running = processes.of_pods({pod["metadata"]["uid"] for pod in pods})
        victims = [each.pid for each in running if each.program.startswith("python")]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        return len(victims)


@contextmanager
def killing(cluster: Cluster) -> Iterator[Killer]:
    """Kill while the block runs, and on until all kills were done."""
    over, killer = threading.Event(), Killer(cluster, random.Random(SEED))  # noqa: S311
    thread = threading.Thread(target=killer.run, args=(over,), daemon=True)
    thread.start()
    try:
        yield killer
        thread.join()
    finally:
        over.set()
        thread.join(60)


def test_clusters_converge_though_the_operator_is_killed_all_the_time(
    restarting: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    print(f"seed {SEED}")  # noqa: T201 - repeats the run
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters"}}
    restarting.apply(namespace)
    time.sleep(SETTLE)
    before = inventory.take(restarting)
    files, rng = tmp_path_factory.mktemp("hosted"), random.Random(SEED + 1)  # noqa: S311
    made = [Hosted(restarting, f"killed-{number}", files) for number in range(CLUSTERS)]
    with killing(restarting) as killer:
        for cluster in made:
            restarting.apply(*cluster.manifests())
            time.sleep(rng.uniform(0, 10))
        for cluster in made:
            cluster.patch(json.dumps({"spec": _change_of(rng)}))
            time.sleep(rng.uniform(0, 10))
        # two are deleted while they are still coming up, and made anew
        for cluster in made[:2]:
            words = ("delete", "hostedcluster", cluster.name, "-n", cluster.namespace)
            restarting.kubectl(*words, "--wait=false")
    print(f"{killer.killed} kills")  # noqa: T201
    assert killer.killed >= KILLS
    for cluster in made[:2]:
        until(partial(_gone, cluster), 300)
        cluster.create()
    for cluster in made:
        cluster.await_condition("Available")
        assert cluster.kubectl("get", "--raw", "/readyz") == "ok"
        audit = json.dumps(cluster.management.get("hostedcontrolplane", "-n", cluster.plane))
        wanted = cluster.resource()["spec"].get("configuration")
        assert not wanted or json.dumps(wanted["apiServer"]["audit"]) in audit
    for cluster in made:
        cluster.destroy()
    # Who applies what was rendered owns its Secrets.
    restarting.kubectl("delete", "secrets", "-n", "clusters", "-l", RENDERED)
    inventory.await_nothing_new(restarting, before, 120)


def _change_of(rng: random.Random) -> Manifest:
    profile = rng.choice(["WriteRequestBodies", "AllRequestBodies", "None"])
    return {"configuration": {"apiServer": {"audit": {"profile": profile}}}}


def _gone(cluster: Hosted) -> bool:
    words = ("get", "hostedcluster", cluster.name, "-n", cluster.namespace, "--ignore-not-found")
    return not cluster.management.kubectl(*words, "-o", "name")


def _change(cluster: Cluster, container: Manifest) -> None:
    pod = {"spec": {"containers": [container]}}
    patch = json.dumps({"spec": {"template": pod}})
    cluster.kubectl("patch", *OPERATOR, "--type=strategic", "-p", patch)
    cluster.kubectl("rollout", "status", *OPERATOR, "--timeout=240s")
