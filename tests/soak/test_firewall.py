"""The documented firewall: all works with its ports alone; a closed one breaks what it is for."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import pytest
from tests.e2e.embedded import Cluster, Kubectl, Manifest, a_pod, a_web_server, until
from tests.e2e.firewall import ROUTED, Firewall, around, documented
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.reaching import fetch
from tests.e2e.workers import a_pool, is_ready, on_host

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NAME, PODS, NODE_PORT = "walled", "10.148.0.0/16", 31080
#: What a closed port keeps from coming is asked for once more within this time.
SHORT = 12.0
#: Reads of logs: half of them go through the other node's agent.
READS = 12


@dataclass
class Inside:
    """The cluster, asked from beside its API server, and the things that are tried."""

    guest: Hosted
    workers: list[Manifest]

    @cached_property
    def backdoor(self) -> tuple[str, ...]:
        """kubectl's way to the API server that no firewall is on: the pod's own address."""
        pod = next(one for one in self.guest.pods("kube-apiserver"))
        server = f"https://{pod['status']['podIP']}:6443"
        return (f"--server={server}", "--tls-server-name=kube-apiserver", "--request-timeout=8s")

    def ask(self, *words: str) -> str | None:
        """What the API server answers there; None if it does not."""
        done = self.guest.try_kubectl(*words, *self.backdoor)
        return done.stdout if done.returncode == 0 else None

    # What is tried

    def user(self) -> bool:
        """A user reaches the API where it is published."""
        done = self.guest.try_kubectl("get", "namespaces", "--request-timeout=5s")
        return done.returncode == 0

    def kubelet(self) -> bool:
        """Kubelets reach the API: they renew their leases, each every ten seconds."""
        before = self._leases()
        end = time.monotonic() + 2 * SHORT
        while time.monotonic() < end:
            now = self._leases()
            if before and all(now.get(name) not in (None, told) for name, told in before.items()):
                return True
            time.sleep(1)
        return False

    def _leases(self) -> dict[str, str]:
        form = '-o=jsonpath={range .items[*]}{.metadata.name}={.spec.renewTime}{"\\n"}{end}'
        told = self.ask("get", "leases", "-n", "kube-node-lease", form) or ""
        return dict(line.split("=", 1) for line in told.splitlines())

    def tunnel(self) -> bool:
        """The API server reads logs of every node, whichever agent it asks."""
        names = [f"web-{number}" for number in range(len(self.workers))]
        return all(self.ask("logs", names[at % len(names)], "--tail=1") for at in range(READS))

    def images(self) -> bool:
        """A node pulls an image, of which it asks the registry anew each time."""
        pull = ("ctr", "-n", "k8s.io", "images", "pull", "--hosts-dir", "/etc/containerd/certs.d")
        return self._on(0, *pull, self.guest.management.images["coredns"])

    def pods(self) -> bool:
        """A node reaches the pods of another."""
        told = self.ask("get", "pod", "web-1", "-o=jsonpath={.status.podIP}")
        return bool(told) and self._on(
            0, "timeout", "4", "wget", "-q", "-O", "-", f"http://{told}:8080/"
        )

    def names(self) -> bool:
        """A node resolves names of the world outside."""
        gateway = str(self.guest.management.spec.plan.gateway)
        return self._on(0, "nslookup", "registry.hypershift.local", gateway)

    def node_port(self) -> bool:
        """A client reaches a Service at the port of a node."""
        address = self.workers[0]["status"]["addresses"][0]["address"]
        try:
            return bool(fetch(f"http://{address}:{NODE_PORT}/"))
        except OSError:
            return False

    def _on(self, worker: int, *words: str) -> bool:
        name = on_host(self.guest, self.workers[worker]["metadata"]["name"])
        done = self.guest.management.machine(
            "exec", name, "--", "timeout", "10", *words, check=False
        )
        return done.returncode == 0


PROBES: Mapping[str, Callable[[Inside], bool]] = {
    "users": Inside.user,
    "kubelets": Inside.kubelet,
    "tunnel": Inside.tunnel,
    "images": Inside.images,
    "pods": Inside.pods,
    "names": Inside.names,
    "node ports": Inside.node_port,
}

#: Each row of the documentation by what it leads to: what breaks, among what is tried.
BREAKS: Mapping[str, tuple[str, ...]] = {
    "API server": ("users", "kubelets"),
    "Konnectivity": ("tunnel",),
    "10250": ("tunnel",),
    "pods": ("pods",),
    "registry": ("images",),
    "name server": ("names",),
    "30000-32767": ("node ports",),
}
#: Rows that only a node that boots needs; they are tried with one.
BOOTING = ("ignition server", "179", "20244")
#: Not between the cluster and anybody else: Prometheus runs in the management cluster.
INSIDE = ("Service `operator`, namespace `hypershift`",)


def test_each_documented_row_is_tried() -> None:
    rows = [*documented("Into the management cluster"), *documented("Among hosted nodes")]
    known = [*BREAKS, *BOOTING]
    told = [next((name for name in known if opens(name, row)), row) for row in rows]
    assert [row for row in told if not isinstance(row, str) and row[1] not in INSIDE] == []
    assert {row for row in told if isinstance(row, str)} == set(known)


def opens(name: str, row: tuple[str, str, str]) -> bool:
    _, target, port = row
    return (
        target.startswith(name)
        or port.startswith(name)
        or (name == "pods" and "pod addresses" in port)
    )


Walled = tuple[Hosted, Firewall]


@pytest.fixture(scope="module")
def wall(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walled]:
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp(NAME))
    try:
        made.create("--cluster-cidr", PODS)
        endpoint = made.until(
            lambda: made.resource()["status"].get("ignitionEndpoint"), "ignition endpoint"
        )
        yield made, around(made, endpoint.partition(":")[0], PODS)
    finally:
        made.destroy()


@pytest.fixture(scope="module")
def inside(wall: Walled) -> Iterator[Inside]:
    """Two nodes that joined and got their pods with only the documented ports open."""
    guest, firewall = wall
    with a_pool(guest, "workers") as pool:
        with firewall.up() as walls:
            pool.scale(2)
            workers = sorted(pool.await_nodes(2), key=lambda one: one["metadata"]["name"])
            guest.apply(*a_web(guest, workers))
            for number in range(2):
                waits = ("--for=condition=Ready", "--timeout=200s")
                guest.kubectl("wait", f"pod/web-{number}", *waits)
            found = Inside(guest, workers)
            for name in PROBES:
                works(found, name)
            guest.await_condition("ControlPlaneConnectionAvailable")
            guest.await_condition("DataPlaneConnectionAvailable")
            dropped = {where: wall.packets() for where, wall in walls.items()}
            sys.stdout.write(f"\n  all open: dropped {dropped}\n")
        yield found


def works(inside: Inside, name: str) -> None:
    """Wait until what is tried succeeds."""
    until(lambda: PROBES[name](inside), PATIENCE)


def a_web(guest: Hosted, workers: list[Manifest]) -> list[Manifest]:
    """A web server on each node, and a Service at a port of every node that leads to its own."""
    pods = []
    for number, worker in enumerate(workers):
        pod = a_pod(f"web-{number}", guest.management.busybox, f"echo here; {a_web_server()}")
        pod["metadata"]["labels"] = {"app": "web"}
        pod["spec"]["nodeName"] = worker["metadata"]["name"]
        pods.append(pod)
    ports = [{"port": 80, "targetPort": 8080, "nodePort": NODE_PORT}]
    spec = {
        "type": "NodePort", "selector": {"app": "web"}, "ports": ports,
        "externalTrafficPolicy": "Local",
    }  # fmt: skip
    metadata = {"name": "web", "namespace": "default"}
    return [*pods, {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}]


@pytest.mark.parametrize("row", BREAKS)
def test_a_closed_port_breaks_what_is_documented_and_nothing_else(
    wall: Walled, inside: Inside, row: str
) -> None:
    _, firewall = wall
    with firewall.up(row):
        seen = {name: PROBES[name](inside) for name in BREAKS[row]}
        whole = [name for name in PROBES if name not in BREAKS[row]]
        for name in whole:
            works(inside, name)
    sys.stdout.write(
        f"\n  {row} closed: {', '.join(BREAKS[row])} broken; {', '.join(whole)} work\n"
    )
    assert seen == dict.fromkeys(BREAKS[row], False)
    with firewall.up():
        for name in BREAKS[row]:
            works(inside, name)


@pytest.mark.usefixtures("inside")
def test_without_the_ignition_port_a_machine_waits_and_joins_once_it_is_open(wall: Walled) -> None:
    guest, firewall = wall
    with a_pool(guest, "late") as pool:
        with firewall.up("ignition server") as walls:
            before = walls[ROUTED].packets()[-1]
            pool.scale(1)
            until(lambda: walls[ROUTED].packets()[-1] > before + 3, PATIENCE)
            assert pool.nodes() == []
        with firewall.up():
            (node,) = pool.await_nodes(1)
            assert is_ready(node)


def test_without_bgp_a_new_node_gets_no_route_to_the_others(wall: Walled, inside: Inside) -> None:
    guest, firewall = wall
    other = inside.workers[0]["spec"]["podCIDR"]
    with a_pool(guest, "mute") as pool:
        with firewall.up("179", "20244"):
            pool.scale(1)
            (node,) = pool.await_nodes(1)
            assert other not in routes(guest, node)
        with firewall.up():
            until(lambda: other in routes(guest, node), PATIENCE)


def routes(guest: Kubectl, node: Manifest) -> str:
    """The ways that a node knows to pods of other nodes."""
    assert isinstance(guest, Hosted)
    name = on_host(guest, node["metadata"]["name"])
    shown = guest.management.machine("exec", name, "--", "ip", "route", "show", "proto", "17")
    return shown.stdout
