"""The flows between users, a control plane and its nodes, by each way of publishing.

Each flow carries more bytes than everything else on its hops in that time; counters on the host and
in the routers' pods tell which hops it took. Nothing of the management side ever connects to a node
by itself.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from tests.e2e import hook, processes
from tests.e2e.embedded import Cluster, Manifest, a_pod, until
from tests.e2e.hops import DIRECT, NODES, ROUTER, USERS, Behind, Hops, Place, counted
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import Pool

from hypershift.api.well_known import SHARED_INGRESS_NAMESPACE
from hypershift.local.units.resolver import HOSTED_DOMAIN

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

SIZE = 700_000
GROUP, SHOP, PLANE_POD = "flows.e2e.hypershift.io", "flows", "beside"
BIG = "x" * SIZE
API, TUNNEL, IGNITION = "api", "tunnel", "ignition"
#: The API, asked from inside by the address that every pod knows.
INSIDE = "api from inside"
#: The label of routers' pods, a cluster's own and the shared ones.
ROUTERS = "app in (router, private-router)"

#: An API server of one group, and a web server; what they answer is big.
SERVER = f"""
import http.server, json, ssl, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        listed = dict(kind="APIResourceList", apiVersion="v1", groupVersion="{GROUP}/v1",
                      resources=[])
        body = b"x" * {SIZE} if self.path.endswith("big") else json.dumps(listed).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
