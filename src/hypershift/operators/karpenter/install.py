"""The phases that install Karpenter's kinds, run Karpenter, and keep its first configuration."""

from datetime import timedelta
from typing import Final

from hypershift.component import Management, View, apply_components, pod_user, with_objects
from hypershift.controlplane import karpenter
from hypershift.kube import kinds
from hypershift.operators.karpenter.rules import kubelets
from hypershift.operators.karpenter.rules.definitions import definitions
from hypershift.operators.karpenter.rules.policy import policies
from hypershift.operators.karpenter.scope import KarpenterScope
from hypershift.runtime import Done, Outcome, Wait

ROLLING: Final = timedelta(seconds=15)


async def install_definitions(scope: KarpenterScope) -> Outcome:
    """Keep the definitions, and the policy that leaves Karpenter's own class to us."""
    for manifest in (*definitions(), *policies()):
        await scope.inside.apply(manifest)
    return Done()


async def publish_taint(scope: KarpenterScope) -> Outcome:
    """Keep the kubelet configuration of classes that say nothing of theirs."""
    await scope.kube.apply(kubelets.taint_config(scope.namespace))
    return Done()


async def run_karpenter(scope: KarpenterScope) -> Outcome:
    """Bring Karpenter itself to its rendering."""
    view = await with_objects(await _view(scope), scope.kube, karpenter.VIEWED)
    components = (karpenter.COMPONENT,)
    statuses = await apply_components(components, view, scope.kube, scope.clock.now())
    if all(status.ready for status in statuses):
        return Done()
    return Wait("KarpenterRollsOut", after=ROLLING)


async def _view(scope: KarpenterScope) -> View:
    if scope.release is None:
        raise RuntimeError("the release is looked up before it is used")
    environment = scope.environment
    release = scope.release.with_images(dict.fromkeys(karpenter.HELPERS, environment.image))
    namespace = await scope.kube.find(kinds.NAMESPACE, scope.namespace)
    management = Management(
        groups=environment.groups, uid=pod_user(namespace), proxy=environment.proxy
    )
    return View(scope.plane, release, release, management=management)
