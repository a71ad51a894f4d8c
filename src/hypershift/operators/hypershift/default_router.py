"""Keeps the management cluster's own router from Routes that control planes' routers serve."""

from hypershift.api import labels
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Resource
from hypershift.runtime.logs import logger

INGRESS_CONTROLLER = Resource(
    "operator.openshift.io", "v1", "ingresscontrollers", "IngressController"
)
NAME, NAMESPACE = "default", "openshift-ingress-operator"
WITHOUT_OURS: Manifest = {"key": labels.HOSTED_CONTROL_PLANE, "operator": "DoesNotExist"}


async def leave_our_routes(client: Client) -> bool:
    """Select Routes without our label in the default IngressController; True if that was written.

    What an administrator selects stays. Without the right or the object nothing is done: both
    routers would say then that they admit a Route, and only ours is where its name leads.
    """
    log = logger(ingress_controller=f"{NAMESPACE}/{NAME}")
    try:
        found = await client.find(INGRESS_CONTROLLER, NAME, NAMESPACE)
        if found is None or (expressions := selecting(found)) is None:
            return False
        patch = {
            "metadata": {"resourceVersion": found["metadata"]["resourceVersion"]},
            "spec": {"routeSelector": {"matchExpressions": expressions}},
        }
        await client.patch(INGRESS_CONTROLLER, NAME, patch, NAMESPACE)
    except ApiError as error:
        log.warning("default router may serve Routes of control planes", error=str(error))
        return False
    log.info("default router leaves Routes of control planes alone")
    return True


def selecting(controller: Manifest) -> list[Manifest] | None:
    """The expressions that leave out our Routes; None where the controller does so already."""
    selector = (controller.get("spec") or {}).get("routeSelector") or {}
    found = list(selector.get("matchExpressions") or ())
    if any(one.get("key") == labels.HOSTED_CONTROL_PLANE for one in found):
        return None
    return [*found, WITHOUT_OURS]
