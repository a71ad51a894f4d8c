"""The local cloud of a hosted cluster: what a cloud's controllers would do for it, from outside.

LocalCluster ──> a client of the guest ──> addresses for its Services (balancer)
                                       └─> volumes on its machines' disks (volumes)
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from hypershift.kit import Manifest, labels_of
from hypershift.kube import inline, kinds
from hypershift.local.provider import balancer, mirror, names, volumes
from hypershift.local.provider.bootstrap import read_secret
from hypershift.local.provider.fleet import Fleet
from hypershift.local.provider.guest import LOOK, GuestScope
from hypershift.runtime import Context, Controller, Done, Outcome, Phase, Stop, Watch

FINALIZER: Final = f"balancer.{names.GROUP}"


async def connect(scope: GuestScope) -> Outcome:
    """A cached client of the hosted cluster, once there is a kubeconfig for it."""
    endpoint = scope.spec.get("controlPlaneEndpoint") or {}
    cluster = labels_of(scope.object).get(names.CLUSTER_NAME, "")
    if not cluster or not endpoint.get("host"):
        return Stop("AwaitingCluster")
    name = f"{cluster}-kubeconfig"
    found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
    if found is None:
        return Stop("AwaitingControlPlane", after=LOOK)
    config = reachable(read_secret(found).reveal(), endpoint)
    scope.connected = await scope.context.remotes.connect(str(scope.key), config, _wakes(scope))
    return Done()


def _wakes(scope: GuestScope) -> tuple[Watch, ...]:
    key = scope.key
    return (
        Watch(kinds.SERVICE, keys=lambda _: (key,), fields=balancer.BALANCED),
        *(Watch(kind, keys=lambda _: (key,)) for kind in (kinds.NODE, *volumes.KINDS)),
    )


async def let_go(scope: GuestScope) -> Outcome:
    """Forget a hosted cluster: its Services here and the connection to it."""
    await balancer.drop_mirrors(scope)
    await scope.context.remotes.drop(str(scope.key))
    return Done()


NORMAL: Sequence[Phase[GuestScope]] = (
    connect,
    balancer.mirror_services,
    balancer.show_addresses,
    volumes.provide_volumes,
)
DELETE: Sequence[Phase[GuestScope]] = (let_go,)


def reachable(kubeconfig: bytes, endpoint: Manifest) -> bytes:
    """The same identity at the address that machines use: names of Services mean nothing here."""
    host = f"[{endpoint['host']}]" if ":" in endpoint["host"] else endpoint["host"]
    return inline.at(kubeconfig, f"https://{host}:{endpoint['port']}")


def controller(fleet: Fleet) -> Controller[GuestScope]:
    """The controller; it wakes with each change of what concerns it in the guest."""
    return Controller(
        name=mirror.MANAGER,
        resource=kinds.LOCAL_CLUSTER,
        scope=partial(_scope, fleet),
        normal=NORMAL,
        delete=DELETE,
        finalizer=FINALIZER,
        watches=(Watch(kinds.SERVICE, keys=mirror.grounds, labels=mirror.GUEST_LABEL),),
        manages_status=False,
        honour_pause=False,
    )


def _scope(fleet: Fleet, manifest: Manifest, context: Context) -> GuestScope:
    return GuestScope(manifest, context, fleet)
