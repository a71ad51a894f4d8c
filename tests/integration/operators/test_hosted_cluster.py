"""A HostedCluster on a real API server, from its creation to the last trace of it."""

import asyncio
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds

if TYPE_CHECKING:
    from tests.integration.operators.world import World

pytestmark = pytest.mark.integration
Make = Callable[..., Manifest]
NAMESPACE = "clusters-demo"


async def available(world: "World", cluster: Make, **spec: Any) -> Manifest:
    await world.client.create(cluster(**spec))
    return await world.condition("demo", "Available", "True")


async def test_a_cluster_becomes_available_and_its_user_gets_a_kubeconfig(
    world: "World", cluster: Make
) -> None:
    await available(world, cluster)
    secret = await world.until(
        lambda: world.client.find(kinds.SECRET, "demo-admin-kubeconfig", "clusters")
    )
    config = yaml.safe_load(b64decode(secret["data"]["kubeconfig"]))
    assert config["clusters"][0]["cluster"]["server"] == "https://192.0.2.7:6443"
    assert secret["metadata"]["ownerReferences"][0]["kind"] == "HostedCluster"
    assert "192.0.2.7:6443" in world.asked

    async def published() -> bool:
        found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        return bool(found["status"].get("kubeconfig") == {"name": "demo-admin-kubeconfig"})

    await world.until(published)


async def test_what_the_user_gave_lies_beside_the_control_plane(
    world: "World", cluster: Make
) -> None:
    await available(world, cluster)
    for kind, name in ((kinds.SECRET, "pull-secret"), (kinds.SECRET, "ssh-key")):
        assert await world.client.find(kind, name, NAMESPACE)
    namespace = await world.client.get(kinds.NAMESPACE, NAMESPACE)
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    policies = await world.client.list(kinds.NETWORK_POLICY, NAMESPACE)
    assert {"same-namespace", "kas", "management-egress"} <= {
        policy["metadata"]["name"] for policy in policies
    }


async def test_cluster_api_learns_where_the_control_plane_is(world: "World", cluster: Make) -> None:
    await available(world, cluster)
    found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")

    async def endpoint() -> bool:
        infra = await world.client.find(kinds.LOCAL_CLUSTER, "demo", NAMESPACE)
        wanted = {"host": "192.0.2.7", "port": 6443}
        return infra is not None and infra["spec"].get("controlPlaneEndpoint") == wanted

    await world.until(endpoint)
    infra_id = found["spec"]["infraID"]
    capi = await world.until(lambda: world.client.find(kinds.CAPI_CLUSTER, infra_id, NAMESPACE))
    assert capi["spec"]["infrastructureRef"]["kind"] == "LocalCluster"
    assert capi["spec"]["controlPlaneRef"]["name"] == "demo"


async def rolled_out(world: "World") -> None:
    async def complete() -> bool:
        found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        history = ((found.get("status") or {}).get("version") or {}).get("history") or [{}]
        return bool(history[0].get("state") == "Completed")

    await world.until(complete)


async def test_an_idle_cluster_is_not_written(world: "World", cluster: Make) -> None:
    await available(world, cluster)
    await rolled_out(world)
    await asyncio.sleep(3)
    before = await world.versions()
    await asyncio.sleep(20)  # longer than the pass that looks at the endpoint again
    assert await world.versions() == before


