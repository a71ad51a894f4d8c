"""The phase that finds the release of each class's nodes."""

from hypershift.kit import HypershiftError
from hypershift.operators.karpenter.rules import pools, versions
from hypershift.operators.karpenter.rules.status import Resolved
from hypershift.operators.karpenter.scope import ClassState, KarpenterScope
from hypershift.runtime import Done, Outcome


async def resolve_versions(scope: KarpenterScope) -> Outcome:
    """Find the image of each class's version; without one nodes run what the cluster runs."""
    for each in scope.kept:
        each.resolved = await _resolved(scope, each)
    return Done()


async def _resolved(scope: KarpenterScope, state: ClassState) -> Resolved:
    wanted, current = state.node_class.spec.version, pools.current_release(scope.plane)
    if not wanted:
        return Resolved(current.image, current.version)
    known = state.node_class.status.version or ""
    if why := versions.why_not(wanted, current.version, known):
        return Resolved("", wanted, f'failed to validate if version "{wanted}" is valid: {why}')
    skew = versions.skew(wanted, current.version)
    if image := pools.image_of(scope.plane, wanted):
        return Resolved(image, wanted, skew=skew)
    try:
        image = await scope.environment.resolve(wanted, scope.plane.spec.channel or "")
    except HypershiftError as error:
        return Resolved("", wanted, str(error)[:1000])
    return Resolved(image, wanted, skew=skew)
