"""Publishes the discovery documents of a cluster's token issuer where its cloud reads them.

finalizer -> both documents -> mark -> ValidOIDCConfiguration  on deletion: documents -> finalizer

The finalizer comes first, so that after a crash the documents are still deleted. The mark, on the
Secret with the keys, says which of them the documents list: no other one is signed with before.
"""

from datetime import timedelta

from hypershift.api import annotations
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
from hypershift.kit import HypershiftError, Manifest, TransientError, annotations_of, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.claims import Claims, infra
from hypershift.operators.hypershift.hosted_cluster.rules.copies import SIGNING_KEY
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.hosted_cluster.waiting import wait
from hypershift.pki.issuer import documents
from hypershift.pki.token_keys import PUBLIC, digest
from hypershift.runtime import Done, Outcome, Stop

KIND = HostedClusterCondition.VALID_OIDC
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
    secret = await scope.kube.find(kinds.SECRET, SIGNING_KEY, scope.namespace)
    if finalizer in held and holds(scope.conditions.get(KIND)) and _is_listed(secret):
        return
    try:
        await _publish(scope, finalizer, secret)
    except HypershiftError as error:
        text = f"Failed to publish the documents of the token issuer: {_brief(error)}"
        scope.conditions.set(false(KIND, HostedClusterReason.OIDC_INVALID, text))
        raise
    scope.conditions.set(true(KIND, ALL_IS_WELL, Reason.AS_EXPECTED))


def _is_listed(secret: Manifest | None) -> bool:
    """Whether the documents list the keys of now; true where none can be read."""
    keys = data_of(secret, PUBLIC)
    return not keys or _listed(secret) == digest(keys)


def _listed(secret: Manifest | None) -> str:
    return annotations_of(secret or {}).get(annotations.PUBLISHED_TOKEN_KEYS, "")


async def _publish(scope: ClusterScope, finalizer: str, secret: Manifest | None) -> None:
    store = scope.environment.documents
    if store is None:
        raise TransientError(UNCONFIGURED)
    keys = data_of(secret, PUBLIC)
    if secret is None or not keys:
        raise TransientError(f"Secret {scope.namespace}/{SIGNING_KEY} has no {PUBLIC} yet")
    made = documents(scope.wanted.issuer_url or "", keys)
    await _add_finalizer(scope, finalizer)
    # A process that is late, with older keys, fails here and overwrites nothing.
    secret = await _mark(scope, secret, None)
    for path, body in made.items():
        key = f"{scope.wanted.infra_id}/{path}"
        await store.write(key, body, "application/json")
    await _mark(scope, secret, digest(keys))


async def _mark(scope: ClusterScope, secret: Manifest, listed: str | None) -> Manifest:
    """Note which keys the documents list, unless the Secret changed since it was read."""
    if _listed(secret) == (listed or ""):
        return secret
    version = secret["metadata"]["resourceVersion"]
    marks = {annotations.PUBLISHED_TOKEN_KEYS: listed}
    patch = {"metadata": {"resourceVersion": version, "annotations": marks}}
    return await scope.kube.patch(kinds.SECRET, SIGNING_KEY, patch, scope.namespace)


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
