"""Two tenants side by side: one Shared, one Dedicated, neither of which can reach the other."""

import asyncio
import base64
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Any

import pytest
import yaml
from tests.e2e import inventory
from tests.e2e.embedded import Cluster, a_pod, until
from tests.e2e.hosted import Hosted
from tests.soak.counters import counting

from hypershift.api.well_known import API_PORT
from hypershift.local.host import tools

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

DEDICATED = "hypershift.openshift.io/mode=Dedicated"
ROLES = {
    "control-plane-operator",
    "hosted-cluster-config-operator",
    "ignition-server",
    "machine-approver",
    "cluster-api",
}
RESTRICTED = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "runAsUser": 65532,
    "seccompProfile": {"type": "RuntimeDefault"},
}
SPY = "spy"
COUNTED = 60.0  # seconds
ESTABLISHED = "01"  # in /proc/net/tcp


@dataclass(frozen=True)
class Tenant:
    """The second cluster, and what there was before it."""

    cluster: Hosted
    before: inventory.Inventory


@pytest.fixture(scope="module")
def tenant(hosted: Hosted) -> Iterator[Tenant]:
    """A Dedicated cluster without nodes; the last test of this module destroys it."""
    made = Hosted(hosted.management, "tenant", hosted.files)
    before = inventory.take(hosted.management)
    made.create("--annotations", DEDICATED)
    yield Tenant(made, before)
    made.destroy()


def test_a_dedicated_cluster_has_operators_of_its_own(tenant: Tenant) -> None:
    cluster = tenant.cluster
    found = cluster.management.get("deployments", "-n", cluster.plane)
    assert {each["metadata"]["name"] for each in found} >= ROLES
    assert cluster.conditions()["Available"]["status"] == "True"
    assert cluster.kubectl("get", "--raw", "/readyz") == "ok"


def test_only_pods_of_its_own_namespace_connect_to_a_dedicated_api(
    hosted: Hosted, tenant: Tenant
) -> None:
    cluster = tenant.cluster
    # its own manager of machines connects as soon as it knows the cluster
    cluster.until(
        lambda: _addresses(cluster.pods("cluster-api")) & _peers(cluster), "own Cluster API manager"
    )
    outside = {
        str(pod["status"].get("podIP")): f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
        for pod in hosted.management.get("pods", "-A")
        if pod["metadata"]["namespace"] != cluster.plane and not pod["spec"].get("hostNetwork")
    }
    for _ in range(20):
        assert [outside[peer] for peer in _peers(cluster) if peer in outside] == []
        time.sleep(1)
    # the check itself: a Shared cluster's API is used from outside, by the operator among others
    assert any(peer in outside for peer in _peers(hosted))


def test_packet_counters_see_only_its_own_namespace_ask_a_dedicated_api(
    hosted: Hosted, tenant: Tenant
) -> None:
    """A connection that is over before anybody looks is counted too."""
    cluster, management = tenant.cluster, hosted.management
    (pod, *_) = cluster.pods("kube-apiserver")
    with counting(pod, "kube-apiserver", API_PORT) as counters:
        # a manager that starts anew has to ask for a connection
        management.kubectl("rollout", "restart", "deployment", "-n", cluster.plane, "cluster-api")
        cluster.until(lambda: _own(cluster) & set(counters.read()), "own Cluster API manager")
        time.sleep(COUNTED)
        asked, pods = counters.read(), _own(cluster)
    outside = {
        str(each["status"].get("podIP")): each["metadata"]["name"]
        for each in management.get("pods", "-A")
        if each["metadata"]["namespace"] != cluster.plane and not each["spec"].get("hostNetwork")
    }
    told = {at: ("own" if at in pods else outside.get(at, "")) for at in asked}
    sys.stdout.write(f"\n  asked for connections: {asked}, {told}\n")
    assert sum(asked[at] for at in asked if at in pods) > 0
    assert {outside[at]: asked[at] for at in asked if at in outside} == {}


@pytest.mark.parametrize("direction", ["shared to dedicated", "dedicated to shared"])
def test_a_pod_of_one_tenant_reaches_nothing_of_the_other(
    hosted: Hosted, tenant: Tenant, direction: str
) -> None:
    mine, other = (
        (hosted, tenant.cluster) if direction == "shared to dedicated" else (tenant.cluster, hosted)
    )
    with spying(mine) as spy:
        # the probe itself works: its own etcd lets it in, as soon as the policies know the pod
        until(lambda: spy.reaches(_etcd(mine), 2379), 60)
        forbidden = {
            f"etcd of {other.name}": (_etcd(other), 2379),
            f"metrics of etcd of {other.name}": (_etcd(other), 2381),
            **{f"kubelet of {name}": (at, 10250) for name, at in _nodes(hosted.management)},
            **{f"machine {name}": (at, 10250) for name, at in _nodes(other)},
            "the management API": _management_api(hosted.management),
            "the management API by its Service": ("kubernetes.default.svc", 443),
        }
        reached = [what for what, (host, port) in forbidden.items() if spy.reaches(host, port)]
    assert reached == []


def test_a_tenants_api_refuses_every_credential_of_the_other(
    hosted: Hosted, tenant: Tenant
) -> None:
    for mine, other in ((hosted, tenant.cluster), (tenant.cluster, hosted)):
        tried = dict(_credentials(mine))
        assert {"admin-kubeconfig", "system-admin-client"} <= set(tried)
        for name, pair in tried.items():
            answers = (_ask(mine, pair), _ask(other, pair))
            assert answers[1] == 401, f"{other.name} answers {answers[1]} to {name} of {mine.name}"
        # the check itself: a tenant's own API knows its own administrator
        assert _ask(mine, tried["admin-kubeconfig"]) == 200


