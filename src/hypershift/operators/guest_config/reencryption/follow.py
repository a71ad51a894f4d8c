"""The phase that brings a change of key one step further."""

from datetime import timedelta

from hypershift.api.conditions import (
    ConditionReason,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
)
from hypershift.controlplane.kube_apiserver.encryption import (
    FILE,
    SECRET,
    all_run,
    encrypted_of,
    fingerprint,
    mark,
    providers_of,
)
from hypershift.kit import Manifest, data_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.reencryption.rules.plan import Plan, Servers, completed, plan
from hypershift.operators.guest_config.reencryption.scope import CONDITION, KeyScope
from hypershift.runtime import (
    Done,
    Outcome,
    Wait,
    connect_guest,
    is_true,
)

SERVER = "kube-apiserver"
#: Between two looks while the servers are rolled, between two parts of the rewriting, and after
#: something was refused.
ROLLING, NEXT, REFUSED = timedelta(seconds=10), timedelta(seconds=1), timedelta(seconds=60)


async def follow(scope: KeyScope) -> Outcome:
    """Bring a change of key one step further; without one, say that all is well."""
    found = plan(scope.known, scope.keys, Servers(providers_of(scope.content)), scope.clock.now())
    if found.steady:
        scope.rewriter.forget(scope.namespace)
        scope.publish(found)
        return Done()
    # Something goes on: what follows must not come from a cache that is behind.
    servers = await _servers(scope)
    found = plan(scope.known, scope.keys, servers, scope.clock.now())
    scope.publish(found)
    if found.rewrite is None:
        scope.rewriter.forget(scope.namespace)
        return Done() if found.steady else Wait("KeyIsRolled", after=ROLLING)
    return await _rewrite(scope, found, found.rewrite)


async def _rewrite(scope: KeyScope, found: Plan, key: Manifest) -> Outcome:
    guest = await _guest(scope)
    if guest is None:
        return Wait("ApiServerNotAvailable", after=ROLLING)
    before = scope.content
    note = f"{fingerprint(key)} {mark(before.decode())}"
    try:
        work = await scope.rewriter.step(scope.namespace, note, guest, encrypted_of(before))
    except (ApiError, OSError) as error:
        _report(scope, ControlPlaneReason.RE_ENCRYPTING, f"Stored data cannot be listed: {error}")
        return Wait("GuestUnavailable", after=ROLLING, error=error)
    if work.todo:
        return Wait("Rewriting", after=NEXT)
    if work.problem:
        _report(scope, ControlPlaneReason.RE_ENCRYPTION_FAILED, work.problem)
        return Wait("Refused", after=REFUSED)
    scope.rewriter.forget(scope.namespace)
    after = await _servers(scope)
    if not after.converged or scope.content != before:
        return Wait("ServersChanged", after=NEXT)
    return _conclude(scope, completed(found.status, key, scope.clock.now()), after)


def _conclude(scope: KeyScope, status: Manifest, servers: Servers) -> Outcome:
    """Say that everything is encrypted with the key; a newer wish begins to be followed."""
    scope.log.info("stored data is encrypted with the active key")
    found = plan(status, scope.keys, servers, scope.clock.now())
    scope.publish(found)
    return Done() if found.steady else Wait("KeyIsRolled", after=ROLLING)


async def _guest(scope: KeyScope) -> Client | None:
    """The hosted cluster; None while it does not answer."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return None
    return await connect_guest(scope)


def _report(scope: KeyScope, reason: ConditionReason, text: str) -> None:
    scope.conditions.set(false(CONDITION, reason, text[:1000]))


async def _servers(scope: KeyScope) -> Servers:
    """What the API servers were given and whether all run it, asked of the server itself."""
    live, namespace = scope.context.live, scope.namespace
    deployment = await live.find(kinds.DEPLOYMENT, SERVER, namespace)
    pods = await live.list(kinds.POD, namespace, labels=f"app={SERVER}")
    config = await live.find(kinds.SECRET, SECRET, namespace)
    scope.content = data_of(config, FILE)
    converged = bool(scope.content) and all_run(deployment, pods, scope.content)
    return Servers(providers_of(scope.content), converged)
