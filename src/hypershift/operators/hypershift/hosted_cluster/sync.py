"""Bring the control plane namespace and what users gave us to where the control plane needs it."""

from collections.abc import Awaitable, Callable, Iterable

from hypershift.api.conditions import (
    HostedClusterCondition,
    HostedClusterReason,
    Reason,
    false,
    true,
)
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.component import pod_user
from hypershift.kit import HypershiftError, InvalidSpec, Manifest, TransientError, annotations_of
from hypershift.kube import AlreadyExists, kinds
from hypershift.kube.resource import Resource
from hypershift.operators.hypershift.hosted_cluster import checks, gates, names
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.operators.hypershift.hosted_cluster.rules import namespace as namespaces
from hypershift.operators.hypershift.hosted_cluster.rules.copies import Copy
from hypershift.operators.hypershift.hosted_cluster.rules.validation import not_found
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope, belongs_to_infra
from hypershift.operators.hypershift.operator_image import OperatorImages
from hypershift.operators.hypershift.ownership import Ownership
from hypershift.release import Capability
from hypershift.runtime import Outcome

RESOURCES: dict[str, Resource] = {"Secret": kinds.SECRET, "ConfigMap": kinds.CONFIG_MAP}


async def sync_namespace(scope: ClusterScope) -> Outcome | None:
    """Find what the cluster's operators can do, then create their namespace.

    It has a unique user id. While an image cannot be read, an existing namespace stays as it is.
    A namespace that another writer created meanwhile ends the pass.
    """
    found = OperatorImages(scope.settings, scope.environment.images)
    scope.operator = await found.find(scope.object, scope.release, scope.docker_config())
    restricted = scope.operator.can(Capability.RESTRICTED)
    async with scope.environment.uids:
        uid = 0 if scope.environment.openshift else await _uid(scope)
        wanted = namespaces.namespace(
            scope.reach.owner,
            scope.annotations,
            uid,
            monitored=scope.settings.cluster_monitoring,
            restricted=restricted,
        )
        if await _create(scope, wanted) is Ownership.FOREIGN:
            await checks.check_configuration(scope)
            return await gates.stop_if_invalid(scope)
        await scope.kube.apply(wanted)
    return None


async def _create(scope: ClusterScope, wanted: Manifest) -> Ownership:
    """Create the namespace where there is none: an apply would take one that just came.

    Two clusters whose names make the same namespace may both find none; the server lets one win.
    """
    if await scope.reach.look() is Ownership.ABSENT:
        try:
            await scope.kube.create(namespaces.first(wanted))
        except AlreadyExists:
            await scope.reach.look_again()
    return await scope.reach.look()


async def _uid(scope: ClusterScope) -> int:
    if uid := pod_user(scope.namespace_object):
        return uid
    label = f"{names.HOSTED_CONTROL_PLANE}=true"
    return namespaces.free_uid(await scope.live.list(kinds.NAMESPACE, labels=label))


async def sync_credentials(scope: ClusterScope) -> None:
    """Give the platform's credentials to the control plane."""
    if scope.platform is None:
        return
    for kind, found in scope.read_for_platform.items():
        for source in found.values():
            await _mark(scope, RESOURCES[kind], source)
    try:
        for manifest in scope.platform.credentials(scope.facts()):
            await scope.kube.apply(scope.marked(manifest))
    except HypershiftError as error:
        scope.conditions.set(
            false(
                HostedClusterCondition.PLATFORM_CREDENTIALS_FOUND,
                HostedClusterReason.PLATFORM_CREDENTIALS_NOT_FOUND,
                str(error),
            )
        )
        raise TransientError(f"failed to reconcile platform credentials: {error}") from error
    scope.conditions.set(
        true(
            HostedClusterCondition.PLATFORM_CREDENTIALS_FOUND,
            "Required platform credentials are found",
        )
    )


async def sync_encryption(scope: ClusterScope) -> None:
    """Copy the keys that Secrets are encrypted with, and what a KMS needs."""
    await _copy(scope, copies.encryption_keys(scope.wanted))
    if scope.platform:
        for manifest in scope.platform.encryption_secrets(scope.facts()):
            await scope.kube.apply(scope.marked(manifest))


