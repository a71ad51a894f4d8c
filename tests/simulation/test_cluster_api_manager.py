"""Who manages the machines of a cluster: its own Cluster API manager, or the one of all."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from tests.lib.planes import a_cluster, annotated, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest, labels_of
from hypershift.kube import NotFound, Resource, kinds
from hypershift.operators.hypershift import Settings
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api

PLACE, PREFIX = "clusters-demo", "hypershift.openshift.io"
FILTER = "cluster.x-k8s.io/watch-filter"
UP = 120.0

Story = Callable[[Stage], Awaitable[None]]


def staged(story: Story, *, before: Manifest | None = None, **annotations: str) -> None:
    """Run a story about a cluster that is up, annotated as said (`_` for `-`)."""

    async def whole(stage: Stage) -> None:
        await furnish(stage)
        if before:
            await stage.user.create(before)
        settings = Settings(image="registry.example/hypershift:1")
        stage.manage(*controllers(settings))
        await stage.user.create(annotated(a_cluster("demo"), **annotations))
        await asyncio.sleep(UP)
        await story(stage)

    play(whole)


def objects() -> Iterator[tuple[Resource, str, str]]:
    """What a manager consists of: kind, name, namespace."""
    yield kinds.SECRET, "capi-webhooks-tls", PLACE
    yield kinds.SERVICE_ACCOUNT, "cluster-api", PLACE
    yield kinds.ROLE, "cluster-api", PLACE
    yield kinds.ROLE_BINDING, "cluster-api", PLACE
    yield kinds.CLUSTER_ROLE_BINDING, f"hypershift-cluster-api-{PLACE}", ""
    yield kinds.DEPLOYMENT, "cluster-api", PLACE


async def there(stage: Stage) -> set[str]:
    """The kinds of those objects that are there."""
    found = {each[0].kind: await stage.user.find(*each) for each in objects()}
    return {kind for kind, manifest in found.items() if manifest}


async def image(stage: Stage) -> str:
    found = await stage.user.get(kinds.DEPLOYMENT, "cluster-api", PLACE)
    name: str = found["spec"]["template"]["spec"]["containers"][0]["image"]
    return name


async def annotate(stage: Stage, **marks: str | None) -> None:
    values = {f"{PREFIX}/{name.replace('_', '-')}": value for name, value in marks.items()}
    patch = {"metadata": {"annotations": values}}
    await stage.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, "clusters")
    await asyncio.sleep(60)


async def capi_cluster(stage: Stage) -> Manifest:
    (found,) = await stage.user.list(kinds.CAPI_CLUSTER, PLACE)
    return found


ALL = {resource.kind for resource, _, _ in objects()}


def test_a_dedicated_cluster_has_a_manager_of_its_own() -> None:
    async def story(stage: Stage) -> None:
        assert await there(stage) == ALL
        assert await image(stage) == "registry.example/cluster-api:1.34.9"
        assert FILTER not in labels_of(await capi_cluster(stage))
        before = len(stage.writes)
        await asyncio.sleep(900)
        assert stage.writes[before:] == []

    staged(story, mode="Dedicated")


def test_a_shared_cluster_has_none_and_is_left_to_the_manager_of_all() -> None:
    async def story(stage: Stage) -> None:
        assert await there(stage) == set()
        assert labels_of(await capi_cluster(stage))[FILTER] == "hypershift-shared"

    staged(story)


def test_a_cluster_that_changes_its_mode_changes_its_manager() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_lease())
        await annotate(stage, mode="Shared")
        assert await there(stage) == set()
        assert await stage.user.find(kinds.LEASE, cluster_api.LEASE, PLACE) is None
        assert labels_of(await capi_cluster(stage))[FILTER] == "hypershift-shared"
        await annotate(stage, mode="Dedicated")
        assert await there(stage) == ALL
        assert FILTER not in labels_of(await capi_cluster(stage))

    staged(story, mode="Dedicated")


def test_a_cluster_whose_machines_are_nobodys_business_has_no_manager() -> None:
    async def story(stage: Stage) -> None:
        assert await there(stage) == set()

    staged(story, mode="Dedicated", disable_machine_management="true")


def test_an_annotation_names_the_managers_image() -> None:
    async def story(stage: Stage) -> None:
        assert await image(stage) == "registry.example/mine:1"

    staged(story, mode="Dedicated", capi_manager_image="registry.example/mine:1")


def test_no_second_manager_beside_one_that_reconciles_every_namespace() -> None:
    async def story(stage: Stage) -> None:
        assert await there(stage) == set()
        events = await stage.user.list(kinds.EVENT, "clusters")
        (told,) = [one for one in events if one["reason"] == "ClusterAPINotDedicated"]
        assert "clusters/capi" in told["message"]
        await stage.user.delete(kinds.DEPLOYMENT, "capi", "clusters")
        await asyncio.sleep(60)
        assert await there(stage) == ALL

    staged(story, before=a_manager("--v=2"), mode="Dedicated")


@pytest.mark.parametrize("mode", ["Dedicated", "Shared"])
def test_nothing_of_a_manager_is_left_after_its_cluster(mode: str) -> None:
    async def story(stage: Stage) -> None:
        await stage.user.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
        await asyncio.sleep(60)
        with pytest.raises(NotFound):
            await stage.user.get(*list(objects())[-2])

    staged(story, mode=mode)


def a_lease() -> Manifest:
    """What a manager leaves behind: it does not give its lease back."""
    return {
        "apiVersion": kinds.LEASE.api_version,
        "kind": kinds.LEASE.kind,
        "metadata": {"name": "controller-leader-election-capi", "namespace": PLACE},
        "spec": {"holderIdentity": "gone", "leaseDurationSeconds": 137},
    }


def a_manager(word: str) -> Manifest:
    name, value = cluster_api.SELECTOR.split("=")
    labels = {name: value}
    containers = [{"name": "manager", "image": "theirs", "args": [word]}]
    pod = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "capi", "namespace": "clusters", "labels": labels},
        "spec": {"selector": {"matchLabels": labels}, "template": pod},
    }
