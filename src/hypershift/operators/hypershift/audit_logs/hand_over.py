"""The phase that annotates a control plane with how its API servers keep their audit logs."""

from hypershift.api import annotations
from hypershift.kit import annotations_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.audit_logs.rules.wanted import storage_found
from hypershift.operators.hypershift.audit_logs.scope import configured, within
from hypershift.runtime import Done, Outcome, Scope, Stop

MARK = annotations.AUDIT_LOG_PERSISTENCE


async def hand_over(scope: Scope) -> Outcome:
    """Annotate the HostedControlPlane, or take the annotation away.

    Where the storage class is missing, no pod could be started: API servers stay as they are.
    """
    asked = await configured(scope.kube)
    known = annotations_of(scope.object).get(MARK)
    said = asked.handed_over if asked and asked.enabled else None
    if said == known:
        return Done()
    if asked and said:
        found = storage_found(asked, await scope.kube.list(kinds.STORAGE_CLASS))
        if not found.is_true:
            return Stop("StorageNotFound", found.message)
    own = await within(scope.context, scope.key.namespace)
    if own is None:
        return Stop("NotOurs", f"no hosted cluster owns namespace {scope.key.namespace!r}")
    patch = {"metadata": {"annotations": {MARK: said}}}
    await own.patch(kinds.HOSTED_CONTROL_PLANE, scope.key.name, patch, scope.key.namespace)
    return Done()
