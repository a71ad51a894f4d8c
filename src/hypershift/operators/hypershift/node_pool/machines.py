"""The phases that make machines: deployment or set, tags, node labels."""

from dataclasses import replace
from typing import Any

from hypershift.api.conditions import (
    Condition,
    MachineCondition,
    NodePoolConditionType,
    NodePoolReason,
    Reason,
    copied,
    true,
)
from hypershift.ignition import token
from hypershift.kit import InvalidSpec, Manifest, annotations_of, key_of, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.rules import autoscaling
from hypershift.operators.hypershift.node_pool.rules import machine_deployment as machines
from hypershift.operators.hypershift.node_pool.rules.machine_deployment import Wanted
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.node_pool.token import retire_tokens
from hypershift.operators.hypershift.operator_image import watch_labels
from hypershift.runtime import Done, Outcome, Stop, condition_of
from hypershift.runtime.pause import FOREVER, pause_left


async def pause_machines(scope: PoolScope) -> Outcome:
    """Pause Cluster API with the pool, and wake it with the pool."""
    left = pause_left(scope.object, scope.clock.now())
    for resource in (kinds.MACHINE_SET, kinds.MACHINE_DEPLOYMENT):
        found = await scope.kube.find(resource, scope.key.name, scope.namespace)
        if not found or not scope.made_for_pool(found):
            continue
        if (names.PAUSED in annotations_of(found)) != (left is not None):
            patch = {"metadata": {"annotations": {names.PAUSED: "true" if left else None}}}
            await scope.kube.patch(resource, scope.key.name, patch, scope.namespace)
    if left is None:
        return Done()
    return Stop(Reason.RECONCILIATION_PAUSED, after=None if left == FOREVER else left)


async def finish_without_machines(scope: PoolScope) -> Outcome:
    """Where others make the machines, a published token is all there is to do."""
    if not scope.pools.made_elsewhere(scope.wanted.platform):
        return Done()
    await retire_tokens(scope)
    scope.status["version"] = scope.wanted_release.version
    await scope.annotate(
        {
            names.CURRENT_CONFIG: scope.wanted_config.hash_without_version,
            names.CURRENT_CONFIG_VERSION: scope.wanted_config.hash,
        }
    )
    return Stop("MachinesElsewhere")


async def tag_machines(scope: PoolScope) -> Outcome:
    """Update the tags of existing machines, on clouds where tags change without replacing them."""
    retag = scope.pools.retag
    if retag is None:
        return Done()
    wanted = retag.wanted(scope.facts())
    label = f"{names.DEPLOYMENT_NAME}={scope.key.name}"
    for machine in await scope.kube.list(retag.resource, scope.namespace, labels=label):
        known = machine["spec"].get(retag.field)
        if known != wanted:
            gone = dict.fromkeys((known or {}).keys() - wanted)
            patch = {"spec": {retag.field: {**gone, **wanted}}}
            name = machine["metadata"]["name"]
            await scope.kube.patch(retag.resource, name, patch, scope.namespace)
    return Done()


def wanted_machines(scope: PoolScope) -> Wanted:
    """What the machines of this pass are made of."""
    if scope.template is None:
        raise RuntimeError("the template is published before machines are")
    config_hash = scope.wanted_config.hash
    cloud = scope.pools.machines
    return Wanted(
        pool=scope.pool,
        namespace=scope.namespace,
        cluster=scope.cluster_name,
        infra_id=scope.infra_id,
        release_version=scope.wanted_release.version,
        user_data=token.user_data_name(scope.key.name, config_hash),
        config_hash=config_hash,
        template=scope.template,
        failure_domain=cloud.failure_domain(scope.pool) if cloud else "",
        watch_labels=watch_labels(scope.hosted_cluster, scope.environment.operators.settings),
    )


async def scale_machines(scope: PoolScope) -> Outcome:
    """Apply MachineDeployment or MachineSet, and copy its numbers to the pool."""
    wanted = wanted_machines(scope)
    resource = kinds.MACHINE_SET if scope.in_place else kinds.MACHINE_DEPLOYMENT
    found = await scope.kube.find(resource, wanted.name, wanted.namespace)
    if found is not None and not scope.made_for_pool(found):
        return await _taken(scope, found)
    from_zero = _from_zero(scope)
    build = machines.machine_set if scope.in_place else machines.machine_deployment
    try:
        manifest = build(wanted, from_zero=from_zero)
    except InvalidSpec as error:
        kind = "MachineSet" if scope.in_place else "MachineDeployment"
        where = f"{wanted.namespace}/{wanted.name}"
        return await failed(scope, f'failed to reconcile {kind} "{where}": {error}')
    current = None if found is None else found["spec"].get("replicas")
    replicas = autoscaling.replicas(scope.pool, current, scope.machines, from_zero=from_zero)
    if found is None:
        await scope.kube.create(_first(manifest, replicas, wanted.config_hash))
    live = await scope.kube.apply(manifest)
    unchanged = found is not None and live["spec"].get("replicas") == current
    if unchanged and replicas is not None and current != replicas:
        # as the autoscaler last left it: its number may be newer than what we decided on
        seen = {"resourceVersion": live["metadata"]["resourceVersion"]}
        patch = {"metadata": seen, "spec": {"replicas": replicas}}
        live = await scope.kube.patch(resource, wanted.name, patch, wanted.namespace)
    if found is None or _rolls(found, manifest):
        return Done()  # the numbers still speak of the machines before
    await _take_over(scope, live)
    return Done()


