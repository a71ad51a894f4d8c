"""Two hosted clusters with the same ranges side by side; the second leaves without a trace."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from tests.e2e import inventory, shop, traces
from tests.e2e.embedded import until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.reaching import fetch
from tests.e2e.shop import NAMESPACE

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1200)]

#: In the middle of the range that both have for their Services.
ADDRESS = "172.31.77.77"
#: But for files: kubelets of the management cluster keep logs of pods for a while.
SUBJECTS = ("processes", "mounts", "namespaces", "links", "cgroups")


@dataclass(frozen=True)
class Twin:
    """The second cluster, and what the management cluster and the host had before it."""

    hosted: Hosted
    before: inventory.Inventory
    host: traces.Traces


@pytest.fixture(scope="module")
def twin(hosted: Hosted) -> Iterator[Twin]:
    """A cluster with one node and the ranges of the shared one; the last test destroys it."""
    management = hosted.management
    made = Hosted(management, "twin", hosted.files)
    before, host = inventory.take(management), traces.look(management.base)
    try:
        made.create(nodes=1)
        yield Twin(made, before, host)
    finally:
        made.destroy()


@pytest.fixture(scope="module")
def shops(hosted: Hosted, twin: Twin) -> Iterator[tuple[Hosted, Hosted]]:
    """The same shop at the same address in both."""
    both = (hosted, twin.hosted)
    try:
        for guest in both:
            open_shop(guest)
        yield both
    finally:
        for guest in both:
            guest.try_kubectl("delete", "namespace", NAMESPACE, "--timeout=60s")


def open_shop(guest: Hosted) -> None:
    guest.apply(shop.a_namespace())
    web = shop.a_web_shop(guest.management.busybox)
    guest.apply(web, shop.a_service(clusterIP=ADDRESS))
    guest.kubectl("rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=180s")


def test_both_have_the_same_ranges(hosted: Hosted, twin: Twin) -> None:
    ours, theirs = (one.resource()["spec"]["networking"] for one in (hosted, twin.hosted))
    for kind in ("clusterNetwork", "serviceNetwork"):
        assert ours[kind] == theirs[kind]


def test_the_same_address_leads_to_each_clusters_own_pods(shops: tuple[Hosted, Hosted]) -> None:
    for guest in shops:
        names = pods(guest)
        for _ in range(5):
            assert {ask(guest, name, ADDRESS) for name in names} <= set(names)


def test_both_give_their_pods_addresses_of_the_same_range(shops: tuple[Hosted, Hosted]) -> None:
    nodes = [{one["spec"]["podCIDR"] for one in guest.get("nodes")} for guest in shops]
    assert nodes[0] & nodes[1], nodes


def test_each_is_reached_from_the_host_at_an_address_of_its_own(
    shops: tuple[Hosted, Hosted],
) -> None:
    places = [until(partial(balancer, guest), PATIENCE) for guest in shops]
    assert len(set(places)) == 2
    for guest, place in zip(shops, places, strict=True):
        assert until(partial(fetch, f"http://{place}/")) in pods(guest)


def test_a_destroyed_cluster_leaves_nothing(hosted: Hosted, twin: Twin) -> None:
    management, plane = hosted.management, twin.hosted.plane
    words = (plane, *(link for link in traces.look(management.base)["links"] - twin.host["links"]))
    there = traces.left(twin.host, traces.look(management.base), words)
    assert {"processes", "links", "cgroups"} <= set(there), "nothing was looked at"
    assert machines(twin.hosted)
    made = inventory.take(management) - twin.before
    assert len(made) > 50
    # the neighbour's shop has an address as well, which is no trace of the twin
    hosted.try_kubectl("delete", "namespace", NAMESPACE, "--timeout=60s")
    twin.hosted.destroy()
    inventory.await_nothing_new(management, twin.before, 60)
    assert management.get("machines,localmachines,secrets", "-n", plane) == []
    left = traces.left(twin.host, traces.look(management.base), words)
    assert {name: items for name, items in left.items() if name in SUBJECTS} == {}
    assert machines(twin.hosted) == []
    assert hosted.conditions()["Available"]["status"] == "True"


def machines(guest: Hosted) -> list[str]:
    """What the host's disk holds of a cluster's machines."""
    places = guest.management.where.hosted.iterdir()
    return [place.name for place in places if place.name.startswith(f"{guest.plane}.")]


def pods(guest: Hosted) -> list[str]:
    found = guest.get("pods", "-n", NAMESPACE, "-l", "app=web")
    return [pod["metadata"]["name"] for pod in found]


def ask(guest: Hosted, pod: str, host: str) -> str:
    """What a pod is answered by a web server."""
    script = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 {host} 80"
    return guest.shell(pod, script, NAMESPACE).strip().rpartition("\n")[2]


def balancer(guest: Hosted) -> str:
    service = guest.get("service", "web", "-n", NAMESPACE)
    return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])
