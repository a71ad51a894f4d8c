"""The phases that reach a hosted API server, and let it go."""

from collections.abc import Sequence
from datetime import timedelta

from hypershift.api.conditions import (
    ControlPlaneCondition,
)
from hypershift.api.well_known import BOOTSTRAP_CLIENT
from hypershift.kit import Key, Manifest, data_of
from hypershift.kube import NotFound, kinds
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.pki import kubelet_request
from hypershift.pki.kubelet_request import bootstrapper_of
from hypershift.runtime import (
    Done,
    Outcome,
    Stop,
    Watch,
    connect_guest,
    is_true,
    mapping,
)

API_RETRY = timedelta(seconds=5)


def guest_watches(key: Key) -> Sequence[Watch]:
    """What is followed in a hosted cluster: its requests."""
    only = kubelet_request.FIELDS
    return (Watch(kinds.CERTIFICATE_SIGNING_REQUEST, keys=mapping.always(key), only=only),)


async def connect(scope: ApproverScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    if not is_true(scope.object, ControlPlaneCondition.AVAILABLE) and not await _machines(scope):
        # The control plane starts, so there are no requests yet; a new Machine starts the next
        # pass.
        return Stop("NoMachines")
    client = await scope.kube.find(kinds.SECRET, BOOTSTRAP_CLIENT, scope.namespace)
    if client is None:
        return Stop("NoKubeconfig", after=API_RETRY)
    scope.bootstrapper = bootstrapper_of(data_of(client, "tls.crt"))
    scope.guest = await connect_guest(scope, guest_watches(scope.key))
    return Done() if scope.guest else Stop("NoKubeconfig", after=API_RETRY)


async def _machines(scope: ApproverScope) -> Sequence[Manifest]:
    try:
        return await scope.kube.each(kinds.MACHINE, scope.namespace)
    except NotFound:  # no Cluster API here
        return ()


async def forget(scope: ApproverScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