async def _taken(scope: PoolScope, found: Manifest) -> Outcome:
    """Another pool's machines have the name: Cluster API names a pool's sets after the pool."""
    message = (
        f"{found['kind']} {key_of(found)} was not made for this node pool: give the node pool"
        " another name"
    )
    ready, reason = NodePoolConditionType.READY, NodePoolReason.NAME_TAKEN
    return await failed(scope, message, kind=ready, reason=reason)


def _from_zero(scope: PoolScope) -> bool:
    """Whether the autoscaler knows what an absent machine would offer."""
    capacity = ((scope.template or {}).get("status") or {}).get("capacity")
    return bool(capacity) or scope.platform in scope.environment.scale_from_zero


def _first(manifest: Manifest, replicas: int | None, config_hash: str) -> Manifest:
    """The least that can be created: an apply can later remove fields that it owns itself.

    The number of replicas is never applied: we would own it, and the autoscaler could not change
    it. A new MachineSet is marked as up to date; the in-place upgrader keeps that mark later.
    """
    spec, template = manifest["spec"], manifest["spec"]["template"]
    kept = {name: spec[name] for name in ("clusterName", "selector")}
    fixed = ("clusterName", "bootstrap", "infrastructureRef", "version")
    first: dict[str, Any] = {
        **kept,
        "replicas": replicas or 0,
        "template": {
            "metadata": template["metadata"],
            "spec": {name: template["spec"][name] for name in fixed},
        },
    }
    metadata = {name: manifest["metadata"][name] for name in ("name", "namespace", "labels")}
    # The owner must be part of the creation: this process may end before the apply.
    mark = {names.NODE_POOL: manifest["metadata"]["annotations"][names.NODE_POOL]}
    metadata["annotations"] = mark
    if manifest["kind"] == "MachineSet":
        metadata["annotations"] = mark | {names.CURRENT_CONFIG_VERSION: config_hash}
    return manifest | {"metadata": metadata, "spec": first}


def _rolls(found: Manifest, manifest: Manifest) -> bool:
    """Whether this pass changed what machines are made of."""
    before, after = (one["spec"]["template"]["spec"] for one in (found, manifest))
    return bool(
        before["bootstrap"].get("dataSecretName") != after["bootstrap"]["dataSecretName"]
        or before["infrastructureRef"]["name"] != after["infrastructureRef"]["name"]
    )


async def _take_over(scope: PoolScope, live: Manifest) -> None:
    """Copy readiness and number of machines, and note a completed rollout."""
    status = live.get("status") or {}
    scope.status["replicas"] = status.get("availableReplicas") or 0
    if ready := readiness(live):
        scope.conditions.set(ready)
    done = _in_place_done(live) if scope.in_place else machines.is_complete(live, scope.machines)
    if not done:
        return
    scope.status["version"] = scope.wanted_release.version
    template = live["spec"]["template"]["spec"]["infrastructureRef"]["name"]
    await scope.annotate(
        {
            names.CURRENT_CONFIG: scope.wanted_config.hash_without_version,
            names.CURRENT_CONFIG_VERSION: scope.wanted_config.hash,
            names.CURRENT_TEMPLATE: template,
        }
    )


def _in_place_done(machine_set: Manifest) -> bool:
    marks = annotations_of(machine_set)
    return marks.get(names.CURRENT_CONFIG_VERSION) == marks.get(names.TARGET_CONFIG_VERSION)


def readiness(live: Manifest) -> Condition | None:
    """Cluster API's conditions for all machines together."""
    for kind in (
        MachineCondition.READY,
        MachineCondition.AVAILABLE,
        MachineCondition.MACHINES_READY,
    ):
        if found := condition_of(live, kind):
            ready = copied(found, NodePoolConditionType.READY)
            # Once all are ready, only the condition about the whole pool is reported.
            if ready.is_true and kind is not MachineCondition.READY:
                return true(NodePoolConditionType.READY)
            return ready if ready.reason else replace(ready, reason=Reason.AS_EXPECTED)
    return None


async def mark_machines(scope: PoolScope) -> Outcome:
    """Update the node labels and taints of existing machines, without replacing them."""
    if scope.in_place:
        return Done()
    labels, annotations = machines.node_marks(scope.pool)
    if scope.pools.takes_global_pull_secret:
        labels = labels | {f"{names.MANAGED_LABEL}.{names.GLOBAL_PULL_SECRET}": "true"}
    for machine in scope.machines:
        if labels.items() <= labels_of(machine).items() and (
            annotations.items() <= annotations_of(machine).items()
        ):
            continue
        patch = {"metadata": {"labels": labels, "annotations": annotations}}
        name = machine["metadata"]["name"]
        await scope.kube.patch(kinds.MACHINE, name, patch, scope.namespace)
    return Done()
