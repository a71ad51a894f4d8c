"""The phases that find the control plane of a private link, and what it waits for."""

from datetime import timedelta

from hypershift.api import HostedControlPlane, read
from hypershift.kube import kinds
from hypershift.operators.controlplane.private_link.scope import EndpointScope
from hypershift.runtime import Done, Outcome, Stop
from hypershift.runtime.pause import FOREVER, pause_left

AGAIN = timedelta(seconds=30)


async def find_plane(scope: EndpointScope) -> Outcome:
    """Find the control plane that the link is of: it lends the keys."""
    found = await scope.kube.each(kinds.HOSTED_CONTROL_PLANE, scope.namespace)
    if len(found) != 1:
        return Stop("NoControlPlane", f"{len(found)} control planes in the namespace", AGAIN)
    scope.plane_object = found[0]
    scope.plane = read(HostedControlPlane, found[0])
    return Done()


async def find_plane_of_deleted(scope: EndpointScope) -> Outcome:
    """The same of a link that is deleted; without a control plane there are no keys to use."""
    found = await scope.context.live.list(kinds.HOSTED_CONTROL_PLANE, scope.namespace)
    scope.plane = read(HostedControlPlane, found[0]) if len(found) == 1 else None
    return Done()


async def await_service(scope: EndpointScope) -> Outcome:
    """Go on once there is a service to connect to; a deleted control plane makes no endpoint."""
    if not scope.status.get("endpointServiceName"):
        return Stop("NoService", "the HyperShift operator has made no service yet")
    if scope.plane_object["metadata"].get("deletionTimestamp"):
        return Stop("Leaves", "the control plane is being deleted")
    if (left := pause_left(scope.plane_object, scope.clock.now())) is not None:
        return Stop("OnHold", "the control plane is paused", None if left == FOREVER else left)
    return Done()
