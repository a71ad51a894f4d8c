"""The phases that report a pool's progress: updates, payload, ignition, machines, nodes."""

from hypershift.api.conditions import (
    Condition,
    ConditionType,
    ForeignReason,
    NodePoolConditionType,
    NodePoolReason,
    Reason,
    decided,
    false,
    true,
    unknown,
)
from hypershift.ignition import token
from hypershift.kit import InvalidSpec, Manifest, annotations_of, canonical_cidr, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.rules import machine_state
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms.pools import MachineSummary
from hypershift.runtime import Done, Outcome

PAYLOAD = NodePoolConditionType.VALID_GENERATED_PAYLOAD
REACHED = NodePoolConditionType.REACHED_IGNITION_ENDPOINT
NOT_REACHED = NodePoolReason.IGNITION_NOT_REACHED


async def report_updates(scope: PoolScope) -> Outcome:
    """Report whether the nodes' configuration or version is being updated."""
    config, version = scope.wanted_config, scope.wanted_release.version
    wanted = config.hash_without_version
    updates = {
        NodePoolConditionType.UPDATING_CONFIG: (
            scope.annotations.get(names.CURRENT_CONFIG, "") != wanted,
            f"Updating config in progress. Target config: {wanted}",
        ),
        NodePoolConditionType.UPDATING_VERSION: (
            scope.status.get("version") != version,
            f"Updating version in progress. Target version: {version}",
        ),
    }
    for kind, (differs, message) in updates.items():
        if differs and scope.in_place and not scope.infra_id:
            why = "error getting capi client: capiClusterName can not be empty"
            return await failed(scope, why)
        still = false(kind, Reason.AS_EXPECTED)
        scope.conditions.set(await _updating(scope, kind, message) if differs else still)
    return Done()


async def _updating(scope: PoolScope, kind: ConditionType, message: str) -> Condition:
    if scope.in_place:
        found = await scope.kube.find(kinds.MACHINE_SET, scope.key.name, scope.namespace)
        marks = annotations_of(found or {})
        if (failure := marks.get(names.UPGRADE_FAILED)) is not None:
            return false(kind, NodePoolReason.IN_PLACE_UPGRADE_FAILED, failure)
        message = marks.get(names.UPGRADE_RUNNING, message)
    return true(kind, message)


async def report_payload(scope: PoolScope) -> Outcome:
    """Report whether the ignition server rendered the payload, and whether a machine fetched it."""
    name = token.token_name(scope.key.name, scope.wanted_config.hash)
    secret = await scope.kube.find(kinds.SECRET, name, scope.namespace)
    if secret is None:
        message = f'secrets "{name}" not found'
        scope.conditions.set(false(PAYLOAD, Reason.NOT_FOUND, message))
        _set_reached(scope, false(REACHED, Reason.NOT_FOUND, message))
        return Done()
    scope.conditions.set(_payload(secret))
    came = token.REACHED in annotations_of(secret)
    _set_reached(scope, true(REACHED) if came else false(REACHED, NOT_REACHED))
    return Done()


def _payload(secret: Manifest) -> Condition:
    reason = data_of(secret, token.REASON).decode()
    message = data_of(secret, token.MESSAGE).decode()
    if token.REASON not in (secret.get("data") or {}):
        text = "Unable to get status data from token secret"
        return unknown(PAYLOAD, ForeignReason(""), text)
    well = reason == token.AS_EXPECTED
    return decided(PAYLOAD, so=well, reason=ForeignReason(reason), message=message)


def _set_reached(scope: PoolScope, condition: Condition) -> None:
    """Machines that stay never fetch with a new token, so True remains True."""
    if not (scope.in_place and scope.conditions.is_true(REACHED)):
        scope.conditions.set(condition)


async def report_machines(scope: PoolScope) -> Outcome:
    """Report whether all machines exist and all their nodes are healthy."""
    replicas = scope.wanted.replicas
    scope.conditions.set(machine_state.readiness(scope.machines, replicas))
    scope.conditions.set(machine_state.health(scope.machines, replicas))
    ranges = scope.wanted_cluster.networking.cluster_network or ()
    networks = tuple(canonical_cidr(each.cidr) for each in ranges)
    kind = NodePoolConditionType.CIDR_CONFLICT
    try:
        conflict = machine_state.network_conflict(scope.machines, networks)
    except InvalidSpec as error:
        return await failed(scope, str(error))
    if conflict:
        scope.conditions.set(true(kind, conflict, Reason.INVALID_CONFIGURATION))
    else:
        scope.conditions.remove(kind)
    if scope.pools.summary:
        await _report_summary(scope, scope.pools.summary)
    return Done()


async def _report_summary(scope: PoolScope, summary: MachineSummary) -> None:
    """Copy the condition of the cloud's own machines; it is about the whole cluster."""
    machines = await scope.kube.list(summary.resource, scope.namespace)
    if machines:
        scope.conditions.set(machine_state.summed_up(machines, summary))
