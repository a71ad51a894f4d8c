"""Tenants with clusters and pools, under all controllers of the operator."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.lib import planes
from tests.lib.stage import Stage, play
from tests.unit.operators.hypershift.node_pool.passes import a_pool as pool_of_passes

from hypershift.api import annotations, labels
from hypershift.kit import Key, Manifest, deep_merge
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import node_pool
from hypershift.runtime import condition_of, is_true

UP, GONE = 120.0, 120.0


POOL = annotations.NODE_POOL


def a_namespace(name: str, **metadata: Any) -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}}


def a_cluster(namespace: str, name: str, **spec: Any) -> Manifest:
    changed = {"metadata": {"namespace": namespace}}
    merged: Manifest = deep_merge(planes.a_cluster(name, **spec), changed)
    return merged


def a_pool(namespace: str, name: str, cluster: str) -> Manifest:
    changed = {"metadata": {"name": name, "namespace": namespace}, "spec": {"clusterName": cluster}}
    merged: Manifest = deep_merge(pool_of_passes(release={"image": planes.OLD}), changed)
    return merged


def a_deployment(namespace: str, name: str, pool: str) -> Manifest:
    return {
        "apiVersion": kinds.MACHINE_DEPLOYMENT.api_version,
        "kind": "MachineDeployment",
        "metadata": {"name": name, "namespace": namespace, "annotations": {POOL: pool}},
        "spec": {"replicas": 3, "template": {"metadata": {"annotations": {POOL: pool}}}},
    }


def a_secret(name: str, namespace: str, **data: bytes) -> Manifest:
    merged: Manifest = deep_merge(
        planes.a_secret(name, **data), {"metadata": {"namespace": namespace}}
    )
    return merged


async def a_tenant(user: Client, namespace: str) -> None:
    """Give a tenant a namespace with what clusters need."""
    if not await user.find(kinds.NAMESPACE, namespace):
        await user.create(a_namespace(namespace))
    await user.create(a_secret("pull", namespace, **{".dockerconfigjson": b"{}"}))


def staged(story: Callable[[Stage], Awaitable[None]]) -> None:
    """Run a story with all controllers of the operator."""

    async def whole(stage: Stage) -> None:
        await planes.furnish(stage)
        pools = node_pool.controllers(node_pool.Environment(planes.Releases()))
        stage.manage(*planes.controllers(), *pools)
        await story(stage)

    play(whole)


async def told(user: Client, key: Key, kind: str = "ValidConfiguration") -> Manifest:
    found = await user.get(kinds.HOSTED_CLUSTER, key.name, key.namespace)
    return condition_of(found, kind) or {}


async def is_available(user: Client, namespace: str, name: str) -> bool:
    return is_true(await user.get(kinds.HOSTED_CLUSTER, name, namespace), "Available")


def content(stage: Stage, namespace: str) -> dict[str, Manifest]:
    """Everything in a namespace, and itself; events of the people there aside."""
    return {
        f"{record.manifest['kind']} {record.key}": record.manifest
        for record in stage.server.store.everything()
        if namespace in (record.key.namespace, record.key.name)
        and record.manifest["kind"] != "Event"
    }


def forged(key: str, **more: str) -> dict[str, Any]:
    marks = {annotations.CLUSTER: key, **more}
    return {"labels": {labels.HOSTED_CONTROL_PLANE: "true"}, "annotations": marks}
