"""The controller of the shared ingress: its phases in order, and what wakes it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import DeploymentCondition
from hypershift.api.well_known import SHARED_INGRESS, SHARED_INGRESS_NAMESPACE
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.kube.cache import Change
from hypershift.kube.services import load_balancer_address
from hypershift.operators.hypershift.shared_ingress import act, look
from hypershift.operators.hypershift.shared_ingress.rules.members import SERVICES
from hypershift.operators.hypershift.shared_ingress.scope import Environment, IngressScope
from hypershift.runtime import Controller, Phase, Watch, changes_metadata, is_true

NAME = "shared-ingress"
#: Clusters that come together are one configuration; it is visible within two seconds.
PACE = timedelta(seconds=1)

NORMAL: Sequence[Phase[IngressScope]] = (
    look.look_at_own_namespace,
    look.look_at_clusters,
    act.stop_without_clusters,
    act.keep_router,
    act.publish,
    act.withdraw,
)
#: Kinds of the router's own objects, beside the watched ones.
OWN = (
    kinds.CONFIG_MAP,
    kinds.NETWORK_POLICY,
    kinds.POD_DISRUPTION_BUDGET,
    kinds.ROLE,
    kinds.ROLE_BINDING,
    kinds.SERVICE_ACCOUNT,
)


def controller(environment: Environment) -> Controller[IngressScope]:
    """The controller; it reconciles the operator's own namespace, because there is one ingress."""
    namespace = environment.settings.namespace

    def ingress(_: Manifest) -> Iterator[Key]:
        yield Key("", namespace)

    def own(manifest: Manifest) -> Iterator[Key]:
        if manifest["metadata"].get("namespace") == SHARED_INGRESS_NAMESPACE:
            yield Key("", namespace)

    def service(manifest: Manifest) -> Iterator[Key]:
        if manifest["metadata"]["name"] in (*SERVICES, SHARED_INGRESS):
            yield Key("", namespace)
        yield from own(manifest)

    routes = (Watch(kinds.ROUTE, ingress, wakes=changes_metadata),) if environment.openshift else ()
    return Controller(
        name=NAME,
        resource=kinds.NAMESPACE,
        scope=lambda found, context: IngressScope(found, context, environment),
        normal=NORMAL,
        stop_on_error=True,
        manages_status=False,
        watches=(
            Watch(kinds.HOSTED_CLUSTER, ingress, wakes=changes_metadata),
            Watch(kinds.HOSTED_CONTROL_PLANE, ingress, wakes=changes_metadata),
            Watch(kinds.SERVICE, service, wakes=matters),
            Watch(kinds.DEPLOYMENT, own, wakes=matters),
            *(Watch(kind, own, wakes=changes_metadata) for kind in OWN),
            *routes,
        ),
        pace=PACE,
    )


def matters(change: Change) -> bool:
    """Whether a Service or Deployment changed in its spec, its address or its ready pods."""
    old, new = change.old or {}, change.new or {}
    available = DeploymentCondition.AVAILABLE
    moved = load_balancer_address(old) != load_balancer_address(new)
    return changes_metadata(change) or moved or is_true(old, available) != is_true(new, available)
