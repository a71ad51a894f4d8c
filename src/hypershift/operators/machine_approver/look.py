"""The phases that reach a hosted API server, and let it go."""

from base64 import b64decode
from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import (
    ControlPlaneCondition,
)
from hypershift.kit import Key, Manifest
from hypershift.kube import NotFound, kinds
from hypershift.kube.hosted import across_namespaces
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.pki.kubelet_request import bootstrapper_of
from hypershift.runtime import (
    Done,
    Outcome,
    Stop,
    Watch,
    is_true,
)

KUBECONFIG = "hcco-kubeconfig"
BOOTSTRAP_CLIENT = "kas-bootstrap-client"
#: All that is read of a request; conditions are all that an approval changes.
CSR_FIELDS = (
    ("metadata", "annotations"),
    *(("spec", name) for name in ("request", "signerName", "username", "groups", "usages", "uid")),
    ("status", "conditions"),
)
API_RETRY = timedelta(seconds=5)


def guest_watches(key: Key) -> Sequence[Watch]:
    """What is followed in a hosted cluster: its requests."""

    def keys(_: Manifest) -> Iterator[Key]:
        yield key

    return (Watch(kinds.CERTIFICATE_SIGNING_REQUEST, keys=keys, only=CSR_FIELDS),)


async def connect(scope: ApproverScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    if not is_true(scope.object, ControlPlaneCondition.AVAILABLE) and not await _machines(scope):
        # The control plane starts, so there are no requests yet; a new Machine starts the next
        # pass.
        return Stop("NoMachines")
    secret = await scope.kube.find(kinds.SECRET, KUBECONFIG, scope.namespace)
    client = await scope.kube.find(kinds.SECRET, BOOTSTRAP_CLIENT, scope.namespace)
    if secret is None or client is None:
        return Stop("NoKubeconfig", after=API_RETRY)
    scope.bootstrapper = bootstrapper_of(b64decode(client["data"]["tls.crt"]))
    kubeconfig = across_namespaces(b64decode(secret["data"]["kubeconfig"]), scope.namespace)
    scope.guest = await scope.context.remotes.connect(
        scope.namespace, kubeconfig, guest_watches(scope.key)
    )
    return Done()


async def _machines(scope: ApproverScope) -> Sequence[Manifest]:
    try:
        return await scope.kube.each(kinds.MACHINE, scope.namespace)
    except NotFound:  # no Cluster API here
        return ()


async def forget(scope: ApproverScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
