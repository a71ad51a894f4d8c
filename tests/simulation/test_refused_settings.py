"""A cluster with a setting that its release cannot honour says so, and heals without it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.lib.planes import a_cluster, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.runtime import condition_of

UP = 120.0
OAUTH = {"oauth": {"tokenConfig": {"accessTokenMaxAgeSeconds": 3600}}}
SHARDED: dict[str, Any] = {
    "managementType": "Managed",
    "managed": {
        "storage": {"type": "PersistentVolume"},
        "shards": [
            {
                "name": "events",
                "replicas": 1,
                "resources": [{"apiGroup": "", "resource": "events"}],
                "storage": {"type": "EmptyDir"},
            }
        ],
    },
}


def staged(story: Callable[[Stage], Awaitable[None]]) -> None:
    async def whole(stage: Stage) -> None:
        await furnish(stage)
        stage.manage(*controllers())
        await story(stage)

    play(whole)


async def cluster(stage: Stage) -> Manifest:
    return await stage.user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")


async def told(stage: Stage, kind: str) -> dict[str, Any]:
    return condition_of(await cluster(stage), kind) or {}


async def change(stage: Stage, patch: dict[str, Any]) -> None:
    await stage.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, "clusters")
    await asyncio.sleep(UP)


def test_ranges_that_its_programs_do_not_take_are_refused_before_they_run() -> None:
    async def story(stage: Stage) -> None:
        networking = {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}, {"cidr": "fd01::/48"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        }
        await stage.user.create(a_cluster("demo", networking=networking))
        await asyncio.sleep(UP)
        found = await told(stage, "SupportedHostedCluster")
        assert (found["status"], found["reason"]) == ("False", "UnsupportedHostedCluster")
        assert "pods have a range of IPv6 and Services have none" in found["message"]
        assert await stage.user.find(kinds.NAMESPACE, "clusters-demo") is None

    staged(story)


def test_a_cluster_that_cannot_be_made_as_asked_is_not_made() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_cluster("demo", etcd=SHARDED))
        await asyncio.sleep(UP)
        found = await told(stage, "SupportedHostedCluster")
        assert (found["status"], found["reason"]) == ("False", "UnsupportedHostedCluster")
        assert "a member in memory forgets" in found["message"]
        assert found["message"] in (await told(stage, "Progressing"))["message"]
        assert await stage.user.find(kinds.NAMESPACE, "clusters-demo") is None
        before = (await cluster(stage))["metadata"]["resourceVersion"]
        await asyncio.sleep(UP)
        assert (await cluster(stage))["metadata"]["resourceVersion"] == before

    staged(story)


def test_a_running_cluster_that_asks_for_oauth_says_why_not_and_heals() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_cluster("demo"))
        await asyncio.sleep(UP)
        await change(stage, {"spec": {"configuration": OAUTH}})
        found = await told(stage, "SupportedHostedCluster")
        assert found["status"] == "False"
        assert "spec.configuration.oauth: " in found["message"]
        assert (await told(stage, "Available"))["status"] == "True"
        await change(stage, {"spec": {"configuration": None}})
        assert (await told(stage, "SupportedHostedCluster"))["status"] == "True"

    staged(story)


def test_a_cluster_that_serves_is_not_stopped_for_what_nobody_can_take_back() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_cluster("demo"))
        await asyncio.sleep(UP)
        await change(stage, {"spec": {"etcd": SHARDED}})  # as an older operator accepted it
        assert (await told(stage, "SupportedHostedCluster"))["status"] == "True"
        found = await told(stage, "IgnoredSettings")
        assert (found["status"], found["reason"]) == ("True", "SettingsIgnored")
        assert "spec.etcd.managed.shards" in found["message"]
        found = await told(stage, "EtcdShardsInUse")
        assert (found["status"], found["reason"]) == ("False", "ShardAddedLater")
        assert (await told(stage, "EtcdAvailable"))["status"] == "True"
        assert (await told(stage, "Available"))["status"] == "True"
        assert await stage.user.find(kinds.STATEFUL_SET, "etcd-events", "clusters-demo") is None

    staged(story)


def test_a_cluster_with_a_shard_comes_up_and_a_second_look_writes_nothing() -> None:
    async def story(stage: Stage) -> None:
        (shard,) = SHARDED["managed"]["shards"]
        disks = {"type": "PersistentVolume"}
        managed = SHARDED["managed"] | {"shards": [shard | {"storage": disks}]}
        await stage.user.create(a_cluster("demo", etcd=SHARDED | {"managed": managed}))
        await asyncio.sleep(UP)
        assert (await told(stage, "EtcdShardsInUse"))["status"] == "True"
        assert (await told(stage, "Available"))["status"] == "True"
        server = await stage.user.get(kinds.DEPLOYMENT, "kube-apiserver", "clusters-demo")
        assert "--etcd-servers-overrides=/events#https://etcd-client-events." in str(server)
        before = len(stage.writes)
        await asyncio.sleep(600)
        assert len(stage.writes) == before
        # The members are deleted by accident: the API server goes on to ask them.
        await stage.user.delete(kinds.STATEFUL_SET, "etcd-events", "clusters-demo")
        await asyncio.sleep(UP)
        assert await stage.user.find(kinds.STATEFUL_SET, "etcd-events", "clusters-demo")
        assert (await told(stage, "EtcdShardsInUse"))["status"] == "True"

    staged(story)


def test_annotations_and_fields_without_effect_are_named_as_long_as_they_are_there() -> None:
    async def story(stage: Stage) -> None:
        name = "hypershift.openshift.io/konnectivity-server-image"
        wish = a_cluster("demo", channel="stable")
        wish["metadata"]["annotations"] = {name: "registry.example/other:1"}
        await stage.user.create(wish)
        await asyncio.sleep(UP)
        assert (await told(stage, "Available"))["status"] == "True"
        found = await told(stage, "IgnoredSettings")
        assert f"annotation {name}: the image of the release runs" in found["message"]
        assert "spec.channel: no program looks for updates" in found["message"]
        assert "registry.example/other" not in found["message"]
        await change(stage, {"spec": {"channel": None}, "metadata": {"annotations": {name: None}}})
        assert await told(stage, "IgnoredSettings") == {}

    staged(story)
