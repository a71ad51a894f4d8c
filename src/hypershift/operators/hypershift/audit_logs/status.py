"""The conditions of the AuditLogPersistenceConfig."""

from hypershift.api import AuditLogPersistenceConfig, read
from hypershift.api.conditions import AuditLogCondition
from hypershift.kube import kinds
from hypershift.operators.hypershift.audit_logs.rules.wanted import (
    rotation_fits,
    snapshots_available,
    storage_found,
    wanted,
)
from hypershift.operators.hypershift.audit_logs.scope import serves_snapshots
from hypershift.runtime import Done, Outcome, Scope


async def report(scope: Scope) -> Outcome:
    """Say whether what is asked for can be done."""
    asked = wanted(read(AuditLogPersistenceConfig, scope.object).spec)
    if not asked.enabled:
        for condition in AuditLogCondition:
            scope.conditions.remove(condition)
        return Done()
    scope.conditions.set(storage_found(asked, await scope.kube.list(kinds.STORAGE_CLASS)))
    scope.conditions.set(rotation_fits(asked))
    served = await serves_snapshots(scope.kube)
    if found := snapshots_available(asked, served=served):
        scope.conditions.set(found)
    else:
        scope.conditions.remove(AuditLogCondition.SNAPSHOTS_AVAILABLE)
    return Done()
