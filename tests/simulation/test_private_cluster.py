"""One private cluster on AWS: its names, its steady state, and links that others forged."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.lib.planes import furnish
from tests.lib.private_links import ENDPOINT, LINK, SERVICE, Clouds, a_pool, controllers, private
from tests.lib.stage import Stage, play

from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.runtime import condition_of


def staged(story: Callable[[Stage, Clouds], Awaitable[None]]) -> None:
    async def whole(stage: Stage) -> None:
        stage.server.catalog.add(AWS_CLUSTER)
        await furnish(stage, names=True)
        clouds = Clouds()
        stage.manage(*controllers(clouds))
        await story(stage, clouds)

    play(whole)


async def status_of(stage: Stage, kind: str) -> tuple[str, str]:
    found = await stage.user.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
    told = condition_of(found, kind) or {}
    return told.get("status", ""), told.get("message", "")


def test_a_private_cluster_is_available_by_names_of_its_own_network() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await stage.user.create(a_pool("blue", "subnet-1"))
        await asyncio.sleep(300)
        for kind in (
            "SupportedHostedCluster",
            "ValidConfiguration",
            "Available",
            SERVICE,
            ENDPOINT,
        ):
            assert (await status_of(stage, kind))[0] == "True", await status_of(stage, kind)
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
        endpoint = found["status"]["controlPlaneEndpoint"]
        assert endpoint == {"host": "apiserver.blue.example.com", "port": 443}
        ignition = found["status"]["ignitionEndpoint"]
        assert ignition == "ignition-server.apps.blue.hypershift.local"
        link = await stage.user.get(LINK, "private-router", "clusters-blue")
        assert link["spec"]["networkLoadBalancerName"].startswith("a")
        assert link["spec"]["subnetIDs"] == ["subnet-1"]
        assert clouds.endpoints == {Key("clusters-blue", "private-router"): ("subnet-1",)}
        services = {one["metadata"]["name"] for one in await stage.user.list(kinds.SERVICE)}
        assert {"private-router", "kube-apiserver-private-external"} <= services
        assert "router" not in services
        router = await stage.user.get(kinds.CONFIG_MAP, "router", "clusters-blue")
        text = router["data"]["haproxy.cfg"]
        assert "konnectivity-server.apps.blue.hypershift.local" in text
        assert "default_backend kube_api" in text
        config = await stage.user.get(kinds.SECRET, "admin-kubeconfig", "clusters-blue")
        assert config

    staged(story)


def test_a_link_that_works_is_left_alone_for_five_minutes() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "PublicAndPrivate", by_route=False))
        await asyncio.sleep(300)
        assert (await status_of(stage, "Available"))[0] == "True"
        clouds.asked = 0
        before = len(stage.writes)
        await asyncio.sleep(600)
        assert clouds.asked <= 16  # two links, two halves, two looks, two calls
        assert stage.writes[before:] == []

    staged(story)


def test_a_cluster_that_aws_does_not_trust_goes_without_its_endpoint() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(300)
        clouds.trusted = False
        await asyncio.sleep(400)
        assert (await status_of(stage, ENDPOINT)) == ("False", "not trusted")
        await stage.user.delete(kinds.HOSTED_CLUSTER, "blue", "clusters")
        await asyncio.sleep(300)
        assert await stage.user.find(kinds.HOSTED_CLUSTER, "blue", "clusters") is None
        assert clouds.services == {}
        assert clouds.endpoints != {}  # the command line removes it with the network

    staged(story)


@pytest.mark.parametrize(
    "forged",
    [
        {"networkLoadBalancerName": "of-another"},
        {"resourceTags": [{"key": "kubernetes.io/cluster/management", "value": "owned"}]},
    ],
)
def test_a_link_reaches_no_load_balancer_but_that_of_its_service(forged: Manifest) -> None:
    """Operators of a Dedicated cluster write its links; the keys are the operator's own."""

    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(200)
        before = set(clouds.balancers)
        assert len(before) == 1
        clouds.asked = 0
        for _ in range(5):  # the control plane's half puts it right again
            await stage.user.patch(LINK, "private-router", {"spec": forged}, "clusters-blue")
            await asyncio.sleep(20)
        assert clouds.balancers == before
        own = {"apiVersion": LINK.api_version, "kind": LINK.kind}
        name = {"name": "of-nothing", "namespace": "clusters-blue"}
        spec = {"networkLoadBalancerName": "of-another", **forged}
        await stage.user.create({**own, "metadata": name, "spec": spec})
        await asyncio.sleep(300)
        assert clouds.balancers == before
        assert Key("clusters-blue", "of-nothing") not in clouds.services
        assert (await status_of(stage, SERVICE))[0] == "True"

    staged(story)


def test_a_link_in_a_namespace_of_nobody_makes_nothing() -> None:
    """The operator's keys are its own: a link counts in a cluster's namespace alone."""

    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(200)
        before = dict(clouds.services)
        name = {"metadata": {"name": "elsewhere"}}
        await stage.user.create({"apiVersion": "v1", "kind": "Namespace", **name})
        forged = {
            "apiVersion": LINK.api_version,
            "kind": LINK.kind,
            "metadata": {"name": "private-router", "namespace": "elsewhere"},
            "spec": {"networkLoadBalancerName": "of-another"},
        }
        await stage.user.create(forged)
        status = {"status": {"endpointServiceName": "com.amazonaws.vpce.r.vpce-svc-1"}}
        place = (LINK, "private-router", status, "elsewhere")
        await stage.user.patch(*place, subresource="status")
        await asyncio.sleep(100)
        assert clouds.services == before
        clouds.asked = 0
        await stage.user.delete(LINK, "private-router", "elsewhere")
        await asyncio.sleep(100)
        found = await stage.user.find(LINK, "private-router", "elsewhere")
        assert clouds.services == before
        assert found is None

    staged(story)
