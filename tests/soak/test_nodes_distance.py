"""Workers far from their control plane, and two clusters that know nothing of each other."""

from collections.abc import Iterator

import pytest
from tests.e2e import shop
from tests.e2e.distance import far_away
from tests.e2e.embedded import Cluster, a_pod, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.workers import a_pool

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

ROUND_TRIP = 0.2


def test_workers_at_200_ms_join_and_work(hosted: Hosted) -> None:
    with (
        far_away(hosted.management, ROUND_TRIP) as counted,
        a_pool(hosted, "far", replicas=1) as pool,
    ):
        (node,) = pool.await_nodes(1)
        assert counted[0] > 0
        name = node["metadata"]["name"]
        pod = a_pod("far", hosted.management.busybox, "echo here; exec sleep 100000")
        pod["spec"]["nodeName"] = name
        hosted.apply(pod)
        try:
            hosted.kubectl("wait", "pod/far", "--for=condition=Ready", "--timeout=200s")
            until(lambda: "here" in hosted.kubectl("logs", "far"), PATIENCE)
            assert hosted.shell("far", "hostname").strip() == "far"
        finally:
            hosted.kubectl("delete", "pod", "far", "--wait=false")


@pytest.fixture
def twin(
    cluster: Cluster,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    with a_hosted_cluster(cluster, "twin", tmp_path_factory.mktemp("twin"), nodes=1) as made:
        yield made


def test_two_clusters_with_the_same_ranges_do_not_meet(hosted: Hosted, twin: Hosted) -> None:
    networks = [one.resource()["spec"]["networking"] for one in (hosted, twin)]
    for kind in ("clusterNetwork", "serviceNetwork"):
        assert networks[0][kind] == networks[1][kind]
    for guest in (hosted, twin):
        web = shop.a_web_shop(guest.management.busybox, replicas=1)
        web["spec"]["template"]["spec"]["containers"][0]["command"][-1] = named(guest)
        guest.apply(shop.a_namespace())
        guest.apply(web, shop.a_service(), asker(guest))
    try:
        for guest in (hosted, twin):
            rollout = ("rollout", "status", "-n", shop.NAMESPACE, "deployment/web")
            guest.kubectl(*rollout, "--timeout=200s")
            ready = ("--for=condition=Ready", "--timeout=200s")
            guest.kubectl("wait", "-n", shop.NAMESPACE, "pod/asker", *ready)
            question = f"printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 web.{shop.NAMESPACE} 80"
            for _ in range(10):
                said = guest.shell("asker", question, shop.NAMESPACE)
                assert said.split()[-1] == guest.name
    finally:
        for guest in (hosted, twin):
            guest.try_kubectl("delete", "namespace", shop.NAMESPACE, "--wait=false")


def named(guest: Hosted) -> str:
    """A script that serves the cluster's name."""
    return (
        f"mkdir -p /tmp/web; echo {guest.name} > /tmp/web/index.html; "
        "httpd -p 8080 -h /tmp/web; exec sleep 100000"
    )


def asker(guest: Hosted) -> dict[str, object]:
    return a_pod("asker", guest.management.busybox, "exec sleep 100000", shop.NAMESPACE)
