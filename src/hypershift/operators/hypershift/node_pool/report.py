"""The phases that say how far a pool is: updates, payload, ignition, machines, nodes."""

from hypershift.ignition import token
from hypershift.kit import annotations_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names, observe
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.scope import PoolScope, secret_value
from hypershift.operators.hypershift.node_pool.validate import say
from hypershift.runtime import Done, Outcome


async def report_updates(scope: PoolScope) -> Outcome:
    """Say whether configuration or version of the nodes are on their way to what is wanted."""
    config, version = scope.wanted_config, scope.wanted_release.version
    current = scope.annotations.get(names.CURRENT_CONFIG, "")
    wanted = config.hash_without_version
    say(
        scope,
        "UpdatingConfig",
        await _updating(
            scope, current != wanted, f"Updating config in progress. Target config: {wanted}"
        ),
    )
    say(
        scope,
        "UpdatingVersion",
        await _updating(
            scope,
            scope.status.get("version") != version,
            f"Updating version in progress. Target version: {version}",
        ),
    )
    return Done()


async def _updating(scope: PoolScope, differs: bool, message: str) -> Verdict:  # noqa: FBT001 - the question itself
    if not differs:
        return Verdict.fails()
    if scope.in_place:
        found = await scope.kube.find(kinds.MACHINE_SET, scope.key.name, scope.namespace)
        marks = annotations_of(found or {})
        if failure := marks.get(names.UPGRADE_FAILED):
            return Verdict.fails("InplaceUpgradeFailed", failure)
        message = marks.get(names.UPGRADE_RUNNING) or message
    return Verdict.holds(message)


async def report_payload(scope: PoolScope) -> Outcome:
    """Say what the ignition server made of the configuration, and whether a machine came."""
    name = token.token_name(scope.key.name, scope.wanted_config.hash)
    secret = await scope.kube.find(kinds.SECRET, name, scope.namespace)
    if secret is None:
        missing = Verdict.fails("NotFound", f'secrets "{name}" not found')
        say(scope, "ValidGeneratedPayload", missing)
        _say_reached(scope, missing)
        return Done()
    reason = secret_value(secret, token.REASON).decode()
    message = secret_value(secret, token.MESSAGE).decode()
    if reason:
        say(scope, "ValidGeneratedPayload", Verdict(reason == token.AS_EXPECTED, reason, message))
    else:
        text = "Unable to get status data from token secret"
        say(scope, "ValidGeneratedPayload", Verdict("Unknown", "PayloadPending", text))
    if annotations_of(secret).get(token.REACHED) == "True":
        _say_reached(scope, Verdict.holds())
    else:
        _say_reached(scope, Verdict.fails("ignitionNotReached"))
    return Done()


def _say_reached(scope: PoolScope, verdict: Verdict) -> None:
    """New tokens of machines that stay are never asked for: what was reached stays reached."""
    kind = "ReachedIgnitionEndpoint"
    if not (scope.in_place and scope.conditions.is_true(kind)):
        say(scope, kind, verdict)


async def report_machines(scope: PoolScope) -> Outcome:
    """Say whether all machines are there, and all their nodes well."""
    replicas = None if scope.spec.get("autoScaling") else scope.spec.get("replicas")
    for kind, of, word, missing in (
        ("AllMachinesReady", "Ready", "ready", "WaitingForInfrastructure"),
        ("AllNodesHealthy", "NodeHealthy", "healthy", "WaitingForNodeRef"),
    ):
        status, reason, message = observe.summary(scope.machines, of, word, missing, replicas)
        say(scope, kind, Verdict(status, reason, message))
    networking = scope.cluster_spec.get("networking") or {}
    networks = [network["cidr"] for network in networking.get("clusterNetwork") or ()]
    kind = "ClusterNetworkCIDRConflict"
    if conflict := observe.network_conflict(scope.machines, networks):
        say(scope, kind, Verdict.holds(conflict, "InvalidConfiguration"))
    else:
        scope.conditions.remove(kind)
    return Done()
