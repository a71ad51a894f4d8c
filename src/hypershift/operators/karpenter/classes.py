"""The phases that make of each class of nodes what Karpenter reads."""

from collections.abc import Iterable
from typing import Final

from hypershift.api import finalizers
from hypershift.ignition import token
from hypershift.kit import HypershiftError, Manifest, annotations_of
from hypershift.kube import ApiError, NotFound, kinds
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import ec2_class
from hypershift.operators.karpenter.scope import ClassState, KarpenterScope, raise_together
from hypershift.operators.karpenter.secrets import drop_secrets
from hypershift.runtime import Done, Outcome

OURS: Final = finalizers.EC2_NODE_CLASS_FINALIZER
KUBELET: Final = finalizers.KARPENTER_KUBELET_FINALIZER


async def keep_default(scope: KarpenterScope) -> Outcome:
    """Keep the class that every cluster has, and nothing else in it."""
    if scope.is_left_to_tests:
        return Done()
    wanted = ec2_class.default_class(scope.plane.spec.infra_id)
    live = await scope.inside.apply(wanted)
    extra = (live.get("spec") or {}).keys() - wanted["spec"].keys()
    if extra:
        patch = {"spec": dict.fromkeys(sorted(extra))}
        await scope.inside.patch(names.CLASS, names.DEFAULT, patch)
    return Done()


async def hold_classes(scope: KarpenterScope) -> Outcome:
    """Let no class go before what was made of it."""
    for each in scope.held:
        await set_finalizers(scope, each, present=(OURS,))
    return Done()


async def write_ec2_classes(scope: KarpenterScope) -> Outcome:
    """Write Karpenter's class of each class whose nodes can be configured."""
    failures: list[HypershiftError] = []
    for each in scope.held:
        try:
            await _write(scope, each)
        except ApiError as error:
            each.problem = str(error)
            failures.append(error)
        except HypershiftError as error:
            each.problem = str(error)
    raise_together(failures)
    return Done()


async def _write(scope: KarpenterScope, state: ClassState) -> None:
    user_data = await _user_data(scope, state)
    if user_data is None:
        return
    wanted = ec2_class.ec2_class(state.node_class, scope.plane, user_data)
    state.ec2_class = await scope.inside.apply(wanted)


async def _user_data(scope: KarpenterScope, state: ClassState) -> Manifest | None:
    """What nodes of the class boot with; a class keeps its last while a new one is not made."""
    if not state.hash:
        return None
    name = token.user_data_name(names.pool_name(state.name), state.hash)
    return await scope.kube.find(kinds.SECRET, name, scope.namespace)


async def finish_deleted(scope: KarpenterScope) -> Outcome:
    """Let a deleted class go, once Karpenter has let go of its own."""
    failures: list[HypershiftError] = []
    for each in scope.classes:
        try:
            if each.is_going and not scope.is_left_to_tests:
                await _finish(scope, each)
        except ApiError as error:
            failures.append(error)
    raise_together(failures)
    return Done()


async def _finish(scope: KarpenterScope, state: ClassState) -> None:
    found = state.ec2_class
    if found is not None:
        if not found["metadata"].get("deletionTimestamp"):
            await scope.inside.delete(names.EC2_CLASS, state.name, uid=found["metadata"]["uid"])
        return  # its end wakes us
    await drop_secrets(scope, state.name)
    config = names.kubelet_config(state.name)
    if await scope.kube.find(kinds.CONFIG_MAP, config, scope.namespace):
        await scope.kube.delete(kinds.CONFIG_MAP, config, scope.namespace)
    await set_finalizers(scope, state, absent=(OURS, KUBELET))


async def set_finalizers(
    scope: KarpenterScope,
    state: ClassState,
    *,
    present: Iterable[str] = (),
    absent: Iterable[str] = (),
) -> None:
    """Add and take away finalizers of ours, and refuse to overwrite what we have not seen."""
    metadata = state.manifest["metadata"]
    known = list(metadata.get("finalizers") or ())
    gone = frozenset(absent)
    wanted = [one for one in known if one not in gone]
    wanted += [one for one in present if one not in wanted]
    if wanted == known:
        return
    patch = {"metadata": {"finalizers": wanted, "resourceVersion": metadata["resourceVersion"]}}
    try:
        answer = await scope.inside.patch(names.CLASS, state.name, patch)
    except NotFound:
        return  # it went meanwhile
    state.manifest = answer


async def remember_hashes(scope: KarpenterScope) -> Outcome:
    """Note on each class by which configuration its nodes are made, so that the old one retires."""
    for each in scope.kept:
        mark = names.CURRENT_CONFIG_VERSION
        if each.hash and annotations_of(each.manifest).get(mark) != each.hash:
            patch = {"metadata": {"annotations": {mark: each.hash}}}
            each.manifest = await scope.inside.patch(names.CLASS, each.name, patch)
    return Done()
