"""The phases that act: endpoint, names, and the Services outside."""

from hypershift.api import HostedControlPlane
from hypershift.operators.controlplane.account import credentials_in, tokens_of
from hypershift.operators.controlplane.private_link.outside import write_outside
from hypershift.operators.controlplane.private_link.scope import EndpointScope
from hypershift.platforms.links import REMOVING, EndpointFacts
from hypershift.runtime import Done, Outcome, Stop, Wait


async def keep_endpoint(scope: EndpointScope) -> Outcome:
    """Bring endpoint and names to what the link needs; one that works rests for a while."""
    assert scope.plane is not None  # noqa: S101 (narrows the type; `find_plane` found it)
    now, memory = scope.clock.now(), scope.sides.looked
    made_of = (scope.object["metadata"].get("generation"), scope.plane.spec)
    if (left := memory.rests(scope.key, now, made_of, scope.status)) is not None:
        return Wait("Works", left)
    kept = await scope.sides.of(scope.key).keep(await _facts(scope, scope.plane))
    for condition in kept.conditions:
        scope.conditions.set(condition)
    kept.write(scope.status)
    if kept.target:
        await write_outside(scope, scope.plane, kept.target)
    memory.note(scope.key, now, made_of, scope.status, works=kept.works)
    return Wait("LookAgain", kept.after)


async def remove_endpoint(scope: EndpointScope) -> Outcome:
    """Remove endpoint and names, while the hosted cluster can still show who it is."""
    if scope.plane is None:
        return Done()
    left = await scope.sides.of(scope.key).remove(await _facts(scope, scope.plane))
    if left:
        return Stop("Removing", f"waiting for {left}", REMOVING)
    scope.sides.forget(scope.key)
    return Done()


async def _facts(scope: EndpointScope, plane: HostedControlPlane) -> EndpointFacts:
    return EndpointFacts(
        link=scope.object,
        now=scope.clock.now(),
        plane=plane,
        tokens=tokens_of(scope.kube, scope.environment.accounts.connect, scope.namespace),
        credentials=await credentials_in(scope.kube, scope.namespace),
    )