def test_a_deleted_cluster_leaves_nothing(hosted: Hosted, tenant: Tenant) -> None:
    management = hosted.management
    made = inventory.take(management) - tenant.before
    addresses = [each.split()[-1] for each in made if each.startswith("address ")]
    volumes = [each for each in made if each.startswith("volume on disk ")]
    assert len(made) > 50
    assert addresses
    assert volumes
    tenant.cluster.destroy()
    inventory.await_nothing_new(management, tenant.before, 60)
    rules = _forwards()
    assert [address for address in addresses if address in rules] == []
    assert hosted.conditions()["Available"]["status"] == "True"


class Spy:
    """A pod in a tenant's control plane namespace."""

    def __init__(self, cluster: Hosted) -> None:
        self._cluster = cluster

    def reaches(self, host: str, port: int) -> bool:
        """Whether a connection is made."""
        words = ("exec", "-n", self._cluster.plane, SPY, "--", "nc", "-w", "3", host, str(port))
        # what comes after -e is run once there is a connection
        return self._cluster.management.try_kubectl(*words, "-e", "true").returncode == 0


class spying:  # noqa: N801 - reads as what it does
    """A spy that is there for one test."""

    def __init__(self, cluster: Hosted) -> None:
        self._cluster = cluster

    def __enter__(self) -> Spy:
        cluster, management = self._cluster, self._cluster.management
        pod = a_pod(SPY, management.busybox, "exec sleep 100000", cluster.plane)
        pod["spec"]["containers"][0]["securityContext"] = RESTRICTED
        pod["spec"]["automountServiceAccountToken"] = False
        management.apply(pod)
        words = ("wait", "pod", SPY, "-n", cluster.plane, "--for=condition=Ready")
        management.kubectl(*words, "--timeout=120s")
        spy = Spy(cluster)
        # the policies of a new pod are enforced a moment after it runs
        until(lambda: not spy.reaches(*_management_api(management)), 30)
        return spy

    def __exit__(self, *_: object) -> None:
        words = ("delete", "pod", SPY, "-n", self._cluster.plane, "--grace-period=0", "--force")
        self._cluster.management.kubectl(*words)


def _etcd(cluster: Hosted) -> str:
    return str(cluster.pods("etcd")[0]["status"]["podIP"])


def _addresses(pods: list[dict[str, Any]]) -> set[str]:
    return {str(pod["status"].get("podIP")) for pod in pods}


def _own(cluster: Hosted) -> set[str]:
    """The addresses of all pods of a control plane."""
    return _addresses(cluster.management.get("pods", "-n", cluster.plane))


def _peers(cluster: Hosted) -> set[str]:
    """Who has a connection to the API server, by the tables of its own pod's network."""
    name = cluster.pods("kube-apiserver")[0]["metadata"]["name"]
    words = ("exec", "-n", cluster.plane, name, "-c", "kube-apiserver", "--")
    text = cluster.management.kubectl(*words, "cat", "/proc/net/tcp", "/proc/net/tcp6")
    rows = [row.split() for row in text.splitlines() if "local_address" not in row]
    return {
        _address(remote.partition(":")[0])
        for _, local, remote, state, *_ in rows
        if state == ESTABLISHED and int(local.partition(":")[2], 16) == API_PORT
    }


def _address(words: str) -> str:
    """An IPv4 address as the kernel prints it: the last word, its bytes in reverse."""
    return str(IPv4Address(bytes.fromhex(words[-8:])[::-1]))


def _nodes(cluster: Cluster | Hosted) -> list[tuple[str, str]]:
    return [
        (node["metadata"]["name"], address["address"])
        for node in cluster.get("nodes")
        for address in node["status"]["addresses"]
        if address["type"] == "InternalIP"
    ]


def _management_api(cluster: Cluster) -> tuple[str, int]:
    subset = cluster.get("endpoints", "kubernetes")["subsets"][0]
    return subset["addresses"][0]["ip"], subset["ports"][0]["port"]


def _credentials(cluster: Hosted) -> Iterator[tuple[str, bytes]]:
    """Every client certificate with its key that a control plane namespace holds."""
    for secret in cluster.management.get("secrets", "-n", cluster.plane):
        data = {key: base64.b64decode(value) for key, value in (secret.get("data") or {}).items()}
        if pair := _pair(data):
            yield secret["metadata"]["name"], pair


def _pair(data: dict[str, bytes]) -> bytes:
    if "kubeconfig" in data:
        user: dict[str, Any] = yaml.safe_load(data["kubeconfig"])["users"][0]["user"]
        encoded = (user.get("client-certificate-data"), user.get("client-key-data"))
        found = [base64.b64decode(each) for each in encoded if each]
    else:
        found = [data[key] for key in ("tls.crt", "tls.key") if key in data]
    return b"\n".join(found) if len(found) == 2 else b""


def _ask(cluster: Hosted, pair: bytes) -> int:
    """The status that an API answers somebody who shows this certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with tempfile.NamedTemporaryFile() as file:
        file.write(pair)
        file.flush()
        context.load_cert_chain(file.name)
    host, port = cluster.endpoint()
    url = f"https://{host}:{port}/api/v1/namespaces/default/configmaps"
    try:
        with urllib.request.urlopen(url, timeout=10, context=context) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        return error.code


def _forwards() -> str:
    nft = asyncio.run(tools.nft())
    done = subprocess.run((*nft, "list", "ruleset"), check=True, capture_output=True, text=True)
    return done.stdout
