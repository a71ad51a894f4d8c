"""What users do with a hosted cluster's nodes; again with the direct way from the other side shut.

Every check runs twice: as the cluster is, and while no connection from the management side to a
worker comes through, so that the tunnel carries what the API server asks of nodes.
"""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import hook, shop
from tests.e2e.embedded import a_pod, until
from tests.e2e.hosted import Hosted
from tests.e2e.reaching import fetch, forwarded
from tests.e2e.shop import NAMESPACE
from tests.e2e.workers import ruled

from hypershift import parts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def guest(hosted: Hosted) -> Iterator[Hosted]:
    """The shared hosted cluster with a shop in it."""
    busybox, own = hosted.management.busybox, hosted.management.images["hypershift"]
    hook, registration = shop.a_hook(own)
    caller = a_pod("caller", own, "exec sleep 100000", NAMESPACE)
    try:
        # One of an earlier run may still be on its way out.
        hosted.kubectl("wait", "namespace", NAMESPACE, "--for=delete", "--timeout=60s")
        hosted.apply(shop.a_namespace())
        hosted.apply(shop.a_web_shop(busybox), shop.a_service(), shop.a_database(busybox))
        hosted.apply(*hook, caller)
        for name in ("deployment/web", "statefulset/db"):
            hosted.kubectl("rollout", "status", "-n", NAMESPACE, name, "--timeout=120s")
        waits = ("--for=condition=Ready", "--timeout=120s")
        hosted.kubectl("wait", "-n", NAMESPACE, "pod/hook", "pod/caller", *waits)
        hosted.apply(*registration)
        yield hosted
    finally:
        for made in registration:
            kind, name = made["kind"], made["metadata"]["name"]
            hosted.try_kubectl("delete", kind, name, "--ignore-not-found")
        hosted.try_kubectl("delete", "namespace", NAMESPACE, "--wait=false")


@pytest.fixture(scope="module", params=["open", "shut"])
def way(request: pytest.FixtureRequest, guest: Hosted) -> Iterator[Hosted]:
    """The cluster as it is, then with the direct way to its workers shut."""
    if request.param == "open":
        yield guest
        return
    with shut(guest):
        yield guest


@contextlib.contextmanager
def shut(guest: Hosted) -> Iterator[None]:
    """Drop what management nodes and their pods send to the workers of their own accord."""
    plan = guest.management.spec.plan
    nodes = [one["status"]["addresses"][0]["address"] for one in guest.management.get("nodes")]
    sources = ", ".join([*nodes, str(plan.pods)])
    rule = f"ip saddr {{ {sources} }} ct state new counter drop"
    # Connection tracking, which tells answers from questions, sits at -200.
    assert kubelets_answer(guest)
    with ruled(guest, ("prerouting", -150, rule)):
        assert not kubelets_answer(guest)
        yield


def kubelets_answer(guest: Hosted) -> bool:
    """Whether a management node comes through to any worker's kubelet."""
    node = guest.management.get("nodes")[0]["metadata"]["name"]
    addresses = [one["status"]["addresses"][0]["address"] for one in guest.get("nodes")]
    tries = (f"socat -u OPEN:/dev/null TCP4:{at}:10250,connect-timeout=2" for at in addresses)
    words = ("exec", node, "--", "sh", "-c", " || ".join(tries))
    return guest.management.machine(*words, check=False).returncode == 0


def web_pods(guest: Hosted) -> list[str]:
    found = guest.get("pods", "-n", NAMESPACE, "-l", "app=web")
    return [pod["metadata"]["name"] for pod in found]


def ask(guest: Hosted, host: str, pod: str = "db-0") -> str:
    """What a pod is answered by a web server."""
    script = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 {host} 80"
    return guest.shell(pod, script, NAMESPACE).strip().rpartition("\n")[2]


def test_a_service_answers_by_name_from_every_node(way: Hosted) -> None:
    pods = way.get("pods", "-n", NAMESPACE, "-l", "app=web")
    assert len({pod["spec"]["nodeName"] for pod in pods}) == 2
    names = {pod["metadata"]["name"] for pod in pods}
    for name in names:
        assert ask(way, f"web.{NAMESPACE}.svc.cluster.local", name) in names


def test_a_load_balancer_is_reached_from_the_host(way: Hosted) -> None:
    def address() -> str:
        service = way.get("service", "web", "-n", NAMESPACE)
        return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])

    where = until(address)
    assert until(lambda: fetch(f"http://{where}/")) in web_pods(way)


