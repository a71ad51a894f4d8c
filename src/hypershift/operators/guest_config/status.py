"""Report what runs inside a hosted cluster: its nodes, its release, the stage of a replacement."""

from datetime import timedelta

from hypershift.api.conditions import ControlPlaneReason
from hypershift.operators.guest_config.openshift import status as openshift
from hypershift.operators.guest_config.rules import succession as rules
from hypershift.operators.guest_config.rules.complete import software_complete
from hypershift.operators.guest_config.rules.version import plane_runs, version_status
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

RETRY = timedelta(seconds=5)


async def follow_succession(scope: GuestScope) -> Outcome:
    """Report how far nodes and software are with a stage of the replacement of authorities."""
    found = scope.values.authorities if scope.values else None
    if found is None or not found.succession.replaces_authorities or not scope.applied:
        return Done()
    progress = rules.progress(found, scope.applied, len(scope.nodes))
    scope.conditions.set(progress)
    return Done() if progress.is_true else Wait(ControlPlaneReason.GUEST_FOLLOWS, after=RETRY)


async def count_nodes(scope: GuestScope) -> Outcome:
    """Report how many nodes there are."""
    scope.status["nodeCount"] = len(scope.nodes)
    return Done()


async def report_version(scope: GuestScope) -> Outcome:
    """Report the release that the cluster runs: complete when control plane and software run it."""
    if scope.release is None or scope.plane is None:
        return Done()
    if scope.release.openshift:
        return await openshift.report(scope)
    scope.status["versionStatus"] = version_status(
        scope.status.get("versionStatus"),
        scope.wanted.release_image,
        scope.release.version,
        scope.hosted.metadata.generation or 1,
        scope.clock.now(),
        complete=plane_runs(scope.plane, scope.hosted)
        and software_complete(scope.applied, len(scope.nodes)),
    )
    return Done()
