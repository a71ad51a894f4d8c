"""A cluster that is deleted leaves nothing in its cloud, where the user asks for that."""

from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import a_scope

from hypershift.kit import Manifest
from hypershift.kube import Unavailable, kinds
from hypershift.operators.guest_config import cleanup
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Stop

API_SERVER: Manifest = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "kube-apiserver", "namespace": "clusters-demo"},
}


def _object(kind: str, name: str, **fields: Any) -> Manifest:
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **fields}


def a_guest() -> MemoryClient:
    mounts = [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]
    return MemoryClient(
        _object("Service", "web", spec={"type": "LoadBalancer"}),
        _object("Service", "inner", spec={"type": "ClusterIP"}),
        _object("PersistentVolumeClaim", "data", spec={}),
        _object("Pod", "db", spec={"nodeName": "gone", "volumes": mounts}),
        _object("Pod", "plain", spec={"nodeName": "gone"}),
    )


def deleted(guest: MemoryClient, *objects: Manifest, platform: str = "Local") -> GuestScope:
    scope = a_scope(MemoryClient(API_SERVER, *objects), guest)
    metadata = scope.object["metadata"]
    metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    metadata["annotations"] = {cleanup.ANNOTATION: "true"}
    scope.object["spec"]["platform"] = {"type": platform}
    return scope


def told(scope: GuestScope) -> tuple[str, str]:
    found = scope.conditions.get(cleanup.CONDITION) or {}
    return found.get("status", ""), found.get("reason", "")


async def test_services_claims_and_their_pods_go_and_others_stay() -> None:
    guest = a_guest()
    scope, destroy = deleted(guest), cleanup.destroyer()
    assert isinstance(await destroy(scope), Stop)
    assert told(scope) == ("False", "RemainingCloudResources")
    assert await destroy(scope) == Done()
    assert told(scope) == ("True", "CloudResourcesDestroyed")
    services = [one["metadata"]["name"] for one in await guest.list(kinds.SERVICE)]
    pods = [one["metadata"]["name"] for one in await guest.list(kinds.POD)]
    assert (services, pods) == (["inner"], ["plain"])
    assert await guest.find(kinds.VALIDATING_WEBHOOK_CONFIGURATION, cleanup.BLOCKER)


async def test_volumes_that_are_kept_are_not_waited_for() -> None:
    kept = {"claimRef": {"name": "x"}, "persistentVolumeReclaimPolicy": "Retain"}
    guest = MemoryClient(_object("PersistentVolume", "pv", spec=kept))
    scope = deleted(guest)
    assert await cleanup.destroyer()(scope) == Done()
    going = kept | {"persistentVolumeReclaimPolicy": "Delete"}
    guest.put(_object("PersistentVolume", "other", spec=going))
    scope = deleted(guest)
    assert isinstance(await cleanup.destroyer()(scope), Stop)


@pytest.mark.parametrize("platform", ["None", "Agent"])
async def test_where_there_is_no_cloud_nothing_is_done(platform: str) -> None:
    guest = a_guest()
    assert await cleanup.destroyer()(deleted(guest, platform=platform)) == Done()
    assert guest.writes == []


async def test_nothing_is_done_unless_the_user_asks() -> None:
    guest = a_guest()
    scope = deleted(guest)
    scope.object["metadata"]["annotations"] = {}
    assert await cleanup.destroyer()(scope) == Done()
    assert guest.writes == []


async def test_a_cluster_without_an_api_server_is_passed_by() -> None:
    scope = deleted(a_guest())
    await scope.kube.delete(kinds.DEPLOYMENT, "kube-apiserver", "clusters-demo")
    assert await cleanup.destroyer()(scope) == Done()
    assert told(scope) == ("False", "CloudResourcesCleanupSkipped")


async def test_a_cluster_that_stays_out_of_reach_is_given_up_after_five_attempts() -> None:
    class Deaf(MemoryClient):
        async def apply(self, *_: Any, **__: Any) -> Manifest:
            raise Unavailable(0, "Unavailable", "nobody answers")

    scope, destroy = deleted(Deaf()), cleanup.destroyer()
    for _ in range(4):
        assert isinstance(await destroy(scope), Stop)
        assert told(scope) == ("False", "ErrorOccurred")
    assert await destroy(scope) == Done()
    assert told(scope) == ("False", "CloudResourcesCleanupSkipped")
    assert not cleanup.wanted(scope)
