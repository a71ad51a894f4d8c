"""Clusters that cannot be hosted say why, heal when fixed, and never stop the others."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from hypershift.kit import Manifest
from hypershift.kube import kinds

if TYPE_CHECKING:
    from tests.integration.operators.world import World

pytestmark = pytest.mark.integration
Make = Callable[..., Manifest]
GOOD = "registry.example/kubernetes/release:1.35.8"


async def heals(world: "World", fix: Manifest) -> None:
    await world.client.patch(kinds.HOSTED_CLUSTER, "demo", fix, "clusters")
    await world.condition("demo", "Available", "True")


async def test_a_release_that_is_not_there(world: "World", cluster: Make) -> None:
    await world.client.create(cluster(release={"image": "registry.example/none:1"}))
    found = await world.condition("demo", "ValidReleaseImage", "False", "InvalidImage")
    assert "registry.example/none:1 is not there" in found["message"]
    await world.condition("demo", "Progressing", "False", "Blocked")
    await heals(world, {"spec": {"release": {"image": GOOD}}})


async def test_a_release_that_is_too_new(world: "World", cluster: Make) -> None:
    image = "registry.example/kubernetes/release:1.99.0"
    await world.client.create(cluster(release={"image": image}))
    found = await world.condition("demo", "ValidReleaseImage", "False", "InvalidImage")
    assert "latest version supported" in found["message"]


async def test_a_pull_secret_that_is_not_there(world: "World", cluster: Make, secret: Make) -> None:
    await world.client.create(cluster(pullSecret={"name": "later"}))
    await world.condition("demo", "ValidReleaseImage", "False", "SecretNotFound")
    later = secret("later", **{".dockerconfigjson": "{}"})
    await world.client.create(later | {"type": "kubernetes.io/dockerconfigjson"})
    await world.condition("demo", "Available", "True")
    await world.client.delete(kinds.SECRET, "later", "clusters")


async def test_a_pull_secret_without_its_key(world: "World", cluster: Make, secret: Make) -> None:
    await world.client.apply(secret("hollow", other="x"))
    await world.client.create(cluster(pullSecret={"name": "hollow"}))
    found = await world.condition("demo", "ReconciliationSucceeded", "False", "ReconciliationError")
    said = 'hostedcluster pull secret "hollow" must have a .dockerconfigjson key'
    assert said in found["message"]
    await world.client.apply(secret("hollow", **{".dockerconfigjson": "{}"}))
    await world.condition("demo", "Available", "True")


async def test_networks_that_overlap(world: "World", cluster: Make) -> None:
    overlapping = {
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        "serviceNetwork": [{"cidr": "10.132.8.0/24"}],
    }
    await world.client.create(cluster(networking=overlapping))
    found = await world.condition("demo", "ValidConfiguration", "False", "InvalidConfiguration")
    assert "overlap" in found["message"]


async def test_a_platform_that_this_operator_does_not_have(world: "World", cluster: Make) -> None:
    platform = {"type": "Agent", "agent": {"agentNamespace": "agents"}}
    await world.client.create(cluster(platform=platform))
    found = await world.condition(
        "demo", "SupportedHostedCluster", "False", "UnsupportedHostedCluster"
    )
    assert "'Agent' is not supported" in found["message"]


async def test_two_clusters_that_would_share_a_namespace(world: "World", cluster: Make) -> None:
    await world.client.apply(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters-a"}}
    )
    first, second = cluster("a-b"), cluster("b")
    second["metadata"]["namespace"] = "clusters-a"
    await world.client.create(first)
    await world.condition("a-b", "Available", "True")
    await world.client.create(second)

    async def refused() -> bool:
        found = await world.client.get(kinds.HOSTED_CLUSTER, "b", "clusters-a")
        known = (found.get("status") or {}).get("conditions") or ()
        return any(
            c["type"] == "ValidConfiguration"
            and "belongs to hosted cluster clusters/a-b" in c["message"]
            for c in known
        )

    await world.until(refused)
    await world.client.delete(kinds.HOSTED_CLUSTER, "b", "clusters-a")

    async def gone() -> bool:
        return not await world.client.find(kinds.HOSTED_CLUSTER, "b", "clusters-a")

    await world.until(gone)
    await world.condition("a-b", "Available", "True")
    assert await world.client.find(kinds.NAMESPACE, "clusters-a-b")


async def test_a_bad_named_certificate(world: "World", cluster: Make, secret: Make) -> None:
    await world.client.apply(secret("cert", **{"tls.crt": "nonsense", "tls.key": "nonsense"}))
    entry = {"names": ["api.example.org"], "servingCertificate": {"name": "cert"}}
    configuration = {"apiServer": {"servingCerts": {"namedCertificates": [entry]}}}
    await world.client.create(cluster(configuration=configuration))
    found = await world.condition("demo", "ValidConfiguration", "False", "InvalidConfiguration")
    assert '"cert": failed to decode PEM block from certificate' in found["message"]


async def test_an_optional_input_that_is_missing_stops_nothing_else(
    world: "World", cluster: Make, secret: Make
) -> None:
    await world.client.create(cluster(sshKey={"name": "no-such-key"}))
    await world.condition("demo", "Available", "True")
    found = await world.condition("demo", "ReconciliationSucceeded", "False", "ReconciliationError")
    assert 'secrets "no-such-key" not found' in found["message"]
    await world.client.apply(secret("no-such-key", **{"id_rsa.pub": "x"}))
    await world.condition("demo", "ReconciliationSucceeded", "True")
    await world.client.delete(kinds.SECRET, "no-such-key", "clusters")


async def test_one_bad_cluster_does_not_stop_the_others(world: "World", cluster: Make) -> None:
    broken: dict[str, Any] = {"release": {"image": "registry.example/none:1"}}
    await world.client.create(cluster("bad", **broken))
    await asyncio.gather(*(world.client.create(cluster(f"good-{n}")) for n in range(3)))
    for number in range(3):
        await world.condition(f"good-{number}", "Available", "True")
    await world.condition("bad", "Available", "False")
