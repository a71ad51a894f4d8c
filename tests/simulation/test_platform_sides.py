"""What a platform answers about a cluster is read, written and deleted by the operator."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

import pytest
from tests.lib.planes import a_cluster, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.api import HostedCluster
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import Settings
from hypershift.platforms import PLATFORMS, ClusterFacts, Orphans, Provider, Refs
from hypershift.platforms.cluster import SimpleCluster
from hypershift.runtime import condition_of

PLACE, USER = "clusters-demo", "clusters"
FINALIZER = "cloud.example/machine"
UP = 120.0


def secret(name: str, namespace: str, **data: str) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data}


class Example(SimpleCluster):
    """A cloud that asks for a Secret, brings a provider and gives up every machine."""

    def __init__(self) -> None:
        self.has_provider = True
        self.orphans = Orphans(kinds.MACHINE, self.gives_up, FINALIZER)

    def gives_up(self, cluster: HostedCluster, machine: Manifest, now: datetime) -> bool:
        del machine, now
        return cluster.metadata.name == "demo"

    def reads(self, cluster: HostedCluster) -> Refs:
        del cluster
        return Refs(secrets=("cloud-creds",))

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        data = facts.secret("cloud-creds")["data"]
        return (secret("provider-creds", facts.namespace, **data),)

    def provider(self, facts: ClusterFacts) -> Provider | None:
        container = {"name": "manager", "image": f"provider-of-{facts.name}"}
        rule = {"apiGroups": [""], "resources": ["services"], "verbs": ["get"]}
        return Provider({"containers": [container]}, (rule,)) if self.has_provider else None


@pytest.fixture(name="cloud")
def a_cloud(monkeypatch: pytest.MonkeyPatch) -> Example:
    name, cloud = a_cluster("demo")["spec"]["platform"]["type"], Example()
    monkeypatch.setitem(PLATFORMS, name, replace(PLATFORMS[name], cluster=cloud))
    return cloud


def staged(story: Callable[[Stage], Awaitable[None]], *, credentials: bool = True) -> None:
    async def whole(stage: Stage) -> None:
        await furnish(stage)
        if credentials:
            await stage.user.create(secret("cloud-creds", USER, key="c2VjcmV0"))
        settings = Settings(image="registry.example/hypershift:1")
        stage.manage(*controllers(settings))
        await stage.user.create(a_cluster("demo"))
        await asyncio.sleep(UP)
        await story(stage)

    play(whole)


@pytest.mark.usefixtures("cloud")
def test_a_secret_that_the_platform_reads_is_fetched_and_a_change_of_it_is_seen() -> None:
    async def story(stage: Stage) -> None:
        made = await stage.user.get(kinds.SECRET, "provider-creds", PLACE)
        assert made["data"] == {"key": "c2VjcmV0"}
        patch = {"data": {"key": "b3RoZXI="}}
        await stage.user.patch(kinds.SECRET, "cloud-creds", patch, USER)
        await asyncio.sleep(UP)
        made = await stage.user.get(kinds.SECRET, "provider-creds", PLACE)
        assert made["data"] == {"key": "b3RoZXI="}

    staged(story)


@pytest.mark.usefixtures("cloud")
def test_a_missing_secret_is_reported_and_found_once_it_is_there() -> None:
    async def story(stage: Stage) -> None:
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", USER)
        told = condition_of(found, "PlatformCredentialsFound") or {}
        assert told["status"] == "False"
        assert 'secrets "cloud-creds" not found' in told["message"]
        await stage.user.create(secret("cloud-creds", USER, key="c2VjcmV0"))
        await asyncio.sleep(600)
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", USER)
        assert (condition_of(found, "PlatformCredentialsFound") or {})["status"] == "True"

    staged(story, credentials=False)


def test_a_provider_runs_with_its_rights_and_goes_when_the_platform_has_none(
    cloud: Example,
) -> None:
    async def story(stage: Stage) -> None:
        deployment = await stage.user.get(kinds.DEPLOYMENT, "capi-provider", PLACE)
        pod = deployment["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        assert container["image"] == "provider-of-demo"
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert pod["securityContext"]["runAsNonRoot"]
        role = await stage.user.get(kinds.ROLE, "capi-provider", PLACE)
        assert role["rules"][-1]["resources"] == ["services"]
        cloud.has_provider = False
        mark = {"metadata": {"annotations": {"touched": "true"}}}
        await stage.user.patch(kinds.HOSTED_CLUSTER, "demo", mark, USER)
        await asyncio.sleep(UP)
        for kind in (kinds.DEPLOYMENT, kinds.ROLE, kinds.SERVICE_ACCOUNT):
            assert await stage.user.find(kind, "capi-provider", PLACE) is None

    staged(story)


@pytest.mark.usefixtures("cloud")
def test_a_machine_that_is_given_up_loses_the_clouds_finalizer() -> None:
    async def story(stage: Stage) -> None:
        metadata = {"name": "m", "namespace": PLACE, "finalizers": [FINALIZER, "else.example/x"]}
        machine = {"apiVersion": kinds.MACHINE.api_version, "kind": "Machine"}
        await stage.user.create(machine | {"metadata": metadata, "spec": {}})
        await stage.user.delete(kinds.MACHINE, "m", PLACE)
        await stage.user.delete(kinds.HOSTED_CLUSTER, "demo", USER)
        await asyncio.sleep(UP)
        left = await stage.user.get(kinds.MACHINE, "m", PLACE)
        assert left["metadata"]["finalizers"] == ["else.example/x"]

    staged(story)
