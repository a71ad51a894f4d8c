"""A cluster behind a forward proxy: nodes whose only way out is a CONNECT proxy join and work."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.e2e.embedded import Cluster, Manifest, a_pod, until
from tests.e2e.forward_proxy import ForwardProxy, a_proxy, only_way_out
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.walls import Wall
from tests.e2e.workers import a_pool, is_ready

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1500)]

NAME = "proxied"


@dataclass(frozen=True)
class Proxied:
    """The cluster, its proxy, and the wall around its machines."""

    hosted: Hosted
    proxy: ForwardProxy
    wall: Wall


@pytest.fixture(scope="module")
def proxied(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp(NAME))
    with a_proxy(cluster) as proxy, only_way_out(cluster, proxy) as wall:
        try:
            cluster.apply(*(behind(proxy, one) for one in made.manifests()))
            made.await_condition("Available")
            with a_pool(made, "workers", replicas=2) as pool:
                pool.await_nodes(2)
                yield Proxied(made, proxy, wall)
        finally:
            made.destroy()


def behind(proxy: ForwardProxy, manifest: Manifest) -> Manifest:
    """Put a HostedCluster behind a proxy."""
    if manifest["kind"] == "HostedCluster":
        settings = {"httpProxy": proxy.url, "httpsProxy": proxy.url}
        manifest["spec"].setdefault("configuration", {})["proxy"] = settings
    return manifest


def test_nodes_come_by_the_proxy_alone(proxied: Proxied) -> None:
    asked = proxied.proxy.asked()
    host, port = proxied.hosted.endpoint()
    tunnel = published(proxied.hosted, "konnectivity-server")
    ignition = proxied.hosted.resource()["status"]["ignitionEndpoint"].partition(":")[0]
    registry = proxied.hosted.management.spec.plan.registry
    sys.stdout.write(f"\n  {dict(asked)}\n  packets by rule {proxied.wall.packets()}\n")
    for target in (f"{host}:{port}", f"{tunnel}:8091", f"{ignition}:443"):
        assert asked[f"CONNECT {target}"] > 0, target
    assert any(one.startswith(f"GET http://{registry}/") for one in asked)
    through, _, dropped = proxied.wall.packets()
    assert through > 0
    # Nothing even tries another way: each such packet would be a setting that was passed over.
    assert dropped == 0


def test_each_way_works(proxied: Proxied) -> None:
    guest = proxied.hosted
    guest.await_condition("DataPlaneConnectionAvailable")
    guest.await_condition("ControlPlaneConnectionAvailable")


def test_pods_run_and_reach_the_api_by_its_service(proxied: Proxied) -> None:
    guest = proxied.hosted
    script = (
        "until curl --silent --insecure --max-time 5 https://kubernetes.default.svc/version; "
        "do sleep 1; done; exec sleep 100000"
    )
    guest.apply(a_pod("asks", guest.management.images["cli"], script))
    try:
        guest.kubectl("wait", "pod/asks", "--for=condition=Ready", "--timeout=200s")
        until(lambda: "gitVersion" in guest.kubectl("logs", "asks"), PATIENCE)
        assert guest.shell("asks", "hostname").strip() == "asks"
    finally:
        guest.try_kubectl("delete", "pod", "asks", "--wait=false")


def test_a_proxy_that_refuses_is_told_and_nothing_goes_around_it(proxied: Proxied) -> None:
    guest, proxy = proxied.hosted, proxied.proxy
    with a_pool(guest, "late") as pool:
        with proxy.refusing():
            before = proxy.refused()
            pool.scale(1)
            told = guest.await_condition("DataPlaneConnectionAvailable", "False")
            until(pool.machines, PATIENCE)
            until(lambda: proxy.refused() > before + 10, PATIENCE)
            reached = pool.conditions()["ReachedIgnitionEndpoint"]
            assert (reached["status"], pool.nodes()) == ("False", [])
            # Users and control plane have other ways.
            assert guest.conditions()["Available"]["status"] == "True"
            assert guest.try_kubectl("get", "namespaces", "--request-timeout=5s").returncode == 0
        sys.stdout.write(f"\n  {told['reason']}: {told['message']}; {reached['reason']}\n")
        (node,) = pool.await_nodes(1)
        assert is_ready(node)
    guest.await_condition("DataPlaneConnectionAvailable")
    guest.await_condition("ControlPlaneConnectionAvailable")
    assert proxied.wall.packets()[-1] == 0


def published(guest: Hosted, name: str) -> str:
    service = guest.management.get("service", name, "-n", guest.plane)
    return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])
