"""The phases that reach the hosted API server, and see what Karpenter has made there."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from hypershift.api import OpenshiftEC2NodeClass, read
from hypershift.api.conditions import ControlPlaneCondition
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Key, Manifest, Secret, data_of
from hypershift.kube import ApiError, Client, NotFound, Resource, kinds
from hypershift.kube.cache import Change
from hypershift.kube.shape import IDENTITY
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import claims
from hypershift.operators.karpenter.rules.definitions import definition_names
from hypershift.operators.karpenter.scope import ClassState, KarpenterScope
from hypershift.runtime import (
    Done,
    Outcome,
    Stop,
    Watch,
    changes_metadata,
    connect_guest,
    is_true,
    mapping,
)

RETRY: Final = timedelta(seconds=5)
#: All that is read of a node.
NODE_FIELDS: Final = (("metadata", "labels", names.NODE_POOL_LABEL),)
CLAIM_FIELDS: Final = (
    ("metadata", "annotations", names.TERMINATE_AT),
    ("status", "nodeName"),
    ("status", "providerID"),
    ("status", "capacity", "cpu"),
)
POOL_FIELDS: Final = (IDENTITY,)


def guest_watches(key: Key) -> Sequence[Watch]:
    """What is followed inside a cluster."""
    keys = mapping.always(key)
    return (
        Watch(names.CLASS, keys=keys, optional=True),
        Watch(names.EC2_CLASS, keys=keys, optional=True),
        Watch(names.CLAIM, keys=keys, only=CLAIM_FIELDS, optional=True, wakes=_counts),
        Watch(names.POOL, keys=keys, only=POOL_FIELDS, optional=True, wakes=changes_metadata),
        Watch(kinds.NODE, keys=keys, only=NODE_FIELDS),
        *(
            Watch(kind, keys=keys, fields=f"metadata.name={name}")
            for kind, name in (
                (kinds.VALIDATING_ADMISSION_POLICY, names.POLICY),
                (kinds.VALIDATING_ADMISSION_POLICY_BINDING, names.BINDING),
                *((kinds.CUSTOM_RESOURCE_DEFINITION, each) for each in definition_names()),
            )
        ),
    )


def _counts(change: Change) -> bool:
    """Whether the number of claims, their nodes or their CPUs changed."""
    old, new = change.old, change.new
    if old is None or new is None:
        return True
    gone = "deletionTimestamp"
    return (
        claims.auto_node((), [old]) != claims.auto_node((), [new])
        or claims.node_name(old) != claims.node_name(new)
        or (old.get("status") or {}) != (new.get("status") or {})
        or old["metadata"].get(gone) != new["metadata"].get(gone)
    )


async def connect(scope: KarpenterScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    scope.guest = await connect_guest(scope, guest_watches(scope.key))
    return Done() if scope.guest else Stop("NoKubeconfig", after=RETRY)


async def observe(scope: KarpenterScope) -> Outcome:
    """See classes, claims and nodes."""
    guest = scope.inside
    try:
        found = await _served(guest, names.CLASS)
        made = {one["metadata"]["name"]: one for one in await _served(guest, names.EC2_CLASS)}
        scope.nodes = await guest.list(kinds.NODE, only=NODE_FIELDS)
        scope.claims = await _served(guest, names.CLAIM, CLAIM_FIELDS)
    except (ApiError, OSError) as error:
        return Stop("GuestUnavailable", str(error), RETRY, error)
    scope.classes = [
        ClassState(
            one, read(OpenshiftEC2NodeClass, one), ec2_class=made.get(one["metadata"]["name"])
        )
        for one in found
    ]
    return Done()


async def observe_machines(scope: KarpenterScope) -> Outcome:
    """See what has to go before the control plane does."""
    guest = scope.inside
    try:
        scope.pools = await _served(guest, names.POOL, POOL_FIELDS)
        scope.claims = await _served(guest, names.CLAIM, CLAIM_FIELDS)
    except (ApiError, OSError) as error:
        return Stop("GuestUnavailable", str(error), RETRY, error)
    return Done()


async def _served(
    guest: Client, resource: Resource, only: Sequence[tuple[str, ...]] = ()
) -> list[Manifest]:
    """Every object of a kind; none where its definition is not installed."""
    try:
        return list(await guest.list(resource, only=only))
    except NotFound:
        return []


async def find_release(scope: KarpenterScope) -> Outcome:
    """Look up the release of the management side, of which Karpenter is a part."""
    pull_secret = await scope.kube.find(kinds.SECRET, PULL_SECRET, scope.namespace)
    if pull_secret is None:
        return Stop("NoPullSecret", after=RETRY)
    spec = scope.plane.spec
    image = spec.control_plane_release_image or spec.release_image
    credentials = Secret(data_of(pull_secret, DOCKER_CONFIG))
    scope.release = await scope.environment.releases.lookup(image, credentials)
    return Done()


async def forget(scope: KarpenterScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
