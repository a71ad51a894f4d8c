"""Kept audit logs in virtual time: handed over, kept, copied after restarts, whatever dies."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from tests.lib.stage import Stage, staged

from hypershift.api import annotations, labels
from hypershift.kit import Manifest, annotations_of, rfc3339
from hypershift.kube import kinds
from hypershift.operators.hypershift import audit_logs

PLANE, POD = "clusters-blue", "kube-apiserver-5d-abcde"
CLAIM = f"{POD}-logs"
KEPT = annotations.AUDIT_LOG_PERSISTENCE


async def a_plane(stage: Stage, *, default_class: bool = True) -> None:
    await stage.create(kinds.NAMESPACE, "clusters")
    cluster = await stage.create(
        kinds.HOSTED_CLUSTER, "blue", metadata={"namespace": "clusters"}, spec={}
    )
    mark = {
        annotations.CLUSTER: "clusters/blue",
        annotations.CLUSTER_UID: cluster["metadata"]["uid"],
    }
    await stage.create(kinds.NAMESPACE, PLANE, metadata={"annotations": mark})
    await stage.create(kinds.HOSTED_CONTROL_PLANE, "blue", metadata={"namespace": PLANE}, spec={})
    if default_class:
        await a_class(stage, "disk", default=True)


async def a_class(stage: Stage, name: str, *, default: bool = False) -> None:
    marks = {"storageclass.kubernetes.io/is-default-class": "true"} if default else {}
    await stage.create(
        kinds.STORAGE_CLASS, name, metadata={"annotations": marks}, provisioner="example.org/disk"
    )


async def a_config(stage: Stage, **spec: Any) -> None:
    kind = kinds.AUDIT_LOG_PERSISTENCE_CONFIG
    await stage.create(kind, "cluster", spec={"enabled": True, **spec})


async def with_snapshots(stage: Stage) -> None:
    group, plural = kinds.VOLUME_SNAPSHOT.group, kinds.VOLUME_SNAPSHOT.plural
    spec = {
        "group": group,
        "names": {"plural": plural, "kind": kinds.VOLUME_SNAPSHOT.kind},
        "scope": "Namespaced",
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {}}],
    }
    await stage.create(kinds.CUSTOM_RESOURCE_DEFINITION, f"{plural}.{group}", spec=spec)


async def a_pod(stage: Stage, name: str = POD) -> None:
    """A pod as a ReplicaSet makes it, and its claim as Kubernetes does."""
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": []}}
    spec = {"selector": {"matchLabels": {"app": "a"}}, "template": template}
    found = await stage.user.find(kinds.REPLICA_SET, "kube-apiserver-5d", PLANE)
    owner = found or await stage.create(
        kinds.REPLICA_SET, "kube-apiserver-5d", metadata={"namespace": PLANE}, spec=spec
    )
    marks = {"app": "kube-apiserver", labels.HOSTED_CONTROL_PLANE: PLANE}
    reference = reference_to(owner) | {"controller": True}
    pod = await stage.create(
        kinds.POD,
        name,
        metadata={"namespace": PLANE, "labels": marks, "ownerReferences": [reference]},
        spec={"volumes": [{"name": "logs", "ephemeral": {}}], "containers": []},
    )
    reference = reference_to(pod) | {"controller": True}
    claim = {"namespace": PLANE, "ownerReferences": [reference]}
    await stage.create(kinds.PERSISTENT_VOLUME_CLAIM, f"{name}-logs", metadata=claim, spec={})


def reference_to(owner: Manifest) -> Manifest:
    metadata = owner["metadata"]
    identity = {"apiVersion": owner["apiVersion"], "kind": owner["kind"]}
    return {**identity, "name": metadata["name"], "uid": metadata["uid"]}


async def restart(stage: Stage, count: int, name: str = POD) -> None:
    ended = {"terminated": {"finishedAt": rfc3339(stage.clock.now())}}
    server = {"name": "kube-apiserver", "restartCount": count, "lastState": ended}
    patch = {"status": {"containerStatuses": [server]}}
    await stage.user.patch(kinds.POD, name, patch, PLANE, subresource="status")


async def snapshots(stage: Stage) -> list[str]:
    found = await stage.user.list(kinds.VOLUME_SNAPSHOT, PLANE)
    return [one["metadata"]["name"] for one in found]


async def said(stage: Stage) -> str | None:
    plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "blue", PLANE)
    return annotations_of(plane).get(KEPT)


async def conditions(stage: Stage) -> dict[str, str]:
    config = await stage.user.get(kinds.AUDIT_LOG_PERSISTENCE_CONFIG, "cluster")
    found = config.get("status", {}).get("conditions", [])
    return {one["type"]: one["status"] for one in found}


@staged
async def test_a_control_plane_is_told_and_told_when_it_is_over(stage: Stage) -> None:
    await a_plane(stage)
    stage.manage(*audit_logs.controllers())
    await asyncio.sleep(30)
    assert await said(stage) is None
    await a_config(stage, auditLog={"maxSize": 20}, storage={"size": "1Gi"})
    await asyncio.sleep(30)
    assert (await said(stage)) == (
        '{"auditLog":{"maxBackup":10,"maxSize":20},"storage":{"size":"1Gi"}}'
    )
    assert await conditions(stage) == {"StorageFound": "True", "RotationFits": "True"}
    before = len(stage.writes)
    await asyncio.sleep(3600)
    assert len(stage.writes) == before
    await stage.user.delete(kinds.AUDIT_LOG_PERSISTENCE_CONFIG, "cluster")
    await asyncio.sleep(30)
    assert await said(stage) is None


@staged
async def test_api_servers_stay_as_they_are_until_there_is_storage(stage: Stage) -> None:
    await a_plane(stage, default_class=False)
    await a_config(stage, snapshots={"enabled": True}, storage={"size": "1Gi"})
    stage.manage(*audit_logs.controllers())
    await asyncio.sleep(30)
    assert await said(stage) is None
    assert await conditions(stage) == {
        "StorageFound": "False",
        "RotationFits": "False",
        "SnapshotsAvailable": "False",
    }
    await a_class(stage, "late", default=True)
    await asyncio.sleep(30)
    assert await said(stage) is not None
    assert (await conditions(stage))["StorageFound"] == "True"


@staged
async def test_a_foreign_namespace_is_not_written_to(stage: Stage) -> None:
    await a_plane(stage)
    patch = {"metadata": {"annotations": {annotations.CLUSTER_UID: "another"}}}
    await stage.user.patch(kinds.NAMESPACE, PLANE, patch)
    await a_config(stage, snapshots={"enabled": True})
    stage.manage(*audit_logs.controllers())
    await a_pod(stage)
    await restart(stage, 1)
    await asyncio.sleep(60)
    assert await said(stage) is None
    assert not [one for one in stage.writes if PLANE in one]


@staged
async def test_a_restart_waits_for_snapshots_to_be_there(stage: Stage) -> None:
    await a_plane(stage)
    await a_config(stage, snapshots={"enabled": True})
    stage.manage(*audit_logs.controllers())
    await a_pod(stage)
    await restart(stage, 1)
    await asyncio.sleep(60)
    assert await snapshots(stage) == []
    await with_snapshots(stage)
    await asyncio.sleep(60)
    assert (await conditions(stage))["SnapshotsAvailable"] == "True"
    await restart(stage, 2)
    await asyncio.sleep(60)
    assert len(await snapshots(stage)) == 1


@staged
async def test_the_log_of_a_pod_outlives_it(stage: Stage) -> None:
    await a_plane(stage)
    await a_config(stage)
    stage.manage(*audit_logs.controllers())
    await a_pod(stage)
    await asyncio.sleep(30)
    await stage.user.delete(kinds.POD, POD, PLANE)
    await asyncio.sleep(60)
    claim = await stage.user.find(kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, PLANE)
    assert claim is not None
    await stage.user.delete(kinds.REPLICA_SET, "kube-apiserver-5d", PLANE)
    await asyncio.sleep(60)
    assert await stage.user.find(kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, PLANE) is None


@staged
async def test_a_restart_is_copied_once_and_not_more_often_than_asked(stage: Stage) -> None:
    await a_plane(stage)
    await with_snapshots(stage)
    await a_config(stage, snapshots={"enabled": True, "perPodRetentionCount": 2})
    stage.manage(*audit_logs.controllers())
    await a_pod(stage)
    await asyncio.sleep(30)
    assert await snapshots(stage) == []
    await restart(stage, 1)
    await asyncio.sleep(30)
    assert len(await snapshots(stage)) == 1
    await restart(stage, 2)
    await asyncio.sleep(30)
    assert len(await snapshots(stage)) == 1  # an hour has not passed
    pod = await stage.user.get(kinds.POD, POD, PLANE)
    assert annotations_of(pod)[annotations.LAST_OBSERVED_RESTART_COUNT] == "2"
    before = len(stage.writes)
    await asyncio.sleep(3600)
    assert len(stage.writes) == before
    for count in (3, 4, 5):
        await restart(stage, count)
        await asyncio.sleep(timedelta(hours=1, minutes=1).total_seconds())
    assert len(await snapshots(stage)) == 2


@pytest.mark.parametrize("life", range(8))
@staged
async def test_a_crash_between_any_two_writes_heals(stage: Stage, life: int) -> None:
    await a_plane(stage)
    await with_snapshots(stage)
    await a_config(stage, snapshots={"enabled": True, "namespaceRetentionCount": 1})
    await a_pod(stage)
    old = {"namespace": PLANE, "labels": {labels.HOSTED_CONTROL_PLANE_NAMESPACE: PLANE}}
    await stage.create(kinds.VOLUME_SNAPSHOT, "old", metadata=old, spec={})
    await asyncio.sleep(5)
    await restart(stage, 1)
    manager = stage.manage_until(life, *audit_logs.controllers())
    await asyncio.sleep(600)
    await stage.kill(manager)
    stage.manage(*audit_logs.controllers())
    await asyncio.sleep(600)
    assert await said(stage) is not None
    found = await snapshots(stage)
    assert len(found) == 1
    assert found != ["old"]
    claim = await stage.user.get(kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, PLANE)
    owners = [one["kind"] for one in claim["metadata"]["ownerReferences"]]
    assert owners == ["Pod", "ReplicaSet"]
    before = len(stage.writes)
    await asyncio.sleep(3600)
    assert len(stage.writes) == before
