"""Two clusters with the same ranges behind one address: each name leads to its own cluster."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from tests.e2e.embedded import Cluster, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster

from hypershift.api.well_known import SHARED_INGRESS_NAMESPACE

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

Pair = tuple[Hosted, Hosted]
DNS, CHOSEN = ("-n", "kube-system"), ("-l", "k8s-app=kube-dns")


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """One cluster with a node, and one without."""
    files = tmp_path_factory.mktemp("shared-ingress")
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                a_hosted_cluster(cluster, name, files, "--shared-ingress", nodes=nodes)
            )
            for name, nodes in (("ingress-a", 1), ("ingress-b", 0))
        )
        yield first, second


def test_both_are_behind_one_address_and_answer_by_their_own_names(pair: Pair) -> None:
    first, second = pair
    places = [one.management.get("service", "shared-ingress", "-n", one.plane) for one in pair]
    assert len({place["spec"]["externalName"] for place in places}) == 1
    assert [one.endpoint() for one in pair] == [
        (f"api-{one.name}.hosted.hypershift.local", 443) for one in pair
    ]
    networks = [one.resource()["spec"]["networking"]["serviceNetwork"] for one in pair]
    assert networks[0] == networks[1]
    assert [len(one.get("nodes")) for one in (first, second)] == [1, 0]
    for one in pair:
        kinds = [found["spec"]["type"] for found in services(one)]
        assert "LoadBalancer" not in kinds


def test_pods_reach_their_own_api_by_the_proxy_of_their_node(pair: Pair) -> None:
    first, _ = pair
    first.kubectl(*DNS, "wait", "pod", *CHOSEN, "--for=condition=Ready", "--timeout=400s")
    # The logs come through konnectivity, which comes through the router too.
    assert "CoreDNS" in first.kubectl(*DNS, "logs", *CHOSEN, "--tail=-1")
    identity = f'cluster_id = "{first.resource()["spec"]["clusterID"]}"'

    def carried() -> list[str]:
        return [line for line in router_logs(first.management) if identity in line]

    # A line for each connection that has ended, with the pod's own address from the PROXY header.
    found = until(lambda: [line for line in carried() if '-> "172.31.0.1":443' in line], PATIENCE)
    assert all(f'"{first.plane}-kube-apiserver"' in line for line in found)


def test_a_name_that_another_cluster_has_is_refused(pair: Pair) -> None:
    first, _ = pair
    thief = Hosted(first.management, "thief", first.files)
    manifests = thief.manifests("--shared-ingress")
    for manifest in manifests:
        if manifest["kind"] == "HostedCluster":
            manifest["spec"]["services"] = first.resource()["spec"]["services"]
    thief.management.apply(*manifests)
    try:
        found = thief.await_condition("ValidConfiguration", "False", "InvalidConfiguration")
        assert f"host name api-{first.name}.hosted.hypershift.local is another" in found["message"]
        assert first.conditions()["Available"]["status"] == "True"
    finally:
        thief.destroy()


def services(hosted: Hosted) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]] = hosted.management.get("services", "-n", hosted.plane)
    return found


def router_logs(management: Cluster) -> list[str]:
    """What the router's pods say about connections that have ended."""
    words = ("-n", SHARED_INGRESS_NAMESPACE, "-l", "app=router", "-c", "private-router")
    return management.kubectl("logs", *words, "--tail=-1", "--prefix").splitlines()
