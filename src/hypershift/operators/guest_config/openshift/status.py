"""Repeat what an OpenShift cluster's own version operator says."""

from datetime import timedelta

from hypershift.api.values import UpdateState
from hypershift.kube import ApiError
from hypershift.operators.guest_config.openshift.configure import VERSION_NAME
from hypershift.operators.guest_config.openshift.rules import status
from hypershift.operators.guest_config.openshift.rules.guest import VERSION
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Outcome, Wait

#: The version operator writes every few seconds while it has work, and seldom after that.
LOOK_AGAIN, LOOK_SELDOM = timedelta(seconds=15), timedelta(seconds=60)


async def report(scope: GuestScope) -> Outcome:
    """Repeat what the cluster's own version operator says."""
    live, problem = None, ""
    try:
        resource = await scope.inside.resource(VERSION, "ClusterVersion")
        live = await scope.inside.get(resource, VERSION_NAME)
    except ApiError as error:
        problem = f"failed to get clusterVersion: {error}"[:1000]
    for condition in status.conditions(live, problem):
        scope.conditions.set(condition)
    if live and (found := status.version_status(live)):
        scope.status["versionStatus"] = found
        scope.status["version"] = found["desired"]["version"]
        scope.status["releaseImage"] = found["desired"]["image"]
        if found["history"][0]["state"] == UpdateState.COMPLETED:
            return Wait("LookAtVersion", after=LOOK_SELDOM)
    return Wait("LookAtVersion", after=LOOK_AGAIN)
