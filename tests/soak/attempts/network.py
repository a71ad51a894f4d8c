"""Where a tenant connects to: from its control plane, and from its machines."""

from collections.abc import Callable

from tests.soak.attempts.attempt import Attempt
from tests.soak.party import Party, addresses

from hypershift.api.well_known import API_PORT

KUBELET, ETCD, ETCD_METRICS, METRICS = 10250, 2379, 2381, 9000
#: No answer, or one that gives nothing.
UNAUTHORIZED = (0, 401, 403)
OPERATOR = "hypershift"
Places = list[tuple[str, int]]


def from_plane(where: Callable[[Party, Party], Places]) -> Attempt:
    """A connection out of the own control plane namespace."""

    def attempt(me: Party, other: Party) -> str:
        return _reached([at for at in where(me, other) if me.plane.reaches(*at)])

    return attempt


def from_machine(where: Callable[[Party, Party], Places]) -> Attempt:
    """A connection of root on an own machine."""

    def attempt(me: Party, other: Party) -> str:
        return _reached([at for at in where(me, other) if me.machine.reaches(*at)])

    return attempt


def asks(url: Callable[[Party, Party], list[str]], *headers: str, method: str = "GET") -> Attempt:
    """A question of root on an own machine, which nobody may answer."""

    def attempt(me: Party, other: Party) -> str:
        answers = {each: me.machine.ask(each, *headers, method=method) for each in url(me, other)}
        return ", ".join(
            f"{each}: {code}" for each, code in answers.items() if code not in UNAUTHORIZED
        )

    return attempt


def _reached(found: Places) -> str:
    return ", ".join(f"{host}:{port}" for host, port in found)


def etcd(_: Party, other: Party) -> Places:
    return [(at, port) for at in other.pods("etcd") for port in (ETCD, ETCD_METRICS)]


def api_pods(_: Party, other: Party) -> Places:
    return [(at, API_PORT) for at in other.pods("kube-apiserver")]


def kubelets(me: Party, _: Party) -> Places:
    return [(at, KUBELET) for at in addresses(me.management.get("nodes"))]


def machines(_: Party, other: Party) -> Places:
    return [(at, KUBELET) for at in other.nodes()]


def management_api(me: Party, _: Party) -> Places:
    subset = me.management.get("endpoints", "kubernetes")["subsets"][0]
    found = [(each["ip"], subset["ports"][0]["port"]) for each in subset["addresses"]]
    return [*found, ("kubernetes.default.svc", 443)]


def metadata_service(_: Party, __: Party) -> Places:
    return [("169.254.169.254", 80)]


def operator(me: Party, _: Party) -> Places:
    pods = me.management.get("pods", "-n", OPERATOR)
    return [(str(pod["status"]["podIP"]), METRICS) for pod in pods]


def secrets_of_management(me: Party, other: Party) -> list[str]:
    (host, port), *_ = management_api(me, other)
    return [f"https://{host}:{port}/api/v1/secrets"]


def pods_of_kubelets(me: Party, other: Party) -> list[str]:
    found = (*kubelets(me, other), *machines(me, other))
    return [f"https://{host}:{port}/pods" for host, port in found]


def pushes(me: Party, _: Party) -> str:
    """Push to the registry on the bridge."""
    code = me.machine.ask(
        f"http://{me.management.spec.plan.registry}/v2/hypershift/busybox/blobs/uploads/",
        method="POST",
    )
    return f"an upload: {code}" if code == 202 else ""
