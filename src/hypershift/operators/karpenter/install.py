"""The phases that install Karpenter's kinds, run Karpenter, and keep its first configuration."""

from datetime import timedelta
from typing import Final

from hypershift.api import annotations
from hypershift.component import Management, View, apply_components, with_objects
from hypershift.controlplane import karpenter
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.operators.karpenter.rules import kubelets
from hypershift.operators.karpenter.rules.definitions import definitions
from hypershift.operators.karpenter.rules.policy import policies
from hypershift.operators.karpenter.scope import KarpenterScope
from hypershift.runtime import Done, Outcome, Wait

ROLLING: Final = timedelta(seconds=15)
#: What the operator may read beside Karpenter; a view needs nothing else for it.
VIEWED: Final = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.DEPLOYMENT,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.SERVICE_ACCOUNT,
    kinds.ROLE,
    kinds.ROLE_BINDING,
)
#: The names by which pods call the images of this program.
HELPERS: Final = ("availability-prober", "token-minter")


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
    view = await with_objects(await _view(scope), scope.kube, VIEWED)
    components = (karpenter.COMPONENT,)
    statuses = await apply_components(components, view, scope.kube, scope.clock.now())
    if all(status.ready for status in statuses):
        return Done()
    return Wait("KarpenterRollsOut", after=ROLLING)


async def _view(scope: KarpenterScope) -> View:
    if scope.release is None:
        raise RuntimeError("the release is looked up before it is used")
    environment = scope.environment
    release = scope.release.with_images(dict.fromkeys(HELPERS, environment.image))
    namespace = await scope.kube.find(kinds.NAMESPACE, scope.namespace)
    management = Management(
        groups=environment.groups, uid=_uid(namespace or {}), proxy=environment.proxy
    )
    return View(scope.plane, release, release, management=management)


def _uid(namespace: Manifest) -> int | None:
    """The user that pods run as where no security context constraint chooses one."""
    text = annotations_of(namespace).get(annotations.DEFAULT_SECURITY_CONTEXT_UID, "")
    return int(text) if text.isdigit() else None
