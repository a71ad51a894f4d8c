"""The phases that reach a hosted API server for its requests, and let it go."""

from collections.abc import Sequence

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.api.well_known import BOOTSTRAP_CLIENT
from hypershift.kit import Key, data_of
from hypershift.kube import kinds
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.look import CLAIM_FIELDS, RETRY
from hypershift.operators.karpenter.machine_approver.scope import RequestScope
from hypershift.pki import kubelet_request
from hypershift.pki.kubelet_request import bootstrapper_of
from hypershift.runtime import Done, Outcome, Stop, Watch, connect_guest, is_true, mapping


def guest_watches(key: Key) -> Sequence[Watch]:
    """What is followed in a hosted cluster: its requests, and who may send some."""
    keys, only = mapping.always(key), kubelet_request.FIELDS
    return (
        Watch(kinds.CERTIFICATE_SIGNING_REQUEST, keys=keys, only=only),
        Watch(names.CLAIM, keys=keys, only=CLAIM_FIELDS, optional=True),
    )


async def connect(scope: RequestScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    client = await scope.kube.find(kinds.SECRET, BOOTSTRAP_CLIENT, scope.namespace)
    if client is None:
        return Stop("NoKubeconfig", after=RETRY)
    scope.bootstrapper = bootstrapper_of(data_of(client, "tls.crt"))
    scope.guest = await connect_guest(scope, guest_watches(scope.key))
    return Done() if scope.guest else Stop("NoKubeconfig", after=RETRY)


async def forget(scope: RequestScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