def sync(
    part: Callable[[HostedClusterSpec], Iterable[Copy]],
) -> Callable[[ClusterScope], Awaitable[None]]:
    """What copies one part of what the user refers to."""

    async def run(scope: ClusterScope) -> None:
        await _copy(scope, part(scope.wanted))

    return run


async def sync_ssh_key(scope: ClusterScope) -> None:
    """Copy the machines' public key, or remove the copy of one that is no longer named."""
    await _copy(scope, copies.ssh_key(scope.wanted))
    if not any(copies.ssh_key(scope.wanted)):
        await _drop(scope, kinds.SECRET, names.SSH_KEY)


async def sync_trust_bundle(scope: ClusterScope) -> None:
    """Copy the user's CA bundle, or remove the copy of one that is no longer named."""
    await _copy(scope, copies.trust_bundle(scope.wanted))
    wanted = {copy.target for copy in copies.every(scope.wanted) if copy.kind == "ConfigMap"}
    if names.USER_CA_BUNDLE not in wanted:
        await _drop(scope, kinds.CONFIG_MAP, names.USER_CA_BUNDLE)


async def adopt_made_secrets(scope: ClusterScope) -> None:
    """Let Secrets that were made for this cluster alone go with it."""
    infra_id = scope.wanted.infra_id or ""
    label = f"{names.AUTO_CREATED_FOR}={infra_id}"
    for secret in await scope.kube.list(kinds.SECRET, scope.key.namespace, labels=label):
        owners = secret["metadata"].get("ownerReferences") or []
        mine = scope.owner_reference()
        if belongs_to_infra(secret, infra_id) and not any(
            owner["uid"] == mine["uid"] for owner in owners
        ):
            patch = {"metadata": {"ownerReferences": [*owners, mine]}}
            name, namespace = secret["metadata"]["name"], scope.key.namespace
            await scope.kube.patch(kinds.SECRET, name, patch, namespace)


async def _copy(scope: ClusterScope, wanted: Iterable[Copy]) -> None:
    for copy in wanted:
        source = await scope.kube.find(RESOURCES[copy.kind], copy.source, scope.key.namespace)
        if source is None:
            # Not marked as used while it does not exist: only another look finds it.
            raise TransientError(_missing(scope, copy))
        await _mark(scope, RESOURCES[copy.kind], source)
        made = copies.copied(copy, source, scope.key)
        if made is None:
            return  # nothing to report or to do until the user changes it
        await _make_room(scope, copy, made)
        await scope.kube.apply(made)


async def _make_room(scope: ClusterScope, copy: Copy, made: Manifest) -> None:
    """Refuse to write a copy over what is not one; drop a copy whose type cannot be changed.

    The cache may not know yet of an object that just came, so the server is asked before a first
    copy is written.
    """
    resource, place = RESOURCES[copy.kind], (copy.target, scope.namespace)
    if not copy.kept:
        return
    found = await scope.kube.find(resource, *place) or await scope.live.find(resource, *place)
    if found is None:
        return
    if not copies.is_copy(found, scope.key):
        raise InvalidSpec(
            f'{copy.field} refers to {copy.kind} "{copy.source}", but the control plane has an '
            "object of that name that is no copy of yours: give yours another name and refer to "
            "that one",
            field=copy.field,
            reason=Reason.INVALID_CONFIGURATION,
        )
    if found.get("type") != made.get("type"):
        await scope.kube.delete(resource, copy.target, scope.namespace)


def _missing(scope: ClusterScope, copy: Copy) -> str:
    called = copy.called
    if copy.whole:
        called = f"{called} {scope.key.namespace}/{copy.source}"
    resource = RESOURCES[copy.kind].plural
    return f"failed to get {called}: {not_found(resource, copy.source)}"


async def _mark(scope: ClusterScope, resource: Resource, source: Manifest) -> None:
    # A change of a marked object wakes the cluster that uses it.
    mark = names.referenced_annotation(scope.key)
    if annotations_of(source).get(mark) != "true":
        patch = {"metadata": {"annotations": {mark: "true"}}}
        name = source["metadata"]["name"]
        await scope.kube.patch(resource, name, patch, scope.key.namespace)


async def _drop(scope: ClusterScope, resource: Resource, name: str) -> None:
    if await scope.kube.find(resource, name, scope.namespace):
        await scope.kube.delete(resource, name, scope.namespace)
