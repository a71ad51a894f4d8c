"""The phases that give the node tuning operator its manifests and report its results."""

from hypershift.api.conditions import NodePoolConditionType, copied, true
from hypershift.kit import HypershiftError, InvalidSpec, Manifest, labels_of
from hypershift.kit.aside import aside
from hypershift.kit.budget import refusing
from hypershift.kit.documents import read
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names, sources
from hypershift.operators.hypershift.node_pool.config import VALID
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.rules import tuning
from hypershift.operators.hypershift.node_pool.rules.configuration import size_of
from hypershift.operators.hypershift.node_pool.rules.tuning import Tuning
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.reserved import reserved
from hypershift.runtime import Done, Outcome

#: The conditions that the tuning operator reports about a profile, by its own names.
_PROFILE_CONDITIONS = {
    kind.rpartition("/")[2]: kind
    for kind in (
        NodePoolConditionType.PERFORMANCE_AVAILABLE,
        NodePoolConditionType.PERFORMANCE_PROGRESSING,
        NodePoolConditionType.PERFORMANCE_UPGRADEABLE,
        NodePoolConditionType.PERFORMANCE_DEGRADED,
    )
}


async def mirror_configs(scope: PoolScope) -> Outcome:
    """Copy the user's settings of kubelet and runtime to where the tuning operator sees them."""
    if not sources.tunes_nodes(scope):
        return Done()
    added = await sources.user_sources(scope)
    wanted = await aside(size_of(added), tuning.mirrors, added)
    made = tuning.mirrored(scope.key.name, scope.namespace, wanted)
    keep = {one["metadata"]["name"] for one in made}
    await _delete_others(scope, tuning.MIRRORED, keep)
    generated = await _labelled(scope, names.NTO_CONFIG, tuning.KUBELET_CONFIG)
    known = [one["metadata"]["name"] for one in generated]
    if why := tuning.why_too_many(scope.key.name, known, wanted):
        message = f"failed to reconcile NTO: failed to mirror configs: {why}"
        return await failed(scope, message, kind=VALID, because=why)
    try:
        for manifest in made:
            await _apply(scope, manifest, tuning.MIRRORED)
    except InvalidSpec as error:
        message = f"failed to reconcile NTO: failed to mirror configs: {error}"
        return await failed(scope, message, kind=VALID, because=str(error))
    return Done()


async def _labelled(scope: PoolScope, *labels: str) -> list[Manifest]:
    wanted = [f"{label}=true" for label in labels]
    selector = ",".join([*wanted, f"{names.NODE_POOL}={scope.key.name}"])
    return await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=selector)


async def _delete_others(scope: PoolScope, label: str, keep: set[str]) -> None:
    for config_map in await _labelled(scope, label):
        name = config_map["metadata"]["name"]
        if name not in keep:
            await scope.kube.delete(kinds.CONFIG_MAP, name, scope.namespace)


async def _apply(scope: PoolScope, manifest: Manifest, label: str) -> None:
    """Apply a ConfigMap whose name users choose in parts; never over another object of ours.

    One that an older operator made immutable is deleted and created again.
    """
    name = manifest["metadata"]["name"]
    found = await scope.kube.find(kinds.CONFIG_MAP, name, scope.namespace)
    marks = labels_of(found or {})
    mine = marks.get(label) == "true" and marks.get(names.NODE_POOL) == scope.key.name
    if not mine and (found or reserved(name)):
        raise InvalidSpec(
            f'the control plane has a ConfigMap "{name}", or may have one: give the ConfigMap '
            "that the NodePool refers to another name"
        )
    if found and found.get("immutable") and mine:
        await scope.kube.delete(kinds.CONFIG_MAP, name, scope.namespace)
    await scope.kube.apply(manifest)


async def publish_tuning(scope: PoolScope) -> Outcome:
    """Publish the pool's Tuned manifests and its PerformanceProfile."""
    if not sources.tunes_nodes(scope):
        return Done()
    try:
        added = await _sources(scope)
        found = await aside(tuning.size_of(added), tuning.tuning, added)
    except HypershiftError as error:
        message = f"failed to reconcile NTO: failed to get tuningConfig: {error}"
        return await failed(
            scope, message, kind=NodePoolConditionType.VALID_TUNING_CONFIG, because=str(error)
        )
    scope.conditions.set(true(NodePoolConditionType.VALID_TUNING_CONFIG))
    await _publish_tuned(scope, found)
    return await _publish_profile(scope, found)


async def _sources(scope: PoolScope) -> list[tuple[str, Manifest | None]]:
    return [
        (each.name, await scope.kube.find(kinds.CONFIG_MAP, each.name, scope.key.namespace))
        for each in scope.wanted.tuning_config
    ]


async def _publish_tuned(scope: PoolScope, found: Tuning) -> None:
    if not found.tuned:
        await _delete_others(scope, tuning.TUNED, set())
        return
    manifest = tuning.tuned_config_map(scope.pool, scope.namespace, found.tuned)
    await scope.kube.apply(manifest)  # its name is ours: `tuned-` and the pool's name


async def _publish_profile(scope: PoolScope, found: Tuning) -> Outcome:
    if not found.profile:
        await _delete_others(scope, tuning.PROFILE, set())
        for kind in _PROFILE_CONDITIONS.values():
            scope.conditions.remove(kind)
        return Done()
    manifest = tuning.profile_config_map(scope.pool, scope.namespace, found)
    await _delete_others(scope, tuning.PROFILE, {manifest["metadata"]["name"]})
    try:
        await _apply(scope, manifest, tuning.PROFILE)
        _say_profile(scope, await _labelled(scope, tuning.PROFILE_STATUS))
    except InvalidSpec as error:
        return await failed(scope, f"failed to reconcile NTO: {error}")
    return Done()


def _say_profile(scope: PoolScope, found: list[Manifest]) -> None:
    """Copy the tuning operator's conditions of the profile."""
    if len(found) > 1:
        raise InvalidSpec(
            "there cannot be more than one PerformanceProfile ConfigMap status per NodePool. "
            f"found: {len(found)} NodePool: {scope.key.name}"
        )
    for config_map in found:
        text = (config_map.get("data") or {}).get("status")
        if text is None:
            raise InvalidSpec("status not found in performance profile status configmap")
        try:
            conditions = _conditions_in(text)
        except InvalidSpec as error:
            why = f"failed to decode the performance profile status: {error}"
            raise InvalidSpec(why) from error
        for one in conditions:
            if kind := _PROFILE_CONDITIONS.get(one.get("type", "")):
                scope.conditions.set(copied(one, kind))


def _conditions_in(text: str) -> list[Manifest]:
    with refusing("the status"):
        found = list((read(text) or {}).get("conditions") or ())
        if not all(isinstance(one, dict) for one in found):
            raise InvalidSpec("conditions are not maps")
        return found