plain = http.server.ThreadingHTTPServer(("", 8080), Handler)
threading.Thread(target=plain.serve_forever, daemon=True).start()
secure = http.server.ThreadingHTTPServer(("", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/tls/tls.crt", "/tls/tls.key")
secure.socket = context.wrap_socket(secure.socket, server_side=True)
print("x" * {SIZE}, flush=True)
secure.serve_forever()
"""


@dataclass(frozen=True)
class Flow:
    """Who asks whom, and for what."""

    number: int
    what: str
    who: str
    to: str
    provoke: Callable[["Stage"], None]
    least: int = SIZE


@dataclass
class Stage:
    """A published cluster with something to ask on each side."""

    guest: Hosted
    pool: Pool
    way: "Way"
    hops: Hops

    def in_pod(self, script: str) -> str:
        """Run a script in a pod of the cluster."""
        return self.guest.shell("asks", script, SHOP)

    def beside(self, script: str) -> str:
        """Run a script in a pod beside the control plane."""
        words = ("exec", "-n", self.guest.plane, PLANE_POD, "-c", "main", "--", "sh", "-c", script)
        return self.guest.management.kubectl(*words)

    @property
    def server(self) -> str:
        """The address of the web server's pod."""
        return str(self.guest.get("pod", "serves", "-n", SHOP)["status"]["podIP"])


def a_user_writes(stage: Stage) -> None:
    stage.guest.kubectl("create", "--dry-run=server", "-f", "-", feed=json.dumps(a_big_map()))


def a_kubelet_renews_its_lease(stage: Stage) -> None:
    def leases() -> list[str]:
        found = stage.guest.get("leases", "-n", "kube-node-lease")
        return [one["spec"]["renewTime"] for one in found]

    before = leases()
    until(lambda: all(told not in leases() for told in before), PATIENCE)


def a_pod_asks_the_api_by_its_service(stage: Stage) -> None:
    place = "/var/run/secrets/kubernetes.io/serviceaccount"
    stage.in_pod(
        f"head -c {SIZE} /dev/zero | tr '\\0' x > /tmp/big; curl --silent --fail-with-body "
        f'--cacert {place}/ca.crt -H "Authorization: Bearer $(cat {place}/token)" '
        "-H 'Content-Type: application/json' -o /dev/null -X POST --data-binary @/tmp/big "
        "https://kubernetes.default.svc/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
        " || true"
    )


def the_api_calls_a_webhook(stage: Stage) -> None:
    feed = json.dumps(a_big_map(SHOP))
    said = stage.guest.try_kubectl("create", "--dry-run=server", "-f", "-", feed=feed)
    assert hook.DENIED in said.stderr


def the_api_asks_an_aggregated_one(stage: Stage) -> None:
    raw = ("get", "--raw", f"/apis/{GROUP}/v1/big")
    until(lambda: len(stage.guest.try_kubectl(*raw).stdout) >= SIZE, PATIENCE)


def the_api_reads_a_log(stage: Stage) -> None:
    assert len(stage.guest.kubectl("logs", "serves", "-n", SHOP)) >= SIZE


def a_user_runs_a_command(stage: Stage) -> None:
    assert len(stage.in_pod(f"head -c {SIZE} /dev/zero | tr '\\0' x")) == SIZE


def the_api_asks_a_service(stage: Stage) -> None:
    raw = f"/api/v1/namespaces/{SHOP}/services/http:serves:80/proxy/big"
    assert len(stage.guest.kubectl("get", "--raw", raw)) == SIZE


def a_program_asks_by_socks5(stage: Stage) -> None:
    ask = f"curl --silent --fail --socks5 127.0.0.1:8090 http://{stage.server}:8080/big | wc -c"
    until(lambda: stage.beside(ask).strip() == str(SIZE), PATIENCE)


def a_program_asks_by_https_proxy(stage: Stage) -> None:
    ask = (
        "curl --silent --fail --insecure --proxytunnel --proxy http://127.0.0.1:8092 "
        f"https://{stage.server}:8443/big | wc -c"
    )
    until(lambda: stage.beside(ask).strip() == str(SIZE), PATIENCE)


def a_machine_boots(stage: Stage) -> None:
    stage.pool.scale(2)
    stage.pool.await_nodes(2)


FLOWS = (
    Flow(1, "a user asks the API", USERS, API, a_user_writes),
    Flow(2, "a kubelet asks the API", NODES, API, a_kubelet_renews_its_lease, 1000),
    Flow(3, "a pod asks kubernetes.default", NODES, INSIDE, a_pod_asks_the_api_by_its_service),
    Flow(4, "the API calls a webhook", NODES, TUNNEL, the_api_calls_a_webhook),
    Flow(5, "the API asks an aggregated API", NODES, TUNNEL, the_api_asks_an_aggregated_one),
    Flow(6, "the API reads a log of a kubelet", NODES, TUNNEL, the_api_reads_a_log),
    Flow(7, "a user runs a command in a pod", NODES, TUNNEL, a_user_runs_a_command),
    Flow(8, "the API asks a Service for a user", NODES, TUNNEL, the_api_asks_a_service),
    Flow(9, "a program asks by SOCKS5", NODES, TUNNEL, a_program_asks_by_socks5),
    Flow(10, "a program asks by HTTPS proxy", NODES, TUNNEL, a_program_asks_by_https_proxy),
    Flow(11, "a machine fetches its configuration", NODES, IGNITION, a_machine_boots, 5000),
)


# How clusters are published: what they are created with, and where each service is then.


def by_balancers(guest: Hosted) -> dict[str, Place]:
    host = ignition(guest).partition(":")[0]
    return {
        API: guest.endpoint(),
        TUNNEL: (balancer(guest.management, "konnectivity-server", guest.plane), 8091),
        IGNITION: (host, 443),
    }


def by_ports(guest: Hosted) -> dict[str, Place]:
    """Each has a port of its own at every node of the management cluster."""
    tunnel = guest.management.get("service", "konnectivity-server", "-n", guest.plane)
    node = first_node(guest.management)
    host, _, port = ignition(guest).rpartition(":")
    assert host == node
    return {
        API: guest.endpoint(),
        TUNNEL: (node, int(tunnel["spec"]["ports"][0]["nodePort"])),
        IGNITION: (node, int(port)),
    }


def by_names(guest: Hosted) -> dict[str, Place]:
    """All are behind the router's address, which is told the name that a client asks for."""
    return {ROUTER: (balancer(guest.management, "router", guest.plane), 443)}


def by_shared_names(guest: Hosted) -> dict[str, Place]:
    """The same for all clusters; what has no name of theirs comes to a port of its own."""
    address = balancer(guest.management, "router", SHARED_INGRESS_NAMESPACE)
    return {ROUTER: (address, 443), f"{ROUTER}'s port for nodes": (address, 6443)}


@dataclass(frozen=True)
class Way:
    """A way of publishing."""

    places: Callable[[Hosted], dict[str, Place]]
    flags: tuple[str, ...] = ()
    services: Callable[[Cluster], list[Manifest] | None] = lambda _: None
    #: Where its routers run; None where each service has an address of its own.
    routers: Callable[[Hosted], str] | None = None
    inside: str = ROUTER

    def hops(self, flow: Flow) -> list[str]:
        """The hops that see a flow."""
        service = API if flow.to == INSIDE else flow.to
        if self.routers is None:
            return [f"{flow.who} > {service}"]
        first = self.inside if flow.to == INSIDE else ROUTER
        return [f"{flow.who} > {first}", f"{ROUTER} > {service}"]


def ports_of_nodes(cluster: Cluster) -> list[Manifest]:
    at = {"type": "NodePort", "nodePort": {"address": first_node(cluster)}}
    names = ("APIServer", "Konnectivity", "Ignition")
    return [{"service": name, "servicePublishingStrategy": at} for name in names]


WAYS: dict[str, Way] = {
    "balancers": Way(by_balancers),
    "ports": Way(by_ports, services=ports_of_nodes),
    "names": Way(
        by_names, ("--external-dns-domain", HOSTED_DOMAIN), routers=lambda guest: guest.plane
    ),
    "shared": Way(
        by_shared_names,
        ("--shared-ingress",),
        routers=lambda _: SHARED_INGRESS_NAMESPACE,
        inside=f"{ROUTER}'s port for nodes",
    ),
}


@pytest.fixture(scope="module", params=list(WAYS))
def stage(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    way = WAYS[request.param]
    guest = Hosted(cluster, f"by-{request.param}", tmp_path_factory.mktemp(request.param))
    pool = Pool(guest, "workers")
    try:
        cluster.apply(*(published(way, cluster, one) for one in guest.manifests(*way.flags)))
        guest.await_condition("Available")
        pool.create(replicas=1)
        pool.await_nodes(1)
        furnish(guest)
        where = until(lambda: way.places(guest), PATIENCE)
        with counted(cluster, where, behind(way, guest)) as hops:
            yield Stage(guest, pool, way, hops)
    finally:
        guest.destroy()


def published(way: Way, cluster: Cluster, manifest: Manifest) -> Manifest:
    """Let a HostedCluster be published in another way than by default."""
    if manifest["kind"] == "HostedCluster" and (wanted := way.services(cluster)):
        manifest["spec"]["services"] = wanted
    return manifest


def behind(way: Way, guest: Hosted) -> Behind:
    """The routers in front of a cluster, and the addresses that they know its services by."""
    management = guest.management
    if way.routers is None:
        return Behind()
    pods = management.get("pods", "-n", way.routers(guest), "-l", ROUTERS)
    found = processes.of_pods({pod["metadata"]["uid"] for pod in pods})
    pids = {one.pod: one.pid for one in found if one.program == "haproxy"}
    assert len(pids) == len(pods) > 0
    services = (
        (API, "kube-apiserver", guest.plane, 6443),
        (TUNNEL, "konnectivity-server", guest.plane, 8091),
        (IGNITION, "ignition-server", "hypershift", 443),
    )
    places = {
        what: (str(management.get("service", name, "-n", where)["spec"]["clusterIP"]), port)
        for what, name, where, port in services
    }
    return Behind(tuple(pids.values()), places)


def ignition(guest: Hosted) -> str:
    return str(guest.resource()["status"]["ignitionEndpoint"])


def balancer(management: Cluster, name: str, namespace: str) -> str:
    service = management.get("service", name, "-n", namespace)
    return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])


def first_node(cluster: Cluster) -> str:
    addresses = cluster.get("nodes")[0]["status"]["addresses"]
    return str(next(one["address"] for one in addresses if one["type"] == "InternalIP"))


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: f"{flow.number}")
def test_a_flow_takes_the_hops_that_are_meant_for_it(stage: Stage, flow: Flow) -> None:
    before = stage.hops.carried()
    flow.provoke(stage)
    carried = stage.hops.carried() - before
    sys.stdout.write(f"\n  {flow.number} {flow.what}: {dict(carried)}\n")
    for hop in stage.way.hops(flow):
        assert carried[hop] >= flow.least, hop
    assert carried[DIRECT] == 0


