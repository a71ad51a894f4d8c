"""Publishes the discovery documents of a cluster's token issuer where its cloud reads them.

finalizer -> both documents -> ValidOIDCConfiguration          on deletion: documents -> finalizer

The finalizer comes first, so that after a crash the documents are still deleted.
"""

from datetime import timedelta

from hypershift.api.conditions import (
    ALL_IS_WELL,
    HostedClusterCondition,
    HostedClusterReason,
    Reason,
    false,
    holds,
    true,
)
from hypershift.cloud.stores import StoreFailed
from hypershift.kit import HypershiftError, TransientError, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.claims import Claims, infra
from hypershift.operators.hypershift.hosted_cluster.rules.copies import SIGNING_KEY
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.hosted_cluster.waiting import wait
from hypershift.pki.issuer import documents
from hypershift.runtime import Done, Outcome, Stop

KIND = HostedClusterCondition.VALID_OIDC
PUBLIC_KEYS = "service-account.pub"
AGAIN = timedelta(seconds=1)
UNCONFIGURED = (
    "hypershift wasn't configured with a S3 bucket or credentials, this makes it unable to set up"
    " OIDC for AWS clusters. Please install hypershift with the"
    " --oidc-storage-provider-s3-bucket-name, --oidc-storage-provider-s3-region and"
    " --oidc-storage-provider-s3-credentials flags set"
)


async def publish_documents(scope: ClusterScope) -> None:
    """Write both documents once there is a key; a user's own key has its documents elsewhere."""
    finalizer = scope.cloud.rules.documents_finalizer
    if not finalizer or not _has_kubeconfig(scope) or scope.wanted.service_account_signing_key:
        return
    held = scope.object["metadata"].get("finalizers") or []
    if finalizer in held and holds(scope.conditions.get(KIND)):
        return
    try:
        await _publish(scope, finalizer)
    except HypershiftError as error:
        text = f"Failed to publish the documents of the token issuer: {_brief(error)}"
        scope.conditions.set(false(KIND, HostedClusterReason.OIDC_INVALID, text))
        raise
    scope.conditions.set(true(KIND, ALL_IS_WELL, Reason.AS_EXPECTED))


async def _publish(scope: ClusterScope, finalizer: str) -> None:
    store = scope.environment.documents
    if store is None:
        raise TransientError(UNCONFIGURED)
    secret = await scope.kube.find(kinds.SECRET, SIGNING_KEY, scope.namespace)
    keys = data_of(secret, PUBLIC_KEYS)
    if not keys:
        raise TransientError(f"Secret {scope.namespace}/{SIGNING_KEY} has no {PUBLIC_KEYS} yet")
    made = documents(scope.wanted.issuer_url or "", keys)
    await _add_finalizer(scope, finalizer)
    for path, body in made.items():
        key = f"{scope.wanted.infra_id}/{path}"
        await store.write(key, body, "application/json")


async def delete_documents(scope: ClusterScope) -> Outcome:
    """Delete both documents, then their finalizer."""
    finalizer = scope.cloud.rules.documents_finalizer
    held = scope.object["metadata"].get("finalizers") or []
    if not finalizer or finalizer not in held:
        return Done()
    store = scope.environment.documents
    if store is None:
        what = f"documents of the token issuer, which finalizer {finalizer} stands for"
        return wait(scope, HostedClusterReason.DELETING_DOCUMENTS, what, UNCONFIGURED)
    try:
        # The finalizer proves nothing, since users may write it.
        for path in documents("", b"") if await _holds_place(scope) else ():
            await store.delete(f"{scope.wanted.infra_id}/{path}")
    except StoreFailed as error:
        what = f"documents of the token issuer in {store.name}"
        return wait(scope, HostedClusterReason.DELETING_DOCUMENTS, what, _brief(error))
    await _set_finalizers(scope, [each for each in held if each != finalizer])
    # The object changed during this pass: the next one continues.
    return Stop(HostedClusterReason.DELETING_DOCUMENTS, after=AGAIN)


async def _holds_place(scope: ClusterScope) -> bool:
    """Whether no other cluster publishes where this one says that it does."""
    claims = Claims((), await scope.kube.each(kinds.HOSTED_CONTROL_PLANE))
    return infra(scope.wanted) not in claims.refused(scope.key, scope.wanted)


async def _add_finalizer(scope: ClusterScope, finalizer: str) -> None:
    held = scope.object["metadata"].get("finalizers") or []
    if finalizer not in held:
        await _set_finalizers(scope, [*held, finalizer])


async def _set_finalizers(scope: ClusterScope, finalizers: list[str]) -> None:
    metadata = scope.object["metadata"]
    patch = {"finalizers": finalizers, "resourceVersion": metadata["resourceVersion"]}
    name, place = scope.key.name, scope.key.namespace
    live = await scope.kube.patch(kinds.HOSTED_CLUSTER, name, {"metadata": patch}, place)
    scope.object["metadata"] = live["metadata"]


def _has_kubeconfig(scope: ClusterScope) -> bool:
    return scope.control_plane_status.kube_config is not None


def _brief(error: HypershiftError) -> str:
    """What went wrong, without what is another text with each request."""
    if isinstance(error, StoreFailed) and error.status:
        return f"{error.status} {error.code}".strip()
    return str(error)