def test_a_volume_belongs_to_its_group_and_outlives_its_pod(way: Hosted) -> None:
    before = way.shell("db-0", "cat /data/log", NAMESPACE).split()
    assert " 2000 " in way.shell("db-0", "ls -lan /data/log", NAMESPACE)
    way.kubectl("delete", "pod", "db-0", "-n", NAMESPACE)
    way.kubectl("rollout", "status", "-n", NAMESPACE, "statefulset/db", "--timeout=90s")
    log = until(lambda: way.shell("db-0", "cat /data/log", NAMESPACE))
    assert log.split() == [*before, "db-0"]


def test_logs_exec_attach_and_cp_work(way: Hosted, tmp_path: Path) -> None:
    pod = web_pods(way)[0]
    mark = f"line-{time.monotonic_ns()}"
    way.shell(pod, f"echo {mark} > /proc/1/fd/1", NAMESPACE)
    until(lambda: mark in way.kubectl("logs", "-n", NAMESPACE, pod))
    assert mark in attached(way, pod, mark)
    source = tmp_path / "file"
    source.write_text(mark)
    way.kubectl("cp", str(source), f"{NAMESPACE}/{pod}:/tmp/file")
    assert way.shell(pod, "cat /tmp/file", NAMESPACE) == mark


def attached(guest: Hosted, pod: str, mark: str) -> str:
    """What `kubectl attach` shows of a pod that says something meanwhile."""
    argv = (str(parts.path("kubectl")), f"--kubeconfig={guest.kubeconfig}", "attach")
    words = (*argv, "-n", NAMESPACE, pod)
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(words, stdout=pipe, stderr=quiet, text=True) as child:
        try:
            assert child.stdout is not None
            # Whoever attaches sees what is said from then on, so it is said again and again.
            talk = f"for i in $(seq 20); do echo {mark} > /proc/1/fd/1; usleep 250000; done"
            guest.shell(pod, f"({talk}) > /dev/null 2>&1 &", NAMESPACE)
            return child.stdout.readline()
        finally:
            child.kill()


def test_a_port_is_forwarded(way: Hosted) -> None:
    pod = web_pods(way)[0]
    with forwarded(way, NAMESPACE, pod) as port:
        assert until(lambda: fetch(f"http://127.0.0.1:{port}/")) == pod


def test_a_pod_calls_the_api_by_its_name(way: Hosted) -> None:
    said = way.kubectl("exec", "-n", NAMESPACE, "caller", "--", "python3", "-c", shop.CALL_API)
    assert said.strip() == f"v{way.management.spec.kubernetes}"


def test_a_policy_closes_and_opens_the_shop(way: Hosted) -> None:
    name = f"web.{NAMESPACE}"
    assert ask(way, name) in web_pods(way)
    way.apply(shop.a_policy())
    try:
        until(lambda: ask_quietly(way, name) == "", 20)
        way.apply(shop.a_policy(ingress=[{"from": [{"podSelector": {}}]}]))
        until(lambda: ask_quietly(way, name) != "", 20)
    finally:
        way.kubectl("delete", "networkpolicy", "closed", "-n", NAMESPACE)


def ask_quietly(guest: Hosted, host: str) -> str:
    with contextlib.suppress(AssertionError):
        return ask(guest, host)
    return ""


def test_a_webhook_on_the_nodes_reviews_custom_resources(way: Hosted) -> None:
    until(lambda: hook.DENIED in shop.order(way, "no", deny=True), 30)
    assert shop.order(way, "yes", deny=False) == ""


def test_without_the_tunnel_tools_fail_and_the_condition_says_why(guest: Hosted) -> None:
    guest.await_condition("DataPlaneConnectionAvailable")
    service = guest.management.get("service", "konnectivity-server", "-n", guest.plane)
    port = service["spec"]["ports"][0]["port"]
    rules = (("output", -300, f"tcp dport {port} drop"), ("input", -300, f"tcp sport {port} drop"))
    pod = web_pods(guest)[0]
    with ruled(guest, *rules):
        found = guest.await_condition("DataPlaneConnectionAvailable", "False")
        assert found["message"].startswith(
            "failed to read konnectivity-agent logs from data plane:"
        )
        logs = ("logs", "-n", NAMESPACE, pod, "--request-timeout=5s")
        assert guest.try_kubectl(*logs).returncode != 0
    guest.await_condition("DataPlaneConnectionAvailable")
    until(lambda: guest.kubectl("logs", "-n", NAMESPACE, pod, "--request-timeout=5s") or True, 60)
