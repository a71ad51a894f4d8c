"""The phases that say how far a pool is: updates, payload, ignition, machines, nodes."""

from hypershift.ignition import token
from hypershift.kit import InvalidSpec, Manifest, annotations_of, cidrs, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names, observe
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.say import failed, say
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms.kubevirt.machine_template import MACHINE as KUBEVIRT_MACHINE
from hypershift.runtime import Done, Outcome


async def report_updates(scope: PoolScope) -> Outcome:
    """Say whether configuration or version of the nodes are on their way to what is wanted."""
    config, version = scope.wanted_config, scope.wanted_release.version
    wanted = config.hash_without_version
    updates = {
        "UpdatingConfig": (
            scope.annotations.get(names.CURRENT_CONFIG, "") != wanted,
            f"Updating config in progress. Target config: {wanted}",
        ),
        "UpdatingVersion": (
            scope.status.get("version") != version,
            f"Updating version in progress. Target version: {version}",
        ),
    }
    for kind, (differs, message) in updates.items():
        if differs and scope.in_place and not scope.infra_id:
            why = "error getting capi client: capiClusterName can not be empty"
            return await failed(scope, why)
        verdict = await _updating(scope, message) if differs else Verdict.fails()
        say(scope, kind, verdict)
    return Done()


async def _updating(scope: PoolScope, message: str) -> Verdict:
    if scope.in_place:
        found = await scope.kube.find(kinds.MACHINE_SET, scope.key.name, scope.namespace)
        marks = annotations_of(found or {})
        if (failure := marks.get(names.UPGRADE_FAILED)) is not None:
            return Verdict.fails("InplaceUpgradeFailed", failure)
        message = marks.get(names.UPGRADE_RUNNING, message)
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
    say(scope, "ValidGeneratedPayload", _payload(secret))
    if token.REACHED in annotations_of(secret):
        _say_reached(scope, Verdict.holds())
    else:
        _say_reached(scope, Verdict.fails("ignitionNotReached"))
    return Done()


def _payload(secret: Manifest) -> Verdict:
    reason = data_of(secret, token.REASON).decode()
    message = data_of(secret, token.MESSAGE).decode()
    if token.REASON not in (secret.get("data") or {}):
        return Verdict("Unknown", "", "Unable to get status data from token secret")
    return Verdict(reason == token.AS_EXPECTED, reason, message)


def _say_reached(scope: PoolScope, verdict: Verdict) -> None:
    """New tokens of machines that stay are never asked for: what was reached stays reached."""
    kind = "ReachedIgnitionEndpoint"
    if not (scope.in_place and scope.conditions.is_true(kind)):
        say(scope, kind, verdict)


async def report_machines(scope: PoolScope) -> Outcome:
    """Say whether all machines are there, and all their nodes well."""
    replicas = scope.spec.get("replicas")
    ready = observe.readiness(scope.machines, replicas)
    healthy = observe.health(scope.machines, replicas)
    say(scope, "AllMachinesReady", Verdict(*ready))
    say(scope, "AllNodesHealthy", Verdict(*healthy))
    networks = cidrs(scope.cluster_spec.get("networking") or {}, "clusterNetwork")
    kind = "ClusterNetworkCIDRConflict"
    try:
        conflict = observe.network_conflict(scope.machines, networks)
    except InvalidSpec as error:
        return await failed(scope, str(error))
    if conflict:
        say(scope, kind, Verdict.holds(conflict, "InvalidConfiguration"))
    else:
        scope.conditions.remove(kind)
    if scope.platform == "KubeVirt":
        await _report_migration(scope)
    return Done()


async def _report_migration(scope: PoolScope) -> None:
    """Say whether KubeVirt can move the machines; the condition speaks of the whole cluster."""
    machines = await scope.kube.list(KUBEVIRT_MACHINE, scope.namespace)
    if machines:
        say(scope, "KubeVirtNodesLiveMigratable", Verdict(*observe.live_migration(machines)))