async def test_edits_of_the_derived_control_plane_are_undone(world: "World", cluster: Make) -> None:
    await available(world, cluster)
    edit = {"spec": {"releaseImage": "example.com/other", "channel": "fast"}}
    await world.client.patch(kinds.HOSTED_CONTROL_PLANE, "demo", edit, NAMESPACE)

    async def undone() -> bool:
        plane = await world.client.get(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
        return "channel" not in plane["spec"] and plane["spec"]["releaseImage"].endswith("1.35.8")

    await world.until(undone)


async def test_a_setting_that_is_taken_back_leaves_an_empty_object(
    world: "World", cluster: Make
) -> None:
    await available(world, cluster)

    async def ask(blocks: list[str] | None) -> None:
        patch = {"spec": {"networking": {"apiServer": {"allowedCIDRBlocks": blocks}}}}
        await world.client.patch(kinds.HOSTED_CLUSTER, "demo", patch, "clusters")
        wanted = {"allowedCIDRBlocks": blocks} if blocks else {}

        async def followed() -> bool:
            plane = await world.client.get(kinds.HOSTED_CONTROL_PLANE, "demo", NAMESPACE)
            return bool(plane["spec"]["networking"].get("apiServer") == wanted)

        await world.until(followed, about=f"ranges are {blocks}")

    await ask(["192.0.2.0/24"])
    await ask(None)


async def test_what_somebody_deletes_comes_back(world: "World", cluster: Make) -> None:
    await available(world, cluster)
    victims = (
        (kinds.SECRET, "pull-secret"),
        (kinds.NETWORK_POLICY, "same-namespace"),
        (kinds.SERVICE, "kube-apiserver"),
        (kinds.SECRET, "kas-server-crt"),
        (kinds.STATEFUL_SET, "etcd"),
    )
    for resource, name in victims:
        old = await world.client.get(resource, name, NAMESPACE)
        await world.client.delete(resource, name, NAMESPACE)
        await world.until(partial(again, world, resource, old), about=f"{name} is back")


async def again(world: "World", resource: Resource, old: Manifest) -> bool:
    found = await world.client.find(resource, old["metadata"]["name"], NAMESPACE)
    return found is not None and found["metadata"]["uid"] != old["metadata"]["uid"]


async def test_an_api_server_that_nobody_reaches_is_not_available(
    world: "World", cluster: Make
) -> None:
    world.reachable = False
    await world.client.create(cluster())
    await world.condition("demo", "KubeAPIServerAvailable", "True")
    found = await world.condition("demo", "Available", "False", "KASLoadBalancerNotReachable")
    assert "192.0.2.7 is not reachable" in found["message"]
    world.reachable = True
    await world.condition("demo", "Available", "True")


async def test_a_release_that_is_rolled_out_is_complete_in_the_history(
    world: "World", cluster: Make
) -> None:
    await available(world, cluster)
    await rolled_out(world)
    found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    (entry,) = found["status"]["version"]["history"]
    assert (entry["state"], entry["version"]) == ("Completed", "1.35.8")
    assert found["status"]["controlPlaneVersion"]["history"][0]["state"] == "Completed"


async def test_an_upgrade_is_rolled_out_and_remembered(world: "World", cluster: Make) -> None:
    await available(world, cluster, release={"image": "registry.example/kubernetes/release:1.34.9"})
    await rolled_out(world)
    newer = {"spec": {"release": {"image": "registry.example/kubernetes/release:1.35.8"}}}
    await world.client.patch(kinds.HOSTED_CLUSTER, "demo", newer, "clusters")

    async def complete() -> list[tuple[str, str]]:
        found = await world.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        history = found["status"]["version"]["history"]
        states = [(entry["version"], entry["state"]) for entry in history]
        return states if states[0] == ("1.35.8", "Completed") else []

    assert await world.until(complete) == [("1.35.8", "Completed"), ("1.34.9", "Completed")]


async def test_a_paused_cluster_is_left_alone(world: "World", cluster: Make) -> None:
    await available(world, cluster)
    pause: Manifest = {"spec": {"pausedUntil": "true"}}
    await world.client.patch(kinds.HOSTED_CLUSTER, "demo", pause, "clusters")
    await world.condition("demo", "ReconciliationActive", "False", "ReconciliationPaused")
    await world.client.delete(kinds.NETWORK_POLICY, "kas", NAMESPACE)
    await asyncio.sleep(2)
    assert await world.client.find(kinds.NETWORK_POLICY, "kas", NAMESPACE) is None
    await world.client.patch(
        kinds.HOSTED_CLUSTER, "demo", {"spec": {"pausedUntil": None}}, "clusters"
    )
    await world.until(lambda: world.client.find(kinds.NETWORK_POLICY, "kas", NAMESPACE))


async def test_nothing_is_left_of_a_deleted_cluster(world: "World", cluster: Make) -> None:
    await asyncio.sleep(1)
    before = set(await world.versions())
    await available(world, cluster)
    assert len(set(await world.versions()) - before) > 50
    await world.client.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
    left: list[Any] = []

    async def gone() -> bool:
        left[:] = set(await world.versions()) - before
        return not left

    await world.until(gone, 60, f"left behind: {left}")
    pull = await world.client.get(kinds.SECRET, "pull", "clusters")
    marks = pull["metadata"].get("annotations") or {}
    assert not [mark for mark in marks if mark.startswith("referenced-resource")]
