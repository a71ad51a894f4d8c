"""The phases that reach a hosted API server for its requests, and let it go."""

from collections.abc import Iterator, Sequence
from typing import Final

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.kit import Key, Manifest, data_of
from hypershift.kube import kinds
from hypershift.kube.hosted import across_namespaces
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.look import CLAIM_FIELDS, KUBECONFIG, RETRY
from hypershift.operators.karpenter.machine_approver.scope import RequestScope
from hypershift.pki.kubelet_request import bootstrapper_of
from hypershift.runtime import Done, Outcome, Stop, Watch, is_true

BOOTSTRAP_CLIENT: Final = "kas-bootstrap-client"
#: All that is read of a request; conditions are all that an approval changes.
CSR_FIELDS: Final = (
    ("metadata", "annotations"),
    *(("spec", name) for name in ("request", "signerName", "username", "groups", "usages", "uid")),
    ("status", "conditions"),
)


def wakes(key: Key) -> Sequence[Watch]:
    """What is followed in a hosted cluster: its requests, and who may send some."""

    def keys(_: Manifest) -> Iterator[Key]:
        yield key

    return (
        Watch(kinds.CERTIFICATE_SIGNING_REQUEST, keys=keys, only=CSR_FIELDS),
        Watch(names.CLAIM, keys=keys, only=CLAIM_FIELDS, optional=True),
    )


async def connect(scope: RequestScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    secret = await scope.kube.find(kinds.SECRET, KUBECONFIG, scope.namespace)
    client = await scope.kube.find(kinds.SECRET, BOOTSTRAP_CLIENT, scope.namespace)
    if secret is None or client is None:
        return Stop("NoKubeconfig", after=RETRY)
    scope.bootstrapper = bootstrapper_of(data_of(client, "tls.crt"))
    kubeconfig = across_namespaces(data_of(secret, "kubeconfig"), scope.namespace)
    scope.guest = await scope.context.remotes.connect(scope.namespace, kubeconfig, wakes(scope.key))
    return Done()


async def forget(scope: RequestScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
