"""The embedded cluster as its users meet it: nodes, Services, names, volumes, tools."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.e2e import hook, shop, web
from tests.e2e.embedded import Cluster, a_pod, until
from tests.e2e.reaching import fetch, forwarded

from hypershift.kube import Client

pytestmark = [pytest.mark.e2e]

NAMESPACE = "e2e-local"


@pytest.fixture(scope="module")
def workload(cluster: Cluster) -> Iterator[Cluster]:
    """A web server on every node behind a balancer, and a database with a volume."""
    with cluster.namespace(NAMESPACE):
        cluster.apply(
            web.a_deployment(cluster.busybox, NAMESPACE),
            web.a_balancer(NAMESPACE),
            shop.a_database(cluster.busybox, NAMESPACE),
        )
        for name in ("deployment/web", "statefulset/db"):
            cluster.kubectl("rollout", "status", "-n", NAMESPACE, name, "--timeout=90s")
        yield cluster


def test_nodes_are_ready_and_spread_over_zones(cluster: Cluster) -> None:
    nodes = cluster.get("nodes")
    zones = {node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes}
    assert len(nodes) == cluster.spec.nodes
    assert len(zones) == cluster.spec.zones
    for node in nodes:
        ready = [each for each in node["status"]["conditions"] if each["type"] == "Ready"]
        assert ready[0]["status"] == "True"
        assert node["spec"]["providerID"].startswith(f"local://{cluster.name}/")


def test_a_second_up_changes_nothing(cluster: Cluster) -> None:
    units = ("etcd", "kube-apiserver", "kube-scheduler", "registry", "resolver")
    pids = {unit: cluster.pid(unit) for unit in units}
    before = {pod["metadata"]["uid"] for pod in cluster.get("pods", "-n", "kube-system")}
    cluster.local("up")
    assert {unit: cluster.pid(unit) for unit in units} == pids
    assert {pod["metadata"]["uid"] for pod in cluster.get("pods", "-n", "kube-system")} == before


def test_a_service_answers_at_every_address_it_has(workload: Cluster) -> None:
    pods = workload.get("pods", "-n", NAMESPACE, "-l", "app=web")
    names = {pod["metadata"]["name"] for pod in pods}
    assert len({pod["spec"]["nodeName"] for pod in pods}) == workload.spec.nodes
    service = workload.get("service", "web", "-n", NAMESPACE)
    port = service["spec"]["ports"][0]["nodePort"]
    balancer = web.balancer_address(workload, NAMESPACE)
    assert until(lambda: fetch(f"http://{balancer}/")) in names
    for node in workload.get("nodes"):
        own = node["status"]["addresses"][0]["address"]
        assert fetch(f"http://{own}:{port}/") in names
        ask = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | socat -t3 - TCP4:{balancer}:80"
        seen = workload.machine("exec", node["metadata"]["name"], "--", "sh", "-c", ask)
        assert seen.stdout.split()[-1] in names
    inside = min(names)
    for host in (service["spec"]["clusterIP"], balancer, "web"):
        ask = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 {host} 80"
        assert workload.shell(inside, ask, NAMESPACE).split()[-1] in names


def test_connections_to_a_balancer_reach_every_pod(workload: Cluster) -> None:
    names = {
        pod["metadata"]["name"] for pod in workload.get("pods", "-n", NAMESPACE, "-l", "app=web")
    }
    balancer = web.balancer_address(workload, NAMESPACE)
    assert {fetch(f"http://{balancer}/") for _ in range(60)} == names


def test_names_resolve_inside_and_outside_of_the_cluster(workload: Cluster) -> None:
    pod = workload.get("pods", "-n", NAMESPACE, "-l", "app=web")[0]["metadata"]["name"]
    own = workload.get("service", "web", "-n", NAMESPACE)["spec"]["clusterIP"]
    answer = workload.shell(pod, f"nslookup web.{NAMESPACE}.svc.cluster.local", NAMESPACE)
    assert own in answer
    gateway = str(workload.spec.plan.gateway)
    assert gateway in workload.shell(pod, "nslookup registry.hypershift.local", NAMESPACE)


def test_the_tools_that_go_through_the_kubelet_work(workload: Cluster, tmp_path: Path) -> None:
    pod = workload.get("pods", "-n", NAMESPACE, "-l", "app=web")[0]["metadata"]["name"]
    workload.shell(pod, "echo to-the-log > /proc/1/fd/1", NAMESPACE)
    assert "to-the-log" in until(lambda: workload.kubectl("logs", "-n", NAMESPACE, pod))
    source = tmp_path / "file"
    source.write_text("copied")
    workload.kubectl("cp", str(source), f"{NAMESPACE}/{pod}:/tmp/file")
    assert workload.shell(pod, "cat /tmp/file", NAMESPACE) == "copied"
    with forwarded(workload, NAMESPACE, pod) as port:
        assert until(lambda: fetch(f"http://127.0.0.1:{port}/")) == pod


def test_our_client_reads_logs_and_runs_commands_in_containers(workload: Cluster) -> None:
    pod = workload.get("pods", "-n", NAMESPACE, "-l", "app=web")[0]["metadata"]["name"]

    async def use() -> None:
        async with Client.connect(workload.where.admin) as client:
            script = "cat; echo aside >&2; echo followed > /proc/1/fd/1; exit 3"
            ended = await client.exec(pod, NAMESPACE, ("sh", "-c", script), stdin=b"given")
            assert (ended.stdout, ended.stderr, ended.exit_code) == (b"given", b"aside\n", 3)
            async with aclosing(client.follow_logs(pod, NAMESPACE)) as lines, asyncio.timeout(30):
                while "followed" not in await anext(lines):
                    pass
            assert "followed" in await client.logs(pod, NAMESPACE, tail=5)

    asyncio.run(use())


def test_a_volume_belongs_to_its_group_and_outlives_its_pod(workload: Cluster) -> None:
    listing = workload.shell("db-0", "ls -lan /data/log", NAMESPACE)
    assert " 1000 " in listing
    assert " 2000 " in listing
    workload.kubectl("delete", "pod", "db-0", "-n", NAMESPACE)
    workload.kubectl("rollout", "status", "-n", NAMESPACE, "statefulset/db", "--timeout=60s")
    log = until(lambda: workload.shell("db-0", "cat /data/log", NAMESPACE))
    assert log.split() == ["db-0", "db-0"]


def test_a_deleted_claim_deletes_its_volume_and_its_files(workload: Cluster) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "short", "namespace": NAMESPACE},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Mi"}}},
    }
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "short"}}
    user = a_pod("user", workload.busybox, "sleep 100000", NAMESPACE, volumes=[volume])
    user["spec"]["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    workload.apply(claim, user)
    workload.kubectl("wait", "-n", NAMESPACE, "pod/user", "--for=condition=Ready", "--timeout=60s")
    name = workload.get("pvc", "short", "-n", NAMESPACE)["spec"]["volumeName"]
    places = workload.where.machines.glob(f"*/disk/var/lib/hypershift/volumes/{name}")
    (place,) = list(places)
    workload.kubectl("delete", "pod/user", "pvc/short", "-n", NAMESPACE)
    until(lambda: not place.exists(), 30)
    until(lambda: workload.try_kubectl("get", "pv", name).returncode != 0, 30)


def test_a_webhook_behind_a_service_is_asked(workload: Cluster) -> None:
    server, authority = hook.a_server(workload.images["hypershift"], NAMESPACE)
    workload.apply(*server)
    workload.kubectl("wait", "-n", NAMESPACE, "pod/hook", "--for=condition=Ready", "--timeout=90s")
    workload.apply(hook.a_registration(NAMESPACE, authority, "", "configmaps"))
    try:
        until(lambda: hook.DENIED in _create(workload, "no", deny=True), 30)
        assert _create(workload, "yes", deny=False) == ""
    finally:
        workload.kubectl("delete", "validatingwebhookconfiguration", f"e2e-{NAMESPACE}")


def _create(cluster: Cluster, name: str, *, deny: bool) -> str:
    labels = {"deny": "please"} if deny else {}
    document = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels},
    }
    done = cluster.try_kubectl("create", "-f", "-", feed=json.dumps(document))
    if done.returncode == 0 and deny:  # the webhook was not asked yet
        cluster.kubectl("delete", "configmap", name, "-n", NAMESPACE)
    return done.stderr