def furnish(guest: Hosted) -> None:
    """What asks and what is asked: in the cluster, and one pod beside its control plane."""
    own, cli = guest.management.images["hypershift"], guest.management.images["cli"]
    guest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SHOP}})
    servants, authority = hook.a_server(own, SHOP)
    serves = a_pod("serves", own, "", SHOP, volumes=servants[1]["spec"]["volumes"])
    serves["spec"]["containers"][0] |= {
        "command": ["python3", "-c", SERVER],
        "volumeMounts": [{"name": "tls", "mountPath": "/tls"}],
        "readinessProbe": {"tcpSocket": {"port": 8443}, "periodSeconds": 1},
    }
    ports = [
        {"name": "http", "port": 80, "targetPort": 8080},
        {"name": "https", "port": 443, "targetPort": 8443},
    ]
    place = {"name": "serves", "namespace": SHOP}
    service = {"selector": {"app": "serves"}, "ports": ports}
    api = {
        "group": GROUP, "version": "v1", "groupPriorityMinimum": 1000, "versionPriority": 10,
        "insecureSkipTLSVerify": True, "service": place,
    }  # fmt: skip
    guest.apply(
        *servants,
        serves,
        {"apiVersion": "v1", "kind": "Service", "metadata": place, "spec": service},
        a_pod("asks", cli, "exec sleep 100000", SHOP),
    )
    waits = ("--for=condition=Ready", "--timeout=300s")
    guest.kubectl("wait", "-n", SHOP, "pod/serves", "pod/asks", "pod/hook", *waits)
    guest.apply(
        hook.a_registration(SHOP, authority, "", "configmaps"),
        {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": f"v1.{GROUP}"},
            "spec": api,
        },
    )
    guest.management.apply(beside(guest, own, cli))
    words = ("wait", "-n", guest.plane, f"pod/{PLANE_POD}", *waits)
    guest.management.kubectl(*words)


