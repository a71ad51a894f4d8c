"""Run Karpenter's operator where the cluster asks for nodes on demand, and take it away again."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from hypershift.api import finalizers
from hypershift.api.conditions import (
    DeploymentCondition,
    HostedClusterCondition,
    HostedClusterReason,
)
from hypershift.api.well_known import GUEST_KUBECONFIG, KUBE_APISERVER
from hypershift.component import (
    Component,
    Management,
    View,
    apply_components,
    pod_user,
    with_objects,
)
from hypershift.controlplane import karpenter, karpenter_operator
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster.rules.node_conditions import (
    KARPENTER,
    uses_karpenter,
)
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Settings
from hypershift.runtime import Done, Outcome, Wait, is_true

#: The states of components are no reason for a pass: they are looked at so often.
AGAIN: Final = timedelta(seconds=15)


async def sync_auto_node(scope: ClusterScope) -> Outcome:
    """Bring both components to what `spec.autoNode` asks for.

    Karpenter's operator runs Karpenter itself; when it is gone, Karpenter is taken away here.
    """
    if uses_karpenter(scope.wanted):
        if await _can_start(scope):
            await _apply(scope, (_operator(scope),))
    elif await _has_leftovers(scope):
        await _apply(scope, (karpenter.COMPONENT, _operator(scope)))
        await _clear(scope)
    reported = scope.conditions.get(HostedClusterCondition.AUTO_NODE_ENABLED) or {}
    progresses = reported.get("reason") == HostedClusterReason.AUTO_NODE_PROGRESSING
    return Wait("AutoNodeProgresses", AGAIN) if progresses else Done()


async def _can_start(scope: ClusterScope) -> bool:
    """Whether there is a way into the cluster, and an address for its nodes."""
    if scope.control_plane_status.kube_config is None or not scope.status.get("ignitionEndpoint"):
        return False
    return await scope.kube.find(kinds.SECRET, GUEST_KUBECONFIG, scope.namespace) is not None


async def _has_leftovers(scope: ClusterScope) -> bool:
    """Whether anything of an earlier wish is left."""
    status = scope.control_plane_status
    if status.auto_node is not None:
        return True
    if await scope.kube.find(kinds.CONFIG_MAP, karpenter.TAINT_CONFIG, scope.namespace):
        return True
    for name in KARPENTER:
        for kind in (kinds.DEPLOYMENT, kinds.SERVICE_ACCOUNT):
            if await scope.kube.find(kind, name, scope.namespace):
                return True
    return False


async def _apply(scope: ClusterScope, components: tuple[Component, ...]) -> None:
    if scope.plane is None or scope.release is None:
        return
    overrides = scope.settings.registry_overrides
    helpers = dict.fromkeys(karpenter.HELPERS, _image(scope))
    release = scope.release.with_registry_overrides(overrides).with_images(helpers)
    management = Management(
        groups=frozenset(),
        uid=pod_user(scope.namespace_object),
        registry_overrides=overrides,
        proxy=scope.settings.proxy,
    )
    view = View(scope.plane, release, release, management=management)
    view = await with_objects(view, scope.kube, karpenter.VIEWED)
    await apply_components(components, view, scope.kube, scope.clock.now())


def _image(scope: ClusterScope) -> str:
    """The image of the cluster's own operators, whose helpers run beside Karpenter."""
    return scope.operator.reference or scope.settings.image


def _operator(scope: ClusterScope) -> Component:
    return karpenter_operator.component(
        karpenter_operator.Options(
            hypershift_image=scope.settings.image or karpenter_operator.NAME,
            control_plane_image=_image(scope),
            ignition_endpoint=str(scope.status.get("ignitionEndpoint") or ""),
            sources=tuple(_sources(scope.settings)),
        )
    )


def _sources(settings: Settings) -> Iterator[str]:
    """The flags that say where releases are read from, as roles of Dedicated clusters have them."""
    for host, url in sorted(settings.registry_mirrors.items()):
        yield f"--registry-mirror={host}={url}"
    for old, new in sorted(settings.registry_overrides.items()):
        yield f"--registry-overrides={old}={new}"


async def _clear(scope: ClusterScope) -> None:
    """Delete what Karpenter's operator wrote beside the components."""
    if await scope.kube.find(kinds.CONFIG_MAP, karpenter.TAINT_CONFIG, scope.namespace):
        await scope.kube.delete(kinds.CONFIG_MAP, karpenter.TAINT_CONFIG, scope.namespace)
    if scope.control_plane_status.auto_node is not None:
        scope.control_plane = await scope.kube.patch(
            kinds.HOSTED_CONTROL_PLANE,
            scope.key.name,
            {"status": {"autoNode": None}},
            scope.namespace,
            subresource="status",
        )


async def release_karpenter(scope: ClusterScope) -> Outcome:
    """Remove Karpenter's finalizer from a deleted control plane where its operator cannot.

    The operator is gone when AutoNode was switched off before, and sees nothing without an API
    server. Instances may stay: `destroy infra` finds them by their tags.
    """
    plane = scope.control_plane
    known = list((plane or {"metadata": {}})["metadata"].get("finalizers") or ())
    if plane is None or finalizers.KARPENTER_FINALIZER not in known:
        return Done()
    if uses_karpenter(scope.wanted):
        # While the control plane is not deleted, its operator would add the finalizer again.
        gone = bool(plane["metadata"].get("deletionTimestamp"))
        if not gone or await _serves(scope):
            return Done()
    patch = {
        "metadata": {
            "finalizers": [each for each in known if each != finalizers.KARPENTER_FINALIZER],
            "resourceVersion": plane["metadata"]["resourceVersion"],
        }
    }
    await scope.kube.patch(kinds.HOSTED_CONTROL_PLANE, scope.key.name, patch, scope.namespace)
    text = "Karpenter could not take its nodes away: instances in the cloud may be left"
    await scope.events.warning("KarpenterFinalizerRemoved", text)
    return Done()


async def _serves(scope: ClusterScope) -> bool:
    """Whether the hosted API server runs."""
    found = await scope.live.find(kinds.DEPLOYMENT, KUBE_APISERVER, scope.namespace)
    return found is not None and is_true(found, DeploymentCondition.AVAILABLE)
