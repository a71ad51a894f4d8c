"""Control planes that are published by Routes, on a real API server that serves the kind."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.operators.management import established, prepare
from tests.lib.openshift_routes import DEFINITION
from tests.lib.planes import named
from tests.lib.server import RealServer

from hypershift.kit import Manifest
from hypershift.kube import kinds

if TYPE_CHECKING:
    from tests.integration.operators.world import World

pytestmark = pytest.mark.integration
Make = Callable[..., Manifest]
NAMESPACE, ADDRESS = "clusters-demo", "192.0.2.7"
OURS = "hypershift.openshift.io/hosted-control-plane"
INTERNAL = "hypershift.openshift.io/internal-route"


@pytest.fixture(scope="module")
def prepared(server: RealServer) -> RealServer:
    async def both() -> None:
        await prepare(server)
        async with server.client() as client:
            await client.create(DEFINITION)
            await established(client, [DEFINITION])

    asyncio.run(both())
    return server


async def routes(world: "World") -> dict[str, Manifest]:
    found = await world.client.list(kinds.ROUTE, NAMESPACE)
    return {one["metadata"]["name"]: one for one in found}


async def say(world: "World", name: str, host: str, **condition: str) -> None:
    """Be the management cluster's router, and say what it does with a Route."""
    ingress = {
        "host": host,
        "routerName": "default",
        "routerCanonicalHostname": "router.apps.example.com",
        "conditions": [{"type": "Admitted", **condition}],
    }
    status: Manifest = {"status": {"ingress": [ingress]}}
    await world.client.patch(kinds.ROUTE, name, status, NAMESPACE, subresource="status")


async def test_a_router_of_its_own_serves_a_cluster_whose_api_server_has_a_name(
    world: "World", cluster: Make
) -> None:
    await world.client.create(cluster(services=named("demo")))
    await world.condition("demo", "Available", "True")
    found = await routes(world)
    assert {name: one["spec"]["host"] for name, one in found.items()} == {
        "kube-apiserver": "api-demo.example.com",
        "kube-apiserver-internal": "api.demo.hypershift.local",
        "konnectivity-server": "konnectivity-demo.example.com",
        "ignition-server": "ignition-demo.example.com",
    }
    for name, one in found.items():
        internal = {INTERNAL: "true"} if name == "kube-apiserver-internal" else {}
        assert one["metadata"]["labels"] == {OURS: NAMESPACE, **internal}
        assert one["metadata"]["ownerReferences"][0]["kind"] == "HostedControlPlane"
        assert one["spec"]["tls"] == {
            "termination": "passthrough",
            "insecureEdgeTerminationPolicy": "None",
        }
    for name in ("kube-apiserver", "konnectivity-server", "ignition-server"):
        (ingress,) = found[name]["status"]["ingress"]
        (condition,) = ingress["conditions"]
        assert (condition["type"], condition["status"]) == ("Admitted", "True")
        assert ingress["routerCanonicalHostname"] == ADDRESS
        assert ingress["routerName"] == "router"
    assert "status" not in found["kube-apiserver-internal"]
    config = await world.client.get(kinds.CONFIG_MAP, "router", NAMESPACE)
    assert "req_ssl_sni -i konnectivity-demo.example.com" in config["data"]["haproxy.cfg"]
    before = {name: one["metadata"]["resourceVersion"] for name, one in found.items()}
    await asyncio.sleep(20)  # longer than the pass that looks at the endpoint again
    again = await routes(world)
    assert {name: one["metadata"]["resourceVersion"] for name, one in again.items()} == before


async def test_infrastructure_is_ready_once_the_management_clusters_router_admits_a_route(
    world: "World", cluster: Make
) -> None:
    await world.client.create(cluster(services=by_balancer("tunnel.example.com")))

    async def told(part: str) -> Any:
        async def says() -> bool:
            found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
            conditions = (found.get("status") or {}).get("conditions") or ()
            ready: Manifest = next(
                (c for c in conditions if c["type"] == "InfrastructureReady"), {}
            )
            return ready.get("status") == "False" and part in ready["message"]

        return await world.until(says, about=part)

    await told("no router of the management cluster has admitted Route konnectivity-server yet")
    found = await routes(world)
    assert set(found) == {"konnectivity-server"}
    assert "labels" not in found["konnectivity-server"]["metadata"]
    refusal = {"reason": "HostAlreadyClaimed", "message": "route other already exposes it"}
    await say(world, "konnectivity-server", "tunnel.example.com", status="False", **refusal)
    await told(
        "Route konnectivity-server is refused by router default"
        " (HostAlreadyClaimed: route other already exposes it)"
    )
    await say(world, "konnectivity-server", "tunnel.example.com", status="True")
    await world.condition("demo", "InfrastructureReady", "True")
    await world.condition("demo", "Available", "True")
    services = await world.client.list(kinds.SERVICE, NAMESPACE)
    assert "router" not in {one["metadata"]["name"] for one in services}


async def test_what_somebody_does_to_a_route_is_undone(world: "World", cluster: Make) -> None:
    await world.client.create(cluster(services=named("demo")))
    await world.condition("demo", "Available", "True")
    name, host = "konnectivity-server", "konnectivity-demo.example.com"
    await world.client.delete(kinds.ROUTE, "kube-apiserver", NAMESPACE)
    edit: Manifest = {
        "metadata": {"labels": {OURS: None}},
        "spec": {"host": "stolen.example.com"},
    }
    await world.client.patch(kinds.ROUTE, name, edit, NAMESPACE)

    async def undone() -> bool:
        found = await routes(world)
        tunnel = found[name]
        as_before = tunnel["spec"]["host"] == host and OURS in tunnel["metadata"]["labels"]
        told = tunnel["status"]["ingress"][0]["host"] == host
        return as_before and told and "status" in found.get("kube-apiserver", {})

    await world.until(undone, about="Routes as they were")


async def test_a_shared_ignition_server_is_not_reached_by_another_namespaces_route(
    world: "World", cluster: Make
) -> None:
    services = by_balancer("tunnel.example.com")
    services[-1]["servicePublishingStrategy"] = {"type": "Route"}
    await world.client.create(cluster(services=services))
    found = await world.condition("demo", "ValidConfiguration", "False")
    assert "service Ignition is exposed via a Route while APIServer is not" in found["message"]


def by_balancer(tunnel: str) -> list[Manifest]:
    """Load balancers, and a Route for the tunnel."""
    balancer = {"type": "LoadBalancer"}
    ways: dict[str, Manifest] = {
        "APIServer": balancer,
        "Konnectivity": {"type": "Route", "route": {"hostname": tunnel}},
        "Ignition": balancer,
    }
    return [{"service": service, "servicePublishingStrategy": way} for service, way in ways.items()]