def beside(guest: Hosted, own: str, cli: str) -> Manifest:
    """A pod of the control plane's namespace with the two proxies that lead into the guest."""
    pod = a_pod(PLANE_POD, cli, "exec sleep 100000", guest.plane)
    mounts = [
        {"name": "cert", "mountPath": "/etc/konnectivity/proxy-client"},
        {"name": "ca", "mountPath": "/etc/konnectivity/proxy-ca"},
        {"name": "kubeconfig", "mountPath": "/etc/kubernetes/secrets/kubeconfig"},
    ]
    environment = {
        "name": "KUBECONFIG", "value": "/etc/kubernetes/secrets/kubeconfig/kubeconfig",
    }  # fmt: skip
    pod["spec"]["containers"] += [
        {
            "name": kind,
            "image": own,
            "command": ["/usr/bin/control-plane-operator", f"konnectivity-{kind}-proxy"],
            "args": ["run", f"--serving-port={port}"],
            "env": [environment],
            "volumeMounts": mounts,
        }
        for kind, port in (("socks5", 8090), ("https", 8092))
    ]
    # The namespace admits pods that are as confined as the control plane's own.
    pod["spec"]["securityContext"] = {
        "runAsNonRoot": True,
        "runAsUser": 65532,
        "fsGroup": 65532,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    for container in pod["spec"]["containers"]:
        container["securityContext"] = {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }
    secret = {"name": "cert", "secret": {"secretName": "konnectivity-client"}}
    pod["spec"]["volumes"] = [
        secret,
        {"name": "ca", "configMap": {"name": "konnectivity-ca-bundle"}},
        {"name": "kubeconfig", "secret": {"secretName": "hcco-kubeconfig"}},
    ]
    return pod


def a_big_map(namespace: str = "default") -> Manifest:
    """A ConfigMap that the webhook refuses where it is asked."""
    metadata = {"name": "big", "namespace": namespace, "labels": {"deny": "please"}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"x": BIG}}
