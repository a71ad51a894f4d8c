"""Kept audit logs: every acknowledged write is in the log of a server whose pod or node is gone.

A volume of the embedded cluster is a directory on a machine's disk: it is read again once its
machine has started again, and goes with a disk that is lost for good.
"""

import json
import re
import time
from collections.abc import Iterator

import pytest
from tests.e2e.embedded import Cluster, Manifest, a_pod
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic
from tests.e2e.workers import is_ready
from tests.soak.recovered import told

from hypershift.api.well_known import KUBE_APISERVER
from hypershift.kit import annotations_of
from hypershift.kube import kinds
from hypershift.runtime import condition_of

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(2400)]

CONFIG = {
    "apiVersion": kinds.AUDIT_LOG_PERSISTENCE_CONFIG.api_version,
    "kind": kinds.AUDIT_LOG_PERSISTENCE_CONFIG.kind,
    "metadata": {"name": "cluster"},
    "spec": {"enabled": True, "storage": {"size": "5Gi"}},
}
SELECTED = "volume.kubernetes.io/selected-node"
REPLICAS = 3
#: The names of created objects in a log, each once.
READ = r"""cat /logs/* | grep '"verb":"create"' | grep -o '"name":"{name}-[0-9]*"' | sort -u"""
#: What a control plane namespace admits.
RESTRICTED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
#: Seconds of writes before something happens and after it.
CALM = 10.0


class SpreadTraffic(Traffic):
    """Writes by a new connection each time, so that every server logs a share."""

    def _send(self, number: int) -> tuple[int, bytes]:
        self._close()
        return super()._send(number)


@pytest.fixture(scope="module")
def logged(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A highly available cluster whose API servers keep their logs."""
    cluster.apply(CONFIG)
    flags = ("--control-plane-availability-policy=HighlyAvailable",)
    try:
        with a_hosted_cluster(cluster, "logged", tmp_path_factory.mktemp("logged"), *flags) as made:
            await_servers(made)
            yield made
    finally:
        cluster.kubectl("delete", kinds.AUDIT_LOG_PERSISTENCE_CONFIG.plural, "cluster")


def test_the_configuration_finds_the_storage_of_the_embedded_cluster(logged: Hosted) -> None:
    found = logged.management.get(kinds.AUDIT_LOG_PERSISTENCE_CONFIG.plural, "cluster")
    assert (condition_of(found, "StorageFound") or {})["status"] == "True", found
    assert set(claims(logged)) >= {f"{pod}-logs" for pod in servers(logged)}


def test_the_log_of_a_server_is_found_after_its_pod(logged: Hosted) -> None:
    lost = servers(logged)[0]
    with SpreadTraffic(logged.kubeconfig, name="pod") as traffic:
        time.sleep(CALM)
        logged.management.kubectl("delete", "pod", lost, "-n", logged.plane)
        await_servers(logged)
        time.sleep(CALM)
    compare(logged, traffic, "pod", lost)


def test_the_log_of_a_server_is_found_after_its_node(logged: Hosted) -> None:
    management, lost = logged.management, servers(logged)[0]
    node = nodes_of(logged)[lost]
    with SpreadTraffic(logged.kubeconfig, name="node") as traffic:
        time.sleep(CALM)
        management.machine("kill", node)
        logged.until(lambda: lost not in nodes_of(logged), f"end of pod {lost}", logged.pods)
        time.sleep(CALM)
        # Whoever looks for the log is told which machine has it.
        claim = claims(logged)[f"{lost}-logs"]
        assert annotations_of(claim)[SELECTED] == node
        management.machine("start", node)
        await_servers(logged)
        time.sleep(CALM)
    compare(logged, traffic, "node", lost)


def compare(hosted: Hosted, traffic: Traffic, name: str, lost: str) -> None:
    """Each acknowledged write is in a log that is kept, and the lost server had its part of it."""
    found = {claim: names(hosted, claim, name) for claim in claims(hosted)}
    told(f"{traffic.log}")
    for claim, logged in found.items():
        told(f"{claim}: {len(logged)} writes, server {'lost' if lost in claim else 'kept'}")
    written = set(traffic.log.acknowledged)
    assert written - set().union(*found.values()) == set()
    assert found[f"{lost}-logs"]


def names(hosted: Hosted, claim: str, name: str) -> set[int]:
    """The numbers of writes in a log, read as the page says by a pod with the server's user."""
    reader = f"reader-{hosted.management.get('pvc', claim, '-n', hosted.plane)['metadata']['uid']}"
    source = {"name": "logs", "persistentVolumeClaim": {"claimName": claim, "readOnly": True}}
    script = READ.format(name=name)
    pod = a_pod(reader, hosted.management.busybox, script, hosted.plane, volumes=[source])
    pod["spec"]["restartPolicy"] = "Never"
    pod["spec"]["securityContext"] = hosted.pods(KUBE_APISERVER)[0]["spec"]["securityContext"]
    container = pod["spec"]["containers"][0]
    container["volumeMounts"] = [{"name": "logs", "mountPath": "/logs"}]
    container["securityContext"] = RESTRICTED
    management, place = hosted.management, ("-n", hosted.plane)
    management.apply(pod)
    try:
        wanted = "--for=jsonpath={.status.phase}=Succeeded"
        management.kubectl("wait", f"pod/{reader}", wanted, "--timeout=200s", *place)
        said = management.kubectl("logs", reader, *place)
    finally:
        management.kubectl("delete", "pod", reader, *place)
    return {int(number) for number in re.findall(rf'"name":"{name}-(\d+)"', said)}


def claims(hosted: Hosted) -> dict[str, Manifest]:
    """The volumes of audit logs by their name."""
    chosen = ("-n", hosted.plane, "-l", f"app={KUBE_APISERVER}")
    return {one["metadata"]["name"]: one for one in hosted.management.get("pvc", *chosen)}


def nodes_of(hosted: Hosted) -> dict[str, str]:
    """The nodes of API servers by their pods."""
    pods = hosted.pods(KUBE_APISERVER)
    return {one["metadata"]["name"]: one["spec"].get("nodeName", "") for one in pods}


def servers(hosted: Hosted) -> list[str]:
    """The pods of API servers that are ready."""
    return sorted(one["metadata"]["name"] for one in hosted.pods(KUBE_APISERVER) if is_ready(one))


def await_servers(hosted: Hosted) -> None:
    """Wait for every replica, and for the end of those that go."""

    def whole() -> bool:
        return len(servers(hosted)) == len(nodes_of(hosted)) == REPLICAS

    hosted.until(whole, "three servers", lambda: json.dumps(nodes_of(hosted)), seconds=900)
